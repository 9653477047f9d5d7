// Package content carries the demo brands within the program, so that it shows
// something the moment it starts.
package content

import (
	"embed"
	"io/fs"
)

//go:embed demo
var files embed.FS

// Demo returns the content folder of the demo brands.
func Demo() fs.FS {
	demo, err := fs.Sub(files, "demo")
	if err != nil {
		panic(err) // the path is written above
	}
	return demo
}
