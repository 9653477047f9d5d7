package geo

import (
	"iter"
	"math"
	"strings"
)

// houses yields the houses of the block, sorted by their numbers. It ends before the first that cannot
// be read.
func (b *houseBlock) houses() iter.Seq[registerHouse] {
	return func(yield func(registerHouse) bool) {
		r := &registerReader{unread: b.packed, texts: b.texts}
		latitude, longitude := steps(b.middle.Latitude), steps(b.middle.Longitude)
		for range b.count {
			number := string(r.read(r.count()))
			latitude, longitude = latitude+r.step(), longitude+r.step()
			h := registerHouse{number: number, point: Point{Latitude: degreesOf(latitude), Longitude: degreesOf(longitude)}, postcode: r.text()}
			if r.isBroken || !yield(h) {
				return
			}
		}
	}
}

// find returns the house with the number, however it is written; false when there is none.
func (b *houseBlock) find(number string) (registerHouse, bool) {
	key := houseKey(number)
	for h := range b.houses() {
		if houseKey(h.number) == key {
			return h, true
		}
	}
	return registerHouse{}, false
}

// withPrefix returns up to MaxSuggestions houses whose numbers begin with what was typed: first the
// houses with the same number, such as "12" and "12к1", then "120" and so on.
func (b *houseBlock) withPrefix(typed string) []registerHouse {
	key, number := houseKey(typed), leadingNumber(typed)
	var same, longer []registerHouse
	for h := range b.houses() {
		switch {
		case !strings.HasPrefix(houseKey(h.number), key):
		case leadingNumber(h.number) == number:
			same = append(same, h)
		case len(longer) < MaxSuggestions:
			longer = append(longer, h)
		}
	}
	same = append(same, longer...)
	return same[:min(len(same), MaxSuggestions)]
}

// nearest returns the house nearest to the point and its distance in metres; infinity when there is
// none.
func (b *houseBlock) nearest(point Point) (nearest registerHouse, metres float64) {
	metres = math.Inf(1)
	for h := range b.houses() {
		if d := DistanceMetres(h.point, point); d < metres {
			nearest, metres = h, d
		}
	}
	return nearest, metres
}

// houseKey returns the form in which house numbers are compared: without spaces, in Latin letters.
func houseKey(number string) string { return toLatin(houseText(number)) }
