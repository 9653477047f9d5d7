package content

import (
	"regexp"

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
}

// key is the name of a field with its place in the file.
type key struct {
	value
	name string
}

// toObject returns the fields of a mapping. Any other value has none. The parser refuses a field
// that is there twice.
func (v value) toObject() *object {
	o := &object{value: v, fields: map[string]value{}, used: map[string]bool{}}
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

// optional returns a field that may be absent or null.
func (o *object) optional(name string) (value, bool) {
	o.used[name] = true
	v, ok := o.fields[name]
	return v, ok && !v.isNull()
}

// required returns a field that must be there; it adds a fault where it is not.
func (o *object) required(name string) (value, bool) {
	v, ok := o.optional(name)
	if !ok {
		o.addFault("%s is missing", name)
	}
	return v, ok
}

// checkFields adds a fault for each field that was not read.
func (o *object) checkFields() {
	for _, k := range o.keys {
		if !o.used[k.name] {
			k.addFault("unknown field %s", k.name)
		}
	}
}

func (o *object) optionalText(name string) string {
	if v, ok := o.optional(name); ok {
		return v.toText()
	}
	return ""
}

// requiredText returns a text that must be there and not empty.
func (o *object) requiredText(name string) string {
	v, ok := o.required(name)
	if !ok {
		return ""
	}
	t := v.toText()
	if t == "" {
		v.addFault("%s is empty", name)
	}
	return t
}

// optionalInt returns a whole number between the bounds, or the usual one when it is absent.
func (o *object) optionalInt(name string, usual, from, to int64) int {
	if v, ok := o.optional(name); ok {
		return int(v.toInt(from, to))
	}
	return int(usual)
}

func (o *object) optionalBool(name string, usual bool) bool {
	if v, ok := o.optional(name); ok {
		return v.toBool()
	}
	return usual
}

// optionalList returns the values of a list that may be absent.
func (o *object) optionalList(name string) []value {
	if v, ok := o.optional(name); ok {
		return v.toList()
	}
	return nil
}

// optionalTexts returns a list of texts that may be absent.
func (o *object) optionalTexts(name string) []string {
	var texts []string
	for _, v := range o.optionalList(name) {
		texts = append(texts, v.toText())
	}
	return texts
}

var aliasPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// readAlias returns a name for machines.
func (v value) readAlias() string {
	a := v.toText()
	if a != "" && (!aliasPattern.MatchString(a) || len(a) > 64) {
		v.addFault("%q must be lower-case latin letters, digits and single dashes, at most 64", a)
	}
	return a
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
		if s := v.toText(); s != "" {
			for _, l := range t.plain {
				text[l] = s
			}
		}
		return text
	}
	o := v.toObject()
	for _, k := range o.keys {
		l := lang.Lang(k.name)
		if parsed, ok := lang.Parse(k.name); !ok || parsed != l {
			k.addFault("%q is not one of the languages ru, en, tr, uz, de, uk", k.name)
			continue
		}
		if s := o.fields[k.name].toText(); s != "" {
			text[l] = s
		}
	}
	if t.required != "" && text[t.required] == "" {
		v.addFault("the text is missing in %s, the brand's default language", t.required)
	}
	return text
}

// localizedText reads a text that may be absent, and records which languages it has.
func (o *object) localizedText(name string, t textRules) lang.Text {
	v, ok := o.optional(name)
	if !ok {
		return nil
	}
	text := v.readText(t)
	if !text.IsZero() {
		o.faults.written = append(o.faults.written, localized{v, name, text})
	}
	return text
}

// requiredLocalizedText reads a text that must be there in the required language.
func (o *object) requiredLocalizedText(name string, t textRules) lang.Text {
	v, ok := o.required(name)
	if !ok {
		return nil
	}
	text := o.localizedText(name, t)
	if text.IsZero() && t.required == "" {
		v.addFault("%s is empty", name)
	}
	return text
}
