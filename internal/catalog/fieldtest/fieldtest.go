// Package fieldtest finds fields that were forgotten on their way: from content to the menu, into
// the demo, into the world of the second price model.
package fieldtest

import (
	"reflect"
	"slices"
	"strings"
)

// Fields are the fields of structs, as "Type.Field", with whether any value had them set.
type Fields map[string]bool

// Add records the exported fields of v and of all values that v refers to, and whether each is
// set. packages are the last elements of package paths; structs of other packages are left out.
func (f Fields) Add(v any, packages ...string) { f.add(reflect.ValueOf(v), packages) }

// add records the fields of the structs in v and in all values that v refers to. Structs of
// packages not named are left out.
func (f Fields) add(v reflect.Value, packages []string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			f.add(v.Elem(), packages)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			f.add(v.Index(i), packages)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			f.add(v.MapIndex(k), packages)
		}
	case reflect.Struct:
		f.addStruct(v, packages)
	default:
	}
}

// addStruct records the exported fields of a struct, each with whether it is set here or was
// before, and those of their values. A struct of a package not named is left out.
func (f Fields) addStruct(v reflect.Value, packages []string) {
	path := v.Type().PkgPath()
	if !slices.Contains(packages, path[strings.LastIndex(path, "/")+1:]) {
		return
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		if !field.Anonymous {
			name := v.Type().Name() + "." + field.Name
			f[name] = f[name] || !v.Field(i).IsZero()
		}
		f.add(v.Field(i), packages)
	}
}

// Unset returns the fields of the types that no value had set and that are not in except. It also
// returns the fields in except that some value had set, as exceptions that are needed no longer.
func (f Fields) Unset(types, except []string) []string {
	var unset []string
	for name, isSet := range f {
		typeName, _, _ := strings.Cut(name, ".")
		if isException := slices.Contains(except, name); slices.Contains(types, typeName) && isSet == isException {
			unset = append(unset, name)
		}
	}
	slices.Sort(unset)
	return unset
}

// Names returns the JSON names of the fields of a struct type, including those of embedded
// structs. Fields without a name in JSON are left out.
func Names(of reflect.Type) []string {
	var names []string
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			names = append(names, Names(field.Type)...)
		case name != "" && name != "-":
			names = append(names, name)
		}
	}
	return names
}
