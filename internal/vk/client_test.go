package vk_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"servery/internal/lang"
	"servery/internal/remote"
	"servery/internal/remote/faultinject"
	"servery/internal/vk"
	"servery/internal/vk/double"
)

const (
	clientID = "51000001"
	redirect = "https://sushi.example/auth/vk/callback"
	state    = "STATE567890123456789012345678901234"
	verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // of RFC 7636, appendix B
)

// startVK starts a double of VK ID and returns it with a client that calls it.
func startVK(t *testing.T) (*double.Server, *vk.Client) {
	t.Helper()
	d := double.New(clientID)
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	return d, vk.New(vk.Settings{BaseURL: server.URL, ClientID: clientID})
}

// agree chooses an account on the page of VK, and returns what the redirect carries back.
func agree(t *testing.T, d *double.Server, page string, account int64) vk.Return {
	t.Helper()
	u, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	code, device := d.Agree(fmt.Sprint(account), q.Get("code_challenge"), q.Get("redirect_uri"), q.Get("state"))
	return vk.Return{Code: code, State: q.Get("state"), DeviceID: device}
}

func TestClient_AuthorizeURL_asksForThePhoneWithAHashedVerifier(t *testing.T) {
	t.Parallel()
	c := vk.New(vk.Settings{BaseURL: vk.BaseURL, ClientID: clientID})
	page, err := url.Parse(c.AuthorizeURL(state, verifier, redirect, lang.UZ))
	if err != nil {
		t.Fatal(err)
	}
	if got := page.Scheme + "://" + page.Host + page.Path; got != "https://id.vk.com/authorize" {
		t.Errorf("the page is %s", got)
	}
	want := url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {redirect}, "state": {state}, "scope": {"phone"},
		"code_challenge_method": {"S256"}, "code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"},
	}
	if got := page.Query(); got.Encode() != want.Encode() {
		t.Errorf("asked %v", got)
	}
}

func TestFetchUser_readsTextsAndNumbers(t *testing.T) {
	t.Parallel()
	for _, numbers := range []bool{false, true} {
		d, c := startVK(t)
		d.Numbers = numbers
		for _, a := range double.Accounts() {
			back := agree(t, d, c.AuthorizeURL(state, verifier, redirect, lang.RU), a.ID)
			got, err := c.FetchUser(t.Context(), back, verifier, redirect)
			if want := (vk.User{ID: a.ID, Phone: a.Phone, Name: a.Name}); err != nil || got != want {
				t.Errorf("numbers %v, %s: %#v, %v", numbers, a.Name, got.ID, err)
			}
			if text := fmt.Sprintf("%v %+v %#v", got, got, got); a.Phone != "" && strings.Contains(text, a.Phone) || strings.Contains(text, a.Name) {
				t.Errorf("it prints as %s", text)
			}
		}
	}
}

func TestClient_exchangesACodeOnceAndOnlyWithItsVerifier(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(back *vk.Return, verifier, redirect *string){
		"another verifier": func(_ *vk.Return, verifier, _ *string) { *verifier = strings.Repeat("x", 43) },
		"another redirect": func(_ *vk.Return, _, redirect *string) { *redirect = "https://evil.example/" },
		"another device":   func(back *vk.Return, _, _ *string) { back.DeviceID = "other" },
		"another state":    func(back *vk.Return, _, _ *string) { back.State = "other" },
		"another code":     func(back *vk.Return, _, _ *string) { back.Code = "other" },
	} {
		d, c := startVK(t)
		back := agree(t, d, c.AuthorizeURL(state, verifier, redirect, lang.RU), 100001)
		changed, v, r := back, verifier, redirect
		change(&changed, &v, &r)
		var refused *vk.Refused
		if _, err := c.FetchUser(t.Context(), changed, v, r); !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d, c := startVK(t)
	back := agree(t, d, c.AuthorizeURL(state, verifier, redirect, lang.RU), 100001)
	if _, err := c.FetchUser(t.Context(), back, verifier, redirect); err != nil {
		t.Error(err)
	}
	_, err := c.FetchUser(t.Context(), back, verifier, redirect)
	var refused *vk.Refused
	if !errors.As(err, &refused) || refused.Reason != "invalid_grant" || strings.Contains(err.Error(), back.Code) {
		t.Errorf("a second time: %v", err)
	}
}

func TestClient_outageIsNoRefusalAndNamesNobody(t *testing.T) {
	t.Parallel()
	for name, injected := range faultinject.All() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, c := startVK(t)
			ctx := t.Context()
			if injected.Silent {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
				defer cancel()
			}
			back := agree(t, d, c.AuthorizeURL(state, verifier, redirect, lang.RU), 100001)
			d.Inject(injected)
			_, err := c.FetchUser(ctx, back, verifier, redirect)
			var fault *remote.Error
			if !errors.As(err, &fault) || strings.Contains(err.Error(), back.Code) || strings.Contains(err.Error(), verifier) {
				t.Errorf("error: %v", err)
			}
		})
	}
}

func TestFetchUser_refusesAnOddAnswer(t *testing.T) {
	t.Parallel()
	token := faultinject.Fault{Status: 200, Body: `{"access_token":"t","state":"` + state + `"}`}
	for _, odd := range [][]faultinject.Fault{
		{{Status: 200, Body: `{}`}},
		{{Status: 200, Body: `{"access_token":"t","state":"another"}`}},
		{{Status: 400, Body: `{}`}},
		{{Status: 200, Body: `{"error":"7916 123 45 67 is a phone"}`}},
		{token, {Status: 200, Body: `{}`}},
		{token, {Status: 200, Body: `{"user":{"user_id":"","phone":"79161234567"}}`}},
		{token, {Status: 200, Body: `{"user":{"user_id":-5}}`}},
		{token, {Status: 200, Body: `{"user":{"user_id":{},"phone":[]}}`}},
		{token, {Status: 401, Body: `{"error":"invalid_token"}`}},
	} {
		d, c := startVK(t)
		d.Inject(odd...)
		user, err := c.FetchUser(t.Context(), vk.Return{Code: "c", State: state, DeviceID: "d"}, verifier, redirect)
		if err == nil || user != (vk.User{}) || strings.Contains(err.Error(), "7916") {
			t.Errorf("%+v: %v", odd, err)
		}
	}
}

func TestPhone_isItsDigits(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{`"+7 (916) 123-45-67"`: "79161234567", `79161234567`: "79161234567", `null`: "", `""`: ""} {
		d, c := startVK(t)
		d.Inject(faultinject.Fault{Status: 200, Body: `{"access_token":"t"}`}, faultinject.Fault{Status: 200, Body: `{"user":{"user_id":7,"phone":` + sent + `}}`})
		user, err := c.FetchUser(t.Context(), vk.Return{Code: "c", State: state, DeviceID: "d"}, verifier, redirect)
		if err != nil || user.Phone != want {
			t.Errorf("%s is %q, %v", sent, user.Phone, err)
		}
	}
}
