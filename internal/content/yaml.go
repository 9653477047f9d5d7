package content

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"

	"servery/internal/money"
)

// maxFile is how large a YAML file may be, in bytes.
const maxFile = 4 << 20

// Fault is one thing that is wrong with a content folder.
type Fault struct {
	File    string // within the folder
	Line    int    // counted from 1; 0 when the whole file is meant
	Message string
	// Warning says that the folder can be imported all the same.
	Warning bool
}

// String returns the fault as compilers write it, "file:line: message".
func (f Fault) String() string {
	if f.Warning {
		return f.Place() + ": warning: " + f.Message
	}
	return f.Place() + ": " + f.Message
}

// Place returns where the fault is, "file:line", or the file alone when all of it is meant.
func (f Fault) Place() string {
	if f.Line == 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// faults collects what is wrong, in the order in which it is met.
type faults struct {
	list []Fault
	// written are the texts that were read, to see which languages they lack.
	written []written
}

func (f *faults) add(file string, line int, format string, args ...any) {
	f.list = append(f.list, Fault{File: file, Line: line, Message: fmt.Sprintf(format, args...)})
}

func (f *faults) warn(file string, line int, format string, args ...any) {
	f.list = append(f.list, Fault{File: file, Line: line, Message: fmt.Sprintf(format, args...), Warning: true})
}

// isSound reports whether there are only warnings.
func (f *faults) isSound() bool {
	return !slices.ContainsFunc(f.list, func(one Fault) bool { return !one.Warning })
}

// sorted gives the faults by file and line, each once.
func (f *faults) sorted() []Fault {
	slices.SortStableFunc(f.list, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return slices.Compact(f.list)
}

// value is a YAML value that knows where it stands. What it is asked for and is not
// becomes a fault there, and the zero value is given.
type value struct {
	faults *faults
	file   string
	node   ast.Node
}

// byteOrderMark is what some editors of Windows put before a text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// parse reads a file, which must hold one document.
func (r *reader) parse(name string) (value, bool) {
	f := r.faults
	data, err := fs.ReadFile(r.files, name)
	data = bytes.TrimPrefix(data, byteOrderMark)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.add(name, 0, "this file is missing%s", r.inOtherCase(name))
		return value{}, false
	case err != nil:
		f.add(name, 0, "cannot be read: %v", err)
		return value{}, false
	case len(data) > maxFile:
		f.add(name, 0, "larger than %d MB", maxFile>>20)
		return value{}, false
	case !utf8.Valid(data):
		f.add(name, 0, "not written in UTF-8: save the file in that encoding")
		return value{}, false
	}
	tokens := lexer.Tokenize(string(data))
	if line, message := faultOfNesting(tokens); message != "" {
		f.add(name, line, "%s", message)
		return value{}, false
	}
	tree, err := parser.Parse(tokens, 0)
	if err != nil {
		line, message := syntaxFault(err)
		f.add(name, line, "%s", message)
		return value{}, false
	}
	var body ast.Node
	for _, doc := range tree.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if body != nil {
			f.add(name, doc.Body.GetToken().Position.Line, "a second document in one file")
			return value{}, false
		}
		body = doc.Body
	}
	if body == nil {
		f.add(name, 0, "the file is empty")
		return value{}, false
	}
	return value{f, name, body}, true
}

// syntaxFault takes the line out of the parser's message, "[3:7] why …".
func syntaxFault(err error) (int, string) {
	first, _, _ := strings.Cut(err.Error(), "\n")
	var line, column int
	if n, _ := fmt.Sscanf(first, "[%d:%d]", &line, &column); n == 2 {
		_, message, _ := strings.Cut(first, "] ")
		return line, "not YAML: " + message
	}
	return 0, "not YAML: " + first
}

func (v value) line() int {
	if v.node == nil {
		return 0
	}
	if m, ok := v.node.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return m.Values[0].Key.GetToken().Position.Line
	}
	if token := v.node.GetToken(); token != nil {
		return token.Position.Line
	}
	return 0
}

// place returns where the value stands, "file:line".
func (v value) place() string { return Fault{File: v.file, Line: v.line()}.Place() }

func (v value) fault(format string, args ...any) { v.faults.add(v.file, v.line(), format, args...) }

func (v value) warn(format string, args ...any) { v.faults.warn(v.file, v.line(), format, args...) }

// at gives the value of a node in the same file.
func (v value) at(node ast.Node) value {
	if tag, ok := node.(*ast.TagNode); ok {
		node = tag.Value
	}
	return value{v.faults, v.file, node}
}

func (v value) isNull() bool {
	_, null := v.node.(*ast.NullNode)
	return v.node == nil || null
}

func (v value) isMap() bool {
	switch v.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

// list gives the values of a sequence.
func (v value) list() []value {
	seq, ok := v.node.(*ast.SequenceNode)
	if !ok {
		v.fault("must be a list")
		return nil
	}
	values := make([]value, len(seq.Values))
	for i, n := range seq.Values {
		values[i] = v.at(n)
	}
	return values
}

// text gives a string. Numbers are refused: 007 would lose its zeros.
func (v value) text() string {
	switch n := v.node.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value)
	}
	v.fault("must be a text; put numbers in quotes")
	return ""
}

// digits gives a number as it is written, in quotes or not.
func (v value) digits() string {
	switch n := v.node.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value
	case *ast.StringNode:
		return n.Value
	}
	return ""
}

// whole gives a whole number between the bounds.
func (v value) whole(from, to int64) int64 {
	n, err := strconv.ParseInt(v.digits(), 10, 64)
	if err != nil || n < from || n > to {
		if to == math.MaxInt64 {
			v.fault("must be a whole number from %d", from)
		} else {
			v.fault("must be a whole number from %d to %d", from, to)
		}
		return from
	}
	return n
}

// number gives a decimal number between the bounds.
func (v value) number(from, to float64) float64 {
	n, err := strconv.ParseFloat(v.digits(), 64)
	if err != nil || !(n >= from && n <= to) {
		v.fault("must be a number from %g to %g", from, to)
		return from
	}
	return n
}

// amount gives a sum of at least zero.
func (v value) amount() money.Amount {
	a, err := money.Parse(v.digits())
	switch {
	case err != nil:
		v.fault("must be an amount like 349 or 12.50")
		return 0
	case a.IsNegative():
		v.fault("an amount cannot be negative")
		return 0
	}
	return a
}

func (v value) truth() bool {
	if b, ok := v.node.(*ast.BoolNode); ok {
		return b.Value
	}
	v.fault("must be true or false")
	return false
}

// oneOf gives a text out of the allowed ones.
func oneOf[T ~string](v value, allowed []T) T {
	t := T(v.text())
	if !slices.Contains(allowed, t) {
		if t != "" {
			names := make([]string, len(allowed))
			for i, a := range allowed {
				names[i] = string(a)
			}
			v.fault("%q is not one of %s", t, strings.Join(names, ", "))
		}
		return ""
	}
	return t
}
