package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Text reads what a provider sends as text in one answer and as a number in another; null is empty.
type Text string

// UnmarshalJSON reads a text, a number or null.
func (t *Text) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		return json.Unmarshal(data, (*string)(t))
	}
	if bytes.Equal(data, []byte("null")) {
		*t = ""
		return nil
	}
	var n json.Number
	if err := json.Unmarshal(data, &n); err != nil {
		return errors.New("neither text nor number")
	}
	*t = Text(n.String())
	return nil
}

// SafeCode returns a provider's code in lower case if it can only be a name or number: letters,
// hyphens, underscores and at most five digits in a row. Any other text may contain personal
// data and becomes empty.
func SafeCode(s string) string {
	const most, longestNumber = 40, 5
	if len(s) > most {
		return ""
	}
	digits := 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			if digits++; digits > longestNumber {
				return ""
			}
		case r == '_' || r == '-' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			digits = 0
		default:
			return ""
		}
	}
	return strings.ToLower(s)
}
