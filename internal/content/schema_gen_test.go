package content

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
)

// described are the files of a folder, with the types that they are read into. Schemas and tables
// are made of them.
var described = []struct {
	schema, file, holds string
	of                  reflect.Type
}{
	{"countries", "countries.yaml", "list", reflect.TypeFor[countryFields]()},
	{"place", "places/*.yaml", "", reflect.TypeFor[placeFields]()},
	{"brand", "brand.yaml", "", reflect.TypeFor[brandFields]()},
	{"theme", "theme.yaml", "", reflect.TypeFor[themeFields]()},
	{"cities", "cities.yaml", "list", reflect.TypeFor[cityFields]()},
	{"shops", "shops.yaml", "list", reflect.TypeFor[shopFields]()},
	{"ingredients", "ingredients.yaml", "map", reflect.TypeFor[ingredientFields]()},
	{"modifiers", "modifiers.yaml", "", reflect.TypeFor[modifiersFields]()},
	{"menu", "menu/*.yaml", "", reflect.TypeFor[menuFields]()},
	{"packages", "packages.yaml", "list", reflect.TypeFor[packageFields]()},
	{"promotions", "promotions.yaml", "list", reflect.TypeFor[promotionFields]()},
	{"banners", "banners.yaml", "list", reflect.TypeFor[bannerFields]()},
	{"gifts", "gifts.yaml", "list", reflect.TypeFor[giftFields]()},
	{"promocodes", "promocodes.yaml", "list", reflect.TypeFor[promocodeFields]()},
	{"pages", "pages/*.yaml", "", reflect.TypeFor[pageFields]()},
}

// schema is a JSON object whose fields keep their order.
type schema []schemaField

type schemaField struct {
	name  string
	value any
}

// MarshalJSON returns the fields in their order.
func (s schema) MarshalJSON() ([]byte, error) {
	fields := make([]string, len(s))
	for i, f := range s {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		fields[i] = quoted(f.name) + ":" + string(value)
	}
	return []byte("{" + strings.Join(fields, ",") + "}"), nil
}

// comments are those of the package's types and of their fields, by "Type" and "Type.Field".
type comments map[string]string

// readComments returns the comments of the package, which it parses.
func readComments(t *testing.T) comments {
	t.Helper()
	all := comments{"money.Amount": "Major units, at most two decimals", "clock.Day": "A date like 2026-01-31"}
	files, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			all[spec.Name.Name] = joinLines(spec.Doc)
			if fields, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range fields.Fields.List {
					for _, name := range f.Names {
						all[spec.Name.Name+"."+name.Name] = joinLines(f.Doc)
					}
				}
			}
			return true
		})
	}
	return all
}

func joinLines(c *ast.CommentGroup) string {
	return strings.TrimSuffix(strings.Join(strings.Fields(c.Text()), " "), ".")
}

// schemaMaker makes schemas of the types that files are read into.
type schemaMaker struct{ comments comments }

// file returns the schema of one file of the folder.
func (m schemaMaker) file(name, title, holds string, of reflect.Type) schema {
	head := schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", name + ".json"}, {"title", title}}
	entry := m.structure(of)
	switch holds {
	case "list":
		return append(head, schema{{"type", "array"}, {"minItems", m.fewest(name)}, {"items", entry}}...)
	case "map":
		return append(head, schema{{"type", "object"}, {"propertyNames", refTo("alias")}, {"additionalProperties", entry}}...)
	}
	return append(head, entry...)
}

// fewest returns how many entries a file has at least: a brand needs a city.
func (schemaMaker) fewest(name string) int {
	if name == "cities" {
		return 1
	}
	return 0
}

func refTo(def string) schema { return schema{{"$ref", "defs.json#/$defs/" + def}} }

// defs returns the schemas of what several files have.
func (m schemaMaker) defs() schema {
	defs := map[string]any{}
	for of, kind := range kinds {
		if kind.def != "" {
			defs[kind.def] = json.RawMessage(`{"description": ` + quoted(m.comments[typeName(of)]) + ", " + kind.schema[1:])
		}
	}
	return schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", "defs.json"}, {"$defs", defs}}
}

// structure returns the schema of a mapping with the fields of a struct.
func (m schemaMaker) structure(of reflect.Type) schema {
	fields := fieldsOf(of)
	var properties schema
	var required []string
	needs := map[string][]string{}
	for _, f := range fields {
		if f.rule.required {
			required = append(required, f.rule.name)
		}
		if f.rule.with != "" {
			needs[f.rule.name] = []string{f.rule.with}
		}
		properties = append(properties, schemaField{f.rule.name, m.field(f)})
	}
	s := schema{{"type", "object"}, {"additionalProperties", false}}
	if required != nil {
		s = append(s, schemaField{"required", required})
	}
	s = append(s, schemaField{"properties", properties})
	if len(needs) > 0 {
		s = append(s, schemaField{"dependentRequired", needs})
	}
	if choice := eitherOf(fields); choice != nil {
		s = append(s, schemaField{"oneOf", choice})
	}
	return s
}

// eitherOf returns the alternatives of which exactly one must hold: each says that one of the fields
// with a tag either is there. It returns nil where no field has that tag.
func eitherOf(fields []describedField) []schema {
	var alternatives []schema
	parts := map[string]int{} // where in alternatives
	for _, f := range fields {
		if f.rule.kind == "" {
			continue
		}
		one := schema{{"required", []string{f.rule.name}}}
		if f.of.Kind() == reflect.Bool {
			one = append(one, schemaField{"properties", schema{{f.rule.name, schema{{"const", true}}}}})
		}
		_, _, isPart := strings.Cut(f.rule.kind, "/")
		at, known := parts[f.rule.kind]
		switch {
		case !isPart:
			alternatives = append(alternatives, one)
		case !known:
			parts[f.rule.kind] = len(alternatives)
			alternatives = append(alternatives, schema{{"anyOf", []schema{one}}})
		default:
			alternatives[at][0].value = append(alternatives[at][0].value.([]schema), one)
		}
	}
	return alternatives
}

// field returns the schema of one field with its comment.
func (m schemaMaker) field(f describedField) schema {
	s := m.value(f.of, f.rule)
	if f.orNull {
		s = schema{{"anyOf", []schema{s, {{"type", "null"}}}}}
	}
	comment := m.comments[f.comment]
	switch {
	case comment == "":
		return s
	case s[0].name == "$ref":
		s = schema{{"allOf", []schema{s}}} // editors leave out what stands beside a $ref
	}
	return append(schema{{"description", comment}}, s...)
}

// value returns the schema of a value of the type, bound as the tags of its field say.
func (m schemaMaker) value(of reflect.Type, r rule) schema {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if kind, ok := kinds[of]; ok {
		return kindSchema(kind.def, r)
	}
	if inner, ok := reflect.Zero(of).Interface().(interface{ inner() (reflect.Type, bool) }); ok {
		entry, isMap := inner.inner()
		if !isMap {
			return m.structure(entry)
		}
		return m.mapping(entry, r)
	}
	switch of {
	case reflect.TypeFor[fiscalValue]():
		return schema{{"anyOf", []schema{{{"const", false}}, m.structure(reflect.TypeFor[fiscalFields]())}}}
	case reflect.TypeFor[ruleValue]():
		return schema{{"anyOf", []schema{{{"const", perOrder}}, m.structure(reflect.TypeFor[perItemsFields]())}}}
	case reflect.TypeFor[switchValue]():
		return schema{{"type", "boolean"}}
	}
	switch of.Kind() {
	case reflect.Bool:
		if r.one != nil {
			return schema{{"const", true}}
		}
		return schema{{"type", "boolean"}}
	case reflect.Int, reflect.Float64:
		return numberSchema(of, r)
	case reflect.Slice:
		list := schema{{"type", "array"}}
		if r.items > 0 {
			list = append(list, schemaField{"minItems", r.items})
		}
		if r.unique {
			list = append(list, schemaField{"uniqueItems", true})
		}
		entry := r
		entry.items = 0
		return append(list, schemaField{"items", m.value(of.Elem(), entry)})
	default:
	}
	if r.one != nil {
		return schema{{"enum", r.one}}
	}
	word := schema{{"type", "string"}, {"minLength", 1}}
	if r.match != nil {
		word = append(word, schemaField{"pattern", r.match.String()})
	}
	return word
}

// kindSchema returns a reference to a definition, bound further by the tags.
func kindSchema(def string, r rule) schema {
	s := refTo(def)
	if def == "alias" && r.max != "" {
		return schema{{"allOf", []schema{s}}, {"maxLength", json.Number(r.max)}}
	}
	if def == "spans" && r.items > 0 {
		return schema{{"allOf", []schema{s}}, {"minItems", r.items}}
	}
	return s
}

// mapping returns the schema of a mapping from any key to entries of a type.
func (m schemaMaker) mapping(entry reflect.Type, r rule) schema {
	s := schema{{"type", "object"}}
	if pattern, ok := keyPatterns[r.keys]; ok {
		s = append(s, schemaField{"propertyNames", schema{{"pattern", pattern}}})
	} else if r.required {
		s = append(s, schemaField{"minProperties", 1})
	}
	if _, isKind := kinds[entry]; isKind {
		return append(s, schemaField{"additionalProperties", m.value(entry, rule{})})
	}
	return append(s, schemaField{"additionalProperties", m.structure(entry)})
}

// numberSchema returns the schema of a number within the bounds of its rule.
func numberSchema(of reflect.Type, r rule) schema {
	name := "integer"
	if of.Kind() == reflect.Float64 {
		name = "number"
	}
	s := schema{{"type", name}}
	if r.min != "" {
		s = append(s, schemaField{"minimum", json.Number(r.min)})
	}
	if r.max != "" {
		s = append(s, schemaField{"maximum", json.Number(r.max)})
	}
	return s
}

// inner returns the struct of the mapping's fields and, as it is no map with free keys, false.
func (mappingOf[T]) inner() (reflect.Type, bool) { return reflect.TypeFor[T](), false }

// inner returns the type of the map's entries and, as its keys are free, true.
func (mapOf[T]) inner() (reflect.Type, bool) { return reflect.TypeFor[T](), true }

// describedField is a field of a file.
type describedField struct {
	rule    rule
	of      reflect.Type
	comment string // its key in [comments]
	orNull  bool
}

// fieldsOf returns the fields of a struct, those of embedded structs among them.
func fieldsOf(of reflect.Type) []describedField {
	var fields []describedField
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Anonymous {
			fields = append(fields, fieldsOf(f.Type)...)
			continue
		}
		fields = append(fields, describedField{ruleOf(f), f.Type, of.Name() + "." + f.Name, f.Tag.Get("null") == "true"})
	}
	return fields
}

// typeName returns the name of a type of this package, and of another with its package.
func typeName(of reflect.Type) string {
	if name, ok := strings.CutPrefix(of.String(), "content."); ok {
		return name
	}
	return of.String()
}

// What editors know of a field is what the reader reads.
func TestSchemas_areThoseOfTheReader(t *testing.T) {
	t.Parallel()
	m := schemaMaker{readComments(t)}
	schemas := map[string]schema{"defs": m.defs()}
	for _, d := range described {
		schemas[d.schema] = m.file(d.schema, d.file, d.holds, d.of)
	}
	for name, s := range schemas {
		var text bytes.Buffer
		out := json.NewEncoder(&text)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		if err := out.Encode(s); err != nil {
			t.Fatal(name, err)
		}
		expectWritten(t, "../../content/schema/"+name+".json", text.String())
	}
}

// expectWritten fails the test unless the file has the text. With UPDATE in the environment it writes
// the text there instead.
func expectWritten(t *testing.T, name, text string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	written, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != text {
		t.Errorf("%s is not what the reader reads: make generate writes it again", name)
	}
}
