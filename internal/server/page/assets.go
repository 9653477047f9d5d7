package page

import (
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"servery/internal/asset"
	"servery/internal/fault"
	"servery/internal/licences"
	"servery/internal/server/precompressed"
)

// A name under which the content never changes may be kept for ever.
const keepForever = "public, max-age=31536000, immutable"

// encodings that the page's build leaves beside its files, best first.
var encodings = []struct{ name, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// Asset is GET /assets/{name}: a file of the page, compressed beforehand, from memory when this
// release has it, else from the database, where those of other releases lie.
func (s *Server) Asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !asset.IsName(name) {
		noAsset(w, r)
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
		noAsset(w, r)
	case err != nil:
		s.problem(w, r, err)
	default:
		sendAsset(w, r, name, accepted, body)
	}
}

// noAsset answers that there is no such file. No cache may keep that: a release may bring it.
func noAsset(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	http.NotFound(w, r)
}

// acceptedNames returns the names of the file's forms that the browser takes, best first.
func acceptedNames(r *http.Request, name string) []string {
	names := make([]string, 0, len(encodings)+1)
	for _, e := range encodings {
		if precompressed.Accepts(r, e.name) {
			names = append(names, name+e.ending)
		}
	}
	return append(names, name)
}

// sendAsset sends the file; form is the name of the form that the browser takes.
func sendAsset(w http.ResponseWriter, r *http.Request, name, form string, body []byte) {
	for _, e := range encodings {
		if form == name+e.ending {
			w.Header().Set("Content-Encoding", e.name)
		}
	}
	contentType := mime.TypeByExtension(path.Ext(name))
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	sendFile(w, r, contentType, body)
}

// sendFile sends a file whose name stands for its content, to be kept for ever.
func sendFile(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", keepForever)
	h.Add("Vary", "Accept-Encoding")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // our own file; a failing write means that the caller is gone
	}
}

// Media is GET /media/{name}: a picture, whose name is the hash of its bytes.
func (s *Server) Media(w http.ResponseWriter, r *http.Request) {
	m, err := s.catalog.Media(r.Context(), r.PathValue("name"))
	if err != nil {
		s.problem(w, r, err)
		return
	}
	if strings.HasPrefix(m.Type, "image/svg") {
		// Content is trusted to look right, not to run: an SVG opened by itself may not.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	}
	sendFile(w, r, m.Type, m.Body)
}

// Robots is GET /robots.txt, which keeps what belongs to one visitor out of search engines.
func Robots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("User-agent: *\nDisallow: /api/\nDisallow: /*/cart\nDisallow: /*/order/\nDisallow: /*/back-to-home\nDisallow: /*/profile\nDisallow: /auth/\n"))
}

// licencesHeaders let browsers and proxies keep the licences for a day: they change with
// the program only.
var licencesHeaders = http.Header{
	"Cache-Control": {"public, max-age=86400"},
	"Vary":          {"Accept-Encoding"},
}

// compressedLicences compresses the licences once, for all servers of the process.
var compressedLicences = sync.OnceValues(func() (*precompressed.Body, error) {
	return precompressed.Compress([]byte(licences.Text()))
})

// Licences is GET /licences.txt: the licences of everything that is in the program and in the
// page.
func (s *Server) Licences(w http.ResponseWriter, r *http.Request) {
	body, err := compressedLicences()
	if err != nil {
		s.problem(w, r, err)
		return
	}
	answer := precompressed.Answer{Body: body, Request: r, ContentType: "text/plain; charset=utf-8", Status: http.StatusOK, Headers: licencesHeaders}
	_ = answer.Send(w) // a failing write means that the caller is gone
}
