// Command ladder writes the ladder of the rooms, which rooms each may import, into the documents. It reads the ladder
// from the linter's allow-lists, and fails when a room has no list.
//
//	go run ./scripts/ladder
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

const (
	config = ".golangci.yml"
	module = "servery/internal/"
	begin  = "<!-- ladder: written by make generate from .golangci.yml -->\n"
	end    = "<!-- end of the ladder -->\n"
)

// documents are the files with a copy of the ladder.
var documents = []string{"docs/architecture.md"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "ladder:", err)
		os.Exit(1)
	}
}

// run writes the table of the rooms into the documents.
func run() error {
	rooms, err := readRooms()
	if err != nil {
		return err
	}
	if err := checkRooms(rooms); err != nil {
		return err
	}
	text := []byte(begin + "| room | imports, of ours |\n|---|---|\n")
	for _, r := range rooms {
		text = append(text, r.row()...)
	}
	text = append(text, end...)
	for _, name := range documents {
		if err := replaceCopy(name, text); err != nil {
			return err
		}
	}
	return nil
}

// room is a folder below internal, with the other rooms that it may import.
type room struct {
	name  string
	allow []string
}

// row returns the room's row of the table.
func (r room) row() string {
	allowed := "nothing"
	if len(r.allow) > 0 {
		allowed = strings.Join(r.allow, ", ")
	}
	return "| `" + r.name + "` | " + allowed + " |\n"
}

// rule has the fields of a rule of depguard that are read here.
type rule struct {
	Files []string `yaml:"files"`
	Allow []string `yaml:"allow"`
}

// readRooms returns the rooms in the order of the linter's file: one for each rule whose name begins with room-.
func readRooms() ([]room, error) {
	data, err := os.ReadFile(config)
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	var file struct {
		Linters struct {
			Settings struct {
				Depguard struct {
					Rules yaml.MapSlice `yaml:"rules"`
				} `yaml:"depguard"`
			} `yaml:"settings"`
		} `yaml:"linters"`
	}
	if err := yaml.UnmarshalWithOptions(data, &file, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	var rooms []room
	for _, item := range file.Linters.Settings.Depguard.Rules {
		name, ok := strings.CutPrefix(fmt.Sprint(item.Key), "room-")
		if !ok {
			continue
		}
		text, err := yaml.Marshal(item.Value)
		if err != nil {
			return nil, fmt.Errorf("read rule %s: %w", name, err)
		}
		var r rule
		if err := yaml.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("read rule %s: %w", name, err)
		}
		found := room{name: name}
		for _, pkg := range r.Allow {
			other, ok := strings.CutPrefix(strings.TrimSuffix(pkg, "$"), module)
			if !ok { // not below internal, such as web
				other = strings.TrimPrefix(pkg, "servery/")
			}
			if other != name {
				found.allow = append(found.allow, other)
			}
		}
		rooms = append(rooms, found)
	}
	return rooms, nil
}

// checkRooms returns an error that names each folder below internal without a rule.
func checkRooms(rooms []room) error {
	folders, err := filepath.Glob("internal/*")
	if err != nil {
		return fmt.Errorf("list rooms: %w", err)
	}
	var missing []string
	for _, folder := range folders {
		name := filepath.Base(folder)
		if !slices.ContainsFunc(rooms, func(r room) bool { return r.name == name }) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return errors.New(config + " has no rule for the rooms " + strings.Join(missing, ", "))
	}
	return nil
}

// replaceCopy replaces the text from the mark begin to the mark end of a document, the marks included, by text.
func replaceCopy(name string, text []byte) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("copy ladder: %w", err)
	}
	before, rest, ok := bytes.Cut(data, []byte(begin))
	if !ok {
		return fmt.Errorf("%s has no place for the ladder", name)
	}
	_, after, ok := bytes.Cut(rest, []byte(end))
	if !ok {
		return fmt.Errorf("%s has no end of the ladder", name)
	}
	if err := os.WriteFile(name, slices.Concat(before, text, after), 0o600); err != nil { //nolint:gosec // the names are constants
		return fmt.Errorf("copy ladder: %w", err)
	}
	return nil
}
