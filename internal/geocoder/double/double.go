// Package double stands in for the services of addresses, for tests. Each answers in the shape of its
// provider from one list of houses.
package double

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"servery/internal/geo"
	"servery/internal/remote/faultinject"
)

// Key is the key of every account.
const Key = "hunter2"

// House is a house that the services know.
type House struct {
	City, District string
	// Kind and KindFull are the kind of the street, as "ул" and "улица".
	Kind, KindFull, Street string
	House, Block           string
	Postcode               string
	Point                  geo.Point
	// GeoQuality is DaData's word for the coordinates, "0" when it is empty; Precision is Yandex's,
	// "exact" when it is empty.
	GeoQuality, Precision string
}

// Houses returns the houses of the doubles: some of Kazan, one of Samara and one of Moscow.
func Houses() []House {
	kazan := House{City: "Казань", District: "Вахитовский", Kind: "ул", KindFull: "улица"}
	with := func(street, house, block string, lat, lon float64) House {
		h := kazan
		h.Street, h.House, h.Block, h.Point = street, house, block, geo.Point{Latitude: lat, Longitude: lon}
		h.Postcode = "420111"
		return h
	}
	near := with("Баумана", "44", "8", 55.7879, 49.1216)
	near.GeoQuality, near.Precision = "1", "number"
	street := with("Пушкина", "9", "", 55.7901, 49.1262)
	street.GeoQuality, street.Precision = "2", "street"
	town := with("Затерянная", "1", "", 55.7702, 49.1705)
	town.GeoQuality, town.Precision = "4", "other"
	return []House{
		with("Баумана", "5", "", 55.7950, 49.1090), with("Баумана", "51", "", 55.7885, 49.1203), near, street, town,
		{City: "Самара", Kind: "ул", KindFull: "улица", Street: "Баумана", House: "5", Postcode: "443000", Point: geo.Point{Latitude: 53.1959, Longitude: 50.1002}},
		{City: "Москва", Kind: "ул", KindFull: "улица", Street: "Знаменка", House: "7", Postcode: "119019", Point: geo.Point{Latitude: 55.75, Longitude: 37.60}},
	}
}

// Server is one service.
type Server struct {
	faultinject.Handler

	houses []House

	mu       sync.Mutex
	requests []*http.Request
}

// newServer returns a service that answers with the mux.
func newServer(mux *http.ServeMux) *Server {
	s := &Server{houses: Houses()}
	s.Next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r)
		s.mu.Unlock()
		mux.ServeHTTP(w, r)
	})
	return s
}

// Requests returns the requests that were answered truthfully, the newest last.
func (s *Server) Requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// name returns the words by which the house is found.
func (h House) name() string {
	return strings.ToLower(strings.Join([]string{h.City, h.Kind, h.KindFull, h.Street, h.House, h.Block}, " "))
}

// find returns the houses that have every word of the text, or the beginning of one, and that pass.
// A text without a number finds streets: houses with an empty number, each street once.
func (s *Server) find(text string, passes func(House) bool) []House {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ',' || r == ' ' })
	hasNumber := slices.ContainsFunc(words, func(word string) bool { return unicode.IsDigit([]rune(word)[0]) })
	var found []House
	for _, h := range s.houses {
		isNamed := func(word string) bool {
			return slices.ContainsFunc(strings.Fields(h.name()), func(own string) bool { return strings.HasPrefix(own, word) })
		}
		if !passes(h) || slices.ContainsFunc(words, func(word string) bool { return !isNamed(word) }) {
			continue
		}
		if !hasNumber {
			h.House, h.Block = "", ""
		}
		if !slices.ContainsFunc(found, func(o House) bool { return o.name() == h.name() }) {
			found = append(found, h)
		}
	}
	return found
}

// nearest returns the house nearest to the point, within the metres.
func (s *Server) nearest(p geo.Point, metres float64) []House {
	h, distance, ok := geo.Nearest(s.houses, p, func(h House) geo.Point { return h.Point }, func(House) bool { return true })
	if !ok || distance > metres {
		return nil
	}
	return []House{h}
}

// pointOf returns the point of two texts; a text that is no number is 0.
func pointOf(latitude, longitude string) geo.Point {
	lat, _ := strconv.ParseFloat(latitude, 64)
	lon, _ := strconv.ParseFloat(longitude, 64)
	return geo.Point{Latitude: lat, Longitude: lon}
}

// text returns a coordinate in a text.
func text(degrees float64) string { return strconv.FormatFloat(degrees, 'f', -1, 64) }

// inBox reports whether the house is in a box of four numbers: west, south, east and north.
func (h House) inBox(box []string) bool {
	if len(box) != 4 {
		return false
	}
	low, high := pointOf(box[1], box[0]), pointOf(box[3], box[2])
	return geo.Bounds{South: low.Latitude, West: low.Longitude, North: high.Latitude, East: high.Longitude}.Contains(h.Point)
}
