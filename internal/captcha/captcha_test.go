package captcha_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/captcha"
	"servery/internal/captcha/double"
	"servery/internal/remote/faultinject"
)

const secret = "hunter2"

// startProviders starts a double of each provider, and returns verifiers with the secret that call them.
func startProviders(t *testing.T, secret string) map[string]struct {
	captcha.Verifier
	*double.Server
} {
	t.Helper()
	serve := func(d *double.Server) (*double.Server, string) {
		server := httptest.NewServer(d)
		t.Cleanup(server.Close)
		return d, server.URL
	}
	turnstile, at := serve(double.NewTurnstile("hunter2"))
	smart, smartAt := serve(double.NewSmartCaptcha("hunter2"))
	return map[string]struct {
		captcha.Verifier
		*double.Server
	}{
		captcha.TurnstileName:    {captcha.NewTurnstile(at, secret), turnstile},
		captcha.SmartCaptchaName: {captcha.NewSmartCaptcha(smartAt, secret), smart},
	}
}

func TestVerify_takesATokenOnce(t *testing.T) {
	t.Parallel()
	for name, kind := range startProviders(t, secret) {
		for i, want := range []captcha.Result{captcha.Passed, captcha.Refused} {
			if got, err := kind.Verify(t.Context(), "person-1", "203.0.113.7"); got != want || err != nil {
				t.Errorf("%s, time %d: %v %v", name, i+1, got, err)
			}
		}
		if !slices.Contains(kind.Addresses(), "203.0.113.7") {
			t.Errorf("%s did not get the address", name)
		}
	}
}

func TestVerify_refusesWhatIsNoToken(t *testing.T) {
	t.Parallel()
	for name, kind := range startProviders(t, secret) {
		for _, token := range []string{"", "robot", strings.Repeat("x", 4000)} {
			if got, err := kind.Verify(t.Context(), token, ""); got != captcha.Refused || err != nil {
				t.Errorf("%s: %.10q is %v, %v", name, token, got, err)
			}
		}
	}
}

func TestVerify_sendsNoNetwork(t *testing.T) {
	t.Parallel()
	for name, kind := range startProviders(t, secret) {
		if got, err := kind.Verify(t.Context(), "person", "2001:db8::/64"); got != captcha.Passed || err != nil {
			t.Errorf("%s: %v %v", name, got, err)
		}
		if got := kind.Addresses(); len(got) != 1 || got[0] != "" {
			t.Errorf("%s got %q", name, got)
		}
	}
}

func TestVerify_refusesUnderAWrongSecret(t *testing.T) {
	t.Parallel()
	for name, kind := range startProviders(t, "another") {
		if got, err := kind.Verify(t.Context(), "person", ""); got != captcha.Refused || err == nil || strings.Contains(err.Error(), "another") {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

func TestVerify_outageIsAnErrorThatNamesNobody(t *testing.T) {
	t.Parallel()
	for how, injected := range faultinject.All() {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			want := captcha.Unanswered
			if how == "429" {
				want = captcha.Refused
			}
			for name, kind := range startProviders(t, secret) {
				ctx := t.Context()
				if injected.Silent {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
					defer cancel()
				}
				kind.Inject(injected)
				got, err := kind.Verify(ctx, "person-of-secrets", "")
				if got != want || err == nil || strings.Contains(err.Error(), "person") || strings.Contains(err.Error(), secret) {
					t.Errorf("%s: %v %v", name, got, err)
				}
			}
		})
	}
}

func TestVerify_refusesAnOddAnswer(t *testing.T) {
	t.Parallel()
	for name, kind := range startProviders(t, secret) {
		for _, body := range []string{`{}`, `{"status":"maybe"}`, `null`, `[]`, `{"success":"yes"}`} {
			kind.Inject(faultinject.Fault{Status: 200, Body: body})
			if got, err := kind.Verify(t.Context(), "person", ""); got != captcha.Unanswered || err == nil {
				t.Errorf("%s: %s is %v, %v", name, body, got, err)
			}
		}
	}
}

func TestVerify_neverPassesAnAnswerBelow500(t *testing.T) {
	t.Parallel()
	for name, kind := range startProviders(t, secret) {
		for _, status := range []int{400, 401, 403, 404, 408, 422, 429} {
			for _, body := range []string{"", `{"success":true,"status":"ok"}`, "<html>"} {
				kind.Inject(faultinject.Fault{Status: status, Body: body})
				if got, err := kind.Verify(t.Context(), "person", ""); got != captcha.Refused || err == nil {
					t.Errorf("%s: %d %q is %v, %v", name, status, body, got, err)
				}
			}
		}
	}
}

func TestVerify_isUnansweredWhenNoConnectionIsMade(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(nil)
	server.Close()
	for name, kind := range map[string]captcha.Verifier{
		captcha.TurnstileName: captcha.NewTurnstile(server.URL, secret), captcha.SmartCaptchaName: captcha.NewSmartCaptcha(server.URL, secret),
	} {
		if got, err := kind.Verify(t.Context(), "person", ""); got != captcha.Unanswered || err == nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
