package double

import (
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"
)

// Fault is what goes wrong with a request. The set is closed.
type Fault uint8

// The faults. "Done" ones carry out the request first.
const (
	NoFault    Fault = iota
	LostBefore       // the line breaks before anything is done
	BadBefore        // 500, nothing done
	Busy             // 429, nothing done
	LostAfter        // done, and then the line breaks
	BadAfter         // done, and then 500
	Cut              // done, and half of the answer
	Garbage          // done, and an answer of another kind
	Slow             // done, and no answer until the asker is gone
)

// everyOperation stands for all operations that have no fault of their own.
const everyOperation = ""

// ArmFault makes all requests of an operation fail from now on; an empty op stands for every
// operation.
func (b *Bank) ArmFault(op string, f Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults[op] = f
}

// ClearFaults removes all faults and hooks.
func (b *Bank) ClearFaults() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.faults)
	clear(b.before)
}

// BeforeAnswer makes hook run once, after the next request of the operation was carried out and
// before it is answered, like a callback that overtakes the answer.
func (b *Bank) BeforeAnswer(op string, hook func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.before[op] = hook
}

// HeldRequests returns a channel that receives a value for each request that [Slow] holds.
func (b *Bank) HeldRequests() <-chan struct{} { return b.held }

// Entry is one request, with everything secret masked.
type Entry struct{ Op, Body string }

// ListRequests returns all requests so far.
func (b *Bank) ListRequests() []Entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Entry(nil), b.log...)
}

// CountRequests returns how many requests of an operation there were.
func (b *Bank) CountRequests(op string) int {
	n := 0
	for _, e := range b.ListRequests() {
		if e.Op == op {
			n++
		}
	}
	return n
}

// Request is a request with its body read.
type Request struct {
	*http.Request

	Raw []byte
	// Values are those of a form, or of the query.
	Values url.Values
}

// Answer is an answer in JSON.
type Answer struct {
	Status int
	Value  any
}

// OK returns an answer with status 200.
func OK(value any) Answer { return Answer{Status: http.StatusOK, Value: value} }

type kept struct {
	digest [32]byte // SHA-256 of the request's body
	answer Answer
	at     time.Time
}

// AnswerOnce calls do once for each key, as an acquirer's idempotency does, and each time for an
// empty key. It returns the first answer for a repeated key with the same body, and other for a
// repeated key with another body. A key is forgotten after KeyLife. It must be called in a handler of
// [Bank.HandleOperation], which runs one at a time.
func (b *Bank) AnswerOnce(key string, body []byte, other Answer, do func() Answer) Answer {
	digest := sha256.Sum256(body)
	b.mu.Lock()
	old, found := b.answers[key]
	b.mu.Unlock()
	found = found && (b.KeyLife == 0 || b.Clock.Now().Sub(old.at) < b.KeyLife)
	switch {
	case key == "":
		return do()
	case found && old.digest != digest:
		return other
	case found:
		return old.answer
	}
	answer := do()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers[key] = kept{digest: digest, answer: answer, at: b.Clock.Now()}
	return answer
}

// ForgetKeys removes all idempotency keys, as acquirers do after a day.
func (b *Bank) ForgetKeys() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.answers)
}

// HandleOperation returns a handler that reads the request, logs it, carries it out by do and
// writes the answer as JSON. When a fault is set for the operation, the request fails before or
// after it was carried out, as the fault says. Requests are carried out one at a time.
func (b *Bank) HandleOperation(op string, do func(Request) Answer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		const maxBody = 1 << 20 // 1 MiB
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		request := Request{Request: r, Raw: raw, Values: r.URL.Query()}
		if r.Header.Get("Content-Type") == "application/x-www-form-urlencoded" {
			request.Values, err = url.ParseQuery(string(raw))
			if err != nil {
				panic(http.ErrAbortHandler)
			}
		}
		fault := b.logRequest(op, raw)
		switch fault {
		case LostBefore:
			panic(http.ErrAbortHandler)
		case BadBefore:
			http.Error(w, "{}", http.StatusInternalServerError)
			return
		case Busy:
			http.Error(w, "{}", http.StatusTooManyRequests)
			return
		default:
		}
		b.serial.Lock()
		answer := do(request)
		b.serial.Unlock()
		b.runHook(op)
		text, err := json.Marshal(answer.Value)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		b.writeAnswer(w, r, fault, answer.Status, text)
	}
}

// writeAnswer writes an answer, or breaks it as the fault says: it closes the connection,
// answers 500 or no JSON, sends half of the text, or waits until the caller is gone.
func (b *Bank) writeAnswer(w http.ResponseWriter, r *http.Request, fault Fault, status int, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	switch fault {
	case LostAfter:
		panic(http.ErrAbortHandler)
	case BadAfter:
		status, text = http.StatusInternalServerError, []byte(`{}`)
	case Garbage:
		text = []byte("<html><body>It works!</body></html>")
	case Cut:
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		w.WriteHeader(status)
		_, _ = w.Write(text[:len(text)/2])
		panic(http.ErrAbortHandler)
	case Slow:
		b.held <- struct{}{}
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	default:
	}
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// logRequest logs a request without its secrets and returns the fault that is set for its
// operation, else the one for every operation.
func (b *Bank) logRequest(op string, raw []byte) Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = append(b.log, Entry{Op: op, Body: MaskSecrets(string(raw))})
	if f, ok := b.faults[op]; ok {
		return f
	}
	return b.faults[everyOperation]
}

// runHook runs the hook of an operation, if there is one, and removes it.
func (b *Bank) runHook(op string) {
	b.mu.Lock()
	hook := b.before[op]
	delete(b.before, op)
	b.mu.Unlock()
	if hook != nil {
		hook()
	}
}

var (
	cards   = regexp.MustCompile(`\b(\d{6})\d{3,9}(\d{4})\b`)
	secrets = regexp.MustCompile(`(?i)((?:password|cryptogram\w*|token|cvv|cvc|pares|cres|apikey|payment_method)"?[:=]"?)[^"&,}]+`)
)

// MaskSecrets returns a text without card numbers, codes, cryptograms and passwords.
func MaskSecrets(text string) string {
	return cards.ReplaceAllString(secrets.ReplaceAllString(text, "$1[hidden]"), "$1...$2")
}
