package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

const annasPhone = "79161234567"

var asOperator = []string{"Authorization", "Bearer " + operatorToken}

// signInToken asks for a sign-in link and returns the token in it.
func (b *browser) signInToken(site, phone string) string {
	b.t.Helper()
	made := b.ok("POST", "/api/operator/customers/sign-in-link", object{"site": site, "phone": phone}, asOperator...)
	token, ok := strings.CutPrefix(made["url"].(string), "/auth/link#")
	if !ok {
		b.t.Fatalf("the link is %v", made["url"])
	}
	return token
}

// signIn signs the browser in at the brand sushi by a link for the phone, and returns the answer.
func (b *browser) signIn(phone string) map[string]any {
	b.t.Helper()
	return b.ok("POST", "/api/user/sign-in", object{"token": b.signInToken("sushi", phone)})
}

// cartCount returns how many portions the cart in Moscow holds.
func (b *browser) cartCount() any {
	b.t.Helper()
	return dig(b.ok("PUT", "/api/cart", moscow(nil)), "cart", "count")
}

// sessionCookieOf returns the token in the browser's session cookie; empty when it has none.
func sessionCookieOf(b *browser) string {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.base, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range b.client.Jar.Cookies(req.URL) {
		if c.Name == "session" {
			return c.Value
		}
	}
	return ""
}

func TestSignIn_continuesTheVisitAsTheCustomers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.fill()
		order, _ := b.order() // empties the cart
		b.fill()
		old := sessionCookieOf(b)
		user := b.signIn("+7 916 123-45-67")["user"]
		if dig(user, "phone") != annasPhone || dig(user, "name") != "" || dig(user, "id") == 0.0 {
			t.Errorf("signed in as %v", user)
		}
		if sessionCookieOf(b) == old {
			t.Error("the cookie is the one from before")
		}
		if got := b.cartCount(); got != 2.0 {
			t.Errorf("the cart holds %v, want what the guest put in", got)
		}
		if got := b.ok("GET", "/api/user/addresses", nil)["delivery_addresses"].([]any); len(got) != 1 {
			t.Errorf("addresses %v", got)
		}
		b.ok("GET", fmt.Sprint("/api/order/", order), nil)

		thief := e.browser(t)
		stolen := []string{"Cookie", "session=" + old}
		if got := dig(thief.ok("PUT", "/api/cart", moscow(nil), stolen...), "cart", "count"); got != 0.0 {
			t.Errorf("under the old token there is a cart of %v", got)
		}
		if a := thief.call("GET", fmt.Sprint("/api/order/", order), nil, stolen...); a.status == http.StatusOK {
			t.Error("under the old token the order is shown")
		}
	})
}

func TestCart_isOneForACustomerOnTwoDevices(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk, phone := e.browser(t), e.browser(t)
		desk.fill()
		desk.signIn(annasPhone)
		phone.ok("PUT", "/api/cart/add", moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free}))
		phone.signIn(annasPhone)
		for name, b := range map[string]*browser{"desk": desk, "phone": phone} {
			if got := b.cartCount(); got != 3.0 {
				t.Errorf("at the %s the cart holds %v, want all three", name, got)
			}
			if got := b.ok("GET", "/api/user/addresses", nil)["delivery_addresses"].([]any); len(got) != 1 {
				t.Errorf("at the %s there are addresses %v", name, got)
			}
		}
		other := e.browser(t)
		other.signIn("79167654321")
		if got := other.cartCount(); got != 0.0 {
			t.Errorf("another customer's cart holds %v", got)
		}
	})
}

func TestSignIn_withoutASessionBeginsOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		a := b.call("POST", "/api/user/sign-in", object{"token": b.signInToken("sushi", annasPhone)})
		cookies := cookiesOf(a)
		if a.status != http.StatusOK || len(cookies) != 2 || !cookies["session"].HttpOnly || !cookies["device"].HttpOnly {
			t.Errorf("%d, cookies %v", a.status, cookies)
		}
	})
}

func TestSignIn_byALinkWorksOnceAtItsOwnBrandAndInTime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		used, old := b.signInToken("sushi", annasPhone), b.signInToken("sushi", annasPhone)
		b.ok("POST", "/api/user/sign-in", object{"token": used})
		e.Clock.Advance(customer.LinkLife)
		foreign := b.signInToken("pizza", "4915123456789")
		before := sessionCookieOf(b)
		said := map[string]bool{}
		for name, token := range map[string]string{"used": used, "too old": old, "of another brand": foreign, "invented": before} {
			said[b.refused(http.StatusUnprocessableEntity, "token", "POST", "/api/user/sign-in", object{"token": token})] = true
			if sessionCookieOf(b) != before {
				t.Errorf("%s: the cookie has changed", name)
			}
			e.Clock.Advance(time.Second)
		}
		if len(said) != 1 || !said["This sign-in link no longer works. Please ask for a new one"] {
			t.Errorf("refused with %v, want one answer for all", said)
		}
		b.ok("POST", "/api/user/sign-in", object{"token": foreign}, "Host", "pizza.localhost")
	})
}

// The page repeats a call whose answer was lost under the same key, with the cookie from before it or without any.
func TestSignIn_byALinkIsAnsweredAgainToItsBrowserAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b, stranger := e.browser(t), e.browser(t)
		body := object{"token": b.signInToken("sushi", annasPhone)}
		const key = "0123456789abcdef0123456789abcdef"
		b.ok("POST", "/api/user/sign-in", body, "Idempotency-Key", key)
		signedIn := sessionCookieOf(b)
		retry := e.browser(t) // has lost the answer, and with it the cookie
		retry.ok("POST", "/api/user/sign-in", body, "Idempotency-Key", key)
		if got := sessionCookieOf(retry); got != signedIn || got == "" {
			t.Errorf("the cookie is %q, want %q", got, signedIn)
		}
		stranger.refused(http.StatusUnprocessableEntity, "token", "POST", "/api/user/sign-in", body)
		stranger.refused(http.StatusUnprocessableEntity, "token", "POST", "/api/user/sign-in", body, "Idempotency-Key", key[1:]+"0")
		b.ok("DELETE", "/api/user/logout", nil)
		retry.refused(http.StatusUnprocessableEntity, "token", "POST", "/api/user/sign-in", body, "Idempotency-Key", key)
	})
}

func TestSignIn_wrongLinksBlockTheirSessionAndNotTheAddress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b, neighbour, fresh := e.browser(t), e.browser(t), e.browser(t)
		b.fill()
		neighbour.fill()
		for range 10 {
			b.refused(http.StatusUnprocessableEntity, "token", "POST", "/api/user/sign-in", object{"token": "guess"})
		}
		right := b.signInToken("sushi", annasPhone)
		if a := b.call("POST", "/api/user/sign-in", object{"token": right}); a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "600" {
			t.Errorf("the eleventh of a session: %d, to wait %q", a.status, a.header.Get("Retry-After"))
		}
		neighbour.ok("POST", "/api/user/sign-in", object{"token": right})
		fresh.ok("POST", "/api/user/sign-in", object{"token": b.signInToken("sushi", "79161234568")})
		e.Clock.Advance(10 * time.Minute)
		b.ok("POST", "/api/user/sign-in", object{"token": b.signInToken("sushi", annasPhone)})
	})
}

func TestSignIn_wrongLinksOfVisitorsWithoutASessionAreBoundByAddress(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b, neighbour := e.browser(t), e.browser(t)
	neighbour.fill()
	for range 600 {
		b.refused(http.StatusUnprocessableEntity, "token", "POST", "/api/user/sign-in", object{"token": "guess"})
	}
	b.refused(http.StatusTooManyRequests, "", "POST", "/api/user/sign-in", object{"token": "guess"})
	neighbour.ok("POST", "/api/user/sign-in", object{"token": b.signInToken("sushi", annasPhone)})
}

func TestSignIn_fromAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		token := b.signInToken("sushi", annasPhone)
		b.refused(http.StatusForbidden, "", "POST", "/api/user/sign-in", object{"token": token}, "Sec-Fetch-Site", "cross-site")
	})
}

func TestOperator_addsBonusesOnceForAKey(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		give := func(key string, bonuses any) object {
			return object{"site": "sushi", "phone": annasPhone, "key": key, "bonuses": bonuses}
		}
		const path = "/api/operator/customers/bonuses"
		for range 2 {
			if got := b.ok("POST", path, give("welcome", 100.5), asOperator...); got["balance"] != 100.5 || got["currency"] != "RUB" {
				t.Errorf("the balance is %v", got)
			}
		}
		if got := b.ok("POST", path, give("sorry", -0.5), asOperator...)["balance"]; got != 100.0 {
			t.Errorf("the balance is %v after taking some", got)
		}
		abroad := give("abroad", 3)
		abroad["currency"] = "TRY"
		if got := b.ok("POST", path, abroad, asOperator...); got["balance"] != 3.0 || got["currency"] != "TRY" {
			t.Errorf("in another currency there is %v", got)
		}
		abroad["currency"] = "EUR"
		b.refused(http.StatusUnprocessableEntity, "currency", "POST", path, abroad, asOperator...)
		b.refused(http.StatusUnprocessableEntity, "key", "POST", path, give("welcome", 100), asOperator...)
		b.refused(http.StatusConflict, "bonuses", "POST", path, give("all", -100.01), asOperator...)
		b.refused(http.StatusUnprocessableEntity, "bonuses", "POST", path, give("rich", 1e10), asOperator...)
	})
}

func TestOperator_addsAPresentOfTheBrandsGifts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.Import(t, map[string]string{
			"sushi/gifts.yaml": "- {id: 1, alias: soy-gift, product: soy, name: {ru: Соус, en: Soy on us}, personal: true, max_count: 2}\n",
		})
		anna, other := e.browser(t), e.browser(t)
		give := func(more object) object {
			body := object{"site": "sushi", "phone": annasPhone, "key": "birthday", "gift": "soy-gift"}
			for k, v := range more {
				body[k] = v
			}
			return body
		}
		const path = "/api/operator/customers/presents"
		first := anna.ok("POST", path, give(nil), asOperator...)
		if again := anna.ok("POST", path, give(nil), asOperator...); again["id"] != first["id"] {
			t.Errorf("given again it is %v, not %v", again, first)
		}
		for field, body := range map[string]object{
			"key":        give(object{"count": 2}),
			"gift":       give(object{"key": "other", "gift": "car"}),
			"expires_at": give(object{"key": "other", "expires_at": e.Clock.Now().Format(time.RFC3339)}),
			"phone":      give(object{"key": "other", "phone": "123"}),
		} {
			anna.refused(http.StatusUnprocessableEntity, field, "POST", path, body, asOperator...)
		}
		anna.signIn(annasPhone)
		presents := dig(anna.ok("PUT", "/api/cart", moscow(nil)), "cart", "presents").([]any)
		if len(presents) != 1 || dig(presents[0], "id") != first["id"] {
			t.Errorf("the customer sees %v", presents)
		}
		if theirs := dig(other.ok("PUT", "/api/cart", moscow(nil)), "cart", "presents").([]any); len(theirs) != 0 {
			t.Errorf("a guest sees %v", theirs)
		}
	})
}

func TestOperator_aloneMakesCallsAboutCustomers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for call, more := range map[string]object{
			"sign-in-link": {}, "bonuses": {"key": "a", "bonuses": 1}, "presents": {"key": "a", "gift": "soy-gift"},
		} {
			body := with(object{"site": "sushi", "phone": annasPhone}, more)
			for _, header := range [][]string{nil, {"Authorization", "Bearer wrong"}} {
				b.refused(http.StatusUnauthorized, "", "POST", "/api/operator/customers/"+call, body, header...)
			}
			body["site"] = "burgers"
			b.refused(http.StatusNotFound, "", "POST", "/api/operator/customers/"+call, body, asOperator...)
		}
	})
}

func TestOperatorCalls_takePhonesOfTheBrandsCountriesAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for number, reason := range map[string]string{
			"":              "Enter your phone number",
			"9161234567":    "Check the phone number, something looks wrong",
			"4915123456789": "Please use a number from one of the countries we work in",
		} {
			body := object{"site": "sushi", "phone": number}
			if got := b.refused(http.StatusUnprocessableEntity, "phone", "POST", "/api/operator/customers/sign-in-link", body, asOperator...); got != reason {
				t.Errorf("%q is refused with %q, want %q", number, got, reason)
			}
		}
	})
}

func TestCart_changeOvertakenByASignInIsToBeRepeated(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.fill()
		old := []string{"Cookie", "session=" + sessionCookieOf(b)}
		b.signIn(annasPhone)
		late := e.browser(t) // has nothing but the cookie from before
		a := late.call("PUT", "/api/cart/add", addRice(), old...)
		if a.status != http.StatusConflict || a.json["message"] != "You have just signed in. Please do that once more" {
			t.Errorf("the late change: %d %s", a.status, a.text)
		}
		read := late.call("PUT", "/api/cart", moscow(nil), old...)
		if got := dig(read.json, "cart", "count"); read.status != http.StatusOK || got != 0.0 {
			t.Errorf("the late reading: %d, a cart of %v", read.status, got)
		}
		if cookies := append(a.header.Values("Set-Cookie"), read.header.Values("Set-Cookie")...); len(cookies) > 0 {
			t.Errorf("the late calls overwrite the customer's cookie with %v", cookies)
		}
		if got := b.cartCount(); got != 2.0 {
			t.Errorf("the customer's cart holds %v, want what was in it", got)
		}
		e.Clock.Advance(customer.RotatedFor)
		if a := late.call("PUT", "/api/cart/add", addRice(), old...); a.status != http.StatusOK || len(a.header.Values("Set-Cookie")) != 1 {
			t.Errorf("ten minutes later: %d %s, cookies %v", a.status, a.text, a.header.Values("Set-Cookie"))
		}
	})
}

func TestCart_changesConcurrentWithASignInLeaveItsCookie(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.fill()
		old := []string{"Cookie", "session=" + sessionCookieOf(b)}
		link := b.signInToken("sushi", annasPhone)
		var all sync.WaitGroup
		changes := make([]answer, 6)
		for i := range changes {
			tab := e.browser(t)
			all.Go(func() { changes[i] = tab.call("PUT", "/api/cart/add", addRice(), old...) })
		}
		all.Go(func() { b.ok("POST", "/api/user/sign-in", object{"token": link}) })
		all.Wait()
		added := 0.0
		for _, a := range changes {
			if cookies := a.header.Values("Set-Cookie"); len(cookies) > 0 {
				t.Errorf("a change overwrites the customer's cookie with %v", cookies)
			}
			switch a.status {
			case http.StatusOK:
				added++
			case http.StatusConflict:
			default:
				t.Errorf("a change: %d %s", a.status, a.text)
			}
		}
		if got := b.cartCount(); got != 2+added {
			t.Errorf("the customer's cart holds %v, want %v: each change that was not refused", got, 2+added)
		}
	})
}

// addRice returns the body of a call that adds a roll with rice to the cart.
func addRice() object {
	return moscow(object{"product_key": fmt.Sprintf("1-%d", carttest.Rice), "delivery_zone_id": carttest.Free})
}
