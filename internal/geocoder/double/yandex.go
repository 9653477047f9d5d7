package double

import (
	"net/http"
	"strings"

	"servery/internal/remote/faultinject"
)

// NewYandex returns a double of Geosuggest and the Geocoder.
func NewYandex() *Server {
	mux := http.NewServeMux()
	s := newServer(mux)
	mux.HandleFunc("GET /v1/suggest", s.handleYandexSuggest)
	mux.HandleFunc("GET /v1/{$}", s.handleYandexGeocode)
	return s
}

// admitYandex answers a request with another key, and reports whether the key is right.
func admitYandex(w http.ResponseWriter, r *http.Request) bool {
	if r.FormValue("apikey") == Key {
		return true
	}
	faultinject.WriteJSON(w, http.StatusForbidden, map[string]any{"statusCode": 403, "error": "Forbidden", "message": "Invalid api key"})
	return false
}

// handleYandexSuggest answers with what a text may mean in a box, in the form of Yandex; the first is a
// chain of shops, which is no address.
func (s *Server) handleYandexSuggest(w http.ResponseWriter, r *http.Request) {
	if !admitYandex(w, r) {
		return
	}
	box := strings.FieldsFunc(r.FormValue("bbox"), func(r rune) bool { return r == ',' || r == '~' })
	results := []any{map[string]any{ // a chain of shops, which is no address
		"title": map[string]any{"text": "Пятёрочка"}, "subtitle": map[string]any{"text": "Сеть супермаркетов"}, "tags": []string{"chain"},
	}}
	for _, h := range s.find(r.FormValue("text"), func(h House) bool { return h.inBox(box) }) {
		title, tag := h.KindFull+" "+h.Street, "street"
		components := []any{yandexKinds("Россия", "COUNTRY"), yandexKinds("Республика Татарстан", "PROVINCE"), yandexKinds(h.City, "LOCALITY"), yandexKinds(title, "STREET")}
		if h.House != "" {
			house := h.House + yandexBlock(h)
			title, tag = title+", "+house, "house"
			components = append(components, yandexKinds(house, "HOUSE"))
		}
		results = append(results, map[string]any{
			"title": map[string]any{"text": title}, "subtitle": map[string]any{"text": h.City}, "tags": []string{tag},
			"distance": map[string]any{"text": "1.2 км", "value": 1200},
			"address":  map[string]any{"formatted_address": h.City + ", " + title, "component": components},
		})
	}
	if len(results) == 1 {
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{})
		return
	}
	faultinject.WriteJSON(w, http.StatusOK, map[string]any{"results": results})
}

// yandexKinds is a component of Geosuggest, whose kinds are a list in upper case.
func yandexKinds(name, kind string) any {
	return map[string]any{"name": name, "kind": []string{kind}}
}

// yandexBlock returns the building of a house as Yandex writes it.
func yandexBlock(h House) string {
	if h.Block == "" {
		return ""
	}
	return "к" + h.Block
}

// handleYandexGeocode answers with one house, by a point or a text, in the form of Yandex.
func (s *Server) handleYandexGeocode(w http.ResponseWriter, r *http.Request) {
	if !admitYandex(w, r) {
		return
	}
	asked := r.FormValue("geocode")
	var found []House
	if r.FormValue("kind") == "house" {
		longitude, latitude, _ := strings.Cut(asked, ",")
		found = s.nearest(pointOf(latitude, longitude), 1000)
	} else {
		box := strings.FieldsFunc(r.FormValue("bbox"), func(r rune) bool { return r == ',' || r == '~' })
		found = s.find(asked, func(h House) bool { return h.inBox(box) })
	}
	members := []any{}
	for _, h := range found[:min(len(found), 1)] {
		members = append(members, map[string]any{"GeoObject": yandexObject(h)})
	}
	count := "0"
	if len(members) > 0 {
		count = "1"
	}
	faultinject.WriteJSON(w, http.StatusOK, map[string]any{"response": map[string]any{"GeoObjectCollection": map[string]any{
		"metaDataProperty": map[string]any{"GeocoderResponseMetaData": map[string]any{"request": asked, "found": count, "results": "1"}},
		"featureMember":    members,
	}}})
}

// yandexObject is the answer of the Geocoder about a house, about a street or, for a house with the
// precision "other", about its town.
func yandexObject(h House) any {
	street := h.KindFull + " " + h.Street
	component := func(kind, name string) any { return map[string]any{"kind": kind, "name": name} }
	components := []any{
		component("country", "Россия"), component("province", "Приволжский федеральный округ"), component("province", "Республика Татарстан"),
		component("locality", h.City), component("district", h.District+" район"), component("street", street),
	}
	kind, precision, name := "street", "street", street
	switch {
	case h.Precision == "other":
		kind, precision, name, components = "locality", "other", h.City, components[:4]
	case h.House != "" && h.Precision != "street":
		kind, precision, name = "house", h.Precision, street+", "+h.House+yandexBlock(h)
		components = append(components, component("house", h.House+yandexBlock(h)))
		if precision == "" {
			precision = "exact"
		}
	}
	full := "Россия, Республика Татарстан, " + h.City + ", " + name
	return map[string]any{
		"metaDataProperty": map[string]any{"GeocoderMetaData": map[string]any{
			"kind": kind, "text": full, "precision": precision,
			"Address": map[string]any{"country_code": "RU", "postal_code": h.Postcode, "formatted": full, "Components": components},
		}},
		"name": name, "description": h.City + ", Республика Татарстан, Россия", "uri": "ymapsbm1://geo?ll=49.109%2C55.795",
		"Point": map[string]any{"pos": text(h.Point.Longitude) + " " + text(h.Point.Latitude)},
	}
}
