//go:build release

package config

// Release says that this program was built for customers, not for development.
const Release = true
