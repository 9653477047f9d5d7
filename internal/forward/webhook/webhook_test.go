package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/forward"
	"servery/internal/forward/webhook"
)

const secret = "hunter2-of-the-webhook"

var at = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)

// newMessage returns a message to deliver.
func newMessage() forward.Message {
	return forward.Message{Key: "feedback-7", Subject: "s", Text: "t", Body: []byte(`{"name":"Анна","phone":"79161234567"}`)}
}

// startReceiver starts a program that answers each request with answer. It returns a hook to the program,
// and a function that ends the program and returns the requests that it got.
func startReceiver(t *testing.T, answer http.HandlerFunc) (*webhook.Hook, func() []*http.Request) {
	t.Helper()
	var got []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	hook := webhook.New(webhook.Settings{URL: server.URL + "/forms/", Secret: secret, Clock: clock.NewFake(at), Timeout: 200 * time.Millisecond})
	return hook, func() []*http.Request { server.Close(); return got }
}

func TestHook_Send_signsTheBody(t *testing.T) {
	t.Parallel()
	var body string
	hook, got := startReceiver(t, func(w http.ResponseWriter, r *http.Request) {
		read, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		body = string(read)
		w.WriteHeader(http.StatusAccepted)
	})
	if err := hook.Send(t.Context(), newMessage()); err != nil {
		t.Fatal(err)
	}
	r := got()[0]
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("1795510800." + body))
	want := "t=1795510800,v1=" + hex.EncodeToString(mac.Sum(nil))
	if r.Header.Get("Servery-Signature") != want || r.Header.Get("Idempotency-Key") != "feedback-7" || r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v, want signature %s", r.Header, want)
	}
	if body != string(newMessage().Body) || r.Method != http.MethodPost || r.URL.Path != "/forms/" {
		t.Errorf("%s %s %s", r.Method, r.URL, body)
	}
}

func TestHook_Send_failsUnlessItWasTaken(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"500":      func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"404":      func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"silence": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then the end of the connection is noticed
			<-r.Context().Done()
		},
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
				_ = conn.Close()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hook, _ := startReceiver(t, answer)
			err := hook.Send(t.Context(), newMessage())
			if err == nil {
				t.Fatal("it was taken")
			}
			for _, word := range []string{"Анна", "79161234567", secret, "127.0.0.1/forms"} {
				if strings.Contains(err.Error(), word) {
					t.Errorf("the error has %q: %v", word, err)
				}
			}
		})
	}
}
