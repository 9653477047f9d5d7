package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"servery/internal/remote"
	"servery/internal/remote/faultinject"
)

// startProvider serves a handler that may have a fault, and returns a client of it.
func startProvider(t *testing.T, next http.HandlerFunc) (*remote.Client, *faultinject.Handler) {
	t.Helper()
	h := &faultinject.Handler{Next: next}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return remote.New("acme", server.URL+"/base/", time.Minute), h
}

var form = url.Values{"secret": {"hunter2"}, "phone": {"79161234567"}}

func TestClient_sendsAFormBelowTheBaseAndReadsTheAnswer(t *testing.T) {
	t.Parallel()
	c, _ := startProvider(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		faultinject.WriteJSON(w, http.StatusBadRequest, map[string]string{"got": r.URL.Path + " " + r.FormValue("phone") + " " + user + " " + password})
	})
	var answer struct{ Got string }
	status, err := c.PostForm(t.Context(), "/send", form, remote.Account{User: "u", Password: "p"}, &answer)
	if err != nil || status != http.StatusBadRequest || answer.Got != "/base/send 79161234567 u p" {
		t.Errorf("%d %q %v", status, answer.Got, err)
	}
}

func TestClient_outageIsAnErrorThatNamesNobody(t *testing.T) {
	t.Parallel()
	for name, injected := range faultinject.All() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := make(chan struct{}, 10)
			c, h := startProvider(t, func(w http.ResponseWriter, r *http.Request) {
				calls <- struct{}{}
				faultinject.WriteJSON(w, http.StatusOK, map[string]string{"status": "a long word that is cut"})
			})
			h.Inject(injected)
			ctx := t.Context()
			if injected.Silent {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
				defer cancel()
			}
			var answer struct{ Status string }
			_, err := c.PostForm(ctx, "/send", form, remote.Account{User: "u", Password: "hunter3"}, &answer)
			var fault *remote.Error
			if !errors.As(err, &fault) || fault.Provider != "acme" {
				t.Fatalf("error: %v", err)
			}
			if strings.Contains(err.Error(), "hunter") || strings.Contains(err.Error(), "7916") || strings.Contains(err.Error(), "/send") {
				t.Errorf("it has: %v", err)
			}
			if injected.Silent != errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the time is over: %v", err)
			}
			// A redirect would have been followed to a true answer.
			if worked := len(calls); (worked != 0) != (injected.WorkIsDone || injected.Cut) {
				t.Errorf("%d calls came through", worked)
			}
		})
	}
}

func TestClient_endsACallAtItsTimeOut(t *testing.T) {
	t.Parallel()
	h := &faultinject.Handler{}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	h.Inject(faultinject.Silent)
	var answer struct{}
	_, err := remote.New("acme", server.URL, 20*time.Millisecond).PostForm(t.Context(), "/", form, remote.Account{}, &answer)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error: %v", err)
	}
}

func TestClient_namesAnUnreachableProviderWithoutItsAddress(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	var answer struct{}
	_, err := remote.New("acme", server.URL+"/key-hunter2", time.Minute).PostForm(t.Context(), "/", form, remote.Account{}, &answer)
	if err == nil || !strings.HasPrefix(err.Error(), "acme: cannot be reached") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error: %v", err)
	}
	_, err = remote.New("acme", "http://bad host", time.Minute).PostForm(t.Context(), "/", form, remote.Account{}, &answer)
	if err == nil || strings.Contains(err.Error(), "bad host") {
		t.Errorf("error: %v", err)
	}
}

func TestClient_saysWhyACallCameTooOften(t *testing.T) {
	t.Parallel()
	c, h := startProvider(t, nil)
	h.Inject(faultinject.Fault{Status: http.StatusTooManyRequests, Body: `{"code":60203}`})
	var answer struct{ Code remote.Text }
	if _, err := c.PostForm(t.Context(), "/", form, remote.Account{}, &answer); err == nil || answer.Code != "60203" {
		t.Errorf("%q %v", answer.Code, err)
	}
}

func TestClient_readsATextWhateverItsType(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{`"0435"`: "0435", `435`: "435", `null`: "", `79161234567`: "79161234567", `""`: ""} {
		var got remote.Text
		if err := json.Unmarshal([]byte(body), &got); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", body, got, err)
		}
	}
	for _, body := range []string{`{}`, `[1]`, `true`} {
		var got remote.Text
		if err := json.Unmarshal([]byte(body), &got); err == nil {
			t.Errorf("%s is %q", body, got)
		}
	}
}

func TestSafeCode_hasNoPersonalData(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"invalid_grant": "invalid_grant", "202": "202", "60203": "60203", "INVALID-TOKEN": "invalid-token",
		"79161234567": "", "code 1234 is wrong": "", "a@b.c": "", strings.Repeat("a", 41): "",
	} {
		if got := remote.SafeCode(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestIPAddress_acceptsOnlyAWholeAddressOfAnotherMachine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"203.0.113.7": true, "2001:db8::1": true, "2001:db8::/64": false, "": false, "127.0.0.1": false} {
		if _, got := remote.IPAddress(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
