// Package licences holds the licences of everything that goes out with the program: Go
// modules, packages of the page, typefaces, Go itself. scripts/licences writes the file.
package licences

import _ "embed" // the file is part of the program

//go:embed THIRD_PARTY.txt
var text string

// Text returns the list of components and the texts of their licences.
func Text() string { return text }
