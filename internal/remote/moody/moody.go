// Package moody lets the stand-in of a provider misbehave as the real one does on a bad
// day. Tests and the doubles of the journeys use it; the program does not.
package moody

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Mood is how one request is answered in place of the true answer.
type Mood struct {
	// Status and Body are the answer when Status is not 0.
	Status int    `json:"status"`
	Body   string `json:"body"`
	// Worked does what was asked before it answers so: the provider has done its work and
	// cannot tell.
	Worked bool `json:"worked"`
	// Silent never answers: it waits until the caller has gone.
	Silent bool `json:"silent"`
	// Cut ends the true answer in its middle.
	Cut bool `json:"cut"`
}

// Moods of a bad day.
var (
	Broken    = Mood{Status: http.StatusBadGateway, Body: "<html><h1>502 Bad Gateway</h1></html>"}
	Busy      = Mood{Status: http.StatusTooManyRequests, Body: "slow down"}
	HTML      = Mood{Status: http.StatusOK, Body: "<!doctype html><title>Works on the site</title>"}
	CutOff    = Mood{Cut: true}
	Silent    = Mood{Silent: true}
	Forgetful = Mood{Status: http.StatusGatewayTimeout, Worked: true}
	Endless   = Mood{Status: http.StatusOK, Body: `{"status":"` + strings.Repeat("x", 1<<20) + `"}`}
	Elsewhere = Mood{Status: http.StatusTemporaryRedirect}
)

// Bad are all moods of a bad day by their names.
func Bad() map[string]Mood {
	return map[string]Mood{
		"5xx": Broken, "429": Busy, "HTML": HTML, "cut off": CutOff, "silent": Silent,
		"done and not told": Forgetful, "too large": Endless, "redirect": Elsewhere,
	}
}

// Handler answers as Next does, but for the requests that a mood is waiting for. POST /mood
// with a JSON mood adds one, for tools.
type Handler struct {
	Next http.Handler

	mu    sync.Mutex
	moods []Mood
}

// Expect lets the next requests be answered by these moods, one each.
func (h *Handler) Expect(moods ...Mood) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moods = append(h.moods, moods...)
}

func (h *Handler) take() (Mood, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.moods) == 0 {
		return Mood{}, false
	}
	first := h.moods[0]
	h.moods = slices.Delete(h.moods, 0, 1)
	return first, true
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && r.URL.Path == "/mood" {
		h.add(w, r)
		return
	}
	mood, moody := h.take()
	switch {
	case !moody:
		h.Next.ServeHTTP(w, r)
	case mood.Silent:
		_, _ = io.Copy(io.Discard, r.Body) // the server sees a caller go once his body is read
		<-r.Context().Done()
	case mood.Cut:
		whole := &kept{header: w.Header()}
		h.Next.ServeHTTP(whole, r)
		w.Header().Set("Content-Length", strconv.Itoa(len(whole.body)))
		_, _ = w.Write(whole.body[:len(whole.body)/2])
	default:
		if mood.Worked {
			h.Next.ServeHTTP(&kept{header: http.Header{}}, r)
		}
		if mood.Status == http.StatusTemporaryRedirect {
			w.Header().Set("Location", r.URL.Path)
		}
		w.WriteHeader(mood.Status)
		_, _ = io.WriteString(w, mood.Body)
	}
}

func (h *Handler) add(w http.ResponseWriter, r *http.Request) {
	var m Mood
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	h.Expect(m)
	w.WriteHeader(http.StatusNoContent)
}

// kept keeps an answer.
type kept struct {
	header http.Header
	body   []byte
}

// Header implements [http.ResponseWriter].
func (k *kept) Header() http.Header { return k.header }

// WriteHeader implements [http.ResponseWriter].
func (*kept) WriteHeader(int) {}

// Write implements [http.ResponseWriter].
func (k *kept) Write(b []byte) (int, error) {
	k.body = append(k.body, b...)
	return len(b), nil
}

// JSON writes an answer.
func JSON(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // the caller hung up
}
