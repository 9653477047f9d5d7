package geocoder

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/remote"
)

// NominatimURL is the public instance, which has rules of its own.
const NominatimURL = "https://nominatim.openstreetmap.org"

// NominatimName is the name of the provider.
const NominatimName = "nominatim"

// NominatimSettings are those of an instance.
type NominatimSettings struct {
	// BaseURL is [NominatimURL], or the address of an own instance.
	BaseURL string
	// IsPublic says that the rules of the public instance are to be kept.
	IsPublic bool
	// Contact is an address of the operator, such as an e-mail address; the requests name it.
	Contact string
	// Timeout is [DefaultTimeout] when it is 0.
	Timeout time.Duration
	Clock   clock.Clock
}

// Nominatim is an instance of OpenStreetMap's search. It follows the pages "Search queries",
// "Reverse Geocoding" and "Place Output Formats" (JSON) of Nominatim's manual and, for the public
// instance, the "Nominatim Usage Policy": one request a second in all, a User-Agent of the
// application, and no suggestions while a customer types. It therefore is no [Suggester].
type Nominatim struct {
	remote *remote.Client
	agent  string
	clock  clock.Clock
	// pace bounds the calls to the public instance; it is nil for an own one.
	pace *rate.Limiter
}

// NewNominatim returns the client of an instance.
func NewNominatim(s NominatimSettings) *Nominatim {
	n := &Nominatim{remote: remote.New(NominatimName, s.BaseURL, orDefault(s.Timeout)), agent: "servery (" + s.Contact + ")", clock: s.Clock}
	if s.IsPublic {
		n.pace = rate.NewLimiter(1, 1)
	}
	return n
}

// Name implements [Service].
func (*Nominatim) Name() string { return NominatimName }

// nominatimPlace is one place of an answer. Coordinates are texts.
type nominatimPlace struct {
	Latitude  string `json:"lat"`
	Longitude string `json:"lon"`
	Address   struct {
		House         string `json:"house_number"`
		Road          string `json:"road"`
		Pedestrian    string `json:"pedestrian"`
		Neighbourhood string `json:"neighbourhood"`
		Suburb        string `json:"suburb"`
		CityDistrict  string `json:"city_district"`
		City          string `json:"city"`
		Town          string `json:"town"`
		Village       string `json:"village"`
		Hamlet        string `json:"hamlet"`
		State         string `json:"state"`
	} `json:"address"`
}

// Find implements [Service]. A house counts as found when its number is the requested one.
func (n *Nominatim) Find(ctx context.Context, city City, text string, l lang.Lang) (geo.Answer, error) {
	b := city.Bounds
	query := url.Values{
		"q": {text + ", " + city.name(l)}, "limit": {"5"}, "countrycodes": {strings.ToLower(city.Country)}, "bounded": {"1"},
		"viewbox": {strings.Join([]string{degrees(b.West), degrees(b.South), degrees(b.East), degrees(b.North)}, ",")},
	}
	var answer []nominatimPlace
	if err := n.get(ctx, "/search", query, l, &answer); err != nil {
		return geo.Answer{}, err
	}
	var places []place
	for _, p := range answer {
		places = append(places, p.place())
	}
	return city.answerOf(preferHouse(places, geo.HouseIn(text)), l), nil
}

// At implements [Service].
func (n *Nominatim) At(ctx context.Context, city City, point geo.Point, l lang.Lang) (geo.Answer, error) {
	query := url.Values{"lat": {degrees(point.Latitude)}, "lon": {degrees(point.Longitude)}, "zoom": {"18"}}
	var answer nominatimPlace // stays empty when nothing is found: such an answer only has an error
	if err := n.get(ctx, "/reverse", query, l, &answer); err != nil {
		return geo.Answer{}, err
	}
	return city.answerOf([]place{answer.place()}, l), nil
}

// get makes a request. When the pace of the public instance is exceeded it makes none, and returns
// [Exhausted] for the next second.
func (n *Nominatim) get(ctx context.Context, path string, query url.Values, l lang.Lang, answer any) error {
	if now := n.clock.Now(); n.pace != nil && !n.pace.AllowN(now, 1) {
		return &Exhausted{Service: NominatimName, Until: now.Add(time.Second)}
	}
	query.Set("format", "jsonv2")
	query.Set("addressdetails", "1")
	query.Set("accept-language", string(l))
	return get(ctx, n.remote, NominatimName, remote.Request{Path: path, Query: query, Header: map[string]string{"User-Agent": n.agent}}, answer)
}

// place returns the place in our terms.
func (p nominatimPlace) place() place {
	a := p.Address
	found := place{Parts: geo.Parts{
		Locality: cmp.Or(a.City, a.Town, a.Village, a.Hamlet), District: cmp.Or(a.Suburb, a.CityDistrict, a.Neighbourhood),
		Street: cmp.Or(a.Road, a.Pedestrian), House: a.House, Point: parsePoint(p.Latitude, p.Longitude),
	}}
	for _, name := range []string{a.City, a.Town, a.Village, a.Hamlet, a.State} {
		if name != "" {
			found.settlements = append(found.settlements, name)
		}
	}
	return found
}
