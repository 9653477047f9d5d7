// Package geocoder asks services of other companies for addresses: DaData, Yandex, Photon and
// Nominatim. A brand chooses them for its cities in the file of providers; behind them stands the
// local index, which needs none. A failing service is noticed only by its absence.
//
// Services get what was typed and the city, nothing of the customer.
package geocoder

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/remote"
)

// City is the city that a service is asked about.
type City struct {
	ID int64
	// Alias names the city in the file of providers.
	Alias string
	Name  lang.Text
	// Country is its code, ISO 3166-1 alpha-2.
	Country string
	Center  geo.Point
	// Bounds contain every address of the city. What a service finds outside of them is dropped.
	Bounds geo.Bounds
}

// Service finds addresses. An address that it does not know is the zero answer, not an error. It is
// safe for concurrent use.
type Service interface {
	// Name returns the name of the provider, for logs.
	Name() string
	// Find returns the place in the city that the text names.
	Find(ctx context.Context, city City, text string, l lang.Lang) (geo.Answer, error)
	// At returns the address nearest to the point. Its Point is where that address is.
	At(ctx context.Context, city City, point geo.Point, l lang.Lang) (geo.Answer, error)
}

// Suggester is a service that may be asked while a customer types.
type Suggester interface {
	// Suggest returns addresses of the city that begin like the text, the best first.
	Suggest(ctx context.Context, city City, text string, l lang.Lang) ([]geo.Suggestion, error)
}

// Exhausted is the error of a service whose quota is used up: it refuses all calls until then.
type Exhausted struct {
	Service string
	Until   time.Time
}

// Error says which service it is; it contains nothing of the request.
func (e *Exhausted) Error() string {
	return e.Service + ": the quota is used up until " + e.Until.Format(time.RFC3339)
}

// DefaultTimeout is how long a service may take for an address or a point. Suggestions have less;
// see [Geocoders].
const DefaultTimeout = 3 * time.Second

// place is an address as a service describes it.
type place struct {
	geo.Parts
	// settlements are all names of towns that contain the place; empty where the service says none.
	settlements []string
}

// contains reports whether the place is in the city: by its point or, without one, by its names.
func (c City) contains(p place) bool {
	if p.Point.Valid() {
		return c.Bounds.Contains(p.Point)
	}
	return slices.ContainsFunc(p.settlements, c.isCalled)
}

// isCalled reports whether the city has the name in any of its languages.
func (c City) isCalled(name string) bool {
	for _, own := range c.Name {
		if geo.SameName(own, name) {
			return true
		}
	}
	return false
}

// name returns the name of the city in the language, or in another where content lacks it.
func (c City) name(l lang.Lang) string {
	return c.Name.In(l, lang.EN)
}

// suggestionsOf returns the places of the city that have a street as suggestions, each once.
func (c City) suggestionsOf(places []place, l lang.Lang) []geo.Suggestion {
	suggestions := []geo.Suggestion{}
	isAdded := map[string]bool{}
	for _, p := range places {
		s := p.Suggestion(l)
		if line := s.Title + "\n" + s.Subtitle; p.Street != "" && c.contains(p) && !isAdded[line] && len(suggestions) < geo.MaxSuggestions {
			isAdded[line] = true
			suggestions = append(suggestions, s)
		}
	}
	return suggestions
}

// answerOf returns the most precise of the places that have coordinates and lie in the city, the first
// of several; the zero answer when there is none.
func (c City) answerOf(places []place, l lang.Lang) geo.Answer {
	var best geo.Answer
	for _, p := range places {
		if answer := p.Answer(l); p.Point.Valid() && c.contains(p) && answer.IsBetterThan(best) {
			best = answer
		}
	}
	return best
}

// cleanText returns a typed text with spaces in place of all but letters, digits, apostrophes and
// the signs of addresses.
func cleanText(text string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || strings.ContainsRune("-/.,'’", r) {
			return r
		}
		return ' '
	}, text)
	return strings.Join(strings.Fields(clean), " ")
}

// decode reads the JSON of a response into answer. It returns an error for any status but 200.
func decode(service string, response remote.Response, answer any) error {
	if response.Status != http.StatusOK {
		return &remote.Error{Provider: service, Status: response.Status, Reason: "it refused the request"}
	}
	if err := json.Unmarshal(response.Body, answer); err != nil {
		return &remote.Error{Provider: service, Status: response.Status, Reason: "the answer is not the JSON that it should be"}
	}
	return nil
}

// get makes one request without a body and decodes the answer.
func get(ctx context.Context, c *remote.Client, service string, q remote.Request, answer any) error {
	q.Method = http.MethodGet
	response, err := c.Do(ctx, q)
	if err != nil {
		return err
	}
	return decode(service, response, answer)
}

// parsePoint returns the point of two numbers in texts, the zero Point when one is no number.
func parsePoint(latitude, longitude string) geo.Point {
	lat, err := strconv.ParseFloat(latitude, 64)
	if err != nil {
		return geo.Point{}
	}
	lon, err := strconv.ParseFloat(longitude, 64)
	if err != nil {
		return geo.Point{}
	}
	return geo.Point{Latitude: lat, Longitude: lon}
}

// degrees returns a coordinate in the form of requests: six digits after the point are ten
// centimetres.
func degrees(d float64) string { return strconv.FormatFloat(d, 'f', 6, 64) }

// orDefault returns the timeout of a client, [DefaultTimeout] for 0.
func orDefault(timeout time.Duration) time.Duration { return cmp.Or(timeout, DefaultTimeout) }

// preferHouse returns the places, the requested house first. All other places lose their house numbers,
// so that they count as streets; so do all places when house is empty.
func preferHouse(places []place, house string) []place {
	var exact, streets []place
	for _, p := range places {
		if house != "" && p.House != "" && geo.SameHouse(p.House, house) {
			exact = append(exact, p)
			continue
		}
		p.House = ""
		streets = append(streets, p)
	}
	return append(exact, streets...)
}
