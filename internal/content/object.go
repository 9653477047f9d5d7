package content

import (
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"servery/internal/lang"
	"servery/internal/yamldoc"
)

// object is a YAML mapping. Fields that were not read are faults when it is done.
type object struct {
	value
	fields map[string]value
	keys   []key // in the order of the file
	used   map[string]bool
	// chosen counts the fields that are there of each kind of a tag "either".
	chosen map[string]int
}

// key is the name of a field with its place in the file.
type key struct {
	value
	name string
}

func newObject(v value) *object {
	return &object{value: v, fields: map[string]value{}, used: map[string]bool{}, chosen: map[string]int{}}
}

// toObject returns the fields of a mapping. For any other value it adds a fault and returns no fields.
// The parser has refused a field that is there twice.
func (v value) toObject() *object {
	o := newObject(v)
	pairs, ok := yamldoc.Entries(v.node)
	if !ok {
		v.addFault("must be a mapping of fields")
	}
	for _, p := range pairs {
		k := key{v.valueOf(p.Key), p.Key.GetToken().Value}
		switch p.Value.(type) {
		case *ast.AliasNode, *ast.AnchorNode:
			k.addFault("anchors and aliases (& and *) are not taken; write the value out")
			continue
		}
		o.fields[k.name] = v.valueOf(p.Value)
		o.keys = append(o.keys, k)
	}
	return o
}

// optional returns a field and marks it as read; false when it is absent or null.
func (o *object) optional(name string) (value, bool) {
	o.used[name] = true
	v, ok := o.fields[name]
	return v, ok && !v.isNull()
}

// checkFields adds a fault for each field that was not read.
func (o *object) checkFields() {
	for _, k := range o.keys {
		switch {
		case o.used[k.name]:
		case o.fields[k.name].isNull():
			k.addFault("unknown field %s: is it what follows a comma? A number has a point there, a text stands in quotes", k.name)
		default:
			k.addFault("unknown field %s", k.name)
		}
	}
}

var aliasPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// readAlias returns an alias, empty where there is none. It adds a fault where it is not written as one.
func (v aliasValue) readAlias() string {
	if v.isNull() {
		return ""
	}
	a := v.toText()
	if a != "" && (!aliasPattern.MatchString(a) || len(a) > 64) {
		v.addFault("%q must be lower-case latin letters, digits and single dashes, at most 64", a)
	}
	return a
}

// readLanguage returns the language tag of the value, empty for null. For an invalid tag it adds a fault
// and returns the tag as it is written.
func (v languageValue) readLanguage() lang.Lang {
	if v.isNull() {
		return ""
	}
	tag := v.toText()
	l, ok := lang.ParseTag(tag)
	if !ok {
		v.addFault("%q is not a language tag like ru, pl or pt-BR", tag)
	}
	return l
}

// textRules says how texts are read: which languages a plain text is for and which language every
// text must have.
type textRules struct {
	plain    []lang.Lang
	required lang.Lang // empty requires none
}

// readText returns a text in the languages it is written in.
func (v value) readText(t textRules) lang.Text {
	text := lang.Text{}
	if !v.isMap() {
		before := len(v.faults.list)
		s := v.toText()
		if strings.TrimSpace(s) == "" && len(v.faults.list) == before {
			v.addFault("the text is empty")
		}
		for _, l := range t.plain {
			text[l] = s
		}
		return text
	}
	o := v.toObject()
	for _, k := range o.keys {
		if o.fields[k.name].isNull() {
			k.addFault("%s stands without a text: put a text with a comma into quotes", k.name)
			continue
		}
		l, ok := lang.ParseTag(k.name)
		if !ok {
			k.addFault("%q is not a language tag like ru, pl or pt-BR", k.name)
			continue
		}
		if s := o.fields[k.name].toText(); strings.TrimSpace(s) != "" {
			text[l] = s
		}
	}
	switch {
	case len(o.keys) == 0:
		v.addFault("the text is empty")
	case t.required != "" && text[t.required] == "":
		v.addFault("the text is missing in %s, the language of the brand's texts", t.required)
	}
	return text
}

// localizedText returns the text, nil where it is absent, and records which languages it has.
func (t textValue) localizedText(rules textRules) lang.Text {
	if t.isNull() {
		return nil
	}
	text := t.readText(rules)
	if text.IsZero() {
		return text
	}
	t.faults.written = append(t.faults.written, localized{t.value, t.name, text})
	return text
}
