package precompressed

import (
	"net/http"
	"strings"
)

// Caching says how long an answer may be kept, as Cache-Control has it, and by which headers of a request it
// differs, as Vary has it.
type Caching struct{ Control, Vary string }

// askAgain is for an answer that browsers keep and ask for again.
var askAgain = Caching{Control: "no-cache", Vary: "Accept-Encoding, Accept-Language, Cookie"}

// Answer is an answer with a compressed body.
type Answer struct {
	Body        *Body
	Request     *http.Request
	ContentType string
	// Status is that of a whole answer; what has not changed is always 304.
	Status int
	// Caching is that of the answer; the zero value has browsers ask for it again.
	Caching Caching
}

// Send writes the answer in the best encoding that the client accepts, or 304 when the client has
// it already; a POST always gets the whole answer. It returns an error when the body cannot be
// uncompressed or the client has closed the connection.
func (a Answer) Send(w http.ResponseWriter) error {
	h := w.Header()
	if a.Caching == (Caching{}) {
		a.Caching = askAgain
	}
	if tag := a.Body.ETag; tag != "" && a.Request.Method != http.MethodPost && matchesETag(a.Request.Header.Get("If-None-Match"), tag) {
		h.Set("Cache-Control", a.Caching.Control)
		h.Set("Vary", a.Caching.Vary)
		h.Set("ETag", tag)
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	encoding := a.Body.choose(a.Request)
	body, err := a.Body.in(encoding)
	if err != nil {
		return err
	}
	h["Content-Length"] = a.Body.lengths[encoding] // else net/http sends it in chunks
	if h["Content-Length"] == nil {
		h["Content-Length"] = lengthHeader(body)
	}
	head{a.Caching, a.ContentType, encoding, a.Body.ETag}.put(a.Request, h, len(body))
	w.WriteHeader(a.Status)
	_, err = w.Write(body)
	return err
}

// head is what the head of a ready answer has besides the length of the body. encoding, tag and the control of the
// caching are empty for none.
type head struct {
	caching                    Caching
	contentType, encoding, tag string
}

// put adds the head to an answer whose body of at least size bytes is written next. Where the connection of the
// request can, it adds the lines, because net/http copies, sorts and writes what is in h for each answer.
func (d head) put(r *http.Request, h http.Header, size int) {
	add := h.Set
	if c := announce(r, size); c != nil {
		add = c.addLine
		h["Content-Type"] = nil // else net/http guesses it
	}
	if d.caching.Control != "" {
		delete(h, "Cache-Control")
		add("Cache-Control", d.caching.Control)
	}
	add("Vary", d.caching.Vary)
	add("Content-Type", d.contentType)
	if d.encoding != "" {
		add("Content-Encoding", d.encoding)
	}
	if d.tag != "" {
		add("Etag", d.tag)
	}
}

// in returns the body in an encoding that [Body.choose] has returned.
func (b *Body) in(encoding string) ([]byte, error) {
	switch encoding {
	case "br":
		return b.Brotli, nil
	case "gzip":
		return b.Gzip, nil
	}
	return b.Plain()
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
