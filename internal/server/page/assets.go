package page

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"servery/internal/asset"
	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/licences"
	"servery/internal/server/precompressed"
)

// How long files may be kept: keepForever is for those whose content never changes under their name.
const (
	keepForever = "public, max-age=31536000, immutable"
	keepForADay = "public, max-age=86400"
)

// encodings that the page's build leaves beside its files, best first.
var encodings = []struct{ name, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// ServeAsset answers GET /assets/{name} with a file of the page in a compressed form. Files of
// this release are in memory, those of other releases in the database.
func (s *Server) ServeAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !asset.IsName(name) {
		sendNoAsset(w, r)
		return
	}
	names := acceptedNames(r, name)
	for _, accepted := range names {
		if body := s.assets.Own(accepted); body != nil {
			sendAsset(w, r, name, accepted, body)
			return
		}
	}
	accepted, body, err := s.assets.Foreign(r.Context(), names...)
	switch {
	case fault.KeyOf(err) == "common.not_found":
		sendNoAsset(w, r)
	case err != nil:
		s.problem(w, r, err)
	default:
		sendAsset(w, r, name, accepted, body)
	}
}

// sendNoAsset answers that there is no such file. The answer is not cached, because the next
// release may have the file.
func sendNoAsset(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	http.NotFound(w, r)
}

// acceptedNames returns the names of the file's forms that the browser accepts, the smallest
// form first.
func acceptedNames(r *http.Request, name string) []string {
	names := make([]string, 0, len(encodings)+1)
	for _, e := range encodings {
		if precompressed.Accepts(r, e.name) {
			names = append(names, name+e.ending)
		}
	}
	return append(names, name)
}

// sendAsset sends the file with the name. body has its bytes: compressed when packedName is name.br or
// name.gz, plain when packedName is name.
func sendAsset(w http.ResponseWriter, r *http.Request, name, packedName string, body []byte) {
	for _, e := range encodings {
		if packedName == name+e.ending {
			w.Header().Set("Content-Encoding", e.name)
		}
	}
	contentType := mime.TypeByExtension(path.Ext(name))
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	sendFile(w, r, contentType, body)
}

// sendFile sends a file that never changes under its name, so caches may keep it.
func sendFile(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	sendFileFor(w, r, contentType, body, keepForever)
}

// sendFileFor sends a file that caches may keep for as long as cacheControl says.
func sendFileFor(w http.ResponseWriter, r *http.Request, contentType string, body []byte, cacheControl string) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", cacheControl)
	h.Add("Vary", "Accept-Encoding")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // our own file; a failing write means that the client has closed the connection
	}
}

// ServeMedia answers GET /media/{name} with a picture, a font or a style sheet of the content, whose
// name is the hash of its bytes.
func (s *Server) ServeMedia(w http.ResponseWriter, r *http.Request) {
	m, err := s.catalog.Media(r.Context(), r.PathValue("name"))
	if err != nil {
		s.problem(w, r, err)
		return
	}
	if strings.HasPrefix(m.Type, "text/css") {
		s.sendSheet(w, r, m)
		return
	}
	if strings.HasPrefix(m.Type, "image/svg") {
		// Content may contain any SVG. Opened by itself, it must not run scripts.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	}
	sendFile(w, r, m.Type, m.Body)
}

// sheetCaching lets caches keep a style sheet for good: another one has another name.
var sheetCaching = precompressed.Caching{Control: keepForever, Vary: "Accept-Encoding"}

// sendSheet sends the style sheet of a brand in a compressed form, which is made once.
func (s *Server) sendSheet(w http.ResponseWriter, r *http.Request, m catalog.Media) {
	pack := func(context.Context) (*precompressed.Body, error) { return precompressed.Compress(m.Body) }
	body, err := s.sheets.Load(r.Context(), r.PathValue("name"), pack)
	if err != nil {
		s.problem(w, r, fmt.Errorf("pack a style sheet: %w", err))
		return
	}
	answer := precompressed.Answer{Body: body, Request: r, ContentType: m.Type, Status: http.StatusOK, Caching: sheetCaching}
	_ = answer.Send(w) // a failing write means that the client has closed the connection
}

// licencesCaching lets browsers and proxies keep the licences for a day: they change with
// the program only.
var licencesCaching = precompressed.Caching{Control: keepForADay, Vary: "Accept-Encoding"}

// compressedLicences compresses the licences once, for all servers of the process.
var compressedLicences = sync.OnceValues(func() (*precompressed.Body, error) {
	return precompressed.Compress([]byte(licences.Text()))
})

// ServeLicences answers GET /licences.txt with the licences of everything in the program and in
// the page.
func (s *Server) ServeLicences(w http.ResponseWriter, r *http.Request) {
	body, err := compressedLicences()
	if err != nil {
		s.problem(w, r, err)
		return
	}
	answer := precompressed.Answer{Body: body, Request: r, ContentType: "text/plain; charset=utf-8", Status: http.StatusOK, Caching: licencesCaching}
	_ = answer.Send(w) // a failing write means that the client has closed the connection
}
