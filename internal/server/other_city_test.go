package server_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/geocoder"
	"servery/internal/geocoder/double"
	"servery/internal/provider"
)

// withSamara adds Samara to the cities of the brand: a zone, and streets of which Moscow has none.
func withSamara() map[string]string {
	files := map[string]string{
		"places/samara.yaml": `{id: 4, alias: samara, country: RU, name: {ru: Самара, en: Samara}, phrase: {ru: в Самаре, en: in Samara}, timezone: Europe/Samara, map: {latitude: 53.2, longitude: 50.1, bbox: [53.1, 49.9, 53.3, 50.3]}, streets: [
  {name: {ru: Ленинская улица, en: Leninskaya Street}, from: [53.19, 50.10], to: [53.20, 50.12], houses: [1, 40]}]}
`,
		"places/tula.yaml": `{id: 5, alias: tula, country: RU, name: Тула, phrase: в Туле, timezone: Europe/Moscow, map: {latitude: 54.2, longitude: 37.6, bbox: [54.1, 37.5, 54.3, 37.7]}, streets: [
  {name: Заводская улица, from: [54.19, 37.6], to: [54.2, 37.61], houses: [1, 40]}]}
`,
	}
	files["sushi/cities.yaml"] = carttest.Texts["sushi/cities.yaml"] + `- place: samara
  price_list: ru
  zones: [{id: 401, name: Центр, shop: volga, delivery: 100, minimum_order: 0, delivery_minutes: 25, area: [[53.15, 50.0], [53.25, 50.0], [53.25, 50.2], [53.15, 50.2]]}]
- {place: tula, price_list: ru, order_types: [takeaway]}
`
	files["sushi/shops.yaml"] = carttest.Texts["sushi/shops.yaml"] + `- {id: 41, alias: volga, city: samara, name: Волга, street: Ленинская улица, latitude: 53.19, longitude: 50.1, cooking_minutes: 20, hours: {default: {1-7: ["10:00-23:00"]}}}
- {id: 51, alias: zavod, city: tula, name: Завод, street: Заводская улица, latitude: 54.19, longitude: 37.6, cooking_minutes: 20, order_types: [takeaway], hours: {default: {1-7: ["10:00-23:00"]}}}
`
	return files
}

// newSamara returns a browser at a brand that also sells in Samara.
func newSamara(t *testing.T) (*edge, *browser) {
	t.Helper()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, withSamara())
	return e, e.browser(t)
}

func TestOtherCity_isOfferedForATypedAddress(t *testing.T) {
	t.Parallel()
	_, b := newSamara(t)
	for text, rest := range map[string]any{
		"Самара, Ленинская 5":       "Ленинская 5",
		"г. Самара, Неведомая 5":    "Неведомая 5",
		"Самара Ленинская 5":        "Ленинская 5",
		"Leninskaya Street 5":       "Leninskaya Street 5", // no city has it but Samara
		"Samara":                    nil,
		"Ленинская ул., 5,  Самара": "Ленинская ул., 5",
	} {
		check := b.ok("POST", "/api/geocoder/searchByAddress", object{"city_id": carttest.Moscow, "address": text}, "Accept-Language", "ru")
		if dig(check, "other_city", "alias") != "samara" || dig(check, "other_city", "name") != "Самара" || dig(check, "other_city", "where") != "в Самаре" ||
			dig(check, "other_city", "address") != rest || check["result"] == "available" || check["message"] != "Этот адрес в Самаре" || check["nearest_shop"] != nil {
			t.Errorf("%q is answered with %v", text, check)
		}
	}
	// There it is found under what was left of the text.
	found := b.ok("POST", "/api/geocoder/searchByAddress", object{"city_id": 4, "address": "Ленинская 5"})
	if found["result"] != "available" || found["other_city"] != nil {
		t.Errorf("found %v in Samara", found)
	}
	choice := b.call("POST", "/api/user/addresses/set-by-address", object{"city_id": carttest.Moscow, "address": "Самара, Ленинская 5"}, "Accept-Language", "ru")
	if choice.status != 422 || dig(choice.json, "errors", "address") == nil {
		t.Errorf("choosing it in Moscow is answered with %d %v", choice.status, choice.json)
	}
}

func TestOtherCity_isOfferedWhileTheAddressIsTyped(t *testing.T) {
	t.Parallel()
	_, b := newSamara(t)
	for text, want := range map[string]any{
		"Самара, Л": "samara", "samara leninsk": "samara", "Самара": "samara", "Самара, 5": "samara", "Сама": nil, "Самарская": nil, "Москва, Самара, Л": nil,
	} {
		answer := b.ok("POST", "/api/geocoder/suggest", object{"city_id": carttest.Moscow, "text": text})
		if dig(answer, "other_city", "alias") != want || len(answer["suggestions"].([]any)) != 0 {
			t.Errorf("%q is answered with %v", text, answer)
		}
	}
}

func TestOtherCity_isOfferedForAPoint(t *testing.T) {
	t.Parallel()
	_, b := newSamara(t)
	for _, c := range []struct {
		what                string
		latitude, longitude float64
		want                any
	}{
		{"in its zone", 53.2, 50.1, "samara"},
		{"within its bounds", 53.29, 50.29, "samara"},
		{"far from both", 53.2, 44, nil},
		{"in a zone of the city", 55.75, 37.6, nil},
		{"within a city without delivery", 54.2, 37.6, nil},
	} {
		check := b.ok("POST", "/api/geocoder/searchByCoordinates", object{"city_id": carttest.Moscow, "coordinates": object{"latitude": c.latitude, "longitude": c.longitude}})
		if dig(check, "other_city", "alias") != c.want || dig(check, "other_city", "address") != nil {
			t.Errorf("%s: %v", c.what, check)
		}
	}
}

// Ankara and Tula take no orders for delivery, and Berlin belongs to another brand.
func TestOtherCity_isNeverOneThatIsNotOpen(t *testing.T) {
	t.Parallel()
	e, b := newSamara(t)
	refuse := func(text string) {
		t.Helper()
		for _, call := range []object{
			b.ok("POST", "/api/geocoder/searchByAddress", object{"city_id": carttest.Moscow, "address": text}),
			b.ok("POST", "/api/geocoder/suggest", object{"city_id": carttest.Moscow, "text": text}),
		} {
			if call["other_city"] != nil {
				t.Errorf("%q is answered with %v", text, call["other_city"])
			}
		}
	}
	for _, text := range []string{"Анкара, Ататюрк 5", "Тула, Заводская 5", "Заводская улица 5", "Берлин, Ораниенштрассе 5", "Berlin Oranienstraße 5", "Москва, Ленинская 5"} {
		refuse(text)
	}
	stopped := withSamara()
	stopped["sushi/cities.yaml"] = strings.Replace(stopped["sushi/cities.yaml"], "- place: samara\n", "- place: samara\n  type: stop\n  alert: Ремонт\n", 1)
	e.Import(t, stopped)
	refuse("Самара, Ленинская 5")
}

func TestOtherCity_isNotAskedOfTheServiceOfAnotherCity(t *testing.T) {
	t.Parallel()
	e, b := newSamara(t)
	d := double.NewDaData()
	at := httptest.NewServer(d)
	t.Cleanup(at.Close)
	service := geocoder.NewDaData(geocoder.DaDataSettings{BaseURL: at.URL, APIKey: double.Key, Clock: e.Clock})
	e.providers["sushi"] = provider.Site{Geocoders: []geocoder.Choice{{Service: service}}}
	b.ok("POST", "/api/geocoder/searchByAddress", object{"city_id": carttest.Moscow, "address": "Самара, Баумана 5"})
	if asked := d.Requests(); len(asked) != 0 {
		t.Errorf("the service was asked %d times about a city that the text names", len(asked))
	}
	check := b.ok("POST", "/api/geocoder/searchByAddress", object{"city_id": 4, "address": "Баумана 5"})
	if check["result"] != "available" || dig(check, "delivery_address", "type") != "house" {
		t.Errorf("found %v in Samara", check)
	}
}

func TestAddress_ofWhichOnlyTheTownIsKnownIsNotDeliveredTo(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	place := object{"city_id": carttest.Moscow, "address": "г. Москва"}
	check := b.ok("POST", "/api/geocoder/searchByAddress", place, "Accept-Language", "en")
	if check["result"] != "unknown" || dig(check, "delivery_address", "type") != "locality" || dig(check, "delivery_address", "delivery_possible") != false ||
		check["message"] != "We only recognise the town. Please add the street and house number" {
		t.Errorf("answered with %v", check)
	}
	if choice := b.call("POST", "/api/user/addresses/set-by-address", place); choice.status != 422 || dig(choice.json, "errors", "address") == nil {
		t.Errorf("choosing it is answered with %d %v", choice.status, choice.json)
	}
}

func TestAddress_ofAHouseThatTheStreetDoesNotHaveIsSaidToBeUnknown(t *testing.T) {
	t.Parallel()
	e, b := newSamara(t)
	files := withSamara()
	files["places/samara.yaml"] = strings.Replace(files["places/samara.yaml"], "streets: [", "streets: [\n"+
		"  {name: {ru: улица 22 Партсъезда, en: 22 Partsyezda Street}, from: [53.19, 50.11], to: [53.20, 50.12], houses: [1, 9]},", 1)
	e.Import(t, files)
	const needed, unknown = "Please add the house number", "We do not know this house. Check the number or point at the place on the map"
	for typed, want := range map[string]string{
		"Ленинская улица":          needed,
		"улица 22 Партсъезда":      needed,
		"Ленинская улица, 9999":    unknown,
		"улица 22 Партсъезда, 222": unknown,
	} {
		place := object{"city_id": 4, "address": typed}
		check := b.ok("POST", "/api/geocoder/searchByAddress", place, "Accept-Language", "en")
		if check["message"] != want {
			t.Errorf("%s is answered with %v", typed, check)
		}
		choice := b.call("POST", "/api/user/addresses/set-by-address", place, "Accept-Language", "en")
		if choice.status != 422 || dig(choice.json, "message") != want {
			t.Errorf("choosing %s is answered with %d %v", typed, choice.status, choice.json)
		}
	}
}
