// Package storedtest checks that the types of values which are stored as JSON, or whose hash is stored,
// name each field by a json tag: when Go code renames a field, its value in rows that were written
// before must still be read.
package storedtest

import (
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// golden is where a package writes down the form of what it stores.
const golden = "testdata/stored.txt"

// ExpectForm checks that each field of the values has a json tag, and that the paths of their JSON are
// those in testdata/stored.txt. A change of that file is a change of what is stored: rows that were
// written before must still be read. With UPDATE=1 it writes the file.
func ExpectForm(t *testing.T, values ...any) {
	t.Helper()
	form := formOf(t, values)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(form), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != form {
		t.Errorf("what is stored has not the form in %s (UPDATE=1 writes it), %v:\n%s", golden, err, form)
	}
}

// ExpectNames checks that each field of the values has a json tag.
func ExpectNames(t *testing.T, values ...any) {
	t.Helper()
	formOf(t, values)
}

// root is the path of a whole value, before those of its fields.
const root = ""

// formOf returns the paths of the values' JSON, and reports fields without a json tag.
func formOf(t *testing.T, values []any) string {
	t.Helper()
	var form strings.Builder
	for _, value := range values {
		of := reflect.TypeOf(value)
		fmt.Fprintln(&form, of)
		formWriter{t: t, to: &form, within: map[reflect.Type]bool{}}.writeType(of, root)
	}
	return form.String()
}

// formWriter writes the paths of a type's JSON.
type formWriter struct {
	t  *testing.T
	to *strings.Builder
	// within has the structs that the current path is in; one that contains itself is written by its
	// name only.
	within map[reflect.Type]bool
}

var (
	writesJSON = reflect.TypeFor[json.Marshaler]()
	writesText = reflect.TypeFor[encoding.TextMarshaler]()
)

// writeType writes the paths of a type at a path.
func (w formWriter) writeType(of reflect.Type, path string) {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Implements(writesJSON) || of.Implements(writesText) || w.within[of] {
		w.writeLine(path, of.String())
		return
	}
	switch of.Kind() {
	case reflect.Slice, reflect.Array:
		w.writeType(of.Elem(), path+"[]")
	case reflect.Map:
		w.writeType(of.Elem(), path+"{}")
	case reflect.Struct:
		w.within[of] = true
		w.writeFields(of, path)
		delete(w.within, of)
	default:
		w.writeLine(path, of.Kind().String())
	}
}

// writeFields writes the paths of a struct's fields, and reports those without a json tag. The fields of
// an embedded struct without a tag count as the struct's own.
func (w formWriter) writeFields(of reflect.Type, path string) {
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported() && !field.Anonymous:
		case name == "" && field.Anonymous:
			w.writeType(field.Type, path)
		case name == "":
			w.t.Errorf("%s.%s is stored and has no json tag", of, field.Name)
		default:
			w.writeType(field.Type, path+"."+name)
		}
	}
}

func (w formWriter) writeLine(path, kind string) { fmt.Fprintf(w.to, "\t%s %s\n", path, kind) }
