package server_test

import (
	"net/http"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestPost_fromAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		body := moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free})
		for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}} {
			b.refused(http.StatusForbidden, "", "PUT", "/api/cart/add", body, header...)
		}
		b.ok("PUT", "/api/cart/add", body, "Sec-Fetch-Site", "same-origin")
	})
}

// A proxy on another port must pass the Host header with the port. In nginx $host has no port.
func TestOrigin_withAPublicPortIsThePagesOwn(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	body := moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free})
	const origin = "https://localhost:8443"
	b.ok("PUT", "/api/cart/add", body, "Host", "localhost:8443", "Origin", origin)
	b.refused(http.StatusForbidden, "", "PUT", "/api/cart/add", body, "Host", "localhost", "Origin", origin)
}

func TestOperator_needsAToken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for _, token := range []string{"", "Bearer ", "Bearer wrong", operatorToken, "Basic " + operatorToken} {
			header := []string{}
			if token != "" {
				header = []string{"Authorization", token}
			}
			b.refused(http.StatusUnauthorized, "", "GET", "/api/operator/orders", nil, header...)
			b.refused(http.StatusUnauthorized, "", "POST", "/api/operator/orders/1/status", object{"status": "done"}, header...)
			b.refused(http.StatusUnauthorized, "", "POST", "/api/operator/stops", object{"site": "sushi", "kind": "product", "alias": "soy"}, header...)
		}
		b.ok("GET", "/api/operator/orders", nil, "Authorization", "Bearer "+operatorToken)
	})
}

func TestSession_isNotBegunByReading(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for _, path := range []string{"/", "/moscow", "/api/cities", "/api/cities/moscow", "/api/shops?city_id=1", "/api/user/addresses"} {
			if a := b.call("GET", path, nil); a.status != http.StatusOK || a.header.Get("Set-Cookie") != "" {
				t.Errorf("%s: %d, cookie %q", path, a.status, a.header.Get("Set-Cookie"))
			}
		}
		if a := b.call("PUT", "/api/cart", moscow(nil)); a.header.Get("Set-Cookie") != "" {
			t.Errorf("an empty cart set the cookie %q", a.header.Get("Set-Cookie"))
		}
		a := b.call("PUT", "/api/cart/add", moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free}))
		cookie := a.header.Get("Set-Cookie")
		for _, part := range []string{"session=", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=22118400"} {
			if !strings.Contains(cookie, part) {
				t.Errorf("no %s in %q", part, cookie)
			}
		}
	})
}

func TestHost_selectsTheBrandOrElseTheDefault(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for host, city := range map[string]string{"localhost:8080": "moscow", "pizza.localhost:1": "berlin", "nobody.example": "moscow"} {
			list := b.ok("GET", "/api/cities", nil, "Host", host)["list"].([]any)
			if got := dig(list[0], "alias"); got != city {
				t.Errorf("%s sells in %v first, want %s", host, got, city)
			}
		}
		if a := b.call("GET", "/api/cities/moscow", nil, "Host", "pizza.localhost"); a.status != http.StatusNotFound {
			t.Errorf("a brand shows a city of another: %d", a.status)
		}
	})
}

func TestPages_areFoundOnlyWhereTheyExist(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for path, status := range map[string]int{
			"/moscow/shops": http.StatusOK, "/moscow/delivery": http.StatusOK, "/moscow/cart": http.StatusOK,
			"/moscow/back-to-home": http.StatusOK, "/moscow/order-complete": http.StatusNotFound, "/moscow/status": http.StatusNotFound,
			"/nowhere/shops": http.StatusNotFound,
		} {
			if a := b.call("GET", path, nil); a.status != status {
				t.Errorf("%s is answered with %d, want %d", path, a.status, status)
			}
		}
	})
}

func TestHome_keepsTheQueryOfAnAddressThatEndsInASlash(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, query := range []string{"", "?state=payment-success", "?group=sushi&modal=cities"} {
		a := b.call("GET", "/moscow/"+query, nil)
		if a.status != http.StatusPermanentRedirect || a.header.Get("Location") != "/moscow"+query {
			t.Errorf("%q: %d to %q", query, a.status, a.header.Get("Location"))
		}
	}
}

// The city may have got another alias since the message with the link was sent, or may be gone. No other site
// learns the secret of the link.
func TestOrderLink_opensUnderAnUnknownCity(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, page := range []string{"/order/12345678/tracking?t=secret", "/order/payment/key?lang=en"} {
		a := b.call("GET", "/nowhere"+page, nil)
		if a.status != http.StatusFound || a.header.Get("Location") != "/moscow"+page || a.header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %d to %q, Referrer-Policy %q", page, a.status, a.header.Get("Location"), a.header.Get("Referrer-Policy"))
		}
	}
}

func TestSignIn_secretsStayInTheAddressThatBringsThem(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for _, path := range []string{"/auth/link", "/auth/vk/callback"} {
			a := b.call("GET", path+"?code=the-secret&state=the-secret&device_id=the-secret", nil)
			if a.status != http.StatusOK || a.header.Get("Referrer-Policy") != "no-referrer" || strings.Contains(a.text, "the-secret") {
				t.Errorf("%s: %d, Referrer-Policy %q, %s", path, a.status, a.header.Get("Referrer-Policy"), a.text)
			}
		}
		robots := b.call("GET", "/robots.txt", nil).text
		for _, kept := range []string{"/auth/", "/staff/", "/*/profile"} {
			if !strings.Contains(robots, "Disallow: "+kept+"\n") {
				t.Errorf("robots may visit %s: %s", kept, robots)
			}
		}
	})
}

func TestMenu_isSentAgainOnlyOnceItHasChanged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		const path = "/api/products?city_id=1&order_type=delivery&delivery_zone_id=101"
		first := b.call("GET", path, nil, "Accept-Encoding", "gzip")
		if first.status != http.StatusOK || first.header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%d, encoding %q", first.status, first.header.Get("Content-Encoding"))
		}
		tag := first.header.Get("ETag")
		if again := b.call("GET", path, nil, "If-None-Match", tag); again.status != http.StatusNotModified || again.text != "" {
			t.Errorf("the known menu came again: %d", again.status)
		}
		e.Stop(t, "product", "rice-roll")
		if again := b.call("GET", path, nil, "If-None-Match", tag); again.status != http.StatusOK || !strings.Contains(again.text, `"type":"stop"`) {
			t.Errorf("the stop does not show: %d", again.status)
		}
		whole := b.ok("POST", "/api/products", moscow(object{"delivery_zone_id": carttest.Free}))
		if len(whole["product_groups"].([]any)) != 2 {
			t.Errorf("groups: %v", whole["product_groups"])
		}
	})
}

// The cities of this brand have a second shop that delivers. A dish of Arbat only is in the menu of the
// zones that Arbat cooks for, and so in the menu without a zone exactly while a zone of Arbat stands first.
func TestMenu_withoutAZoneIsThatOfTheFirstZoneOfTheCity(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	hasArbatRoll := func(more object) bool {
		t.Helper()
		return strings.Contains(b.call("POST", "/api/products", moscow(more)).text, `"alias":"arbat-roll"`)
	}
	shops := strings.Replace(carttest.Texts["sushi/shops.yaml"], "order_types: [takeaway], hours: {default: {1-7: [\"10:00-22:00\"]}}, ceiling", "hours: {default: {1-7: [\"10:00-22:00\"]}}, ceiling", 1)
	for first, c := range map[string]struct {
		ofPokrovka string // the zone that Pokrovka cooks for
		want       bool
	}{
		"of Arbat":    {"Юг", true},
		"of Pokrovka": {"Центр", false},
	} {
		zone := "name: " + c.ofPokrovka + ", shop: "
		cities := strings.Replace(carttest.Texts["sushi/cities.yaml"], zone+"arbat", zone+"pokrovka", 1)
		e.Import(t, map[string]string{"sushi/shops.yaml": shops, "sushi/cities.yaml": cities})
		if got, inFirst := hasArbatRoll(nil), hasArbatRoll(object{"delivery_zone_id": carttest.Free}); got != c.want || inFirst != c.want {
			t.Errorf("the first zone is one %s: the dish of Arbat is in the menu without a zone: %v, in that of the zone: %v", first, got, inFirst)
		}
	}
}

// A brand without the button of languages offers no choice: whatever a browser asks for, its documents are in
// the brand's own language.
func TestDocument_isInTheBrandsLanguageWhereThereIsNoChoice(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	asked := map[string]struct {
		path   string
		header []string
	}{
		"the address": {"/moscow?lang=en", []string{"Accept-Language", "ru"}},
		"the cookie":  {"/moscow", []string{"Accept-Language", "ru", "Cookie", "language=en"}},
		"the header":  {"/moscow", []string{"Accept-Language", "en"}},
	}
	expectLanguage := func(want string) {
		t.Helper()
		for by, c := range asked {
			if a := b.call("GET", c.path, nil, c.header...); a.status != http.StatusOK || !strings.Contains(a.text, `<html lang="`+want+`"`) {
				t.Errorf("English is asked for by %s: %d, want the language %s in %.80s", by, a.status, want, a.text)
			}
		}
	}
	expectLanguage("en")
	brand := carttest.Texts["sushi/brand.yaml"]
	e.Import(t, map[string]string{"sushi/brand.yaml": strings.Replace(brand, "settings: {", "settings: {show_lang_button: false, ", 1)})
	expectLanguage("ru")
}

func TestDocument_carriesItsDataAndNothingThatCouldRun(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		a := b.call("GET", "/moscow", nil)
		for _, part := range []string{
			`<html lang="en">`, "<h1>home Москва</h1>", `<script type="application/json" id="page-data">{"cities":`, `"page":"home"`,
			`"product_groups":`, `<script type="module" src="/assets/entry-1.js"></script>`, `<link rel="canonical" href="/moscow?lang=en">`,
		} {
			if !strings.Contains(a.text, part) {
				t.Errorf("no %s in %s", part, a.text)
			}
		}
		policy := a.header.Get("Content-Security-Policy")
		if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'self'") {
			t.Errorf("policy %q", policy)
		}
		if again := b.call("GET", "/moscow", nil, "If-None-Match", a.header.Get("ETag")); again.status != http.StatusNotModified {
			t.Errorf("the known document came again: %d", again.status)
		}
		if other := b.call("GET", "/moscow", nil, "Cookie", "language=ru"); !strings.Contains(other.text, `<html lang="ru"`) {
			t.Error("the chosen language does not count")
		}
	})
}

func TestCall_byAnotherMethodNamesThoseOfItsAddress(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/api/cart", http.StatusMethodNotAllowed, "PUT"},
		{"DELETE", "/api/products", http.StatusMethodNotAllowed, "GET, POST"},
		{"POST", "/api/cities/moscow", http.StatusMethodNotAllowed, "GET"},
		{"POST", "/api/nothing", http.StatusNotFound, ""},
	} {
		a := b.call(c.method, c.path, nil, "Accept-Language", "en")
		if a.status != c.status || a.header.Get("Allow") != c.allow {
			t.Errorf("%s %s: %d, Allow %q; %s", c.method, c.path, a.status, a.header.Get("Allow"), a.text)
		}
		if c.allow != "" && !strings.Contains(a.text, "This address is called by "+c.allow) {
			t.Errorf("%s %s says %s", c.method, c.path, a.text)
		}
	}
}

func TestDocument_ofAnUnknownPageIsNotFound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for path, status := range map[string]int{
			"/": 200, "/moscow": 200, "/moscow/cart": 200, "/moscow/order/12345678/tracking": 200, "/paris": 404, "/moscow/nothing": 404,
			"/assets/entry-1.js": 200, "/assets/../server.go": 404, "/assets/none.js": 404, "/media/none.jpg": 404,
			"/healthz": 200, "/readyz": 200, "/metrics": 200, "/robots.txt": 200,
		} {
			if a := b.call("GET", path, nil); a.status != status {
				t.Errorf("%s: %d, want %d", path, a.status, status)
			}
		}
	})
}

func TestLog_hasNothingPersonal(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		_, link := b.order()
		b.call("POST", "/api/order/status", object{"order_id": 1, "phone": "79161234567"})
		for _, secret := range []string{"79161234567", "Anna", link} {
			if strings.Contains(e.log.String(), secret) {
				t.Errorf("%q is in the log", secret)
			}
		}
		if !strings.Contains(e.log.String(), "POST /api/order/create") {
			t.Error("requests are not logged by their route")
		}
	})
}

func TestServer_readyz_failsWhileItDrains(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.server.Drain()
		e.server.Drain()
		b := e.browser(t)
		if a := b.call("GET", "/readyz", nil); a.status != http.StatusServiceUnavailable {
			t.Errorf("readyz: %d", a.status)
		}
		if a := b.call("GET", "/moscow", nil); a.status != http.StatusOK {
			t.Errorf("those who are here are not served: %d", a.status)
		}
	})
}

func TestAnswers_ofOneVisitorAreNotCached(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		b.signIn("79160000001")
		for _, path := range []string{
			"/api/user/addresses",
			"/api/operator/orders",
		} {
			a := b.call("GET", path, nil, asOperator...)
			if kept := a.header.Get("Cache-Control"); a.status != http.StatusOK || kept != "no-store" {
				t.Errorf("%s: %d, Cache-Control %q", path, a.status, kept)
			}
		}
		menu := b.call("GET", "/api/products?city_id=1&order_type=delivery", nil)
		if kept := menu.header.Get("Cache-Control"); kept != "no-cache" {
			t.Errorf("the menu, which is everybody's: %d, Cache-Control %q", menu.status, kept)
		}
	})
}

func TestLicences_areCompressedAndCachedForADay(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	whole := b.call("GET", "/licences.txt", nil, "Accept-Encoding", "identity")
	if whole.status != http.StatusOK || !strings.Contains(whole.text, "Mozilla Public License") || whole.header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Fatalf("%d, %v, %.80s", whole.status, whole.header, whole.text)
	}
	for _, coding := range []string{"br", "gzip"} {
		packed := b.call("GET", "/licences.txt", nil, "Accept-Encoding", coding)
		if packed.header.Get("Content-Encoding") != coding || len(packed.text)*4 > len(whole.text) {
			t.Errorf("%s: %v, %d bytes", coding, packed.header, len(packed.text))
		}
	}
	if kept := whole.header.Get("Cache-Control"); kept != "public, max-age=86400" {
		t.Errorf("kept as %q", kept)
	}
	if again := b.call("GET", "/licences.txt", nil, "If-None-Match", whole.header.Get("ETag")); again.status != http.StatusNotModified || again.text != "" {
		t.Errorf("asked again: %d", again.status)
	}
}
