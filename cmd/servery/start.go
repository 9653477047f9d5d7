package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	brands "servery/content"
	"servery/internal/look"
)

// writeStarter writes a content folder to start a brand from into args[0], with the schemas of its files and the
// list of letters that fonts need. The folder must be new or empty.
func writeStarter(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("new-brand takes one folder, which it makes")
	}
	dir := args[0]
	if err := makeEmpty(dir); err != nil {
		return err
	}
	if err := os.CopyFS(dir, brands.Starter()); err != nil {
		return fmt.Errorf("write the folder: %w", err)
	}
	if err := os.CopyFS(filepath.Join(dir, "schema"), brands.Schema()); err != nil {
		return fmt.Errorf("write the schemas: %w", err)
	}
	letters := filepath.Join(dir, "fonts", "letters.json")
	if err := os.WriteFile(letters, look.LettersFile(), 0o644); err != nil { //nolint:gosec // the service reads it as another user
		return fmt.Errorf("write the letters of fonts: %w", err)
	}
	_, err := fmt.Fprintf(out, "%s is a shop that works as it is; %s says what to change first\n", dir, filepath.Join(dir, "README.md"))
	return err
}

// makeEmpty makes a folder, or accepts an empty one. It returns an error when the folder has files, since
// those must not be overwritten.
func makeEmpty(dir string) error {
	found, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.MkdirAll(dir, 0o755) //nolint:gosec // the service reads it as another user
	case err != nil:
		return fmt.Errorf("cannot use the folder: %w", err)
	case len(found) > 0:
		return fmt.Errorf("%s has files in it already, and none of them is to be lost: name a new folder", dir)
	}
	return nil
}

// writeSchemas writes the JSON schemas of content files into the folder args[0], which it makes. It overwrites
// schemas that are there.
func writeSchemas(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("schema takes one folder, which it makes")
	}
	dir := args[0]
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // the service reads it as another user
		return fmt.Errorf("make the folder: %w", err)
	}
	files := brands.Schema()
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		text, err := fs.ReadFile(files, entry.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, entry.Name()), text, 0o644); err != nil { //nolint:gosec // likewise
			return fmt.Errorf("write a schema: %w", err)
		}
	}
	_, err = fmt.Fprintf(out, "%s: %d schemas\n", dir, len(entries))
	return err
}
