package geo

import (
	"context"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"servery/internal/lang"
)

const (
	// houseWithin is the most metres between a point and the house that is its address.
	houseWithin = 150
	// streetWithin is the most metres between a point and the street that is its address.
	streetWithin = 600
)

// Place is a city as the local geocoder needs it.
type Place struct {
	Name lang.Text
	// Country is the name of the city's country.
	Country lang.Text
	Streets []Street
}

// Local is the geocoder that needs no service: it searches the streets of content. The houses of a
// register stand where they are, those of other streets evenly along the street's line. It is safe for
// concurrent use.
type Local struct {
	place func(cityID int64) (Place, bool)

	mu      sync.Mutex
	indexes map[int64]*index
}

var _ Geocoder = (*Local)(nil)

// NewLocal returns a geocoder over the streets that the function place returns for a city id.
// They are indexed at the first call for a city, and again when place returns other streets.
func NewLocal(place func(cityID int64) (Place, bool)) *Local {
	return &Local{place: place, indexes: map[int64]*index{}}
}

// indexOf returns the index of the city's streets, and makes it when there is none or the
// streets have changed. It reports false when there is no such city.
func (l *Local) indexOf(cityID int64) (*index, bool) {
	place, ok := l.place(cityID)
	if !ok {
		return nil, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if x, ok := l.indexes[cityID]; ok && x.isOf(place) {
		return x, true
	}
	x := newIndex(place)
	l.indexes[cityID] = x
	return x, true
}

// Suggest returns up to MaxSuggestions addresses that begin with the text: streets, or houses
// once the text has a digit of a house number. Each address is in the list once. The list is
// empty for a text of one character and for an unknown city. The error is always nil.
func (l *Local) Suggest(_ context.Context, cityID int64, text string, in lang.Lang) ([]Suggestion, error) {
	suggestions := []Suggestion{}
	x, ok := l.indexOf(cityID)
	if !ok || utf8.RuneCountInString(strings.TrimSpace(text)) < MinSuggest {
		return suggestions, nil
	}
	isAdded := map[Suggestion]bool{} // the keys have no points: two streets of one name are one line
	add := func(s *Street, h registerHouse) (isRoomLeft bool) {
		a := x.newAnswer(s, h, in)
		line := Suggestion{Title: a.Address, Subtitle: joinNonEmpty(a.District, x.cityName(in)), Address: a.Address, HasHouse: h.number != ""}
		if !isAdded[line] {
			isAdded[line] = true
			line.Point = h.point
			suggestions = append(suggestions, line)
		}
		return len(suggestions) < MaxSuggestions
	}
	for _, t := range readings(text, x.places) {
		for _, s := range x.findStreets(t, wordBeginnings) {
			if t.house == "" {
				if !add(s, registerHouse{point: s.middlePoint()}) {
					return suggestions, nil
				}
				continue
			}
			for _, h := range s.housesWithPrefix(t.house) {
				if !add(s, h) {
					return suggestions, nil
				}
			}
		}
	}
	return suggestions, nil
}

// Find returns the house that the text names. It returns only the street when no street has that
// house or the text names no house, only the city when the text names that or a district and no street,
// and an Unknown answer when there is no such street or city. The error is always nil.
func (l *Local) Find(_ context.Context, cityID int64, text string, in lang.Lang) (Answer, error) {
	x, ok := l.indexOf(cityID)
	if !ok {
		return Answer{}, nil
	}
	var bestStreet *Street
	for _, t := range readings(text, x.places) {
		for _, s := range x.findStreets(t, wholeWords) {
			if h, ok := s.findHouse(t.house); ok {
				return x.newAnswer(s, h, in), nil
			}
			if bestStreet == nil {
				bestStreet = s
			}
		}
	}
	switch {
	case bestStreet != nil:
		return x.newAnswer(bestStreet, registerHouse{point: bestStreet.middlePoint()}, in), nil
	case namesOnlyPlaces(text, x.places):
		return atLocality(x.cityName(in), Point{}), nil
	default:
		return Answer{}, nil
	}
}

// FindCity returns the only one of the cities that has the house of a typed address. The street must be
// typed as it is spelled: with slips, half of all cities would have one like it. It reports false when no
// city has the house, or several have.
func (l *Local) FindCity(cityIDs []int64, text string) (cityID int64, isFound bool) {
	for _, id := range cityIDs {
		x, ok := l.indexOf(id)
		if !ok || !x.hasHouse(text) {
			continue
		}
		if isFound {
			return 0, false
		}
		cityID, isFound = id, true
	}
	return cityID, isFound
}

// hasHouse reports whether the city has the house of the text, in a street that is spelled so.
func (x *index) hasHouse(text string) bool {
	for _, t := range readings(text, x.places) {
		for _, s := range x.findSpelled(t) {
			if _, ok := s.findHouse(t.house); ok {
				return true
			}
		}
	}
	return false
}

// At returns the nearest house within 150 m of the point, else the nearest street within 600 m,
// else the point itself with the name of the city. The point of the answer is always the given one. It
// returns an Unknown answer for an unknown city. The error is always nil.
func (l *Local) At(_ context.Context, cityID int64, point Point, in lang.Lang) (Answer, error) {
	x, ok := l.indexOf(cityID)
	if !ok {
		return Answer{}, nil
	}
	nearest, house, metres := x.nearest(point)
	house.point = point
	switch {
	case nearest != nil && metres <= houseWithin && house.number != "":
		return x.newAnswer(nearest, house, in), nil
	case nearest != nil && metres <= streetWithin:
		return x.newAnswer(nearest, registerHouse{point: point}, in), nil
	}
	city := x.cityName(in)
	return Answer{Precision: AtPoint, FullAddress: city, Locality: city, Point: point}, nil
}

// newAnswer returns the answer for a house, or for its street when the house has no number. The answer
// is in the given language; where content lacks it, in one that its readers may understand.
func (x *index) newAnswer(s *Street, h registerHouse, in lang.Lang) Answer {
	street, textLang := textIn(s.Name, in)
	district, _ := textIn(s.District, in)
	city := x.cityName(in)
	address := streetLine(street, h.number, textLang)
	a := Answer{
		Precision: AtStreet, Address: address, FullAddress: fullLine(address, withPostcode(city, h.postcode, textLang), textLang), Locality: city,
		District: district, Street: street, House: h.number, Point: h.point,
	}
	if h.number != "" {
		a.Precision = AtHouse
	}
	return a
}

// nearest returns the nearest street, its nearest house and the distance in metres.
//   - In a street of the register the distance is to the house. When only the middle of the street is
//     near, it is to that middle, and the house is empty. Beyond streetWithin such a street is left out.
//   - In a street that is drawn as a line the distance is to the line, and the house number is estimated.
//
// The street is nil, and the distance infinite, when none is found.
func (x *index) nearest(point Point) (nearest *Street, house registerHouse, metres float64) {
	metres = math.Inf(1)
	for i := range x.streets {
		s := &x.streets[i]
		if s.block != nil {
			if !s.block.bounds.Widen(min(metres, streetWithin)).Contains(point) {
				continue // too far to be nearer
			}
			if h, d := s.block.nearest(point); d < metres {
				nearest, house, metres = s, h, d
			} else if d := DistanceMetres(s.block.middle, point); d < metres {
				nearest, house, metres = s, registerHouse{}, d
			}
			continue
		}
		if d, _, share := closestPoint(s.Line, point); d < metres {
			nearest, house, metres = s, registerHouse{number: strconv.Itoa(s.houseAt(share))}, d
		}
	}
	return nearest, house, metres
}

// cityName returns the name of the index's city in the language, or in another where content
// lacks it.
func (x *index) cityName(in lang.Lang) string {
	name, _ := textIn(x.place.Name, in)
	return name
}

// findHouse returns the house of a number, false when the street has none. Of a street without a
// register only the leading digits count: what follows them ("12к1", "5a") names a building beside
// that house.
func (s *Street) findHouse(house string) (registerHouse, bool) {
	if s.block != nil {
		return s.block.find(house)
	}
	// The added space ends the digits when nothing else follows them.
	digitCount := strings.IndexFunc(house+" ", func(r rune) bool { return r < '0' || r > '9' })
	number, err := strconv.Atoi(house[:digitCount])
	if err != nil {
		return registerHouse{}, false
	}
	point, ok := s.houseNumbered(number)
	return registerHouse{number: houseText(house), point: point}, ok
}

// housesWithPrefix returns up to MaxSuggestions houses of the street whose numbers begin with the
// typed text, first the typed number itself.
func (s *Street) housesWithPrefix(typed string) []registerHouse {
	if s.block != nil {
		return s.block.withPrefix(typed)
	}
	var houses []registerHouse
	if h, ok := s.findHouse(typed); ok {
		houses = append(houses, h)
	}
	number, err := strconv.Atoi(strings.TrimSpace(typed))
	if err != nil || number == 0 {
		return houses
	}
	// For 1 these are 10 to 19, then 100 to 199, and so on.
	for low, high := number*10, number*10+9; low <= s.Houses[1]; low, high = low*10, high*10+9 {
		for n := max(low, s.Houses[0]); n <= min(high, s.Houses[1]) && len(houses) < MaxSuggestions; n++ {
			point, _ := s.houseNumbered(n)
			houses = append(houses, registerHouse{number: strconv.Itoa(n), point: point})
		}
	}
	return houses
}

// joinNonEmpty returns the parts that are not empty, separated by commas.
func joinNonEmpty(parts ...string) string {
	var nonEmpty []string
	for _, part := range parts {
		if part != "" {
			nonEmpty = append(nonEmpty, part)
		}
	}
	return strings.Join(nonEmpty, ", ")
}
