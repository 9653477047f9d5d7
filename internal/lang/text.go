package lang

// Text is a text of content in one or more languages. A Text is never changed once it is in use, so
// it may be shared.
type Text map[Lang]string

// In returns the text in the language, else in the first fallback that has one, else in English,
// else in any other language, in the order of [All]. It is empty only when no language has a text.
func (t Text) In(l Lang, fallbacks ...Lang) string {
	if s := t[l]; s != "" {
		return s
	}
	for _, order := range [...][]Lang{fallbacks, {EN}, All()} {
		for _, other := range order {
			if s := t[other]; s != "" {
				return s
			}
		}
	}
	return ""
}

// IsZero reports whether no language has a text.
func (t Text) IsZero() bool { return t.In(EN) == "" }
