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
	"servery/internal/remote/faultinject"
)

func TestGeocoder_isThatOfTheBrandAndTheLocalIndexWhenItFails(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	d := double.NewDaData()
	at := httptest.NewServer(d)
	t.Cleanup(at.Close)
	service := geocoder.NewDaData(geocoder.DaDataSettings{BaseURL: at.URL, APIKey: double.Key, Clock: e.Clock})
	e.providers["sushi"] = provider.Site{Geocoders: []geocoder.Choice{{Service: service}}}
	b := e.browser(t)
	place := object{"city_id": carttest.Moscow}
	suggest := func(text string) []any {
		return b.ok("POST", "/api/geocoder/suggest", with(place, object{"text": text}), "Accept-Language", "ru")["suggestions"].([]any)
	}
	if found := suggest("знаменка 7"); len(found) != 1 || dig(found[0], "title") != "ул Знаменка, 7" || dig(found[0], "coordinates") == nil {
		t.Errorf("suggested %v", found)
	}
	check := b.ok("POST", "/api/geocoder/searchByAddress", with(place, object{"address": "ул Знаменка, 7"}))
	if check["result"] != "available" || dig(check, "delivery_address", "type") != "house" {
		t.Errorf("found %v", check)
	}
	d.Inject(faultinject.Busy)
	if found := suggest("знаменка"); len(found) != 0 {
		t.Errorf("suggested %v during a fault, and the local index is empty", found)
	}
	for _, r := range d.Requests() {
		if r.Header.Get("Cookie") != "" || r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Referer") != "" {
			t.Errorf("the service got something of the customer: %v", r.Header)
		}
	}
}

func TestAddress_outsideOffersAPickupOnlyWhereTheCityHasTakeaway(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	outside := object{"city_id": carttest.Moscow, "coordinates": object{"latitude": 55.9, "longitude": 37.60}}
	offered := func() (shop, message any) {
		t.Helper()
		check := b.ok("POST", "/api/geocoder/searchByCoordinates", outside)
		if check["result"] != "not_available" {
			t.Fatalf("the address is %v", check["result"])
		}
		return check["nearest_shop"], check["message"]
	}
	if shop, message := offered(); shop == nil || message != "We do not deliver to this address yet. You can pick your order up" {
		t.Errorf("where the city has takeaway it offers %v, and says %v", shop, message)
	}
	e.Import(t, map[string]string{
		"sushi/cities.yaml": strings.Replace(carttest.Texts["sushi/cities.yaml"], "  price_list: ru\n", "  price_list: ru\n  order_types: [delivery]\n", 1),
	})
	if shop, message := offered(); shop != nil || message != "We do not deliver to this address yet. Choose another one" {
		t.Errorf("a city without takeaway offers %v, and says %v", shop, message)
	}
}

func TestAddress_thatIsNotFoundIsPutOnTheMapByAPin(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	pin := object{"city_id": carttest.Moscow, "address": "Арбат 13", "latitude": 55.75, "longitude": 37.60}
	check := b.ok("POST", "/api/geocoder/searchByCoordinates", object{"city_id": carttest.Moscow, "address": "Арбат 13", "coordinates": object{"latitude": 55.75, "longitude": 37.60}})
	chosen := b.ok("POST", "/api/user/addresses/set-by-coordinates", pin)
	for what, answer := range map[string]map[string]any{"found": check, "chosen": chosen} {
		if dig(answer, "delivery_address", "type") != "point" || dig(answer, "delivery_address", "address") != "Арбат 13" || dig(answer, "delivery_address", "house") != "13" {
			t.Errorf("%s is %v", what, answer["delivery_address"])
		}
	}
	if a := b.call("POST", "/api/user/addresses/set-by-coordinates", with(pin, object{"address": "Арбат\u0007 13"})); a.status != 422 {
		t.Errorf("a control character is answered with %d", a.status)
	}
}
