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

	"github.com/goccy/go-yaml/ast"

	"servery/internal/money"
	"servery/internal/yamldoc"
)

// maxFile is how large a YAML file may be, in bytes.
const maxFile = 4 << 20

// Fault is one thing that is wrong with a content folder. Its file is within the folder.
type Fault = yamldoc.Fault

// faults collects what is wrong, in the order in which it is found.
type faults struct {
	list []Fault
	// written are the texts that were read, to find the languages that they lack.
	written []localized
}

func (f *faults) addFault(file string, line int, format string, args ...any) {
	f.list = append(f.list, Fault{File: file, Line: line, Message: fmt.Sprintf(format, args...)})
}

func (f *faults) addWarning(file string, line int, format string, args ...any) {
	f.list = append(f.list, Fault{File: file, Line: line, Message: fmt.Sprintf(format, args...), Warning: true})
}

// isSound reports whether there are only warnings.
func (f *faults) isSound() bool {
	return !slices.ContainsFunc(f.list, func(one Fault) bool { return !one.Warning })
}

// sortedList returns the faults by file and line, each once.
func (f *faults) sortedList() []Fault {
	slices.SortStableFunc(f.list, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return slices.Compact(f.list)
}

// value is a YAML value with its place in the file. Reading it as what it is not adds a fault at
// that place and returns the zero value.
type value struct {
	faults *faults
	file   string
	node   ast.Node
}

// parseFile reads a file, which must hold one document. It returns false and adds a fault when the file
// is missing, is no YAML or is too large.
func (r *reader) parseFile(name string) (value, bool) {
	data, err := fs.ReadFile(r.files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.addFault(name, 0, "this file is missing%s", r.hintOtherCase(name))
		return value{}, false
	case err != nil:
		r.addFault(name, 0, "cannot be read: %v", err)
		return value{}, false
	}
	body, f := yamldoc.Parse(name, data, yamldoc.Options{MaxSize: maxFile})
	if f != nil {
		r.list = append(r.list, *f)
		return value{}, false
	}
	if bytes.Contains(data, []byte(" #")) {
		for _, line := range yamldoc.LinesOfCutTexts(data) {
			r.addWarning(name, line, "what follows # is left out: put a text with # into quotes")
		}
	}
	return value{r.faults, name, body}, true
}

func (v value) lineNumber() int { return yamldoc.LineOf(v.node) }

// position returns where the value is, "file:line".
func (v value) position() string { return Fault{File: v.file, Line: v.lineNumber()}.Place() }

func (v value) addFault(format string, args ...any) {
	v.faults.addFault(v.file, v.lineNumber(), format, args...)
}

func (v value) addWarning(format string, args ...any) {
	v.faults.addWarning(v.file, v.lineNumber(), format, args...)
}

// valueOf returns the value of a node in the same file.
func (v value) valueOf(node ast.Node) value {
	if tag, ok := node.(*ast.TagNode); ok {
		node = tag.Value
	}
	return value{v.faults, v.file, node}
}

func (v value) isNull() bool { return yamldoc.IsNull(v.node) }

func (v value) isMap() bool {
	_, ok := yamldoc.Entries(v.node)
	return ok
}

// toList returns the values of a sequence.
func (v value) toList() []value {
	seq, ok := v.node.(*ast.SequenceNode)
	if !ok {
		v.addFault("must be a list")
		return nil
	}
	values := make([]value, len(seq.Values))
	for i, n := range seq.Values {
		values[i] = v.valueOf(n)
	}
	return values
}

// toText returns a string. Numbers are refused: 007 would lose its zeros.
func (v value) toText() string {
	switch n := v.node.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value)
	}
	v.addFault("must be a text; put numbers in quotes")
	return ""
}

// asWritten returns a number or a short text as it is written, in quotes or not. It returns an empty
// text for any other value, and adds no fault.
func (v value) asWritten() string {
	switch n := v.node.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value
	case *ast.StringNode:
		return n.Value
	}
	return ""
}

// warnOfLeadingZero adds a warning for a number such as 0123, which YAML 1.1 reads as 83.
func (v value) warnOfLeadingZero() {
	text := v.asWritten()
	if rest := strings.TrimLeft(text, "0"); len(rest) < len(text) && rest != "" && rest[0] >= '1' && rest[0] <= '9' {
		v.addWarning("%s is read as %s, and by other programs of YAML as an octal number: leave out the 0 before it", text, rest)
	}
}

// toInt returns a whole number between the bounds. For any other value it adds a fault and returns from.
func (v value) toInt(from, to int64) int64 {
	v.warnOfLeadingZero()
	n, err := strconv.ParseInt(v.asWritten(), 10, 64)
	if err != nil || n < from || n > to {
		if to == math.MaxInt64 {
			v.addFault("must be a whole number from %d", from)
		} else {
			v.addFault("must be a whole number from %d to %d", from, to)
		}
		return from
	}
	return n
}

// toFloat returns a decimal number between the bounds. For any other value it adds a fault and returns
// from.
func (v value) toFloat(from, to float64) float64 {
	n, err := strconv.ParseFloat(v.asWritten(), 64)
	if err != nil || !(n >= from && n <= to) { // NaN is refused too
		v.addFault("must be a number from %g to %g", from, to)
		return from
	}
	return n
}

// maxAmount is the highest amount of money of content, in minor units. It catches typing errors, and keeps sums far from
// the largest number.
const maxAmount = 1_000_000_000 * money.Scale

// toAmount returns an amount of money, which must not be negative or above maxAmount.
func (v value) toAmount() money.Amount {
	v.warnOfLeadingZero()
	a, err := money.Parse(v.asWritten())
	switch {
	case err != nil:
		v.addFault("must be an amount like 349 or 12.50")
		return 0
	case a.IsNegative():
		v.addFault("an amount cannot be negative")
		return 0
	case a > maxAmount:
		v.addFault("an amount cannot be above %d", int64(maxAmount/money.Scale))
		return 0
	}
	return a
}

func (v value) toBool() bool {
	if b, ok := v.node.(*ast.BoolNode); ok {
		return b.Value
	}
	v.addFault("must be true or false")
	return false
}

// toOneOf returns a text that must be one of those allowed. For any other it adds a fault and
// returns an empty text.
func toOneOf[T ~string](v value, allowed []T) T {
	t := T(v.toText())
	if !slices.Contains(allowed, t) {
		if t != "" {
			names := make([]string, len(allowed))
			for i, a := range allowed {
				names[i] = string(a)
			}
			v.addFault("%q is not one of %s", t, strings.Join(names, ", "))
		}
		return ""
	}
	return t
}
