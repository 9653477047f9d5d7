package content

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

const guide = "../../docs/content.md"

// The tables of docs/content.md are those of the reader.
func TestGuide_hasTheFieldsOfTheReader(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	m := tableMaker{readComments(t)}
	for _, d := range described {
		begin, end := "<!-- fields of "+d.file+": written by make generate -->\n", "<!-- end of the fields -->"
		before, rest, ok := strings.Cut(text, begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("%s has no place for the fields of %s: %s%s", guide, d.file, begin, end)
		}
		rows := m.rows("", d.of)
		text = before + begin + "| field | is | |\n|---|---|---|\n" + strings.Join(rows, "\n") + "\n" + end + after
	}
	expectWritten(t, guide, text)
}

// tableMaker makes tables of the types that files are read into.
type tableMaker struct{ comments comments }

// rows returns a row for each field of a struct and of the structs in it; within begins the paths of its
// fields.
func (m tableMaker) rows(within string, of reflect.Type) []string {
	var rows []string
	fields := fieldsOf(of)
	for _, f := range fields {
		path := within + f.rule.name
		description := m.describeValue(f.of, f.rule) + bounds(f.rule, fields)
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", path, description, m.comments[f.comment]))
		if entry, keys := innerOf(f.of); entry != nil {
			rows = append(rows, m.rows(path+keys+".", entry)...)
		}
	}
	return rows
}

// innerOf returns the struct whose fields get rows of their own below a field of the type: that of its value
// or, for a list or a map, of its entries. It returns nil where there is none. keys follows the field's path
// in the paths of those rows: ".*" for a map, else nothing.
func innerOf(of reflect.Type) (entry reflect.Type, keys string) {
	if of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	switch of {
	case reflect.TypeFor[fiscalValue]():
		return reflect.TypeFor[fiscalFields](), ""
	case reflect.TypeFor[ruleValue]():
		return reflect.TypeFor[perItemsFields](), ""
	}
	inner, ok := reflect.Zero(of).Interface().(interface{ inner() (reflect.Type, bool) })
	if !ok {
		return nil, ""
	}
	entry, isMap := inner.inner()
	if _, isKind := kinds[entry]; isKind {
		return nil, ""
	}
	if isMap {
		keys = ".*"
	}
	return entry, keys
}

// describeValue returns how a table describes a value of the type, such as "list: text".
func (m tableMaker) describeValue(of reflect.Type, r rule) string {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if kind, ok := kinds[of]; ok {
		return kind.says
	}
	switch {
	case of.Kind() == reflect.Slice:
		return "list: " + m.describeValue(of.Elem(), r)
	case r.one != nil && of.Kind() != reflect.Bool:
		return listed(r.one)
	}
	switch of {
	case reflect.TypeFor[fiscalValue]():
		return "`false`, or fields"
	case reflect.TypeFor[ruleValue]():
		return "`" + perOrder + "`, or fields"
	case reflect.TypeFor[wordValue]():
		return "text"
	case reflect.TypeFor[switchValue]():
		return "true or false"
	}
	switch of.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "whole number" + span(r)
	case reflect.Float64:
		return "number" + span(r)
	case reflect.String:
		return "text"
	default:
		return m.describeMapping(of)
	}
}

// describeMapping returns how a table describes a mapping, whose fields follow in rows of their own.
func (m tableMaker) describeMapping(of reflect.Type) string {
	inner, ok := reflect.Zero(of).Interface().(interface{ inner() (reflect.Type, bool) })
	if !ok {
		panic("no table has a " + of.String())
	}
	entry, isMap := inner.inner()
	switch {
	case !isMap:
		return "fields"
	case kinds[entry].says != "":
		return "names with " + kinds[entry].says
	}
	return "names with fields"
}

// span returns the bounds of a number.
func span(r rule) string {
	switch {
	case r.min != "" && r.max != "":
		return ", " + r.min + " to " + r.max
	case r.min != "":
		return " from " + r.min
	}
	return ""
}

// bounds returns what else the tags of a field say.
func bounds(r rule, fields []describedField) string {
	var said string
	if r.required {
		said += "; required"
	}
	if r.items > 0 {
		said += fmt.Sprintf("; %d or more", r.items)
	}
	if r.defaultValue != "" {
		said += "; `" + r.defaultValue + "` when absent"
	}
	if r.with != "" {
		said += "; with `" + r.with + "`"
	}
	if r.kind != "" {
		var names []string
		for _, f := range fields {
			if f.rule.kind != "" {
				names = append(names, f.rule.name)
			}
		}
		if names[0] == r.name {
			said += "; one of " + listed(names)
		}
	}
	return said
}
