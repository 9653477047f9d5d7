package provider

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"servery/internal/clock"
	"servery/internal/yamldoc"
)

// maxFile is how large the file may be, in bytes.
const maxFile = 1 << 20

// Fault is one thing that is wrong with the file. It never contains a value of it, which may be a
// secret.
type Fault = yamldoc.Fault

// Invalid is all that is wrong with the file.
type Invalid struct{ Faults []Fault }

// Error returns a line for each fault.
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
	// addresses are those of the servers that are called, each once.
	addresses []string
}

func (f *file) addFault(line int, format string, args ...any) {
	f.faults = append(f.faults, Fault{File: f.name, Line: line, Message: fmt.Sprintf(format, args...)})
}

// openFile returns the fields of the whole file, nil for an empty one. Where it cannot be read, it adds a fault and
// returns nil.
func (f *file) openFile() *fields {
	data, err := os.ReadFile(f.name)
	if err != nil {
		f.addFault(0, "cannot be read: %v", err)
		return nil
	}
	body, wrong := yamldoc.Parse(f.name, data, yamldoc.Options{MaxSize: maxFile, HidesSource: true, AllowsEmpty: true})
	if wrong != nil {
		f.faults = append(f.faults, *wrong)
		return nil
	}
	if body == nil {
		return nil
	}
	return f.readFields(body)
}

// fields are those of one mapping, each to be read once.
type fields struct {
	file  *file
	line  int
	order []string
	nodes map[string]ast.Node
	lines map[string]int
}

// readFields returns the fields of a mapping. When the node is no mapping it adds a fault and returns
// nil.
func (f *file) readFields(n ast.Node) *fields {
	values, ok := yamldoc.Entries(n)
	if !ok {
		f.addFault(yamldoc.LineOf(n), "must be fields with values")
		return nil
	}
	read := &fields{file: f, line: yamldoc.LineOf(n), nodes: map[string]ast.Node{}, lines: map[string]int{}}
	for _, v := range values {
		key := v.Key.GetToken()
		read.order = append(read.order, key.Value)
		read.nodes[key.Value], read.lines[key.Value] = v.Value, key.Position.Line
	}
	return read
}

// takeNode returns the value of a field, nil when it is absent or null. It removes the field, so that
// only unknown fields are left for checkFields.
func (f *fields) takeNode(key string) ast.Node {
	n := f.nodes[key]
	delete(f.nodes, key)
	if _, null := n.(*ast.NullNode); null {
		return nil
	}
	return n
}

// readText returns a field that is a text or a whole number; empty when it is absent.
func (f *fields) readText(key string) string {
	switch n := f.takeNode(key).(type) {
	case nil:
		return ""
	case *ast.StringNode:
		return strings.TrimSpace(n.Value)
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value)
	case *ast.IntegerNode:
		return n.GetToken().Value
	default:
		f.file.addFault(f.lines[key], "%s must be a text; put it in quotes", key)
		return ""
	}
}

// requiredText returns a field that is a text. It adds a fault when the field is absent or empty.
func (f *fields) requiredText(key string) string {
	line, isThere := f.lines[key]
	faults := len(f.file.faults)
	value := f.readText(key)
	if isEmpty := value == "" && len(f.file.faults) == faults; isEmpty { // any other reason is a fault already
		if !isThere {
			line = f.line
		}
		f.file.addFault(line, "%s is missing", key)
	}
	return value
}

// readBool returns a field that is false when it is absent.
func (f *fields) readBool(key string) bool {
	n := f.takeNode(key)
	if n == nil {
		return false
	}
	b, ok := n.(*ast.BoolNode)
	if !ok {
		f.file.addFault(f.lines[key], "%s must be true or false", key)
		return false
	}
	return b.Value
}

// baseURL returns the field base_url, or the provider's own address, and adds it to f.file.addresses.
// Only a double on this machine may have an address without https, because secrets and phones are sent
// there.
func (f *fields) baseURL(own string) string {
	address := f.readAddress("base_url", own)
	if !slices.Contains(f.file.addresses, address) {
		f.file.addresses = append(f.file.addresses, address)
	}
	return address
}

// readAddress returns a field that is an https address without a user, a query and a fragment, or
// own when it is absent or wrong. An address of this machine may also be http.
func (f *fields) readAddress(key, own string) string {
	text := f.readText(key)
	if text == "" {
		return own
	}
	u, err := url.Parse(text)
	local := err == nil && (u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost" || u.Hostname() == "::1")
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && (u.Scheme != "http" || !local) {
		f.file.addFault(f.lines[key], "%s must look like https://example.com", key)
		return own
	}
	return text
}

// checkFields adds a fault for each field that was not read.
func (f *fields) checkFields() {
	for _, key := range f.order {
		if _, left := f.nodes[key]; left {
			f.file.addFault(f.lines[key], "there is no field %q here", key)
			delete(f.nodes, key)
		}
	}
}
