package lang

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"servery/internal/clock"
	"servery/internal/coverage"
)

//go:embed messages
var files embed.FS

// catalog is read once, with the first message. The files are part of the program and a test reads
// them all, so a fault in them cannot reach production.
var catalog = sync.OnceValue(func() messages {
	all, err := loadMessages(files)
	if err != nil {
		panic(err)
	}
	return all
})

// messages are the texts by language and key.
type messages map[Lang]map[string]message

// message is one text by plural form; a text without forms has only other.
type message map[string]string

// UnmarshalYAML reads a message: a plain text, or a text for each plural form.
func (m *message) UnmarshalYAML(unmarshal func(any) error) error {
	var plain string
	if err := unmarshal(&plain); err == nil {
		*m = message{other: plain}
		return nil
	}
	var forms map[string]string
	if err := unmarshal(&forms); err != nil {
		return err
	}
	*m = forms
	return nil
}

// loadMessages reads all message files. It returns an error for a language that is not one of the six, and
// for a message that is written twice.
func loadMessages(files fs.FS) (messages, error) {
	loaded := messages{}
	for _, l := range All() {
		loaded[l] = map[string]message{}
	}
	paths, err := fs.Glob(files, "messages/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, file := range paths {
		data, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		var texts map[string]map[Lang]message
		if err := yaml.Unmarshal(data, &texts); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for key, written := range texts {
			for l, text := range written {
				switch _, isTwice := loaded[l][key]; {
				case loaded[l] == nil:
					return nil, fmt.Errorf("%s: %s: %q is not one of the languages", file, key, l)
				case isTwice:
					return nil, fmt.Errorf("%s: %s is in another file too", file, key)
				}
				loaded[l][key] = text
			}
		}
	}
	return loaded, nil
}

// T returns the message in the language with its values filled in. A key that a language lacks is
// returned in English, and an unknown key as it is; tests refuse both.
func T(l Lang, key string, args map[string]any) string {
	coverage.Record("message", key)
	texts := catalog()
	t, ok := texts[l][key]
	if !ok {
		l = EN
		if t, ok = texts[EN][key]; !ok {
			return key
		}
	}
	pattern, ok := t[pluralForm(l, args["count"])]
	if !ok {
		pattern = t[other]
	}
	return fillValues(l, pattern, args)
}

// Has reports whether there is a message of that key.
func Has(key string) bool {
	_, ok := catalog()[EN][key]
	return ok
}

// FormatDay returns a day without its year as the language writes it: "5 марта".
func FormatDay(l Lang, d clock.Day) string {
	month := T(l, "date.month_"+strconv.Itoa(int(d.Month)), nil)
	return T(l, "date.day", map[string]any{"day": d.Day, "month": month})
}

// writeValue writes a value in a language, a day as [FormatDay] does; the usual types need no reflection.
func writeValue(b *strings.Builder, l Lang, value any) {
	switch v := value.(type) {
	case clock.Day:
		b.WriteString(FormatDay(l, v))
	case string:
		b.WriteString(v)
	case int:
		b.WriteString(strconv.Itoa(v))
	case fmt.Stringer:
		b.WriteString(v.String())
	default:
		fmt.Fprint(b, v)
	}
}

// fillValues replaces the {names} by their values in a language; a name without a value stays visible.
func fillValues(l Lang, pattern string, args map[string]any) string {
	if !strings.Contains(pattern, "{") {
		return pattern
	}
	var b strings.Builder
	b.Grow(2 * len(pattern))
	for {
		before, rest, found := strings.Cut(pattern, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		value, known := args[name]
		if closed && known {
			writeValue(&b, l, value)
		} else {
			b.WriteString("{" + name)
			if closed {
				b.WriteByte('}')
			}
		}
		pattern = after
	}
}
