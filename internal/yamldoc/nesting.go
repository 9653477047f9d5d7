package yamldoc

import "github.com/goccy/go-yaml/token"

// maxNesting is how deep values of a YAML file may stand within each other. The folder needs
// no more than ten levels; what the parser costs grows with the square of the depth.
const maxNesting = 64

// nesting follows how deep the tokens of a file stand, without parsing them. It counts rather
// too much than too little: every indicator of a row or of an item between commas is a level.
type nesting struct {
	columns  []int // where the open rows outside of brackets begin, ascending
	brackets int
	chain    int // indicators since the last row that has a value, comma or bracket
	line     int
}

// faultOfNesting returns the line and the message of a fault when tokens are nested too deep to be
// parsed, or close a bracket that was not opened. The message is empty when there is no fault.
func faultOfNesting(tokens token.Tokens) (line int, message string) {
	n := &nesting{}
	for _, t := range tokens {
		n.addToken(t)
		switch {
		case n.brackets < 0:
			return t.Position.Line, "not YAML: a bracket is closed that was not opened"
		case len(n.columns)-1+n.brackets+n.chain > maxNesting: // the outermost row is no level
			return t.Position.Line, "nested deeper than 64 levels"
		}
	}
	return 0, ""
}

// addToken counts the levels that a token opens or closes.
func (n *nesting) addToken(t *token.Token) {
	if t.Position.Line != n.line && n.brackets == 0 {
		n.beginRow(t.Position.Column)
	}
	n.line = t.Position.Line
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		n.brackets++
		n.chain = 0
	case token.SequenceEndType, token.MappingEndType:
		n.brackets--
		n.chain = 0
	case token.CollectEntryType, token.DocumentHeaderType:
		n.chain = 0
	case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType, token.TagType, token.AnchorType:
		n.chain++
	default:
	}
}

// beginRow records that a row outside of brackets begins at the column. The rows that began at this
// column or further right have ended.
func (n *nesting) beginRow(column int) {
	for len(n.columns) > 0 && n.columns[len(n.columns)-1] >= column {
		n.columns = n.columns[:len(n.columns)-1]
	}
	n.columns = append(n.columns, column)
	n.chain = 0
}
