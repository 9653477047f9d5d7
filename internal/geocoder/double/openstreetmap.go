package double

import (
	"net/http"
	"strings"

	"servery/internal/remote/faultinject"
)

// NewPhoton returns a double of Photon.
func NewPhoton() *Server {
	mux := http.NewServeMux()
	s := newServer(mux)
	mux.HandleFunc("GET /api", func(w http.ResponseWriter, r *http.Request) {
		box := strings.Split(r.FormValue("bbox"), ",")
		writePhoton(w, s.find(r.FormValue("q"), func(h House) bool { return h.inBox(box) }))
	})
	mux.HandleFunc("GET /reverse", func(w http.ResponseWriter, r *http.Request) {
		writePhoton(w, s.nearest(pointOf(r.FormValue("lat"), r.FormValue("lon")), 1000))
	})
	return s
}

// writePhoton answers with the houses as GeoJSON.
func writePhoton(w http.ResponseWriter, houses []House) {
	features := []any{}
	for _, h := range houses {
		street := h.KindFull + " " + h.Street
		properties := map[string]any{
			"osm_type": "W", "osm_id": 75303531, "osm_key": "building", "osm_value": "apartments", "type": "house", "housenumber": h.House + yandexBlock(h),
			"street": street, "district": h.District, "city": h.City, "state": "Татарстан", "country": "Россия", "countrycode": "RU", "postcode": h.Postcode,
		}
		if h.House == "" {
			delete(properties, "housenumber")
			delete(properties, "street")
			properties["type"], properties["name"], properties["osm_key"], properties["osm_value"] = "street", street, "highway", "residential"
		}
		features = append(features, map[string]any{
			"type": "Feature", "properties": properties,
			"geometry": map[string]any{"type": "Point", "coordinates": []float64{h.Point.Longitude, h.Point.Latitude}},
		})
	}
	faultinject.WriteJSON(w, http.StatusOK, map[string]any{"type": "FeatureCollection", "features": features})
}

// NewNominatim returns a double of Nominatim. It refuses a request without a User-Agent of its own, as
// the public instance does.
func NewNominatim() *Server {
	mux := http.NewServeMux()
	s := newServer(mux)
	answer := func(w http.ResponseWriter, r *http.Request, answer any) {
		if strings.HasPrefix(r.UserAgent(), "Go-http-client") || r.FormValue("format") != "jsonv2" || r.FormValue("addressdetails") != "1" {
			faultinject.WriteJSON(w, http.StatusForbidden, map[string]any{"error": "Access blocked"})
			return
		}
		faultinject.WriteJSON(w, http.StatusOK, answer)
	}
	mux.HandleFunc("GET /search", func(w http.ResponseWriter, r *http.Request) {
		box := strings.Split(r.FormValue("viewbox"), ",")
		places := []any{}
		for _, h := range s.find(r.FormValue("q"), func(h House) bool { return r.FormValue("bounded") == "1" && h.inBox(box) }) {
			places = append(places, nominatimPlace(h))
		}
		answer(w, r, places)
	})
	mux.HandleFunc("GET /reverse", func(w http.ResponseWriter, r *http.Request) {
		for _, h := range s.nearest(pointOf(r.FormValue("lat"), r.FormValue("lon")), 1000) {
			answer(w, r, nominatimPlace(h))
			return
		}
		answer(w, r, map[string]any{"error": "Unable to geocode"})
	})
	return s
}

// nominatimPlace is a house in the form jsonv2, whose coordinates are texts.
func nominatimPlace(h House) any {
	address := map[string]any{
		"road": h.KindFull + " " + h.Street, "suburb": h.District + " район", "city": h.City, "state": "Татарстан", "postcode": h.Postcode,
		"country": "Россия", "country_code": "ru", "ISO3166-2-lvl4": "RU-TA",
	}
	category, kind, rank := "highway", "residential", 26
	if h.House != "" {
		category, kind, rank = "building", "apartments", 30
		address["house_number"] = h.House + yandexBlock(h)
	}
	return map[string]any{
		"place_id": 159184011, "licence": "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright", "osm_type": "way", "osm_id": 75303531,
		"lat": text(h.Point.Latitude), "lon": text(h.Point.Longitude), "category": category, "type": kind, "place_rank": rank, "importance": 0.05,
		"addresstype": "building", "name": "", "display_name": h.House + ", " + h.Street + ", " + h.City, "address": address,
		"boundingbox": []string{text(h.Point.Latitude - 0.0002), text(h.Point.Latitude + 0.0002), text(h.Point.Longitude - 0.0002), text(h.Point.Longitude + 0.0002)},
	}
}
