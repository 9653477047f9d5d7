package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/notify"
	"servery/internal/provider"
	"servery/internal/remote/faultinject"
	"servery/internal/server"
	"servery/internal/vk"
	"servery/internal/vk/double"
)

// messenger is a sender that sends its messages to the channel.
type messenger chan notify.Message

// Name implements [notify.Sender].
func (messenger) Name() string { return "messenger" }

// Send implements [notify.Sender].
func (m messenger) Send(_ context.Context, msg notify.Message) (notify.Sent, error) {
	m <- msg
	return notify.Sent{}, nil
}

// vkEdge is an edge whose first brand signs in by code and by VK ID.
type vkEdge struct {
	*edge

	vk        *double.Server
	settings  vk.Settings
	messenger messenger
}

// newVKEdge returns a server whose brand sushi offers sign-in with VK ID and by text message.
func newVKEdge(t *testing.T, d *db.DB) *vkEdge {
	t.Helper()
	e := &vkEdge{edge: newEdge(t, d), vk: double.New("51000001"), messenger: make(messenger, 10)}
	at := httptest.NewServer(e.vk)
	t.Cleanup(at.Close)
	e.settings = vk.Settings{BaseURL: at.URL, ClientID: "51000001"}
	e.useVK(t, e.settings)
	e.Import(t, map[string]string{"sushi/brand.yaml": strings.Replace(carttest.Texts["sushi/brand.yaml"],
		"settings: {", "settings: {is_auth_enabled: true, guest_orders: true, notification_channels: [sms, vk], ", 1)})
	return e
}

// useVK makes both brands use the settings of VK.
func (e *vkEdge) useVK(t *testing.T, s vk.Settings) {
	t.Helper()
	all := provider.Site{SMS: []notify.Sender{e.messenger}, VK: vk.New(s)}
	e.providers["sushi"], e.providers["pizza"] = all, all
}

// startVK begins a sign-in with VK ID and returns the query of the address of VK's page.
func (b *browser) startVK() url.Values {
	b.t.Helper()
	page, err := url.Parse(b.ok("POST", "/api/user/vk/start", nil)["url"].(string))
	if err != nil {
		b.t.Fatal(err)
	}
	return page.Query()
}

// agree chooses an account at VK's page and returns the body of the call with which the page returns.
func (e *vkEdge) agree(asked url.Values, account string) object {
	code, device := e.vk.Agree(account, asked.Get("code_challenge"), asked.Get("redirect_uri"), asked.Get("state"))
	return object{"code": code, "state": asked.Get("state"), "device_id": device}
}

// signInByVK signs the browser in with an account of VK, from the start to the return, and returns the answer.
func (e *vkEdge) signInByVK(b *browser, account string) object {
	b.t.Helper()
	return b.ok("POST", "/api/user/vk/callback", e.agree(b.startVK(), account))
}

func TestVk_signsInTheCustomerOfTheAccountsPhone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		b := e.browser(t)
		b.fill()
		old := sessionCookieOf(b)
		in := e.signInByVK(b, "100001")
		if in["phone_required"] != false || dig(in, "user", "phone") != "79161234501" || dig(in, "user", "name") != "Анна" {
			t.Errorf("signed in: %v", in)
		}
		if sessionCookieOf(b) == old || b.cartCount() != 2.0 {
			t.Error("the visit did not go on under another token")
		}
		second := e.browser(t)
		if got := second.signIn("79161234501")["user"]; dig(got, "id") != dig(in, "user", "id") {
			t.Errorf("by a link it is %v", got)
		}
		again := e.browser(t)
		if got := e.signInByVK(again, "100001"); dig(got, "user", "id") != dig(in, "user", "id") {
			t.Errorf("again it is %v", got)
		}
	})
}

func TestVk_joinsAnAccountWithoutAPhoneByACode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		e.runJobs(t)
		b := e.browser(t)
		if in := e.signInByVK(b, "100003"); in["phone_required"] != true || in["user"] != nil {
			t.Fatalf("without a phone: %v", in)
		}
		if in := b.ok("GET", "/api/user/check-session", nil); in["is_signed_in"] != false {
			t.Fatalf("it is signed in: %v", in)
		}
		in := e.signInByCode(b, "79161234509", true)
		again := e.browser(t)
		if got := e.signInByVK(again, "100003"); dig(got, "user", "id") != dig(in, "user", "id") || got["phone_required"] != false {
			t.Errorf("afterwards: %v", got)
		}
	})
}

func TestVk_pendingAccountIsNotLinkedToTheNextCustomer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		e.runJobs(t)
		shared := e.browser(t)
		e.signInByVK(shared, "100003") // and its person walks away
		next := e.signInByCode(shared, "79161234509", false)
		if got := e.signInByVK(e.browser(t), "100003"); got["phone_required"] != true {
			t.Errorf("the account of one person signs another in: %v as %v", got, next)
		}
	})
}

func TestVk_asksForACodeToItsPhoneWhereTheBrandWantsIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		e.settings.ConfirmPhone = true
		e.useVK(t, e.settings)
		if in := e.signInByVK(e.browser(t), "100001"); in["phone_required"] != true {
			t.Errorf("a new account: %v", in)
		}
	})
}

// runJobs runs the jobs of the queue until the end of the test.
func (e *vkEdge) runJobs(t *testing.T) {
	t.Helper()
	if err := e.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.queue.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

// signInByCode signs the browser in by a code that is sent to the phone, and returns the answer. joinVK
// links the VK account that waits in the session.
func (e *vkEdge) signInByCode(b *browser, phone string, joinVK bool) object {
	b.t.Helper()
	b.ok("POST", "/api/user/login", object{"city_id": moscow(nil)["city_id"], "phone": phone, "notify_channel": "sms", "join_vk": joinVK})
	select {
	case m := <-e.messenger:
		return b.ok("POST", "/api/user/check-verification-code", object{"code": m.Code})
	case <-time.After(20 * time.Second):
		b.t.Fatal("no code was sent")
	}
	return nil
}

func TestVk_returnToAnotherBrowserSignsNobodyIn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		attacker, victim := e.browser(t), e.browser(t)
		back := e.agree(attacker.startVK(), "100001")
		victim.startVK()
		for _, session := range []*browser{victim, e.browser(t)} {
			session.refused(http.StatusUnprocessableEntity, "", "POST", "/api/user/vk/callback", back)
			e.Clock.Advance(time.Minute) // wrong returns are bounded
			if in := session.ok("GET", "/api/user/check-session", nil); in["is_signed_in"] != false {
				t.Errorf("signed in: %v", in)
			}
		}
		attacker.ok("POST", "/api/user/vk/callback", back)
		attacker.refused(http.StatusUnprocessableEntity, "", "POST", "/api/user/vk/callback", back)
	})
}

func TestVk_openingTheReturnAddressSignsNobodyIn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		b := e.browser(t)
		back := e.agree(b.startVK(), "100001")
		q := url.Values{"code": {back["code"].(string)}, "state": {back["state"].(string)}, "device_id": {back["device_id"].(string)}}
		if a := b.call("GET", "/auth/vk/callback?"+q.Encode(), nil); a.status != http.StatusOK {
			t.Errorf("the page: %d", a.status)
		}
		if in := b.ok("GET", "/api/user/check-session", nil); in["is_signed_in"] != false {
			t.Errorf("signed in: %v", in)
		}
		b.ok("POST", "/api/user/vk/callback", back)
	})
}

func TestVk_returnsToAddressesOfTheBrandOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		b := e.browser(t)
		_, port, _ := strings.Cut(strings.TrimPrefix(e.http.URL, "http://"), ":")
		own := "http://localhost:" + port + "/auth/vk/callback"
		for host, want := range map[string]string{
			"localhost:" + port:        own,
			"LocalHost:" + port:        own,
			"localhost":                "http://localhost/auth/vk/callback",
			"localhost:1":              "http://localhost/auth/vk/callback",
			"evil.example:" + port:     own,
			"evil.example":             "http://localhost/auth/vk/callback",
			"localhost.evil.example:1": "http://localhost/auth/vk/callback",
		} {
			page, err := url.Parse(b.ok("POST", "/api/user/vk/start", nil, "Host", host)["url"].(string))
			if err != nil || page.Query().Get("redirect_uri") != want {
				t.Errorf("%s: back to %s, want %s", host, page.Query().Get("redirect_uri"), want)
			}
		}
	})
}

func TestVk_outageIsReportedAndLoggedWithoutThePerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		b := e.browser(t)
		back := e.agree(b.startVK(), "100001")
		e.vk.Inject(faultinject.HTML)
		if got := b.refused(http.StatusServiceUnavailable, "", "POST", "/api/user/vk/callback", back); !strings.Contains(got, "VK ID is not answering") {
			t.Errorf("it says %q", got)
		}
		log := e.log.String()
		if !strings.Contains(log, "not the JSON that it should be") {
			t.Error("nothing is logged")
		}
		for _, secret := range back {
			if strings.Contains(log, secret.(string)) {
				t.Errorf("the log has %s", secret)
			}
		}
	})
}

func TestVk_isOffWithoutSettingsOrChannel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		b := e.browser(t)
		back := object{"code": "c", "state": "s", "device_id": "d"}
		// pizza has settings, but its content names no such channel.
		b.refused(http.StatusNotFound, "", "POST", "/api/user/vk/start", nil, "Host", "pizza.localhost")
		b.refused(http.StatusNotFound, "", "POST", "/api/user/vk/callback", back, "Host", "pizza.localhost")
		delete(e.providers, "sushi")
		b.refused(http.StatusNotFound, "", "POST", "/api/user/vk/start", nil)
		b.refused(http.StatusNotFound, "", "POST", "/api/user/vk/callback", back)
	})
}

func TestSecurityPolicy_allowsTheCaptchaAsTheOnlyForeignSource(t *testing.T) {
	t.Parallel()
	const origin = "https://challenges.cloudflare.com"
	policyOf := func(t *testing.T, e *vkEdge, host string) string {
		t.Helper()
		return e.browser(t).call("GET", "/", nil, "Host", host).header.Get("Content-Security-Policy")
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if got := policyOf(t, newVKEdge(t, d), "localhost"); strings.Contains(got, "http") {
			t.Errorf("without a captcha: %s", got)
		}
	})
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		for _, brand := range []string{"sushi", "pizza"} {
			s := e.providers[brand]
			s.Captcha = &provider.Captcha{Provider: "turnstile", SiteKey: "k", Origin: origin}
			e.providers[brand] = s
		}
		want := "default-src 'self'; img-src 'self' data:; script-src 'self' " + origin + "; frame-src 'self' " + origin + "; connect-src 'self' " + origin +
			"; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
		if got := policyOf(t, e, "localhost"); got != want {
			t.Errorf("with a captcha: %s", got)
		}
		if got := policyOf(t, e, "pizza.localhost"); strings.Contains(got, "http") {
			t.Errorf("without a sign-in: %s", got)
		}
	})
}

func TestMailbox_showsCodesThatNoProviderSends(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		page := server.MailboxPages(e.mailbox)
		get := func(path string) string {
			w := httptest.NewRecorder()
			page.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
			if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %d", path, w.Code)
			}
			return w.Body.String()
		}
		if got := get("/dev/mailbox"); !strings.Contains(got, "Nothing yet") {
			t.Errorf("an empty mailbox: %s", got)
		}
		for phone, code := range map[string]string{"79161234501": "0011", "79161234502": "0022"} {
			m := notify.Message{Phone: phone, Code: code, Text: "<b>" + code + "</b>"}
			if _, err := e.mailbox.Sender(notify.SMS).Send(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		if got := get("/dev/mailbox"); !strings.Contains(got, "0011") || !strings.Contains(got, "0022") || strings.Contains(got, "<b>") {
			t.Errorf("the page: %s", got)
		}
		got := get("/dev/mailbox.json?phone=%2B7+916+123-45-02")
		if !strings.Contains(got, `"code":"0022"`) || strings.Contains(got, "0011") {
			t.Errorf("the list: %s", got)
		}
		if a := e.browser(t).call("GET", "/dev/mailbox", nil); a.status != http.StatusNotFound {
			t.Errorf("where it was not requested: %d", a.status)
		}
	})
}

func TestFinishVk_wrongReturnsBlockTheirSessionAndNotTheAddress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newVKEdge(t, d)
		b, neighbour := e.browser(t), e.browser(t)
		asked := b.startVK()
		for range 10 {
			b.refused(http.StatusUnprocessableEntity, "", "POST", "/api/user/vk/callback", object{"code": "guess", "state": "guess", "device_id": "d"})
		}
		b.refused(http.StatusTooManyRequests, "", "POST", "/api/user/vk/callback", e.agree(asked, "100001"))
		if in := e.signInByVK(neighbour, "100001"); in["phone_required"] != false {
			t.Errorf("the neighbour: %v", in)
		}
	})
}
