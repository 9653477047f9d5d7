package geo

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"servery/internal/fault"
	"servery/internal/lang"
)

const (
	// MaxSuggestions is how many suggestions are returned at most.
	MaxSuggestions = 7
	// MinSuggest is from how many characters on suggestions are returned.
	MinSuggest = 2
	// maxText is how many characters of an address are read.
	maxText = 200
)

// Geocoder turns texts into places of a city and back. Its answers are in the asked
// language where it can. That an address is unknown is an answer, not an error.
type Geocoder interface {
	// Suggest returns addresses that begin like the text, the best first.
	Suggest(ctx context.Context, cityID int64, text string, l lang.Lang) ([]Suggestion, error)
	// Find returns the place that the text names.
	Find(ctx context.Context, cityID int64, text string, l lang.Lang) (Answer, error)
	// At returns the address of the point.
	At(ctx context.Context, cityID int64, point Point, l lang.Lang) (Answer, error)
}

// Suggestion is a line of the list under the address field.
type Suggestion struct {
	// Title is the street with the house, Subtitle where that is.
	Title, Subtitle string
	// Address is what to put into the field; Find understands it.
	Address  string
	HasHouse bool
	Point    Point
}

// Precision is how well a place is known. The set is closed.
type Precision string

// The precisions, from nothing to the door.
const (
	Unknown    Precision = ""
	AtLocality Precision = "locality" // only the town is known: nothing is delivered there, street and house are still to be asked for
	AtPoint    Precision = "point"    // coordinates without an address
	AtStreet   Precision = "street"   // the house is still to be asked for
	AtHouse    Precision = "house"
)

// precisions are all precisions, the vaguest first.
var precisions = []Precision{Unknown, AtLocality, AtPoint, AtStreet, AtHouse}

// Answer is the place that a geocoder has found.
type Answer struct {
	Precision Precision
	// Address is street and house, FullAddress has the city too.
	Address, FullAddress string
	Locality, District   string
	Street, House        string
	Point                Point
}

// Found reports whether the geocoder has found anything, be it only a town or a point.
func (a Answer) Found() bool { return a.Precision != Unknown }

// IsBetterThan reports whether the answer is more precise than another.
func (a Answer) IsBetterThan(other Answer) bool {
	return slices.Index(precisions, a.Precision) > slices.Index(precisions, other.Precision)
}

// Pinned returns the typed address at the point of the answer, with the precision AtPoint: a customer sets
// a point on the map when the typed address was not found. It returns the answer unchanged when the typed
// text has no house, or when the answer is that house.
func (a Answer) Pinned(typed string, l lang.Lang) Answer {
	house := HouseIn(typed)
	if house == "" || a.Precision == AtHouse && SameHouse(a.House, house) {
		return a
	}
	return Answer{
		Precision: AtPoint, Address: typed, FullAddress: fullLine(typed, a.Locality, l), Locality: a.Locality, District: a.District, House: house, Point: a.Point,
	}
}

// CleanText returns an address as the customer has typed it, without spaces around it. Faults, all
// Invalid at the field address: geo.address_missing, geo.address_too_long, and
// geo.address_unreadable for a text with control characters.
func CleanText(text string) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", fault.New(fault.Invalid, "geo.address_missing", fault.Field("address", "geo.address_missing"))
	case utf8.RuneCountInString(text) > maxText:
		args := fault.Args{"max": maxText}
		return "", fault.New(fault.Invalid, "geo.address_too_long", fault.With(args), fault.Field("address", "geo.address_too_long", args))
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl):
		return "", fault.New(fault.Invalid, "geo.address_unreadable", fault.Field("address", "geo.address_unreadable"))
	}
	return text, nil
}
