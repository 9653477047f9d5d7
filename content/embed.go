// Package content carries content folders within the program: the demo brands, so that it shows
// something the moment it starts, a folder to start a brand of one's own from, and the schemas of
// all files.
package content

import (
	"embed"
	"io/fs"
)

// Each has a variable of its own: what a program does not use is no part of it.
var (
	//go:embed demo
	demo embed.FS
	//go:embed starter
	starter embed.FS
	//go:embed schema
	schema embed.FS
)

// Demo returns the content folder of the demo brands.
func Demo() fs.FS { return within(demo, "demo") }

// Starter returns a small content folder to start from.
func Starter() fs.FS { return within(starter, "starter") }

// Schema returns the JSON schemas of the files of a content folder.
func Schema() fs.FS { return within(schema, "schema") }

// within returns a folder, which must be there.
func within(files embed.FS, name string) fs.FS {
	folder, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // the names are written above
	}
	return folder
}
