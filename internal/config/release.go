//go:build release

package config

import "time"

// Release says that this program was built for customers, not for development.
const Release = true

// lameDuck is the default of the setting LameDuck: the time in which balancers notice that the program
// is not ready.
const lameDuck = 5 * time.Second
