package server_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// stamp is when a line was logged, which no test can foresee.
var stamp = regexp.MustCompile(`time=\S+`)

// secretsIn returns the name of each secret that stands in the log, with the text around it.
func (e *edge) secretsIn(secrets map[string]*regexp.Regexp) []string {
	text := stamp.ReplaceAllString(e.log.String(), "")
	var found []string
	for name, secret := range secrets {
		if at := secret.FindStringIndex(text); at != nil {
			found = append(found, fmt.Sprintf("%s: %q", name, text[max(at[0]-120, 0):min(at[1]+40, len(text))]))
		}
	}
	return found
}

func TestLog_hasNothingOfACustomer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		if err := w.edge.queue.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.edge.queue.Stop(context.WithoutCancel(t.Context())) })
		b := w.edge.browser(t)
		code := w.edge.signInByCode(b, callersPhone)
		tokens := map[string]string{"code": code}
		for name, value := range cookiesIn(b) {
			tokens[name] = value
		}
		for _, r := range rightsTable(w.belongings, callersPhone) {
			w.browserOf(theOwner, r.ends).call(r.method(), r.target(), r.body)
			b.call(r.method(), r.target(), r.body)
		}
		b.call("GET", "/auth/vk/callback?code=the-code-of-vk&state=the-state-of-vk", nil)
		b.call("POST", "/api/user/vk/callback", object{"code": "the-code-of-vk", "state": "the-state-of-vk", "device_id": "d"})
		b.call("POST", "/api/user/login", `{"phone": "`+callersPhone+`", "city_id": "`+ownersPhone+`"}`)
		b.call("POST", "/api/order/status", object{"order_id": w.done, "phone": ownersPhone})
		b.call("POST", "/api/order/status", object{"order_id": w.done, "link": w.link})
		secrets := w.secrets
		delete(secrets, "bonuses")
		secrets["caller's phone"] = regexp.MustCompile(`916\D{0,3}444\D?55\D?66`)
		secrets["used link"] = wholeWord(w.usedLink)
		secrets["code of VK"] = regexp.MustCompile("the-code-of-vk|the-state-of-vk")
		for name, value := range tokens {
			secrets[name] = wholeWord(value)
		}
		for _, found := range w.edge.secretsIn(secrets) {
			t.Errorf("in the log stands %s", found)
		}
		for _, route := range []string{"POST /api/user/check-verification-code", "DELETE /api/user/remove", "GET /auth/vk/callback"} {
			if !strings.Contains(w.edge.log.String(), route) {
				t.Errorf("%s was not logged: the test proves nothing", route)
			}
		}
	})
}

func TestLog_ofFailedCallsHasNothingOfACustomer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.Open(t, db.SQLite))
	if err := w.edge.DB.Writer().Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.edge.DB.Reader().Close(); err != nil {
		t.Fatal(err)
	}
	broken := 0
	for _, r := range rightsTable(w.belongings, callersPhone) {
		a := w.owner.call(r.method(), r.target(), r.body)
		if a.status != http.StatusInternalServerError {
			continue
		}
		broken++
		for name, secret := range w.secrets {
			if secret.MatchString(a.text) {
				t.Errorf("%s shows the %s: %s", r.route, name, a.text)
			}
		}
	}
	if broken < 20 {
		t.Errorf("only %d routes were broken", broken)
	}
	for _, found := range w.edge.secretsIn(w.secrets) {
		t.Errorf("in the log stands %s", found)
	}
}

// signInByCode signs a browser in by a code, after an attempt with a wrong one, and returns the code that was
// sent.
func (e *edge) signInByCode(b *browser, phone string) string {
	b.t.Helper()
	b.ok("POST", "/api/user/login", object{"city_id": 1, "phone": phone, "notify_channel": "sms"})
	code := e.awaitCodeTo(b.t, phone)
	b.refused(http.StatusUnprocessableEntity, "code", "POST", "/api/user/check-verification-code", object{"code": wrongCode(code)})
	b.ok("POST", "/api/user/check-verification-code", object{"code": code})
	return code
}

// wrongCode returns another code of the same length.
func wrongCode(code string) string {
	last := len(code) - 1
	return code[:last] + string('0'+(code[last]-'0'+1)%10)
}

// cookiesIn returns the values of the browser's cookies, by name.
func cookiesIn(b *browser) map[string]string {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.base, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	kept := map[string]string{}
	for _, c := range b.client.Jar.Cookies(req.URL) {
		kept[c.Name] = c.Value
	}
	return kept
}

// awaitCodeTo waits for the code that is sent to a phone, and skips messages about its orders.
func (e *edge) awaitCodeTo(t *testing.T, phone string) string {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		for _, letter := range e.mailbox.Letters(phone) {
			if letter.Code != "" {
				return letter.Code
			}
		}
		select {
		case <-deadline:
			t.Fatal("no code has come")
		case <-time.After(5 * time.Millisecond):
		}
	}
}
