package content

import (
	"regexp"

	"github.com/goccy/go-yaml/ast"

	"servery/internal/lang"
)

// object is a YAML mapping. Fields that nobody asks for are faults when it is done.
type object struct {
	value
	fields map[string]value
	keys   []key // in the order of the file
	used   map[string]bool
}

// key is the name of a field and where it stands.
type key struct {
	value
	name string
}

// object gives the fields of a mapping. What is no mapping has none. That no field
// stands there twice is seen to by the parser.
func (v value) object() *object {
	o := &object{value: v, fields: map[string]value{}, used: map[string]bool{}}
	var pairs []*ast.MappingValueNode
	switch n := v.node.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		v.fault("must be a mapping of fields")
	}
	for _, p := range pairs {
		k := key{v.at(p.Key), p.Key.GetToken().Value}
		switch p.Value.(type) {
		case *ast.AliasNode, *ast.AnchorNode:
			k.fault("anchors and aliases (& and *) are not taken; write the value out")
			continue
		}
		o.fields[k.name] = v.at(p.Value)
		o.keys = append(o.keys, k)
	}
	return o
}

// get gives a field that may be absent or null.
func (o *object) get(name string) (value, bool) {
	o.used[name] = true
	v, ok := o.fields[name]
	return v, ok && !v.isNull()
}

// need gives a field that must be there.
func (o *object) need(name string) (value, bool) {
	v, ok := o.get(name)
	if !ok {
		o.fault("%s is missing", name)
	}
	return v, ok
}

// done tells of fields that nobody knows.
func (o *object) done() {
	for _, k := range o.keys {
		if !o.used[k.name] {
			k.fault("unknown field %s", k.name)
		}
	}
}

func (o *object) text(name string) string {
	if v, ok := o.get(name); ok {
		return v.text()
	}
	return ""
}

func (o *object) needText(name string) string {
	v, ok := o.need(name)
	if !ok {
		return ""
	}
	t := v.text()
	if t == "" {
		v.fault("%s is empty", name)
	}
	return t
}

// whole gives a whole number between the bounds, or the usual one when it is absent.
func (o *object) whole(name string, usual, from, to int64) int {
	if v, ok := o.get(name); ok {
		return int(v.whole(from, to))
	}
	return int(usual)
}

func (o *object) truth(name string, usual bool) bool {
	if v, ok := o.get(name); ok {
		return v.truth()
	}
	return usual
}

// list gives the values of a list that may be absent.
func (o *object) list(name string) []value {
	if v, ok := o.get(name); ok {
		return v.list()
	}
	return nil
}

// texts gives a list of texts that may be absent.
func (o *object) texts(name string) []string {
	var texts []string
	for _, v := range o.list(name) {
		texts = append(texts, v.text())
	}
	return texts
}

var aliasPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// alias gives a name for machines.
func (v value) alias() string {
	a := v.text()
	if a != "" && (!aliasPattern.MatchString(a) || len(a) > 64) {
		v.fault("%q must be lower-case latin letters, digits and single dashes, at most 64", a)
	}
	return a
}

// tongue tells how texts are read: whom a plain text is for and which language every
// text must have.
type tongue struct {
	plain    []lang.Lang
	required lang.Lang // empty requires none
}

// words gives a text in the languages it is written in.
func (v value) words(t tongue) lang.Text {
	text := lang.Text{}
	if !v.isMap() {
		if s := v.text(); s != "" {
			for _, l := range t.plain {
				text[l] = s
			}
		}
		return text
	}
	o := v.object()
	for _, k := range o.keys {
		l := lang.Lang(k.name)
		if parsed, ok := lang.Parse(k.name); !ok || parsed != l {
			k.fault("%q is not one of the languages ru, en, tr, uz, de, uk", k.name)
			continue
		}
		if s := o.fields[k.name].text(); s != "" {
			text[l] = s
		}
	}
	if t.required != "" && text[t.required] == "" {
		v.fault("the text is missing in %s, the brand's default language", t.required)
	}
	return text
}

func (o *object) words(name string, t tongue) lang.Text {
	v, ok := o.get(name)
	if !ok {
		return nil
	}
	text := v.words(t)
	if !text.IsZero() {
		o.faults.written = append(o.faults.written, written{v, name, text})
	}
	return text
}

func (o *object) needWords(name string, t tongue) lang.Text {
	v, ok := o.need(name)
	if !ok {
		return nil
	}
	text := o.words(name, t)
	if text.IsZero() && t.required == "" {
		v.fault("%s is empty", name)
	}
	return text
}
