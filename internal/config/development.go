//go:build !release

package config

// Release says that this program was built for customers, not for development.
const Release = false

// lameDuck is the default of the setting LameDuck: there is no balancer.
const lameDuck = 0
