package server_test

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// secureBrowser returns a browser that comes by https.
func (e *edge) secureBrowser(t *testing.T) *browser {
	t.Helper()
	s := httptest.NewTLSServer(e.server)
	t.Cleanup(s.Close)
	b := e.browser(t)
	b.base, b.client = s.URL, s.Client()
	var err error
	if b.client.Jar, err = cookiejar.New(nil); err != nil {
		t.Fatal(err)
	}
	return b
}

// inventToken returns a text that looks like a token of a session, but is none.
func inventToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// cookiesOf returns the cookies that an answer sets, by their names.
func cookiesOf(a answer) map[string]*http.Cookie {
	set := map[string]*http.Cookie{}
	for _, c := range (&http.Response{Header: a.header}).Cookies() {
		set[c.Name] = c
	}
	return set
}

func TestCookie_onHTTPSIsOfThisHostAloneAndOfNoScript(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		e.runJobs(t)
		b := e.secureBrowser(t)
		b.ok("POST", "/api/user/login", codeRequest(annasPhone))
		a := b.call("POST", "/api/user/check-verification-code", object{"code": e.awaitCode(t)})
		set := cookiesOf(a)
		if a.status != http.StatusOK || set["__Host-session"] == nil || set["__Host-device"] == nil {
			t.Fatalf("%d, cookies %v", a.status, set)
		}
		for name, c := range set {
			if !strings.HasPrefix(name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
				t.Errorf("the cookie %s", c)
			}
		}
		if a.header.Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Errorf("Strict-Transport-Security %q", a.header.Get("Strict-Transport-Security"))
		}
	})
}

func TestCookie_onHTTPSThatAnotherHostCouldSetIsIgnored(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		plain := e.browser(t)
		plain.signIn(annasPhone)
		b := e.secureBrowser(t)
		b.client.Jar = nil
		a := b.call("GET", "/api/user/get", nil, "Cookie", "session="+sessionCookieOf(plain))
		if a.status != http.StatusUnauthorized {
			t.Errorf("without its prefix the cookie signs in: %d", a.status)
		}
	})
}

func TestCookie_withAPlantedTokenIsNotAdopted(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		for _, token := range []string{inventToken(), "session", "", strings.Repeat("A", 4096)} {
			b := e.browser(t)
			b.client.Jar = nil
			planted := []string{"Cookie", "session=" + token}
			fresh := cookiesOf(b.call("POST", "/api/user/addresses/set-by-coordinates", pointInFreeZone(), planted...))["session"]
			if fresh == nil || fresh.Value == token || len(fresh.Value) < 43 {
				t.Errorf("a visit begun under %.20q goes on under %v", token, fresh)
			}
			signed := cookiesOf(b.call("POST", "/api/user/sign-in", object{"token": b.signInToken("sushi", annasPhone)}, planted...))["session"]
			if signed == nil || signed.Value == token || len(signed.Value) < 43 {
				t.Errorf("a sign-in under %.20q goes on under %v", token, signed)
			}
		}
	})
}

func TestCookie_changesItsTokenAtSignInAndLogout(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		b.fill()
		tokens := map[string]bool{sessionCookieOf(b): true}
		for range 2 {
			b.signIn(annasPhone)
			tokens[sessionCookieOf(b)] = true
			customers := []string{"Cookie", "session=" + sessionCookieOf(b)}
			b.ok("DELETE", "/api/user/logout", nil)
			if a := b.call("GET", "/api/user/get", nil); a.status != http.StatusUnauthorized {
				t.Errorf("after the logout the profile is answered with %d", a.status)
			}
			b.fill()
			tokens[sessionCookieOf(b)] = true
			b.client.Jar, _ = cookiejar.New(nil)
			if a := b.call("GET", "/api/user/get", nil, customers...); a.status != http.StatusUnauthorized {
				t.Errorf("under the token from before the logout the profile is answered with %d", a.status)
			}
		}
		if len(tokens) != 5 {
			t.Errorf("there were %d tokens, want one for each guest and each customer", len(tokens))
		}
	})
}

// pointInFreeZone returns the body of a call about a point in the free zone of Moscow.
func pointInFreeZone() object {
	return object{"city_id": 1, "latitude": 55.75, "longitude": 37.60}
}
