package provider

import (
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"servery/internal/geocoder"
	"servery/internal/yamldoc"
)

// maxTerm is the longest time for which answers of a geocoder are reused, in minutes: a day.
const maxTerm = 24 * 60

// readGeocoders reads the list of a brand's geocoders, in the order in which they are asked.
func (f *file) readGeocoders(brand *fields) []geocoder.Choice {
	const key = "geocoders"
	n := brand.takeNode(key)
	if n == nil {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.addFault(brand.lines[key], "%s must be a list", key)
		return nil
	}
	var choices []geocoder.Choice
	for _, n := range list.Values {
		entry := f.readFields(n)
		if entry == nil {
			continue
		}
		if service := entry.readGeocoder(); service != nil {
			choices = append(choices, geocoder.Choice{
				Service: service, Cities: entry.readAliases("cities"), Term: entry.readDuration("cache_minutes", time.Minute, maxTerm),
			})
		}
		entry.checkFields()
	}
	return choices
}

// readGeocoder reads one service. It returns nil when the provider is wrong.
func (f *fields) readGeocoder() geocoder.Service {
	switch f.chooseProvider(geocoder.DaDataName, geocoder.YandexName, geocoder.PhotonName, geocoder.NominatimName) {
	case geocoder.DaDataName:
		return geocoder.NewDaData(geocoder.DaDataSettings{
			BaseURL: f.baseURL(geocoder.DaDataURL), APIKey: f.requiredText("api_key"), Timeout: f.readTimeout(), Clock: f.file.clock,
		})
	case geocoder.YandexName:
		return geocoder.NewYandex(geocoder.YandexSettings{
			SuggestURL: f.readAddress("suggest_url", geocoder.YandexSuggestURL), GeocoderURL: f.readAddress("geocoder_url", geocoder.YandexGeocoderURL),
			SuggestKey: f.readText("suggest_key"), GeocoderKey: f.requiredText("geocoder_key"), Timeout: f.readTimeout(),
		})
	case geocoder.PhotonName:
		f.requireBaseURL()
		return geocoder.NewPhoton(geocoder.PhotonSettings{BaseURL: f.baseURL(""), Timeout: f.readTimeout()})
	case geocoder.NominatimName:
		base := f.baseURL(geocoder.NominatimURL)
		return geocoder.NewNominatim(geocoder.NominatimSettings{
			BaseURL: base, IsPublic: strings.TrimSuffix(base, "/") == geocoder.NominatimURL, Contact: f.requiredText("contact"),
			Timeout: f.readTimeout(), Clock: f.file.clock,
		})
	}
	return nil
}

// requireBaseURL adds a fault when the field base_url is absent: the provider has no address of its
// own.
func (f *fields) requireBaseURL() {
	if _, isThere := f.nodes["base_url"]; !isThere {
		f.file.addFault(f.line, "base_url is missing")
	}
}

// readAliases returns a field that is a list of names, nil when it is absent.
func (f *fields) readAliases(key string) []string {
	n := f.takeNode(key)
	if n == nil {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok || len(list.Values) == 0 {
		f.file.addFault(f.lines[key], "%s must be a list of aliases", key)
		return nil
	}
	var aliases []string
	for _, n := range list.Values {
		text, ok := n.(*ast.StringNode)
		if !ok {
			f.file.addFault(yamldoc.LineOf(n), "%s must be a list of aliases", key)
			continue
		}
		aliases = append(aliases, text.Value)
	}
	return aliases
}
