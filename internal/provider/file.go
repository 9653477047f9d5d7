package provider

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"servery/internal/clock"
)

// maxFile is how large the file may be, in bytes.
const maxFile = 1 << 20

// Fault is one thing that is wrong with the file. It never holds a value of it: there are
// secrets among them.
type Fault struct {
	File    string
	Line    int // counted from 1; 0 when the whole file is meant
	Message string
}

// String gives the fault as compilers do, "file:line: message".
func (f Fault) String() string {
	if f.Line == 0 {
		return f.File + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
}

// Invalid says all that is wrong with the file.
type Invalid struct{ Faults []Fault }

// Error gives a line for each fault.
func (e *Invalid) Error() string {
	lines := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// file collects the faults of one file.
type file struct {
	name   string
	clock  clock.Clock // of what is read
	faults []Fault
}

func (f *file) fault(line int, format string, args ...any) {
	f.faults = append(f.faults, Fault{f.name, line, fmt.Sprintf(format, args...)})
}

// open gives the fields of the whole file.
func (f *file) open() *fields {
	data, err := os.ReadFile(f.name)
	switch {
	case err != nil:
		f.fault(0, "cannot be read: %v", err)
		return nil
	case len(data) > maxFile:
		f.fault(0, "larger than %d MB", maxFile>>20)
		return nil
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // some editors of Windows write it first
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		// What the parser says shows the line, which may hold a secret.
		line := 0
		_, _ = fmt.Sscanf(err.Error(), "[%d:", &line)
		f.fault(line, "not YAML")
		return nil
	}
	if len(tree.Docs) != 1 || tree.Docs[0].Body == nil {
		f.fault(0, "must hold one document")
		return nil
	}
	return f.fields(tree.Docs[0].Body)
}

// fields are those of one mapping, each to be taken once.
type fields struct {
	file  *file
	line  int
	order []string
	nodes map[string]ast.Node
	lines map[string]int
}

func lineOf(n ast.Node) int {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return m.Values[0].Key.GetToken().Position.Line
	}
	if t := n.GetToken(); t != nil {
		return t.Position.Line
	}
	return 0
}

func (f *file) fields(n ast.Node) *fields {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		f.fault(lineOf(n), "must be fields with values")
		return nil
	}
	all := &fields{file: f, line: lineOf(n), nodes: map[string]ast.Node{}, lines: map[string]int{}}
	for _, v := range values {
		key := v.Key.GetToken()
		all.order = append(all.order, key.Value)
		all.nodes[key.Value], all.lines[key.Value] = v.Value, key.Position.Line
	}
	return all
}

// take gives the value of a field, nil when it is not there.
func (f *fields) take(key string) ast.Node {
	n := f.nodes[key]
	delete(f.nodes, key)
	if _, null := n.(*ast.NullNode); null {
		return nil
	}
	return n
}

// text gives a field that may be missing.
func (f *fields) text(key string) string {
	switch n := f.take(key).(type) {
	case nil:
		return ""
	case *ast.StringNode:
		return strings.TrimSpace(n.Value)
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value)
	case *ast.IntegerNode:
		return n.GetToken().Value
	default:
		f.file.fault(f.lines[key], "%s must be a text; put it in quotes", key)
		return ""
	}
}

// need gives a field that must be there.
func (f *fields) need(key string) string {
	line, there := f.lines[key]
	faults := len(f.file.faults)
	value := f.text(key)
	if value == "" && len(f.file.faults) == faults {
		if !there {
			line = f.line
		}
		f.file.fault(line, "%s is missing", key)
	}
	return value
}

func (f *fields) truth(key string) bool {
	n := f.take(key)
	if n == nil {
		return false
	}
	b, ok := n.(*ast.BoolNode)
	if !ok {
		f.file.fault(f.lines[key], "%s must be true or false", key)
		return false
	}
	return b.Value
}

// base gives the field base_url, or the provider's own address. Only a double on this
// machine may have one without https: secrets and phones go there.
func (f *fields) base(own string) string { return f.address("base_url", own) }

// address gives a field that is an address like that.
func (f *fields) address(key, own string) string {
	text := f.text(key)
	if text == "" {
		return own
	}
	u, err := url.Parse(text)
	local := err == nil && (u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost" || u.Hostname() == "::1")
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && (u.Scheme != "http" || !local) {
		f.file.fault(f.lines[key], "%s must look like https://example.com", key)
		return own
	}
	return text
}

// end refuses what nobody took.
func (f *fields) end() {
	for _, key := range f.order {
		if _, left := f.nodes[key]; left {
			f.file.fault(f.lines[key], "there is no field %q here", key)
			delete(f.nodes, key)
		}
	}
}
