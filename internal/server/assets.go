package server

import (
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// A name under which the content never changes may be kept for ever.
const keepForever = "public, max-age=31536000, immutable"

// encodings that the page's build leaves beside its files, best first.
var encodings = []struct{ name, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// assets serves the built page's files from memory, compressed beforehand.
func assets(dist fs.FS) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := path.Join("assets", path.Clean("/"+r.PathValue("name")))
		contentType := mime.TypeByExtension(path.Ext(name))
		if contentType == "" {
			contentType = "application/octet-stream"
		}
		for _, e := range encodings {
			if !accepts(r, e.name) {
				continue
			}
			if body, err := fs.ReadFile(dist, name+e.ending); err == nil {
				w.Header().Set("Content-Encoding", e.name)
				sendFile(w, r, contentType, body)
				return
			}
		}
		body, err := fs.ReadFile(dist, name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		sendFile(w, r, contentType, body)
	}
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

// accepts reports whether the browser takes the encoding; "q=0" refuses it.
func accepts(r *http.Request, encoding string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(name, encoding) {
			return !strings.HasPrefix(strings.ReplaceAll(params, " ", ""), "q=0") || strings.Contains(params, "q=0.")
		}
	}
	return false
}
