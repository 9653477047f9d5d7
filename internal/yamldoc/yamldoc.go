// Package yamldoc parses YAML files strictly: one document in UTF-8, neither too large nor nested
// too deep, and each fault with its file and line. What a document must contain is up to the
// caller, who walks its nodes.
package yamldoc

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Fault is one thing that is wrong with a file.
type Fault struct {
	File    string // as the caller named it
	Line    int    // counted from 1; 0 when the whole file is meant
	Message string
	// Warning says that the file can be used all the same.
	Warning bool
}

// String returns the fault as compilers write it, "file:line: message".
func (f Fault) String() string {
	if f.Warning {
		return f.Place() + ": warning: " + f.Message
	}
	return f.Place() + ": " + f.Message
}

// Place returns where the fault is, "file:line", or only the file when all of it is meant.
func (f Fault) Place() string {
	if f.Line == 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// Options say how a file is parsed.
type Options struct {
	// MaxSize is how large the file may be, in bytes.
	MaxSize int
	// HidesSource keeps what the file contains out of the fault, for files with secrets.
	HidesSource bool
	// AllowsEmpty accepts a file without a value.
	AllowsEmpty bool
}

// byteOrderMark is what some editors of Windows put before a text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// TrimByteOrderMark returns the data without a byte order mark.
func TrimByteOrderMark(data []byte) []byte { return bytes.TrimPrefix(data, byteOrderMark) }

// Parse returns the value of the only YAML document in data. name is the file's name, for faults. It
// returns a fault and no value when data is too large, not UTF-8, nested too deeply, not YAML, empty,
// or has more than one document. An empty file that is allowed has no value.
func Parse(name string, data []byte, o Options) (ast.Node, *Fault) {
	data = TrimByteOrderMark(data)
	switch {
	case len(data) > o.MaxSize:
		return nil, &Fault{File: name, Message: fmt.Sprintf("larger than %d MB", o.MaxSize>>20)}
	case !utf8.Valid(data):
		return nil, &Fault{File: name, Message: "not written in UTF-8: save the file in that encoding"}
	}
	tokens := lexer.Tokenize(string(data))
	if line, message := faultOfNesting(tokens); message != "" {
		return nil, &Fault{File: name, Line: line, Message: message}
	}
	const withoutComments parser.Mode = 0
	tree, err := parser.Parse(tokens, withoutComments)
	if err != nil {
		line, message := syntaxFault(err)
		if o.HidesSource { // the parser's message contains the line
			message = "not YAML"
		}
		return nil, &Fault{File: name, Line: line, Message: message}
	}
	var body ast.Node
	for _, doc := range tree.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if body != nil {
			return nil, &Fault{File: name, Line: doc.Body.GetToken().Position.Line, Message: "a second document in one file"}
		}
		body = doc.Body
	}
	if body == nil && !o.AllowsEmpty {
		return nil, &Fault{File: name, Message: "the file is empty"}
	}
	return body, nil
}

// LinesOfCutTexts returns the lines on which a text ends before a number sign and digits, as in "Main
// Street #5": YAML takes what follows for a comment.
func LinesOfCutTexts(data []byte) []int {
	var lines []int
	for _, t := range lexer.Tokenize(string(TrimByteOrderMark(data))) {
		if t.Type != token.CommentType || t.Value == "" || t.Value[0] < '0' || '9' < t.Value[0] {
			continue
		}
		if before := t.Prev; before != nil && before.Type == token.StringType && before.Position.Line == t.Position.Line {
			lines = append(lines, t.Position.Line)
		}
	}
	return lines
}

// syntaxFault returns the line and the message of the parser's error, "[3:7] why …".
func syntaxFault(err error) (int, string) {
	first, _, _ := strings.Cut(err.Error(), "\n")
	var line, column int
	if n, _ := fmt.Sscanf(first, "[%d:%d]", &line, &column); n == 2 {
		_, message, _ := strings.Cut(first, "] ")
		return line, "not YAML: " + message + adviceOn(message)
	}
	return 0, "not YAML: " + first
}

// adviceOn returns what to do about an error of the parser, after a colon; nothing for an error that says so itself.
func adviceOn(message string) string {
	for _, a := range advice {
		if strings.Contains(message, a.on) {
			return ": " + a.what
		}
	}
	return ""
}

// advice is what those who write by hand do wrong most often, by what the parser says of it. The first that
// fits is given.
var advice = []struct{ on, what string }{
	{"\t", "indent with blanks, not with a tab"},
	{"mapping value is not allowed", "is a line here indented wrongly, or has a text a colon? Put such a text into quotes"},
	{"value is not allowed", "is a line here indented wrongly, or a quote not closed?"},
	{"non-map value", "a field is written with a blank after its colon"},
	{"must be specified", "a bracket is not closed, or a text needs quotes"},
	{"reserved character", "put a text that begins with it into quotes"},
	{"unexpected directive", "put a text that begins with % into quotes"},
}

// LineOf returns the line of a node, 0 when it has none. A mapping has the line of its first key.
func LineOf(n ast.Node) int {
	if n == nil {
		return 0
	}
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return m.Values[0].Key.GetToken().Position.Line
	}
	if t := n.GetToken(); t != nil {
		return t.Position.Line
	}
	return 0
}

// Entries returns the keys of a mapping with their values, in order, and false for any other node.
// The parser refuses a key that is there twice.
func Entries(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode: // how the parser may write a mapping with one key
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// IsNull reports whether a node is absent or null.
func IsNull(n ast.Node) bool {
	_, null := n.(*ast.NullNode)
	return n == nil || null
}
