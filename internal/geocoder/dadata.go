package geocoder

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"time"

	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/remote"
)

// DaDataURL is the host of DaData's suggestions.
const DaDataURL = "https://suggestions.dadata.ru"

// DaDataName is the name of the provider.
const DaDataName = "dadata"

// DaDataSettings are those of an account.
type DaDataSettings struct {
	// BaseURL is [DaDataURL], or a double's address.
	BaseURL string
	APIKey  string
	// Timeout is [DefaultTimeout] when it is 0.
	Timeout time.Duration
	Clock   clock.Clock
}

// DaData is the service for Russian addresses. It follows the pages of dadata.ru "Подсказки по
// адресам" (the fields of requests and answers, bounds of granularity, restriction by locations),
// "Обратное геокодирование (по координатам)", and the article on exceeding the free 10,000 calls a
// day of its help pages.
type DaData struct {
	remote *remote.Client
	key    string
	clock  clock.Clock
}

// NewDaData returns the client of an account.
func NewDaData(s DaDataSettings) *DaData {
	return &DaData{remote: remote.New(DaDataName, s.BaseURL, orDefault(s.Timeout)), key: s.APIKey, clock: s.Clock}
}

// Name implements [Service].
func (*DaData) Name() string { return DaDataName }

// daDataBound is the coarsest or the finest part of an address that is asked for.
type daDataBound struct {
	Value string `json:"value"`
}

// daDataLocation restricts an answer to one place. Locations of a list are alternatives.
type daDataLocation struct {
	Country    string `json:"country_iso_code"`
	Region     string `json:"region,omitempty"`
	RegionType string `json:"region_type_full,omitempty"`
	City       string `json:"city,omitempty"`
	Settlement string `json:"settlement,omitempty"`
}

type daDataQuery struct {
	Query     string           `json:"query"`
	Count     int              `json:"count"`
	Language  string           `json:"language"`
	Locations []daDataLocation `json:"locations"`
	// RestrictValue leaves the city out of the values.
	RestrictValue bool        `json:"restrict_value"`
	From          daDataBound `json:"from_bound"`
	To            daDataBound `json:"to_bound"`
}

type daDataNear struct {
	Latitude  float64 `json:"lat"`
	Longitude float64 `json:"lon"`
	Count     int     `json:"count"`
	Radius    int     `json:"radius_meters"`
	Language  string  `json:"language"`
}

// daDataAddress is the part of an address that is used. Every value is a text or null.
type daDataAddress struct {
	Region     remote.Text `json:"region"`
	RegionType remote.Text `json:"region_type"`
	City       remote.Text `json:"city"`
	District   remote.Text `json:"city_district"`
	Settlement remote.Text `json:"settlement"`
	Street     remote.Text `json:"street_with_type"`
	House      remote.Text `json:"house"`
	BlockType  remote.Text `json:"block_type"`
	Block      remote.Text `json:"block"`
	Latitude   remote.Text `json:"geo_lat"`
	Longitude  remote.Text `json:"geo_lon"`
	// GeoQuality says what the coordinates are of; see daDataNearest.
	GeoQuality remote.Text `json:"qc_geo"`
}

// The qualities of coordinates that are used; those behind them are of a settlement or of none.
const (
	daDataExact   = "0"
	daDataNearest = "1" // the nearest house
	daDataStreet  = "2"
)

type daDataAnswer struct {
	Suggestions []struct {
		Data daDataAddress `json:"data"`
	} `json:"suggestions"`
}

// Suggest implements [Suggester]. A house without coordinates is suggested too; Find leaves it to
// the next geocoder.
func (d *DaData) Suggest(ctx context.Context, city City, text string, l lang.Lang) ([]geo.Suggestion, error) {
	answer, err := d.suggest(ctx, city, text, l, geo.MaxSuggestions)
	if err != nil {
		return nil, err
	}
	var places []place
	for _, s := range answer.Suggestions {
		places = append(places, s.Data.place())
	}
	return city.suggestionsOf(places, l), nil
}

// Find implements [Service]. When DaData has only the street's coordinates for a house, it returns the
// street, so that the next geocoder looks for the house.
func (d *DaData) Find(ctx context.Context, city City, text string, l lang.Lang) (geo.Answer, error) {
	answer, err := d.suggest(ctx, city, text, l, 1)
	if err != nil {
		return geo.Answer{}, err
	}
	return city.answerOf(answer.located(), l), nil
}

// At implements [Service]. DaData finds houses at a point in Russia only.
func (d *DaData) At(ctx context.Context, city City, point geo.Point, l lang.Lang) (geo.Answer, error) {
	near := daDataNear{Latitude: point.Latitude, Longitude: point.Longitude, Count: 1, Radius: houseWithin, Language: daDataLanguage(l)}
	var answer daDataAnswer
	if err := d.post(ctx, "geolocate", near, &answer); err != nil {
		return geo.Answer{}, err
	}
	return city.answerOf(answer.located(), l), nil
}

// suggest asks for streets and houses of the city. The city is a town, a settlement or, like
// Moscow, a region of its own.
func (d *DaData) suggest(ctx context.Context, city City, text string, l lang.Lang, count int) (daDataAnswer, error) {
	name := city.name(lang.RU)
	q := daDataQuery{
		Query: text, Count: count, Language: daDataLanguage(l), RestrictValue: true,
		Locations: []daDataLocation{
			{Country: city.Country, City: name},
			{Country: city.Country, Settlement: name},
			{Country: city.Country, Region: name, RegionType: "город"},
		},
		From: daDataBound{"street"}, To: daDataBound{"house"},
	}
	var answer daDataAnswer
	err := d.post(ctx, "suggest", q, &answer)
	return answer, err
}

// post makes a request. It returns an [Exhausted] error until the next midnight of Moscow when the
// quota of the day is used up.
func (d *DaData) post(ctx context.Context, method string, request, answer any) error {
	response, err := d.remote.Do(ctx, remote.Request{
		Path: "/suggestions/api/4_1/rs/" + method + "/address", JSON: request, Header: map[string]string{"Authorization": "Token " + d.key},
	})
	if err != nil {
		return err
	}
	if response.Status == http.StatusForbidden && bytes.Contains(response.Body, []byte("disabled for token")) {
		return &Exhausted{Service: DaDataName, Until: nextMidnight(d.clock.Now(), moscow)}
	}
	return decode(DaDataName, response, answer)
}

// moscow is the zone by which the quota's day ends. It has had no summer time since 2014.
var moscow = time.FixedZone("MSK", 3*60*60)

// nextMidnight returns the end of the day in the zone.
func nextMidnight(now time.Time, zone *time.Location) time.Time {
	year, month, day := now.In(zone).Date()
	return clock.Cut(time.Date(year, month, day+1, 0, 0, 0, 0, zone))
}

// located returns the places of the answer. A house that only has the coordinates of its street
// becomes the street. A place with vaguer coordinates has no point.
func (a daDataAnswer) located() []place {
	var places []place
	for _, s := range a.Suggestions {
		p := s.Data.place()
		switch s.Data.GeoQuality {
		case daDataExact, daDataNearest:
		case daDataStreet:
			p.House = ""
		default:
			p.Point = geo.Point{}
		}
		places = append(places, p)
	}
	return places
}

// place returns the address as a place. Coordinates that are vaguer than a street's are left out,
// because they lie in the middle of a town.
func (a daDataAddress) place() place {
	p := place{
		Parts: geo.Parts{District: string(a.District), Street: string(a.Street), House: string(a.House + a.block())},
	}
	names := []remote.Text{a.Settlement, a.City}
	if a.RegionType == "г" {
		names = append(names, a.Region)
	}
	for _, name := range names {
		if name != "" {
			p.settlements = append(p.settlements, string(name))
		}
	}
	if len(p.settlements) > 0 {
		p.Locality = p.settlements[0]
	}
	if slices.Contains([]remote.Text{daDataExact, daDataNearest, daDataStreet}, a.GeoQuality) {
		p.Point = parsePoint(string(a.Latitude), string(a.Longitude))
	}
	return p
}

// block returns the building behind the number of a house, as "к2"; empty where there is none.
func (a daDataAddress) block() remote.Text {
	if a.Block == "" {
		return ""
	}
	return a.BlockType + a.Block
}

// daDataLanguage returns the language of an answer: Russian for Russian and Ukrainian readers, else
// English.
func daDataLanguage(l lang.Lang) string {
	if l == lang.RU || l == lang.UK {
		return "ru"
	}
	return "en"
}
