package content_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	demo "servery/content"
)

// schemas are the schemas of the files by their pattern, for one brand's folder the
// same as for another's.
var schemas = map[string]string{
	"countries.yaml": "countries", "places/*.yaml": "place", "*/brand.yaml": "brand", "*/cities.yaml": "cities",
	"*/shops.yaml": "shops", "*/ingredients.yaml": "ingredients", "*/modifiers.yaml": "modifiers",
	"*/packages.yaml": "packages", "*/promotions.yaml": "promotions",
	"*/gifts.yaml": "gifts", "*/promocodes.yaml": "promocodes", "*/menu/*.yaml": "menu",
}

func compiler(t *testing.T) *jsonschema.Compiler {
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

func TestTheSchemasTakeWhatTheReaderTakes(t *testing.T) {
	t.Parallel()
	c := compiler(t)
	for name, files := range map[string]fs.FS{"demo": demo.Demo(), "fixture": folder(t)} {
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

func TestTheSchemasRefuseUnknownFields(t *testing.T) {
	t.Parallel()
	c := compiler(t)
	for pattern, schema := range schemas {
		compiled, err := c.Compile(schema + ".json")
		if err != nil {
			t.Fatal(err)
		}
		files := folder(t)
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
