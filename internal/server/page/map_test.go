package page

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"servery/internal/citymap"
	"servery/internal/clock"
	"servery/internal/site"
)

// demoMaps is the folder with the map of the demo's Berlin.
const demoMaps = "../../../content/demo/maps"

// openMap returns a server of the demo's maps, and the map that content has named to it.
func openMap(t *testing.T) (*Server, site.MapFile) {
	t.Helper()
	body, err := os.ReadFile(demoMaps + "/berlin.pmtiles")
	if err != nil {
		t.Fatal(err)
	}
	d, err := citymap.Describe(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	file := site.MapFile{Name: "berlin.pmtiles", Size: d.Size, SHA256: d.SHA256}
	maps := citymap.NewFiles(demoMaps, clock.NewFake(time.Unix(0, 0)), slog.New(slog.DiscardHandler))
	if !maps.Has(t.Context(), file) {
		t.Fatal("the map is not there")
	}
	return &Server{maps: maps}, file
}

// askMap returns the answer to a request for a map, with headers by name and value.
func askMap(t *testing.T, s *Server, name string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+citymap.Path+"{name}", s.ServeMap)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, citymap.Path+name, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w
}

func TestServeMap_sendsRangesOfWhatContentNames(t *testing.T) {
	t.Parallel()
	s, file := openMap(t)
	name := file.SHA256 + citymap.Ending
	part := askMap(t, s, name, "Range", "bytes=0-6")
	if part.Code != http.StatusPartialContent || part.Body.String() != "PMTiles" {
		t.Errorf("a range: %d %q", part.Code, part.Body)
	}
	if got := part.Header().Get("Cache-Control"); got != keepForever {
		t.Errorf("caches may keep it for %q", got)
	}
	if whole := askMap(t, s, name); whole.Code != http.StatusOK || int64(whole.Body.Len()) != file.Size {
		t.Errorf("the whole file: %d, %d bytes", whole.Code, whole.Body.Len())
	}
	if same := askMap(t, s, name, "If-None-Match", part.Header().Get("ETag")); same.Code != http.StatusNotModified {
		t.Errorf("a file that the browser has: %d", same.Code)
	}
	if beyond := askMap(t, s, name, "Range", "bytes=99999999-"); beyond.Code != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("a range beyond the end: %d", beyond.Code)
	}
}

func TestServeMap_hasNothingElseOfTheFolder(t *testing.T) {
	t.Parallel()
	s, file := openMap(t)
	for _, name := range []string{"berlin.pmtiles", file.SHA256, "", "%2e%2e%2fplaces%2fberlin.yaml", file.SHA256[1:] + citymap.Ending} {
		if got := askMap(t, s, name); got.Code != http.StatusNotFound {
			t.Errorf("%q: %d", name, got.Code)
		}
	}
	if got := askMap(t, &Server{}, file.SHA256+citymap.Ending); got.Code != http.StatusNotFound {
		t.Errorf("without maps: %d", got.Code)
	}
}
