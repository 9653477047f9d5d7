package page

import (
	"net/http"
	"strings"
	"time"

	"servery/internal/citymap"
)

// ServeMap answers GET /maps/{name} with the map of a city, whose name is the hash of its bytes, or with the
// ranges of it that are asked for. It answers only for files that content names.
func (s *Server) ServeMap(w http.ResponseWriter, r *http.Request) {
	hash, isMap := strings.CutSuffix(r.PathValue("name"), citymap.Ending)
	if !isMap || s.maps == nil {
		sendNoAsset(w, r)
		return
	}
	file, isKnown := s.maps.Open(hash)
	if !isKnown {
		sendNoAsset(w, r)
		return
	}
	defer func() { _ = file.Close() }() // it was only read
	h := w.Header()
	h.Set("Content-Type", "application/vnd.pmtiles")
	h.Set("Cache-Control", keepForever)
	h.Set("ETag", `"`+hash+`"`)
	http.ServeContent(w, r, "", time.Time{}, file)
}
