package server_test

import (
	"net/http/httptest"
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
