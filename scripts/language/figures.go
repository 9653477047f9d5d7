package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
)

// count has the figures of a room.
type count struct {
	functions, oneWord, short int
	silent                    int // functions that need a comment and have none
	longest                   int // lines of the longest function
	files, lines              int
	code, comments            int // lines
}

// longFunction is the number of lines above which a function needs a comment.
const longFunction = 10

// printFigures prints a table of how functions are named and commented: a row for each room of the product's Go code,
// and one for all. Tests do not count.
func printFigures(out io.Writer, files []string) error {
	rooms := map[string]*count{}
	total := &count{}
	for _, file := range files {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || !strings.HasPrefix(file, "internal/") && !strings.HasPrefix(file, "cmd/") {
			continue
		}
		room := filepath.Dir(file)
		if rooms[room] == nil {
			rooms[room] = &count{}
		}
		for _, c := range []*count{rooms[room], total} {
			if err := c.add(file); err != nil {
				return err
			}
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "room\tfiles\tlines\tfunctions\tone word\tup to 4 letters\twithout a comment\tlongest\tcomment : code\t") //nolint:errcheck // Flush reports it
	names := slices.SortedFunc(maps.Keys(rooms), func(a, b string) int {
		return cmp.Or(cmp.Compare(rooms[b].oneWord, rooms[a].oneWord), cmp.Compare(a, b))
	})
	for _, name := range names {
		rooms[name].print(table, name)
	}
	total.print(table, "all")
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print figures: %w", err)
	}
	return nil
}

// print prints the row of a room.
func (c *count) print(out io.Writer, room string) {
	share := func(part int) string { return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(max(c.functions, 1))) }
	fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%s\t%s\t%d\t%d\t%.2f\t\n", //nolint:errcheck // Flush reports it
		room, c.files, c.lines, c.functions, share(c.oneWord), share(c.short), c.silent, c.longest, float64(c.comments)/float64(max(c.code, 1)))
}

// add adds the figures of a file.
func (c *count) add(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("count: %w", err)
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("count: %w", err)
	}
	c.files++
	for line := range strings.Lines(string(text)) {
		c.lines++
		switch line = strings.TrimSpace(line); {
		case line == "":
		case strings.HasPrefix(line, "//"):
			c.comments++
		default:
			c.code++
		}
	}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			c.addFunction(f, set.Position(f.End()).Line-set.Position(f.Pos()).Line+1)
		}
	}
	return nil
}

// addFunction adds a function of the given number of lines.
func (c *count) addFunction(f *ast.FuncDecl, lines int) {
	c.functions++
	if countWords(f.Name.Name) == 1 {
		c.oneWord++
	}
	if len(f.Name.Name) <= 4 {
		c.short++
	}
	if f.Doc == nil && (ast.IsExported(f.Name.Name) || lines > longFunction) {
		c.silent++
	}
	c.longest = max(c.longest, lines)
}

// countWords returns the number of words of a name. An abbreviation in capitals is one word, so serveHTTP has two.
func countWords(name string) int {
	words, before := 0, '_'
	for i, letter := range name {
		next := 'A' // at the end of the name; any upper-case letter serves
		if rest := name[i+1:]; rest != "" {
			next = rune(rest[0])
		}
		switch {
		case !unicode.IsLetter(letter):
		case !unicode.IsLetter(before), unicode.IsUpper(letter) && (unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsLower(next)):
			words++
		}
		if !unicode.IsDigit(letter) {
			before = letter
		}
	}
	return words
}
