// Package faultinject injects faults into the doubles of providers: the errors, delays and cut
// answers of the real ones. Tests and the doubles of the journeys use it; the program does not.
package faultinject

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Fault is how one request is answered in place of the true answer.
type Fault struct {
	// Status and Body are the answer when Status is not 0.
	Status int    `json:"status"`
	Body   string `json:"body"`
	// WorkIsDone handles the request before it answers this: the provider has done the work and its
	// answer is lost.
	WorkIsDone bool `json:"worked"`
	// Silent never answers: it waits until the caller is gone.
	Silent bool `json:"silent"`
	// Cut ends the true answer in its middle.
	Cut bool `json:"cut"`
}

// The faults.
var (
	Broken     = Fault{Status: http.StatusBadGateway, Body: "<html><h1>502 Bad Gateway</h1></html>"}
	Busy       = Fault{Status: http.StatusTooManyRequests, Body: "slow down"}
	HTML       = Fault{Status: http.StatusOK, Body: "<!doctype html><title>Works on the site</title>"}
	CutOff     = Fault{Cut: true}
	Silent     = Fault{Silent: true}
	AnswerLost = Fault{Status: http.StatusGatewayTimeout, WorkIsDone: true}
	Endless    = Fault{Status: http.StatusOK, Body: `{"status":"` + strings.Repeat("x", 1<<20) + `"}`}
	Elsewhere  = Fault{Status: http.StatusTemporaryRedirect}
)

// All returns all faults by name.
func All() map[string]Fault {
	return map[string]Fault{
		"5xx": Broken, "429": Busy, "HTML": HTML, "cut off": CutOff, "silent": Silent,
		"done and answer lost": AnswerLost, "too large": Endless, "redirect": Elsewhere,
	}
}

// Handler answers as Next does, except for the requests that a fault is planned for. POST /fault
// with a JSON fault adds one, for tools.
type Handler struct {
	Next http.Handler

	mu     sync.Mutex
	faults []Fault
}

// Inject plans faults for the next requests, one each.
func (h *Handler) Inject(faults ...Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = append(h.faults, faults...)
}

// nextFault removes the next planned fault and returns it, and false when there is none.
func (h *Handler) nextFault() (Fault, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.faults) == 0 {
		return Fault{}, false
	}
	first := h.faults[0]
	h.faults = slices.Delete(h.faults, 0, 1)
	return first, true
}

// ServeHTTP answers with the next planned fault, or as Next does when there is none. POST /fault
// plans a fault.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && r.URL.Path == "/fault" {
		h.handleInject(w, r)
		return
	}
	planned, ok := h.nextFault()
	switch {
	case !ok:
		h.Next.ServeHTTP(w, r)
	case planned.Silent:
		_, _ = io.Copy(io.Discard, r.Body) // the server notices that a caller is gone once the body is read
		<-r.Context().Done()
	case planned.Cut:
		whole := &recorder{header: w.Header()}
		h.Next.ServeHTTP(whole, r)
		w.Header().Set("Content-Length", strconv.Itoa(len(whole.body)))
		_, _ = w.Write(whole.body[:len(whole.body)/2])
	default:
		if planned.WorkIsDone { // the work is done, only its answer is lost
			h.Next.ServeHTTP(&recorder{header: http.Header{}}, r)
		}
		if planned.Status == http.StatusTemporaryRedirect {
			w.Header().Set("Location", r.URL.Path) // to itself: a client that follows redirects would never end
		}
		w.WriteHeader(planned.Status)
		_, _ = io.WriteString(w, planned.Body)
	}
}

// handleInject plans the fault that the body of the request describes.
func (h *Handler) handleInject(w http.ResponseWriter, r *http.Request) {
	var planned Fault
	if err := json.NewDecoder(r.Body).Decode(&planned); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	h.Inject(planned)
	w.WriteHeader(http.StatusNoContent)
}

// recorder records an answer.
type recorder struct {
	header http.Header
	body   []byte
}

// Header implements [http.ResponseWriter].
func (k *recorder) Header() http.Header { return k.header }

// WriteHeader implements [http.ResponseWriter].
func (*recorder) WriteHeader(int) {}

// Write implements [http.ResponseWriter].
func (k *recorder) Write(b []byte) (int, error) {
	k.body = append(k.body, b...)
	return len(b), nil
}

// WriteJSON answers with a status and a value in JSON.
func WriteJSON(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // it fails only when the client has closed the connection
}
