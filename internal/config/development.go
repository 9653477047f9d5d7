//go:build !release

package config

// Release says that this program was built for customers, not for development.
const Release = false

// lameDuck is the setting of that name by itself: there is no balancer.
const lameDuck = 0
