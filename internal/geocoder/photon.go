package geocoder

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/remote"
)

// PhotonName is the name of the provider.
const PhotonName = "photon"

// PhotonSettings are those of an instance.
type PhotonSettings struct {
	// BaseURL is the address of the instance.
	BaseURL string
	// Timeout is [DefaultTimeout] when it is 0.
	Timeout time.Duration
}

// Photon is an instance of komoot's search over OpenStreetMap, made for suggestions. It follows the
// chapters "Search", "Reverse", "Parameters common to Search and Reverse" and "Results for Search
// and Reverse" of the page "photon API" in Photon's documentation.
type Photon struct{ remote *remote.Client }

// NewPhoton returns the client of an instance.
func NewPhoton(s PhotonSettings) *Photon {
	return &Photon{remote.New(PhotonName, s.BaseURL, orDefault(s.Timeout))}
}

// Name implements [Service].
func (*Photon) Name() string { return PhotonName }

// photonAnswer is GeoJSON.
type photonAnswer struct {
	Features []struct {
		Properties struct {
			// Type is the layer: house, street, district and so on.
			Type     string `json:"type"`
			Name     string `json:"name"`
			Street   string `json:"street"`
			House    string `json:"housenumber"`
			District string `json:"district"`
			Locality string `json:"locality"`
			City     string `json:"city"`
			County   string `json:"county"`
			State    string `json:"state"`
		} `json:"properties"`
		Geometry struct {
			// Coordinates are longitude and latitude.
			Coordinates []float64 `json:"coordinates"`
		} `json:"geometry"`
	} `json:"features"`
}

// Suggest implements [Suggester].
func (p *Photon) Suggest(ctx context.Context, city City, text string, l lang.Lang) ([]geo.Suggestion, error) {
	places, err := p.search(ctx, city, text, l, geo.MaxSuggestions)
	if err != nil {
		return nil, err
	}
	return city.suggestionsOf(places, l), nil
}

// Find implements [Service]. Photon does not say how well a house was found: it counts as found
// when its number is the requested one.
func (p *Photon) Find(ctx context.Context, city City, text string, l lang.Lang) (geo.Answer, error) {
	places, err := p.search(ctx, city, text, l, geo.MaxSuggestions)
	if err != nil {
		return geo.Answer{}, err
	}
	return city.answerOf(preferHouse(places, geo.HouseIn(text)), l), nil
}

// At implements [Service].
func (p *Photon) At(ctx context.Context, city City, point geo.Point, l lang.Lang) (geo.Answer, error) {
	const kilometre = "1"
	query := url.Values{
		"lat": {degrees(point.Latitude)}, "lon": {degrees(point.Longitude)}, "radius": {kilometre}, "limit": {"1"}, "layer": {"house", "street"},
	}
	places, err := p.get(ctx, "/reverse", query, l)
	if err != nil {
		return geo.Answer{}, err
	}
	return city.answerOf(places, l), nil
}

// search asks for streets and houses within the bounds of the city.
func (p *Photon) search(ctx context.Context, city City, text string, l lang.Lang, limit int) ([]place, error) {
	b := city.Bounds
	return p.get(ctx, "/api", url.Values{
		"q": {text + ", " + city.name(l)}, "limit": {strconv.Itoa(limit)}, "lat": {degrees(city.Center.Latitude)}, "lon": {degrees(city.Center.Longitude)},
		"bbox":        {strings.Join([]string{degrees(b.West), degrees(b.South), degrees(b.East), degrees(b.North)}, ",")},
		"countrycode": {city.Country}, "layer": {"house", "street"},
	}, l)
}

// get makes a request. Only languages that every instance has are sent; for others names come in the
// language of the place.
func (p *Photon) get(ctx context.Context, path string, query url.Values, l lang.Lang) ([]place, error) {
	if l == lang.EN || l == lang.DE {
		query.Set("lang", string(l))
	}
	var answer photonAnswer
	if err := get(ctx, p.remote, PhotonName, remote.Request{Path: path, Query: query}, &answer); err != nil {
		return nil, err
	}
	var places []place
	for _, f := range answer.Features {
		q := f.Properties
		found := place{Parts: geo.Parts{Locality: cmp.Or(q.City, q.Locality), District: cmp.Or(q.District, q.Locality), Street: q.Street, House: q.House}}
		if q.Type == "street" {
			found.Street, found.House = q.Name, ""
		}
		if c := f.Geometry.Coordinates; len(c) == 2 {
			found.Point = geo.Point{Latitude: c[1], Longitude: c[0]}
		}
		for _, name := range []string{q.City, q.Locality, q.County, q.State} {
			if name != "" {
				found.settlements = append(found.settlements, name)
			}
		}
		places = append(places, found)
	}
	return places, nil
}
