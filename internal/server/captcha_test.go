package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"servery/internal/captcha"
	"servery/internal/captcha/double"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/notify"
	"servery/internal/provider"
	"servery/internal/remote/faultinject"
)

// newCaptchaEdge returns an edge whose first brand has a captcha before each code, and the double of the
// captcha's provider.
func newCaptchaEdge(t *testing.T, d *db.DB) (*vkEdge, *double.Server) {
	t.Helper()
	e, c := newVKEdge(t, d), double.NewTurnstile("hunter2")
	at := httptest.NewServer(c)
	t.Cleanup(at.Close)
	e.providers["sushi"] = provider.Site{SMS: []notify.Sender{e.messenger}, Captcha: &provider.Captcha{
		Verifier: captcha.NewTurnstile(at.URL, "hunter2"), Provider: captcha.TurnstileName, SiteKey: "key-1", Always: true,
	}}
	return e, c
}

// codeRequestWith returns the body of a call that requests a code for the phone, with a captcha's token.
func codeRequestWith(phone, token string) object {
	wanted := codeRequest(phone)
	wanted["captcha_user_token"] = token
	return wanted
}

func TestLogin_refusesACaptchaWhoseProviderRefusesTheCheck(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e, c := newCaptchaEdge(t, d)
		for _, injected := range []faultinject.Fault{faultinject.Busy, {Status: http.StatusForbidden, Body: `{"success":true}`}, {Status: http.StatusBadRequest, Body: "{}"}} {
			for range 5 {
				c.Inject(injected)
				e.browser(t).refused(http.StatusUnprocessableEntity, "captcha_user_token", "POST", "/api/user/login", codeRequestWith(annasPhone, "person"))
			}
		}
	})
}

func TestLogin_acceptsAnUncheckedCaptchaTwicePerAddress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e, c := newCaptchaEdge(t, d)
		for i, injected := range []faultinject.Fault{faultinject.Broken, faultinject.HTML, faultinject.CutOff} {
			c.Inject(injected)
			a := e.browser(t).call("POST", "/api/user/login", codeRequestWith(fmt.Sprintf("7916%03d4567", i), "robot"))
			if want := [...]int{200, 200, 422}[i]; a.status != want {
				t.Errorf("code %d: %d %s, want %d", i+1, a.status, a.text, want)
			}
		}
		e.browser(t).ok("POST", "/api/user/login", codeRequestWith("79160034567", "person"))
		var passed, sent int
		row := d.Reader().QueryRowContext(t.Context(), "SELECT count(*), COALESCE(sum(CASE WHEN captcha_passed THEN 1 ELSE 0 END), 0) FROM login_challenge")
		if err := row.Scan(&sent, &passed); err != nil {
			t.Fatal(err)
		}
		if sent != 3 || passed != 1 {
			t.Errorf("%d codes, %d of them with a solved captcha", sent, passed)
		}
	})
}

func TestApplyPromocode_takesTheTokenOfTheCaptchaWhenCodesAreGuessed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e, c := newOfferingEdge(t, d), double.NewTurnstile("hunter2")
		at := httptest.NewServer(c)
		t.Cleanup(at.Close)
		e.providers["sushi"] = provider.Site{Captcha: &provider.Captcha{Verifier: captcha.NewTurnstile(at.URL, "hunter2"), Provider: captcha.TurnstileName, SiteKey: "key-1"}}
		const path = "/api/cart/gift/apply-promocode"
		for i := range 30 { // all of one address
			b := e.browser(t)
			b.withRice(1)
			b.refused(http.StatusUnprocessableEntity, "promocode", "PUT", path, inFreeZone(object{"promocode": fmt.Sprint("GUESS", i)}))
		}
		b := e.browser(t)
		b.withRice(1)
		wanted := inFreeZone(object{"promocode": "TEN"})
		b.refused(http.StatusUnprocessableEntity, "captcha_user_token", "PUT", path, wanted)
		for _, injected := range []faultinject.Fault{faultinject.Busy, faultinject.Broken} {
			c.Inject(injected)
			wanted["captcha_user_token"] = "person"
			b.refused(http.StatusUnprocessableEntity, "captcha_user_token", "PUT", path, wanted)
		}
		wanted["captcha_user_token"] = "person"
		b.ok("PUT", path, wanted)
	})
}

func TestCaptcha_isNotCheckedForACallThatNoLimitRefuses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e, c := newOfferingEdge(t, d), double.NewTurnstile("hunter2")
		at := httptest.NewServer(c)
		t.Cleanup(at.Close)
		e.providers["sushi"] = provider.Site{Captcha: &provider.Captcha{Verifier: captcha.NewTurnstile(at.URL, "hunter2"), Provider: captcha.TurnstileName, SiteKey: "key-1"}}
		b := e.browser(t)
		b.withRice(1)
		b.refused(http.StatusUnprocessableEntity, "promocode", "PUT", "/api/cart/gift/apply-promocode", inFreeZone(object{"promocode": "GUESS", "captcha_user_token": "robot"}))
		guest := e.browser(t)
		r := guest.checkout(guest.fill())
		r["captcha_user_token"] = "robot"
		guest.ok("POST", "/api/order/create", r)
		if asked := c.Addresses(); len(asked) != 0 {
			t.Errorf("the captcha's provider was asked %d times", len(asked))
		}
	})
}
