package geocoder_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/geocoder"
	"servery/internal/geocoder/double"
	"servery/internal/lang"
	"servery/internal/remote/faultinject"
)

// start is the noon of a day in Moscow.
var start = time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)

// kazan is the city of the doubles.
func kazan() geocoder.City {
	center := geo.Point{Latitude: 55.796, Longitude: 49.106}
	return geocoder.City{
		ID: 2, Alias: "kazan", Name: lang.Text{lang.RU: "Казань", lang.EN: "Kazan"}, Country: "RU", Center: center,
		Bounds: geo.Bounds{South: 55.6, West: 48.8, North: 55.9, East: 49.4},
	}
}

// service is a client with its double.
type service struct {
	geocoder.Service
	*double.Server
}

// services returns every client with its double.
func services(t *testing.T, c clock.Clock, key string) map[string]service {
	t.Helper()
	serve := func(d *double.Server) string {
		server := httptest.NewServer(d)
		t.Cleanup(server.Close)
		return server.URL
	}
	dadata, yandex, photon, nominatim := double.NewDaData(), double.NewYandex(), double.NewPhoton(), double.NewNominatim()
	yandexURL := serve(yandex)
	return map[string]service{
		geocoder.DaDataName:    {geocoder.NewDaData(geocoder.DaDataSettings{BaseURL: serve(dadata), APIKey: key, Clock: c}), dadata},
		geocoder.YandexName:    {geocoder.NewYandex(geocoder.YandexSettings{SuggestURL: yandexURL, GeocoderURL: yandexURL, SuggestKey: key, GeocoderKey: key}), yandex},
		geocoder.PhotonName:    {geocoder.NewPhoton(geocoder.PhotonSettings{BaseURL: serve(photon)}), photon},
		geocoder.NominatimName: {geocoder.NewNominatim(geocoder.NominatimSettings{BaseURL: serve(nominatim), Contact: "it@example.com", Clock: c}), nominatim},
	}
}

func TestService_Find_findsAHouseOfTheCity(t *testing.T) {
	t.Parallel()
	for name, s := range services(t, clock.NewFake(start), double.Key) {
		got, err := s.Find(t.Context(), kazan(), "Баумана, 5", lang.RU)
		if err != nil || got.Precision != geo.AtHouse || got.House != "5" || got.Point != (geo.Point{Latitude: 55.795, Longitude: 49.109}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if got.Locality != "Казань" || !strings.Contains(got.Street, "Баумана") || !strings.HasPrefix(got.FullAddress, "Казань, ") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestService_Find_doesNotFindAnUnknownStreet(t *testing.T) {
	t.Parallel()
	for name, s := range services(t, clock.NewFake(start), double.Key) {
		if got, err := s.Find(t.Context(), kazan(), "Несуществующая, 5", lang.RU); err != nil || got.Found() {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// The doubles know the house, but only where its street is, or only one near it.
func TestService_Find_saysHowWellAHouseIsKnown(t *testing.T) {
	t.Parallel()
	all := services(t, clock.NewFake(start), double.Key)
	for _, c := range []struct {
		service, text string
		want          geo.Precision
		house         string
	}{
		{geocoder.DaDataName, "Баумана, 44", geo.AtHouse, "44к8"},
		{geocoder.DaDataName, "Пушкина, 9", geo.AtStreet, ""},
		{geocoder.YandexName, "Баумана, 44", geo.AtHouse, "44к8"},
		{geocoder.YandexName, "Пушкина, 9", geo.AtStreet, ""},
		{geocoder.YandexName, "Затерянная, 1", geo.AtLocality, ""},
		{geocoder.DaDataName, "Затерянная, 1", geo.Unknown, ""},
		{geocoder.PhotonName, "Баумана, 4", geo.AtStreet, ""}, // it found 44
		{geocoder.PhotonName, "Баумана", geo.AtStreet, ""},
		{geocoder.NominatimName, "Баумана, 4", geo.AtStreet, ""},
	} {
		got, err := all[c.service].Find(t.Context(), kazan(), c.text, lang.RU)
		if err != nil || got.Precision != c.want || got.House != c.house {
			t.Errorf("%s, %s: %+v, %v", c.service, c.text, got, err)
		}
	}
}

func TestService_At_findsTheHouseOfAPoint(t *testing.T) {
	t.Parallel()
	for name, s := range services(t, clock.NewFake(start), double.Key) {
		got, err := s.At(t.Context(), kazan(), geo.Point{Latitude: 55.7951, Longitude: 49.1091}, lang.RU)
		if err != nil || got.Precision != geo.AtHouse || got.House != "5" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if got, err := s.At(t.Context(), kazan(), geo.Point{Latitude: 55.65, Longitude: 49.3}, lang.RU); err != nil || got.Found() {
			t.Errorf("%s: nothing is there, and it found %+v, %v", name, got, err)
		}
	}
}

func TestService_Suggest_suggestsStreetsThenHouses(t *testing.T) {
	t.Parallel()
	all := services(t, clock.NewFake(start), double.Key)
	for _, name := range []string{geocoder.DaDataName, geocoder.YandexName, geocoder.PhotonName} {
		s := all[name].Service.(geocoder.Suggester)
		streets, err := s.Suggest(t.Context(), kazan(), "баум", lang.RU)
		if err != nil || len(streets) != 1 || streets[0].HasHouse || !strings.Contains(streets[0].Title, "Баумана") {
			t.Errorf("%s: %+v, %v", name, streets, err)
		}
		houses, err := s.Suggest(t.Context(), kazan(), "Баумана 5", lang.RU)
		if err != nil || len(houses) != 2 || !houses[0].HasHouse || houses[0].Address == houses[1].Address {
			t.Errorf("%s: %+v, %v", name, houses, err)
		}
		if none, err := s.Suggest(t.Context(), kazan(), "Несуществующая", lang.RU); err != nil || len(none) != 0 {
			t.Errorf("%s: %+v, %v", name, none, err)
		}
		// What is suggested is found.
		if got, err := all[name].Find(t.Context(), kazan(), houses[1].Address, lang.RU); err != nil || got.House != "51" {
			t.Errorf("%s: %s is %+v, %v", name, houses[1].Address, got, err)
		}
	}
	if _, ok := all[geocoder.NominatimName].Service.(geocoder.Suggester); ok {
		t.Error("nominatim must not be asked while a customer types")
	}
}

func TestService_Find_refusesWhatLiesElsewhere(t *testing.T) {
	t.Parallel()
	const lat, lon = "53.1959", "50.1002"
	for how, at := range map[string][2]string{"another city": {lat, lon}, "swapped coordinates": {"49.1090", "55.7950"}} {
		bodies := map[string]string{
			geocoder.DaDataName: `{"suggestions":[{"value":"x","data":{"city":"Самара","street_with_type":"ул Баумана","house":"5","fias_level":"8","geo_lat":"` + at[0] + `","geo_lon":"` + at[1] + `","qc_geo":"0"}}]}`,
			geocoder.YandexName: `{"response":{"GeoObjectCollection":{"featureMember":[{"GeoObject":{"metaDataProperty":{"GeocoderMetaData":{"kind":"house","precision":"exact","Address":{"Components":[
				{"kind":"locality","name":"Самара"},{"kind":"street","name":"улица Баумана"},{"kind":"house","name":"5"}]}}},"Point":{"pos":"` + at[1] + ` ` + at[0] + `"}}}]}}}`,
			geocoder.PhotonName:    `{"features":[{"properties":{"type":"house","street":"улица Баумана","housenumber":"5","city":"Самара"},"geometry":{"coordinates":[` + at[1] + `,` + at[0] + `]}}]}`,
			geocoder.NominatimName: `[{"lat":"` + at[0] + `","lon":"` + at[1] + `","address":{"road":"улица Баумана","house_number":"5","city":"Самара"}}]`,
		}
		for name, s := range services(t, clock.NewFake(start), double.Key) {
			s.Inject(faultinject.Fault{Status: 200, Body: bodies[name]})
			if got, err := s.Find(t.Context(), kazan(), "Баумана, 5", lang.RU); err != nil || got.Found() {
				t.Errorf("%s, %s: %+v, %v", name, how, got, err)
			}
		}
	}
}

func TestService_Suggest_dropsWhatLiesElsewhere(t *testing.T) {
	t.Parallel()
	all := services(t, clock.NewFake(start), double.Key)
	for name, body := range map[string]string{
		geocoder.DaDataName: `{"suggestions":[{"data":{"city":"Самара","street_with_type":"ул Баумана","geo_lat":null,"geo_lon":null,"qc_geo":"5"}}]}`,
		geocoder.YandexName: `{"results":[{"title":{"text":"улица Баумана"},"tags":["street"],"address":{"component":[{"name":"Самара","kind":["LOCALITY"]},{"name":"улица Баумана","kind":["STREET"]}]}}]}`,
		geocoder.PhotonName: `{"features":[{"properties":{"type":"street","name":"улица Баумана","city":"Самара"},"geometry":{"coordinates":[50.1002,53.1959]}}]}`,
	} {
		all[name].Inject(faultinject.Fault{Status: 200, Body: body})
		if got, err := all[name].Service.(geocoder.Suggester).Suggest(t.Context(), kazan(), "Баумана", lang.RU); err != nil || len(got) != 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestService_Find_outageIsAnErrorThatNamesNoAddress(t *testing.T) {
	t.Parallel()
	for how, injected := range faultinject.All() {
		if injected.WorkIsDone {
			continue // asking changes nothing
		}
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			for name, s := range services(t, clock.NewFake(start), double.Key) {
				ctx := t.Context()
				if injected.Silent {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
					defer cancel()
				}
				s.Inject(injected)
				got, err := s.Find(ctx, kazan(), "Баумана, 5", lang.RU)
				if err == nil || got.Found() {
					t.Errorf("%s: %+v, %v", name, got, err)
				}
				if err != nil && (strings.Contains(err.Error(), "аумана") || strings.Contains(err.Error(), double.Key)) {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

func TestService_Find_failsUnderAWrongKey(t *testing.T) {
	t.Parallel()
	all := services(t, clock.NewFake(start), "another")
	for _, name := range []string{geocoder.DaDataName, geocoder.YandexName} {
		if got, err := all[name].Find(t.Context(), kazan(), "Баумана, 5", lang.RU); err == nil || got.Found() || strings.Contains(err.Error(), "another") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestNominatim_Find_keepsToOneRequestASecondOnThePublicInstance(t *testing.T) {
	t.Parallel()
	d, c := double.NewNominatim(), clock.NewFake(start)
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	n := geocoder.NewNominatim(geocoder.NominatimSettings{BaseURL: server.URL, IsPublic: true, Contact: "it@example.com", Clock: c})
	for i, wantCalls := range []int{1, 1, 2} {
		_, err := n.Find(t.Context(), kazan(), "Баумана, 5", lang.RU)
		if isRefused := i == 1; (err != nil) != isRefused || len(d.Requests()) != wantCalls {
			t.Errorf("request %d: %v after %d calls", i+1, err, len(d.Requests()))
		}
		if i == 1 {
			c.Advance(time.Second)
		}
	}
	if agent := d.Requests()[0].UserAgent(); agent != "servery (it@example.com)" {
		t.Errorf("the User-Agent is %q", agent)
	}
}
