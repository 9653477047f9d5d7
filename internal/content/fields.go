package content

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/lang"
	"servery/internal/look"
	"servery/internal/money"
	"servery/internal/site"
)

// readFields reads a mapping into a struct, whose tags say what each field may be; the schemas for
// editors and the tables of docs/content.md are made of the same tags and of the comments beside
// them. What the tags refuse, and a field that the struct does not have, is a fault.
//
//	field:"name,required"   the name in the file, and whether it must be there
//	hint:"one by one"       what is said besides where it is missing
//	min:"1" max:"100"       bounds of a number; max also of the letters of a text
//	items:"1"               how many entries a list has at least
//	default:"30"            the value when the field is absent
//	one:"tints"             the words that it takes, a list of [choices]
//	match:"#"               a pattern that a text matches
//	unique:"true"           no entry of a list stands there twice
//	with:"rate: why"        a field that must be there too, and why
//	either:"kind"           the struct has exactly one of the fields of that kind; those of
//	                        "kind/part" count as one. The caller checks that, by object.chosen
//	keys:"dates"            which keys a mapping of any keys has
//	null:"true"             null is written for what is absent
func readFields[T any](v value) (*T, *object) {
	entry, o := new(T), v.toObject()
	o.readStruct(reflect.ValueOf(entry).Elem())
	o.checkFields()
	return entry, o
}

// mappingOf is a field that is a mapping with the fields of T.
type mappingOf[T any] struct{ value }

// readMapping returns the fields, and the mapping to which later checks add faults. An absent mapping
// has the default of each field and adds no fault, so a mapping that may be absent must have no
// required field.
func (f mappingOf[T]) readMapping() (*T, *object) {
	if f.node != nil {
		return readFields[T](f.value)
	}
	entry, o := new(T), newObject(f.value)
	o.readStruct(reflect.ValueOf(entry).Elem())
	return entry, o
}

// mapOf is a field that is a mapping from any key to T, in the order of the file.
type mapOf[T any] struct{ value }

// Fields of these types keep their place in the file. The reader takes them from there, because
// what they mean depends on the brand.
type (
	// Stable over imports, unique in the folder for its kind.
	idValue struct{ value }
	// Lower-case latin letters, digits and single dashes.
	aliasValue struct{ value }
	// Major units, at most two decimals.
	amountValue struct{ value }
	// An amount in the first price list, or amounts by price list.
	pricesValue struct{ value }
	// A decimal above zero, exact.
	rateValue struct{ value }
	// 0.01 to 100.
	percentValue struct{ value }
	// ISO 4217.
	currencyValue struct{ value }
	// Latitude and longitude.
	pointValue struct{ value }
	// South, west, north, east.
	bboxValue struct{ value }
	// First and last number.
	housesValue struct{ value }
	// Shifts like 10:00-22:00; an end above 24:00, or up to 04:00, is on the next day.
	spansValue struct{ value }
	// Weekdays, 1 (Monday) to 7, and ranges like 1-5.
	daysValue struct{ value }
	// 3 to 32 letters, digits and dashes, all letters latin or all Cyrillic; letter case means nothing.
	codeValue struct{ value }
	// The name of an account in the file of providers.
	accountValue struct{ value }
	// A tax in percent.
	vatValue struct{ value }
	// false, or what receipts say.
	fiscalValue struct{ value }
	// per_order: one for an order; per_items: one for so many portions begun.
	ruleValue struct{ value }
	// A pattern like https://tiles.example/{z}/{x}/{y}.png.
	tilesValue struct{ value }
	// A text with a # for every digit that is typed.
	maskValue struct{ value }
	// An address that begins with https://.
	httpsValue struct{ value }
	// A BCP 47 tag like pl or pt-BR.
	languageValue struct{ value }
	// Minutes.
	groupCeiling struct{ value }
	// A text with its place.
	wordValue struct{ value }
	// True or false with its place.
	switchValue struct{ value }
	// oklch(0.62 0.18 29), or "#c2410c" in quotes.
	colorValue struct{ value }
	// Pixels, or round.
	cornerValue struct{ value }
	// A file, or a file for each language.
	fontValue struct{ value }
)

// A text in the language of the brand's texts, or one per language.
type textValue struct {
	value

	name string
}

// placed is implemented by the types of fields that keep their place.
type placed interface{ setPlace(v value, name string) }

// setPlace stores the value of the field.
func (v *value) setPlace(at value, _ string) { *v = at }

// setPlace stores the value and the name of the field.
func (v *textValue) setPlace(at value, name string) { v.value, v.name = at, name }

// choices are the words that fields with a tag "one" take.
var choices = map[string][]string{
	"addressFields":  words(site.AddressFields()),
	"accents":        catalog.Accents(),
	"allergens":      words(catalog.Allergens()),
	"frequencyUnits": catalog.FrequencyUnits(),
	"cases":          look.Cases(),
	"order_messages": words(site.OrderMessages()),
	"channels":       words([]site.SignInChannel{site.ByCall, site.BySMS, site.ByVK}),
	"curves":         look.Curves(),
	"emails":         {"required", "optional"},
	"languages":      words(lang.All()),
	"modes":          site.ReceiptModes(),
	"online":         slices.DeleteFunc(site.PaymentTypes(), func(t string) bool { return !site.IsOnline(t) }),
	"orderTypes":     words(site.OrderTypes()),
	"productFacts":   words(site.ProductFacts()),
	"paymentTypes":   site.PaymentTypes(),
	"prepayments":    site.PrepaymentVATs(),
	"schemes":        words(look.Schemes()),
	"shadows":        look.Shadows(),
	"states":         {"default", stopped},
	"taxes":          site.TaxSystems(),
	"tints":          {"a", "b", "c", "d"},
	"true":           {"true"},
	"units":          words(catalog.Units()),
}

// words returns the values of a list as plain strings.
func words[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, w := range list {
		texts[i] = string(w)
	}
	return texts
}

// rule is what the tags of a field say.
type rule struct {
	name, defaultValue, kind string
	required, unique         bool
	min, max                 string
	items                    int
	one                      []string
	match                    *regexp.Regexp
	with, why, hint          string
	keys                     string
}

// rules are those of the fields of a struct, by its type.
var rules sync.Map

// rulesOf returns what the tags of the fields of a struct say.
func rulesOf(t reflect.Type) []rule {
	if known, ok := rules.Load(t); ok {
		return known.([]rule) // nothing else is stored
	}
	fieldRules := make([]rule, t.NumField())
	for i := range fieldRules {
		fieldRules[i] = ruleOf(t.Field(i))
	}
	rules.Store(t, fieldRules)
	return fieldRules
}

// ruleOf returns the rule in the tags of a field, which readFields describes.
func ruleOf(f reflect.StructField) rule {
	name, needed, _ := strings.Cut(f.Tag.Get("field"), ",")
	r := rule{
		name: name, required: needed == "required", unique: f.Tag.Get("unique") == "true",
		min: f.Tag.Get("min"), max: f.Tag.Get("max"), defaultValue: f.Tag.Get("default"),
		kind: f.Tag.Get("either"), hint: f.Tag.Get("hint"), keys: f.Tag.Get("keys"), one: choices[f.Tag.Get("one")],
	}
	r.items, _ = strconv.Atoi(f.Tag.Get("items"))
	if pattern := f.Tag.Get("match"); pattern != "" {
		r.match = regexp.MustCompile(pattern)
	}
	r.with, r.why, _ = strings.Cut(f.Tag.Get("with"), ": ")
	return r
}

// readStruct reads all fields of a struct, including those of embedded structs. In o.chosen it counts
// how many of the fields with a tag either:"kind" are there, by kind; the caller refuses more or fewer
// than one. A field that is false does not count, and fields with the same tag either:"kind/part"
// count as one.
func (o *object) readStruct(into reflect.Value) {
	isPartCounted, fieldRules := map[string]bool{}, rulesOf(into.Type())
	for i := range into.NumField() {
		f := into.Type().Field(i)
		if f.Anonymous {
			o.readStruct(into.Field(i))
			continue
		}
		r := fieldRules[i]
		if !o.readField(into.Field(i), r) || r.kind == "" {
			continue
		}
		kind, _, isPart := strings.Cut(r.kind, "/")
		if isFalse := f.Type.Kind() == reflect.Bool && !into.Field(i).Bool(); !isFalse && !isPartCounted[r.kind] {
			o.chosen[kind]++
			isPartCounted[r.kind] = isPart
		}
	}
}

// readField reads one field into into, or sets its default, and reports whether it is in the file. It
// adds a fault when the field is required and absent, or lacks the field that its rule demands.
func (o *object) readField(into reflect.Value, r rule) bool {
	v, ok := o.optional(r.name)
	switch {
	case !ok && r.required:
		o.addFault("%s is missing%s", r.name, because(r.hint))
	case !ok:
		r.setDefault(into)
	default:
		if _, both := o.optional(r.with); r.with != "" && !both {
			o.addFault("%s needs %s%s", r.name, r.with, because(r.why))
		}
		r.read(v, into)
	}
	return ok
}

// because returns the reason as the end of a message; empty when there is none.
func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

// setDefault sets a field that is absent to its default, if the rule has one.
func (r rule) setDefault(into reflect.Value) {
	if r.defaultValue == "" {
		return
	}
	switch into.Kind() {
	case reflect.Bool:
		into.SetBool(r.defaultValue == "true")
	case reflect.Int:
		into.SetInt(r.integer(r.defaultValue, 0))
	case reflect.Float64:
		into.SetFloat(r.decimal(r.defaultValue))
	default:
		into.SetString(r.defaultValue)
	}
}

// read reads a value as the type of the field says.
func (r rule) read(v value, into reflect.Value) {
	switch p := into.Addr().Interface().(type) {
	case placed:
		p.setPlace(v, r.name)
		r.checkPlaced(v, into)
		return
	case *money.Amount:
		*p = v.toAmount()
		return
	case **clock.Day:
		*p = v.toDay()
		return
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		r.read(v, into.Elem())
	case reflect.Bool:
		into.SetBool(v.toBool())
		isOnlyTrue := len(r.one) == 1 // the tag one:"true"
		if isOnlyTrue && !into.Bool() {
			v.addFault("%s is true or absent", r.name)
		}
	case reflect.Int:
		into.SetInt(v.toInt(r.integer(r.min, math.MinInt32), r.integer(r.max, math.MaxInt32)))
	case reflect.Float64:
		into.SetFloat(v.toFloat(r.decimal(r.min), r.decimal(r.max)))
	case reflect.String:
		into.SetString(r.readWord(v))
	case reflect.Slice:
		r.readList(v, into)
	default:
		panic("no field can be a " + into.Type().String())
	}
}

// checkPlaced checks the tags of a field that keeps its place.
func (r rule) checkPlaced(v value, into reflect.Value) {
	switch into.Interface().(type) {
	case wordValue, maskValue:
		r.readWord(v)
	case aliasValue:
		if r.max != "" && int64(len(v.asWritten())) > r.integer(r.max, 0) {
			v.addFault("%s has at most %s letters", r.name, r.max)
		}
	}
}

// readWord reads a text, which must not be empty and must be what the tags one and match allow.
func (r rule) readWord(v value) string {
	before := len(v.faults.list)
	text := v.toText()
	switch {
	case len(v.faults.list) > before: // it is no text
	case text == "":
		v.addFault("%s is empty", r.name)
	case r.one != nil:
		return toOneOf(v, r.one)
	case r.match != nil && !r.match.MatchString(text):
		v.addFault("%s must match %s: %q", r.name, r.match, text)
	}
	return text
}

// readList reads the entries of a list. The tags items, unique and required are of the whole list, all
// others of each entry.
func (r rule) readList(v value, into reflect.Value) {
	entries := v.toList()
	if len(entries) < r.items {
		v.addFault("%s needs %d or more", r.name, r.items)
	}
	ofEntry := r
	ofEntry.items, ofEntry.unique, ofEntry.required = 0, false, false
	taken := map[string]bool{}
	for _, entry := range entries {
		one := reflect.New(into.Type().Elem()).Elem()
		ofEntry.read(entry, one)
		into.Set(reflect.Append(into, one))
		if word := entry.asWritten(); r.unique && word != "" {
			if taken[word] {
				entry.addFault("%s stands here twice", word)
			}
			taken[word] = true
		}
	}
}

// integer returns the number in a tag, or absent when the tag is empty. A tag that is no number is
// a bug, and panics.
func (rule) integer(tag string, absent int64) int64 {
	if tag == "" {
		return absent
	}
	n, err := strconv.ParseInt(tag, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("the tag of a field: %v", err)) // the first test that reads the struct finds it
	}
	return n
}

// decimal returns the number in a tag, which must be there. A tag that is no number is a bug, and
// panics.
func (rule) decimal(tag string) float64 {
	n, err := strconv.ParseFloat(tag, 64)
	if err != nil {
		panic(fmt.Sprintf("the tag of a field: %v", err)) // the first test that reads the struct finds it
	}
	return n
}
