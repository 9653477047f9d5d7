package geocoder

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/remote"
)

// The hosts of Yandex.
const (
	YandexSuggestURL  = "https://suggest-maps.yandex.ru"
	YandexGeocoderURL = "https://geocode-maps.yandex.ru"
)

// YandexName is the name of the provider.
const YandexName = "yandex"

// YandexSettings are those of an account.
type YandexSettings struct {
	// SuggestURL and GeocoderURL are [YandexSuggestURL] and [YandexGeocoderURL], or a double's.
	SuggestURL, GeocoderURL string
	// SuggestKey is the key of Geosuggest; without one Yandex makes no suggestions. GeocoderKey is
	// that of the Geocoder.
	SuggestKey, GeocoderKey string
	// Timeout is [DefaultTimeout] when it is 0.
	Timeout time.Duration
}

// Yandex is Geosuggest and the Geocoder of Yandex Maps. It follows the pages of yandex.ru/maps-api:
// "Geosuggest API: Request format" and "Response format", and "HTTP Geocoder: Request format",
// "Response format", "Precision of the found house" and "Reverse geocoding".
type Yandex struct {
	suggester, geocoder    *remote.Client
	suggestKey, geocodeKey string
}

// NewYandex returns the client of an account.
func NewYandex(s YandexSettings) *Yandex {
	return &Yandex{
		suggester: remote.New(YandexName, s.SuggestURL, orDefault(s.Timeout)), suggestKey: s.SuggestKey,
		geocoder: remote.New(YandexName, s.GeocoderURL, orDefault(s.Timeout)), geocodeKey: s.GeocoderKey,
	}
}

// Name implements [Service].
func (*Yandex) Name() string { return YandexName }

// yandexSuggestions is an answer of Geosuggest, which is {} when nothing is found.
type yandexSuggestions struct {
	Results []struct {
		Tags    []string `json:"tags"`
		Address struct {
			Components []struct {
				Name  string   `json:"name"`
				Kinds []string `json:"kind"`
			} `json:"component"`
		} `json:"address"`
	} `json:"results"`
}

// noAddresses are the tags of suggestions that name no street or house.
var noAddresses = []string{"chain", "rubric", "query", "entrance"}

// Suggest implements [Suggester]. Geosuggest answers without coordinates.
func (y *Yandex) Suggest(ctx context.Context, city City, text string, l lang.Lang) ([]geo.Suggestion, error) {
	if y.suggestKey == "" {
		return nil, nil
	}
	code := string(l)
	query := url.Values{
		"apikey": {y.suggestKey}, "text": {city.name(l) + ", " + text}, "lang": {code}, "results": {strconv.Itoa(geo.MaxSuggestions)},
		"highlight": {"0"}, "bbox": {yandexBox(city.Bounds)}, "strict_bounds": {"1"}, "types": {"street,house"}, "print_address": {"1"},
	}
	var answer yandexSuggestions
	if err := get(ctx, y.suggester, YandexName, remote.Request{Path: "/v1/suggest", Query: query}, &answer); err != nil {
		return nil, err
	}
	var places []place
	for _, r := range answer.Results {
		if slices.ContainsFunc(r.Tags, func(tag string) bool { return slices.Contains(noAddresses, tag) }) {
			continue
		}
		var p place
		for _, c := range r.Address.Components {
			for _, kind := range c.Kinds {
				p.addComponent(strings.ToLower(kind), c.Name)
			}
		}
		places = append(places, p)
	}
	return city.suggestionsOf(places, l), nil
}

// yandexAnswer is an answer of the Geocoder.
type yandexAnswer struct {
	Response *struct {
		Collection struct {
			Members []struct {
				Object yandexObject `json:"GeoObject"`
			} `json:"featureMember"`
		} `json:"GeoObjectCollection"`
	} `json:"response"`
}

type yandexObject struct {
	Property struct {
		Meta struct {
			Kind string `json:"kind"`
			// Precision says how the house that was asked for was found; see yandexObject.place.
			Precision string `json:"precision"`
			Address   struct {
				Components []struct {
					Kind string `json:"kind"`
					Name string `json:"name"`
				} `json:"Components"`
			} `json:"Address"`
		} `json:"GeocoderMetaData"`
	} `json:"metaDataProperty"`
	Point struct {
		// Pos is longitude and latitude with a space between.
		Pos string `json:"pos"`
	} `json:"Point"`
}

// Find implements [Service]. It may return a house near the requested one, with its own number.
func (y *Yandex) Find(ctx context.Context, city City, text string, l lang.Lang) (geo.Answer, error) {
	return y.geocode(ctx, city, url.Values{
		"geocode": {city.name(l) + ", " + text}, "bbox": {yandexBox(city.Bounds)}, "rspn": {"1"},
	}, l)
}

// At implements [Service].
func (y *Yandex) At(ctx context.Context, city City, point geo.Point, l lang.Lang) (geo.Answer, error) {
	return y.geocode(ctx, city, url.Values{"geocode": {degrees(point.Longitude) + "," + degrees(point.Latitude)}, "kind": {"house"}}, l)
}

// geocode asks the Geocoder for its best answer.
func (y *Yandex) geocode(ctx context.Context, city City, query url.Values, l lang.Lang) (geo.Answer, error) {
	query.Set("apikey", y.geocodeKey)
	query.Set("format", "json")
	query.Set("lang", yandexLanguage(l))
	query.Set("results", "1")
	var answer yandexAnswer
	if err := get(ctx, y.geocoder, YandexName, remote.Request{Path: "/v1/", Query: query}, &answer); err != nil {
		return geo.Answer{}, err
	}
	if answer.Response == nil {
		return geo.Answer{}, &remote.Error{Provider: YandexName, Status: 200, Reason: "the answer has no response"}
	}
	var places []place
	for _, m := range answer.Response.Collection.Members {
		places = append(places, m.Object.place())
	}
	return city.answerOf(places, l), nil
}

// place returns the object as a place. It has a house where Yandex found that house (exact), one of
// the same number (number), or one near it (near, range).
func (o yandexObject) place() place {
	var p place
	for _, c := range o.Property.Meta.Address.Components {
		p.addComponent(c.Kind, c.Name)
	}
	isHouse := slices.Contains([]string{"exact", "number", "near", "range"}, o.Property.Meta.Precision)
	if o.Property.Meta.Kind != "house" || !isHouse {
		p.House = ""
	}
	if longitude, latitude, ok := strings.Cut(o.Point.Pos, " "); ok {
		p.Point = parsePoint(latitude, longitude)
	}
	return p
}

// addComponent adds a part of an address. Provinces, localities and districts may repeat: the last
// locality is the town, districts are joined.
func (p *place) addComponent(kind, name string) {
	switch kind {
	case "province", "area":
		p.settlements = append(p.settlements, name)
	case "locality":
		p.settlements = append(p.settlements, name)
		p.Locality = name
	case "district":
		p.District = strings.TrimPrefix(p.District+", "+name, ", ")
	case "street":
		p.Street = name
	case "house":
		p.House = name
	}
}

// yandexBox returns bounds as Yandex writes them: two corners, longitude first.
func yandexBox(b geo.Bounds) string {
	return degrees(b.West) + "," + degrees(b.South) + "~" + degrees(b.East) + "," + degrees(b.North)
}

// yandexLanguage returns the locale of the Geocoder's answers.
func yandexLanguage(l lang.Lang) string {
	switch l {
	case lang.RU, lang.UK:
		return "ru_RU"
	case lang.TR:
		return "tr_TR"
	case lang.EN, lang.DE, lang.UZ:
	}
	return "en_US"
}
