package precompressed

import (
	"maps"
	"net/http"
	"strings"
)

// readyHeaders are those of an answer that browsers keep and ask for again, and that differs by
// what is in the headers of Vary.
var readyHeaders = http.Header{
	"Cache-Control": {"no-cache"},
	"Vary":          {"Accept-Encoding, Accept-Language, Cookie"},
}

// The values of Content-Encoding, which all answers share: nothing may change them.
var (
	inBrotli = []string{"br"}
	inGzip   = []string{"gzip"}
)

// Answer is an answer with a compressed body.
type Answer struct {
	Body        *Body
	Request     *http.Request
	ContentType string
	// Status is that of a whole answer; what has not changed is always 304.
	Status int
	// Headers say how long it may be kept; nil has browsers ask for it again.
	Headers http.Header
}

// Send writes the answer in the best encoding that the client accepts, or 304 when the client has
// it already; a POST always gets the whole answer. It returns an error when the body cannot be
// uncompressed or the client has closed the connection.
func (a Answer) Send(w http.ResponseWriter) error {
	h := w.Header()
	if a.Headers == nil {
		a.Headers = readyHeaders
	}
	maps.Copy(h, a.Headers)
	if tag := a.Body.ETag; tag != "" {
		h["Etag"] = a.Body.tagHeader // its canonical key
		if a.Body.tagHeader == nil {
			h["Etag"] = []string{tag}
		}
		if a.Request.Method != http.MethodPost && matchesETag(a.Request.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	var body []byte
	encoding := a.Body.choose(a.Request)
	switch encoding {
	case "br":
		h["Content-Encoding"] = inBrotli
		body = a.Body.Brotli
	case "gzip":
		h["Content-Encoding"] = inGzip
		body = a.Body.Gzip
	default:
		var err error
		if body, err = a.Body.Plain(); err != nil {
			return err
		}
	}
	h["Content-Type"] = typeHeader(a.ContentType)
	h["Content-Length"] = a.Body.lengths[encoding] // else net/http sends it in chunks
	if h["Content-Length"] == nil {
		h["Content-Length"] = lengthHeader(body)
	}
	expectBody(a.Request, len(body))
	w.WriteHeader(a.Status)
	_, err := w.Write(body)
	return err
}

// inHTML is the header of all documents: nothing may change it.
var inHTML = []string{"text/html; charset=utf-8"}

// typeHeader returns the header of a content type.
func typeHeader(contentType string) []string {
	switch contentType {
	case inJSON[0]:
		return inJSON
	case inHTML[0]:
		return inHTML
	}
	return []string{contentType}
}

// choose returns the best encoding of the body that the client of a request accepts: "br", "gzip", or
// an empty one for plain bytes.
func (b *Body) choose(r *http.Request) string {
	switch {
	case b.Brotli != nil && Accepts(r, "br"):
		return "br"
	case Accepts(r, "gzip"):
		return "gzip"
	}
	return ""
}

// matchesETag reports whether an If-None-Match header names the tag, so that the client has the
// body.
func matchesETag(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if strings.TrimPrefix(candidate, "W/") == tag || candidate == "*" {
			return true
		}
	}
	return false
}

// Accepts reports whether the client of a request accepts the encoding; "q=0" refuses it.
func Accepts(r *http.Request, encoding string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(name, encoding) {
			return !strings.HasPrefix(strings.ReplaceAll(params, " ", ""), "q=0") || strings.Contains(params, "q=0.") // a low weight is no refusal
		}
	}
	return false
}
