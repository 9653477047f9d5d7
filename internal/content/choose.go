package content

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Choose returns the content of the named brands: all files but the folders of other brands. Without a name it returns
// all files. It returns an error when a brand has no folder.
func Choose(files fs.FS, brands []string) (fs.FS, error) {
	if len(brands) == 0 {
		return files, nil
	}
	r := &reader{names: listFiles(files, &faults{})} // Read finds the same faults
	all := r.brandDirs()
	for _, name := range brands {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("there is no brand %q in the content, only %s", name, strings.Join(all, ", "))
		}
	}
	hidden := slices.DeleteFunc(all, func(dir string) bool { return slices.Contains(brands, dir) })
	return chosen{files, hidden}, nil
}

// chosen is a folder without some of the folders directly in it.
type chosen struct {
	fs.FS
	hidden []string
}

// Open implements [fs.FS].
func (c chosen) Open(name string) (fs.File, error) {
	top, _, _ := strings.Cut(path.Clean(name), "/")
	if slices.Contains(c.hidden, top) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return c.FS.Open(name)
}

// ReadDir implements [fs.ReadDirFS].
func (c chosen) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(c.FS, name)
	if path.Clean(name) == "." {
		entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return slices.Contains(c.hidden, e.Name()) })
	}
	return entries, err
}
