package double

import (
	"encoding/json"
	"net/http"
	"slices"

	"servery/internal/geo"
	"servery/internal/remote/faultinject"
)

// DaDataQuotaUsedUp is DaData's answer beyond the calls of a day.
var DaDataQuotaUsedUp = faultinject.Fault{
	Status: http.StatusForbidden,
	Body:   `{"family":"CLIENT_ERROR","reason":"Forbidden","message":"Feature 'SUGGESTIONS' disabled for token '` + Key + `'"}`,
}

// NewDaData returns a double of DaData.
func NewDaData() *Server {
	mux := http.NewServeMux()
	s := newServer(mux)
	mux.HandleFunc("POST /suggestions/api/4_1/rs/suggest/address", s.handleDaDataSuggest)
	mux.HandleFunc("POST /suggestions/api/4_1/rs/geolocate/address", s.handleDaDataGeolocate)
	return s
}

// admitDaData answers a request with another key, and reports whether the key is right.
func admitDaData(w http.ResponseWriter, r *http.Request) bool {
	switch r.Header.Get("Authorization") {
	case "Token " + Key:
		return true
	case "":
		faultinject.WriteJSON(w, http.StatusUnauthorized, map[string]string{"family": "CLIENT_ERROR", "reason": "Unauthorized", "message": "Authentication token is missing"})
	default:
		faultinject.WriteJSON(w, http.StatusForbidden, map[string]string{"family": "CLIENT_ERROR", "reason": "Forbidden", "message": "Invalid or unauthorized token"})
	}
	return false
}

// handleDaDataSuggest answers with the houses and streets that a text may mean, in the form of DaData.
func (s *Server) handleDaDataSuggest(w http.ResponseWriter, r *http.Request) {
	if !admitDaData(w, r) {
		return
	}
	var q struct {
		Query     string              `json:"query"`
		Count     int                 `json:"count"`
		Locations []map[string]string `json:"locations"`
		From      map[string]string   `json:"from_bound"`
		To        map[string]string   `json:"to_bound"`
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.From["value"] != "street" || q.To["value"] != "house" {
		faultinject.WriteJSON(w, http.StatusBadRequest, map[string]string{"family": "CLIENT_ERROR", "reason": "Bad Request", "message": "Malformed JSON"})
		return
	}
	found := s.find(q.Query, func(h House) bool {
		return slices.ContainsFunc(q.Locations, func(l map[string]string) bool {
			return l["country_iso_code"] == "RU" && (l["city"] == h.City || l["settlement"] == h.City)
		})
	})
	writeDaData(w, found[:min(len(found), q.Count)])
}

// handleDaDataGeolocate answers with the houses around a point, the nearest first, in the form of DaData.
func (s *Server) handleDaDataGeolocate(w http.ResponseWriter, r *http.Request) {
	if !admitDaData(w, r) {
		return
	}
	var q struct {
		Latitude  float64 `json:"lat"`
		Longitude float64 `json:"lon"`
		Radius    float64 `json:"radius_meters"`
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Radius > 1000 {
		faultinject.WriteJSON(w, http.StatusBadRequest, map[string]string{"family": "CLIENT_ERROR", "reason": "Bad Request", "message": "Malformed JSON"})
		return
	}
	writeDaData(w, s.nearest(geo.Point{Latitude: q.Latitude, Longitude: q.Longitude}, q.Radius))
}

// writeDaData answers with the houses. Every value is a text or null.
func writeDaData(w http.ResponseWriter, houses []House) {
	orNull := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	suggestions := []any{}
	for _, h := range houses {
		street := h.Kind + " " + h.Street
		value, level, quality := street, "7", "2" // of a street
		blockType := ""
		if h.House != "" {
			value, level, quality = street+", д "+h.House, "8", h.GeoQuality
			if quality == "" {
				quality = "0"
			}
		}
		if h.Block != "" {
			blockType = "к"
			value += " к " + h.Block
		}
		suggestions = append(suggestions, map[string]any{
			"value": value, "unrestricted_value": h.Postcode + ", г " + h.City + ", " + value,
			"data": map[string]any{
				"postal_code": orNull(h.Postcode), "country_iso_code": "RU", "region_with_type": "Респ Татарстан", "region": "Татарстан", "region_type": "Респ",
				"city": h.City, "city_district": orNull(h.District), "settlement": nil, "street_with_type": street, "street": h.Street,
				"house_type": "д", "house": orNull(h.House), "block_type": orNull(blockType), "block": orNull(h.Block), "flat": nil,
				"fias_id": "93409d8c-d8d4-4491-838f-f9aa1678b5e6", "fias_level": level, "kladr_id": "1600000100000",
				"geo_lat": text(h.Point.Latitude), "geo_lon": text(h.Point.Longitude), "qc_geo": quality,
			},
		})
	}
	faultinject.WriteJSON(w, http.StatusOK, map[string]any{"suggestions": suggestions})
}
