package content_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	demo "servery/content"
	"servery/internal/catalog"
	"servery/internal/catalog/fieldtest"
)

// schemas are the schemas of the files by their pattern, for one brand's folder the
// same as for another's.
var schemas = map[string]string{
	"countries.yaml": "countries", "places/*.yaml": "place", "*/brand.yaml": "brand", "*/cities.yaml": "cities",
	"*/shops.yaml": "shops", "*/ingredients.yaml": "ingredients", "*/modifiers.yaml": "modifiers",
	"*/packages.yaml": "packages", "*/promotions.yaml": "promotions", "*/banners.yaml": "banners",
	"*/gifts.yaml": "gifts", "*/promocodes.yaml": "promocodes", "*/menu/*.yaml": "menu",
	"*/pages/*.yaml": "pages",
}

// newCompiler returns a compiler that has all schemas of content/schema.
func newCompiler(t *testing.T) *jsonschema.Compiler {
	t.Helper()
	folder := os.DirFS("../../content/schema")
	files, err := fs.Glob(folder, "*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no schemas", err)
	}
	c := jsonschema.NewCompiler()
	for _, name := range files {
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(name, err)
		}
		if err := c.AddResource(name, doc); err != nil {
			t.Fatal(name, err)
		}
	}
	return c
}

func TestSchemas_takeWhatTheReaderTakes(t *testing.T) {
	t.Parallel()
	c := newCompiler(t)
	for name, files := range map[string]fs.FS{"demo": demo.Demo(), "fixture": newFolder(t)} {
		for pattern, schema := range schemas {
			compiled, err := c.Compile(schema + ".json")
			if err != nil {
				t.Fatal(err)
			}
			found, err := fs.Glob(files, pattern)
			if err != nil || len(found) == 0 {
				t.Errorf("%s has no %s, %v", name, pattern, err)
			}
			for _, file := range found {
				if err := compiled.Validate(asJSON(t, files, file)); err != nil {
					t.Errorf("%s: %s: %v", name, file, err)
				}
			}
		}
	}
}

func TestSchemas_refuseUnknownFields(t *testing.T) {
	t.Parallel()
	c := newCompiler(t)
	for pattern, schema := range schemas {
		compiled, err := c.Compile(schema + ".json")
		if err != nil {
			t.Fatal(err)
		}
		files := newFolder(t)
		found, err := fs.Glob(files, pattern)
		if err != nil {
			t.Fatal(err)
		}
		doc := asJSON(t, files, found[0])
		top := doc
		if list, ok := doc.([]any); ok {
			top = list[0]
		}
		top.(map[string]any)["Unknown Field"] = 1
		if compiled.Validate(doc) == nil {
			t.Errorf("%s takes an unknown field", path.Base(schema))
		}
	}
}

// asJSON returns a YAML file as a JSON document.
func asJSON(t *testing.T, files fs.FS, name string) any {
	t.Helper()
	data, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	converted, err := yaml.YAMLToJSON(data)
	if err != nil {
		t.Fatal(name, err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(converted))
	if err != nil {
		t.Fatal(name, err)
	}
	return doc
}

// entries are the types that files are read into, with the schema that describes them and where
// in it. A field that is read from others of the file names those.
var entries = []struct {
	of     reflect.Type
	schema string
	readAs map[string][]string
}{
	{reflect.TypeFor[catalog.PromocodeEntry](), "promocodes", map[string][]string{"kind": nil, "gift_id": {"gift"}, "when": {"days", "hours"}}},
	{reflect.TypeFor[catalog.GiftEntry](), "gifts", map[string][]string{"product_id": {"product"}}},
	{reflect.TypeFor[catalog.PackageEntry](), "packages", map[string][]string{"prices": {"price"}}},
}

// An editor that does not know a field marks it as a fault.
func TestSchemas_haveEveryFieldOfAnEntry(t *testing.T) {
	t.Parallel()
	for _, e := range entries {
		known := schemaFields(t, e.schema)
		for _, name := range fieldtest.Names(e.of) {
			names := []string{name}
			if as, ok := e.readAs[name]; ok {
				names = as
			}
			for _, n := range names {
				if !slices.Contains(known, n) {
					t.Errorf("%s of %s is not in %s.json", n, e.of.Name(), e.schema)
				}
			}
		}
	}
}

// schemaFields returns the names of all fields in a schema.
func schemaFields(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("../../content/schema/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if fields, ok := v["properties"].(map[string]any); ok {
				for field := range fields {
					names = append(names, field)
				}
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	walk(doc)
	return names
}

// What the demo does not show is not tried by anyone who looks at the demo.
func TestDemo_hasEveryFieldOfAnOffer(t *testing.T) {
	t.Parallel()
	fields := fieldtest.Fields{}
	for _, b := range demoBrands(t) {
		fields.Add(b, "catalog")
	}
	types := []string{"PromocodeEntry", "PromocodeBounds", "GiftEntry", "ConditionEntry", "Window", "PackageEntry", "ModifierEntry", "ModifierGroupEntry", "PartEntry", "ProductEntry"}
	// The demo's gifts have the pictures of their products, and its modifiers are made of ingredients.
	except := []string{"GiftEntry.Picture", "ProductEntry.AccentText", "ProductEntry.OnlyShops"}
	if unset := fields.Unset(types, except); len(unset) > 0 {
		t.Errorf("the demo has none of these fields, or has one that is excepted: %v", unset)
	}
}
