package geo

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"servery/internal/lang"
)

const (
	// houseWithin is how many metres from a point a house may stand to be its address.
	houseWithin = 150
	// streetWithin is the same for a street.
	streetWithin = 600
)

// Place is a city as the local geocoder needs it.
type Place struct {
	Name    lang.Text
	Streets []Street
}

// Local is the geocoder that needs no service: it searches the streets of content, whose houses
// stand evenly along the street's line. It is safe for concurrent use.
type Local struct {
	place func(cityID int64) (Place, bool)

	mu      sync.Mutex
	indexes map[int64]*index
}

var _ Geocoder = (*Local)(nil)

// NewLocal returns a geocoder over the places that the function returns. The streets of a place are
// indexed at the first call for it, and again when place returns others.
func NewLocal(place func(cityID int64) (Place, bool)) *Local {
	return &Local{place: place, indexes: map[int64]*index{}}
}

// indexOf returns the index of the city, and false when there is no such city.
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

// Suggest returns up to MaxSuggestions streets, or houses once a number was begun.
func (l *Local) Suggest(_ context.Context, cityID int64, text string, in lang.Lang) ([]Suggestion, error) {
	suggestions := []Suggestion{}
	x, ok := l.indexOf(cityID)
	if !ok || utf8.RuneCountInString(strings.TrimSpace(text)) < MinSuggest {
		return suggestions, nil
	}
	seen := map[string]bool{}
	add := func(s *Street, house string, at Point) bool {
		a := x.newAnswer(s, house, at, in)
		if !seen[a.FullAddress] {
			seen[a.FullAddress] = true
			suggestions = append(suggestions, Suggestion{
				Title: a.Address, Subtitle: joinNonEmpty(a.District, x.cityName(in)), Address: a.Address, HasHouse: house != "", Point: at,
			})
		}
		return len(suggestions) < MaxSuggestions
	}
	for _, t := range readings(text, x.places) {
		for _, s := range x.findStreets(t, false) {
			if t.house == "" {
				if !add(s, "", s.middlePoint()) {
					return suggestions, nil
				}
				continue
			}
			for _, house := range s.housesWithPrefix(t.house) {
				at, _ := s.findHouse(house)
				if !add(s, house, at) {
					return suggestions, nil
				}
			}
		}
	}
	return suggestions, nil
}

// Find returns the house that the text names; the street alone when it has no such house or the
// text names none.
func (l *Local) Find(_ context.Context, cityID int64, text string, in lang.Lang) (Answer, error) {
	x, ok := l.indexOf(cityID)
	if !ok {
		return Answer{}, nil
	}
	var street *Street
	for _, t := range readings(text, x.places) {
		for _, s := range x.findStreets(t, true) {
			if at, ok := s.findHouse(t.house); ok {
				return x.newAnswer(s, houseText(t.house), at, in), nil
			}
			if street == nil {
				street = s
			}
		}
	}
	if street == nil {
		return Answer{}, nil
	}
	return x.newAnswer(street, "", street.middlePoint(), in), nil
}

// At returns the nearest house within 150 m, else the nearest street within 600 m, else the point
// itself with the name of the city.
func (l *Local) At(_ context.Context, cityID int64, point Point, in lang.Lang) (Answer, error) {
	x, ok := l.indexOf(cityID)
	if !ok {
		return Answer{}, nil
	}
	var nearest *Street
	var metres, share float64
	for i := range x.streets {
		s := &x.streets[i]
		if d, _, at := closestPoint(s.Line, point); nearest == nil || d < metres {
			nearest, metres, share = s, d, at
		}
	}
	switch {
	case nearest != nil && metres <= houseWithin:
		return x.newAnswer(nearest, strconv.Itoa(nearest.houseAt(share)), point, in), nil
	case nearest != nil && metres <= streetWithin:
		return x.newAnswer(nearest, "", point, in), nil
	}
	city := x.cityName(in)
	return Answer{Precision: AtPoint, FullAddress: city, Locality: city, Point: point}, nil
}

// newAnswer returns the answer for a street or one of its houses.
func (x *index) newAnswer(s *Street, house string, at Point, in lang.Lang) Answer {
	street, spoken := textIn(s.Name, in)
	district, _ := textIn(s.District, in)
	city := x.cityName(in)
	address := streetLine(street, house, spoken)
	a := Answer{
		Precision: AtStreet, Address: address, FullAddress: fullLine(address, city, spoken), Locality: city,
		District: district, Street: street, House: house, Point: at,
	}
	if house != "" {
		a.Precision = AtHouse
	}
	return a
}

func (x *index) cityName(in lang.Lang) string {
	name, _ := textIn(x.place.Name, in)
	return name
}

// findHouse returns where the house stands. What follows the number ("12к1", "5a") names a building
// beside it.
func (s *Street) findHouse(house string) (Point, bool) {
	digits := strings.IndexFunc(house+" ", func(r rune) bool { return r < '0' || r > '9' })
	number, err := strconv.Atoi(house[:digits])
	if err != nil {
		return Point{}, false
	}
	return s.houseNumbered(number)
}

// housesWithPrefix returns the houses whose numbers begin with what was typed, that very one first.
func (s *Street) housesWithPrefix(house string) []string {
	var found []string
	if _, ok := s.findHouse(house); ok {
		found = append(found, houseText(house))
	}
	number, err := strconv.Atoi(strings.TrimSpace(house))
	if err != nil || number == 0 {
		return found
	}
	for low, high := number*10, number*10+9; low <= s.Houses[1]; low, high = low*10, high*10+9 {
		for n := max(low, s.Houses[0]); n <= min(high, s.Houses[1]) && len(found) < MaxSuggestions; n++ {
			found = append(found, strconv.Itoa(n))
		}
	}
	return found
}

func joinNonEmpty(parts ...string) string {
	var kept []string
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ", ")
}
