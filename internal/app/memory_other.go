//go:build !linux

package app

// dropFilePages does nothing: only Linux counts these pages as the program's memory.
func dropFilePages() error { return nil }
