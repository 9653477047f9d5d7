package lang

// Text is what content says in one or more languages. A Text is never changed once
// it is in use, so it may be shared.
type Text map[Lang]string

// In gives the text in the language, else in the fallback, else in any other
// language, in the order of [All]. It is empty only when no language has a text.
func (t Text) In(l, fallback Lang) string {
	for _, wanted := range [...]Lang{l, fallback} {
		if s := t[wanted]; s != "" {
			return s
		}
	}
	for _, other := range All() {
		if s := t[other]; s != "" {
			return s
		}
	}
	return ""
}

// IsZero reports whether no language has a text.
func (t Text) IsZero() bool { return t.In("", "") == "" }
