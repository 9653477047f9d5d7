package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// replaceFile replaces the file target, or makes it, with what write writes. When that fails, the former file
// stays as it was.
func replaceFile(target string, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(target), filepath.Base(target)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name()) //nolint:gosec // who calls the program names the files; the first error says what is wrong
		}
	}()
	if err := write(file); err != nil {
		return errors.Join(err, file.Close())
	}
	if err := errors.Join(file.Chmod(0o644), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), target) //nolint:gosec // who calls the program names the files
}
