package server_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"servery/internal/captcha"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/notify"
	"servery/internal/provider"
)

// codeRequest returns the body of a call that requests a code for the phone.
func codeRequest(phone string) object {
	return object{"city_id": carttest.Moscow, "phone": phone, "notify_channel": "sms", "name": "Anna"}
}

// awaitMessage waits for the next message that is sent to a phone.
func (e *vkEdge) awaitMessage(t *testing.T) notify.Message {
	t.Helper()
	select {
	case m := <-e.messenger:
		return m
	case <-time.After(20 * time.Second):
		t.Fatal("no code was sent")
		return notify.Message{}
	}
}

// awaitCode waits for the next message that is sent to a phone, and returns the code in it.
func (e *vkEdge) awaitCode(t *testing.T) string {
	t.Helper()
	return e.awaitMessage(t).Code
}

func TestLogin_continuesTheVisitUntilLogoutAndKeepsTheDevice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		e.runJobs(t)
		b := e.browser(t)
		b.fill()
		old := sessionCookieOf(b)
		v := dig(b.ok("POST", "/api/user/login", codeRequest("8 (916) 123-45-67")), "user", "verification")
		if dig(v, "timer") != 60.0 || dig(v, "expires_in") != 300.0 || dig(v, "code_length") != 4.0 || dig(v, "phone") != annasPhone || dig(v, "state") != "sending" {
			t.Errorf("the answer is %v", v)
		}
		if got := dig(b.ok("GET", "/api/user/verification", nil), "user", "verification", "tries_left"); got != 5.0 {
			t.Errorf("shown are %v tries", got)
		}
		code := e.awaitCode(t)
		a := b.call("POST", "/api/user/check-verification-code", object{"code": code})
		if a.status != http.StatusOK || dig(a.json, "user", "phone") != annasPhone || dig(a.json, "user", "name") != "Anna" {
			t.Fatalf("%d %s", a.status, a.text)
		}
		if set := cookiesOf(a); set["device"] == nil || set["session"] == nil || !set["device"].HttpOnly || set["device"].MaxAge != 256*24*3600 {
			t.Errorf("cookies %v", set)
		}
		if sessionCookieOf(b) == old || b.cartCount() != 2.0 {
			t.Error("the visit did not go on under another token")
		}
		if in := b.ok("GET", "/api/user/check-session", nil); in["is_signed_in"] != true || dig(in, "user", "phone") != annasPhone {
			t.Errorf("the session is %v", in)
		}
		if got := dig(b.ok("GET", "/api/user/verification", nil), "user", "verification"); got != nil {
			t.Errorf("the used code is shown: %v", got)
		}

		signedIn := sessionCookieOf(b)
		out := b.call("DELETE", "/api/user/logout", nil)
		if set := cookiesOf(out); out.status != http.StatusOK || set["session"] == nil || set["session"].MaxAge >= 0 || set["device"] != nil {
			t.Errorf("logout: %d, cookies %v", out.status, set)
		}
		b.ok("DELETE", "/api/user/logout", nil)
		thief := e.browser(t)
		for name, browser := range map[string]*browser{"the browser": b, "a thief of the old token": thief} {
			header := []string{}
			if browser == thief {
				header = []string{"Cookie", "session=" + signedIn}
			}
			if in := browser.ok("GET", "/api/user/check-session", nil, header...); in["is_signed_in"] != false {
				t.Errorf("after the logout %s is signed in", name)
			}
		}
		b.ok("POST", "/api/user/login", codeRequest(annasPhone)) // its own budget: no wait for the code before
		e.awaitCode(t)
	})
}

func TestLimit_isShownUnderThePhoneWithTheTimeToWait(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		b := e.browser(t)
		b.ok("POST", "/api/user/login", codeRequest(annasPhone))
		a := e.browser(t).call("POST", "/api/user/login", codeRequest(annasPhone), "Cookie", "language=ru")
		if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "60" ||
			!strings.Contains(a.text, `"phone":["Слишком много попыток! Повторите позже"]`) {
			t.Errorf("%d %s %s", a.status, a.header.Get("Retry-After"), a.text)
		}
		if got := b.refused(http.StatusUnprocessableEntity, "code", "POST", "/api/user/check-verification-code", object{"code": "12"}); !strings.Contains(got, "5 attempts") {
			t.Errorf("half a code: %s", got)
		}
		b.refused(http.StatusUnprocessableEntity, "notify_channel", "POST", "/api/user/login", object{"city_id": carttest.Moscow, "phone": "79161234568", "notify_channel": "vk"})
	})
}

func TestLogin_afterTheAnswerToASignInWasLostSendsACodeAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		e.runJobs(t)
		b := e.browser(t)
		b.fill()
		old := sessionCookieOf(b)
		b.ok("POST", "/api/user/login", codeRequest(annasPhone))
		// Another browser gets the answer, so that this one keeps the cookie from before.
		answered := e.browser(t)
		answered.ok("POST", "/api/user/check-verification-code", object{"code": e.awaitCode(t)}, "Cookie", "session="+old)
		if got := b.cartCount(); got != 0.0 || sessionCookieOf(b) != old {
			t.Fatalf("without the answer the cart has %v, with another cookie: %v", got, sessionCookieOf(b) != old)
		}
		e.Clock.Advance(time.Minute)
		b.ok("POST", "/api/user/login", codeRequest(annasPhone))
		b.ok("POST", "/api/user/check-verification-code", object{"code": e.awaitCode(t)})
		if got := b.cartCount(); got != 2.0 {
			t.Errorf("after the second sign-in the cart has %v, want what was in it", got)
		}
	})
}

func TestLogin_beyondTheLimitOfAnAddressAnswersAlikeAndSendsNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		var last *browser
		for i := range 12 { // all of one address
			last = e.browser(t)
			a := last.call("POST", "/api/user/login", codeRequest(fmt.Sprintf("7916%03d4567", i)))
			if a.status != http.StatusOK || dig(a.json, "user", "verification", "state") != "sending" || dig(a.json, "user", "verification", "timer") != 60.0 {
				t.Fatalf("%d %s", a.status, a.text)
			}
		}
		var withheld int
		if err := d.Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM login_challenge WHERE state = 'withheld'").Scan(&withheld); err != nil {
			t.Fatal(err)
		}
		if withheld != 2 {
			t.Errorf("%d are withheld", withheld)
		}
		e.Clock.Advance(time.Second)
		if got := dig(last.ok("GET", "/api/user/verification", nil), "user", "verification", "state"); got != "sent" {
			t.Errorf("it is %v", got)
		}
	})
}

func TestLogin_ofASiteWithoutItIsNotFoundAndHasNoChannel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.refused(http.StatusNotFound, "", "POST", "/api/user/login", codeRequest(annasPhone))
		b.refused(http.StatusNotFound, "", "GET", "/api/user/verification", nil)
		b.refused(http.StatusNotFound, "", "POST", "/api/user/check-verification-code", object{"code": "1234"})
		if in := b.ok("GET", "/api/user/check-session", nil); in["is_signed_in"] != false {
			t.Errorf("%v", in)
		}
		if text := b.call("GET", "/moscow", nil).text; !strings.Contains(text, `"notification_channels":[]`) || !strings.Contains(text, `"guest_orders":true`) {
			t.Error("the page offers to sign in")
		}
	})
}

func TestLogin_codeNamesAHostOfTheBrandWhateverTheRequestSays(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		e.runJobs(t)
		e.browser(t).ok("POST", "/api/user/login", codeRequest(annasPhone), "Host", "evil.example")
		if m := e.awaitMessage(t); !strings.HasSuffix(m.Text, "\n@localhost #"+m.Code) {
			t.Errorf("sent is %q", m.Text)
		}
		text := strings.Replace(carttest.Texts["sushi/brand.yaml"], "settings: {", "settings: {is_auth_enabled: true, notification_channels: [sms], ", 1)
		e.Import(t, map[string]string{"sushi/brand.yaml": strings.Replace(text, "hosts: [localhost]\n", "", 1)})
		e.browser(t).ok("POST", "/api/user/login", codeRequest("79161234568"), "Host", "evil.example")
		if m := e.awaitMessage(t); strings.Contains(m.Text, "@") {
			t.Errorf("of a brand without hosts, sent is %q", m.Text)
		}
	})
}

// stubCaptcha is a captcha that accepts one token, or does not answer.
type stubCaptcha struct{ down bool }

// Verify implements [captcha.Verifier].
func (g stubCaptcha) Verify(_ context.Context, token, _ string) (captcha.Result, error) {
	switch {
	case g.down:
		return captcha.Unanswered, errors.New("no answer")
	case token == "human":
		return captcha.Passed, nil
	}
	return captcha.Refused, nil
}

func TestLogin_requiresACaptchaWhereTheBrandDoes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		e.providers["sushi"] = provider.Site{
			SMS:     []notify.Sender{e.messenger},
			Captcha: &provider.Captcha{Verifier: stubCaptcha{}, Provider: "turnstile", SiteKey: "key-1", Always: true},
		}
		b := e.browser(t)
		if text := b.call("GET", "/moscow", nil).text; !strings.Contains(text, `"captcha":{"always":true,"provider":"turnstile","site_key":"key-1"}`) ||
			!strings.Contains(text, `"notification_channels":["sms"]`) {
			t.Error("the page does not know captcha and channels")
		}
		const field = "captcha_user_token"
		b.refused(http.StatusUnprocessableEntity, field, "POST", "/api/user/login", codeRequest(annasPhone))
		solved := codeRequest(annasPhone)
		solved[field] = "robot"
		b.refused(http.StatusUnprocessableEntity, field, "POST", "/api/user/login", solved)
		solved[field] = "human"
		b.ok("POST", "/api/user/login", solved)

		e.providers["sushi"].Captcha.Verifier = stubCaptcha{down: true}
		unknown := codeRequest("79161234568")
		unknown[field] = "robot"
		b.ok("POST", "/api/user/login", unknown)
	})
}
