package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
)

// readRefusedNames reads a list of lines "name: instead" and returns, for each refused name, the name to write instead.
func readRefusedNames(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read refused names: %w", err)
	}
	names := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, instead, _ := strings.Cut(line, ":")
		names[strings.TrimSpace(name)] = strings.TrimSpace(instead)
	}
	return names, nil
}

// declaredInPage finds the names that a file of the page declares outside of functions.
var declaredInPage = regexp.MustCompile(`(?m)^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function|class|interface|type|enum|const|let)\s+([A-Za-z_$][\w$]*)`)

// checkNames returns a fault for each declaration of a refused name outside of function bodies. It checks functions,
// types, fields, constants and package variables in Go, and the same except fields in the page.
func checkNames(files []string, names map[string]string) ([]string, error) {
	var faults []string
	report := func(where, name string) {
		if instead, ok := names[name]; ok {
			faults = append(faults, fmt.Sprintf("%s: the name %q says too little, write %s", where, name, instead))
		}
	}
	for _, file := range files {
		switch {
		case strings.HasSuffix(file, ".go"):
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, fmt.Errorf("read names: %w", err)
			}
			for _, id := range declaredNames(tree) {
				report(set.Position(id.Pos()).String(), id.Name)
			}
		case strings.HasSuffix(file, ".ts"), strings.HasSuffix(file, ".tsx"):
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, fmt.Errorf("read names: %w", err)
			}
			for _, at := range declaredInPage.FindAllSubmatchIndex(text, -1) {
				line := 1 + strings.Count(string(text[:at[2]]), "\n")
				report(fmt.Sprintf("%s:%d", file, line), string(text[at[2]:at[3]]))
			}
		}
	}
	return faults, nil
}

// declaredNames returns the names that a file declares outside of function bodies.
func declaredNames(file *ast.File) []*ast.Ident {
	var names []*ast.Ident
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name)
					names = append(names, fieldNames(spec.Type)...)
				case *ast.ValueSpec:
					names = append(names, spec.Names...)
				}
			}
		}
	}
	return names
}

// fieldNames returns the names of the fields of a struct type or of the methods of an interface type; none for other
// types.
func fieldNames(expr ast.Expr) []*ast.Ident {
	var list *ast.FieldList
	switch t := expr.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return nil
	}
	var names []*ast.Ident
	for _, f := range list.List {
		names = append(names, f.Names...)
	}
	return names
}
