package content

import "io/fs"

// Check returns what is wrong with a folder and the warnings, sorted by file and line.
func Check(files fs.FS) []Fault {
	_, found := Read(files)
	return found
}
