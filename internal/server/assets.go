package server

import (
	"mime"
	"net/http"
	"path"
	"strconv"

	"servery/internal/asset"
	"servery/internal/fault"
	"servery/internal/server/precompressed"
)

// A name under which the content never changes may be kept for ever.
const keepForever = "public, max-age=31536000, immutable"

// encodings that the page's build leaves beside its files, best first.
var encodings = []struct{ name, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// asset serves a file of the page, compressed beforehand: from memory when this release has it,
// else from the database, where those of other releases lie.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !asset.IsName(name) {
		noAsset(w, r)
		return
	}
	names := acceptedNames(r, name)
	for _, accepted := range names {
		if body := s.Assets.Own(accepted); body != nil {
			sendAsset(w, r, name, accepted, body)
			return
		}
	}
	accepted, body, err := s.Assets.Foreign(r.Context(), names...)
	switch {
	case fault.KeyOf(err) == "common.not_found":
		noAsset(w, r)
	case err != nil:
		s.problem(w, r, err)
	default:
		sendAsset(w, r, name, accepted, body)
	}
}

// noAsset says that there is no such file. No cache may keep that: a release may bring it.
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
