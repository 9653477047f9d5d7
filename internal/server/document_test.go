package server_test

import (
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// pagesOfMoscow are pages of each kind below the city of the tests.
var pagesOfMoscow = []string{
	"/moscow", "/moscow/promotions", "/moscow/bonus", "/moscow/delivery", "/moscow/shops", "/moscow/cart", "/moscow/profile",
	"/moscow/back-to-home", "/moscow/order/12345678/tracking", "/moscow/order/payment/some-key", "/moscow/nothing",
}

func TestDocument_saysWithThePhoneThatItsScriptDidNotStart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		phones := map[string]string{"/": `<a href="tel:88000000001">8 800 000-00-01</a>`, "/auth/link": `<a href="tel:88000000001">8 800 000-00-01</a>`}
		for _, path := range pagesOfMoscow {
			phones[path] = `<a href="tel:&#43;74950000011">&#43;7 495 000-00-11</a>`
		}
		phones["/moscow/nothing"] = phones["/"] // an address of nowhere has no city
		for path, phone := range phones {
			for lang, words := range map[string][2]string{
				"ru": {"Страница не запустилась.", "включите JavaScript"},
				"en": {"This page did not start.", "switch JavaScript on"},
			} {
				text := b.call("GET", path, nil, "Cookie", "language="+lang).text
				head, body, _ := strings.Cut(text, "<body>")
				above, _, _ := strings.Cut(body, `<div id="root">`)
				if !strings.Contains(head, `<script src="/assets/start-watch-1.js" defer></script>`) {
					t.Errorf("%s: nothing watches the start", path)
				}
				bar, without, _ := strings.Cut(above, "<noscript>")
				if !strings.Contains(bar, ` id="start-notice" role="alert" hidden>`) || !strings.Contains(bar, words[0]) || !strings.Contains(bar, phone) {
					t.Errorf("%s in %s: the hidden bar is %s", path, lang, bar)
				}
				if !strings.Contains(without, words[1]) || !strings.Contains(without, phone) {
					t.Errorf("%s in %s: without scripts it says %s", path, lang, without)
				}
			}
		}
	})
}

func TestDocument_ofAnInnerPageHasItsFrameAndNothingOfOneVisitor(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for path, frame := range map[string]string{
			"/moscow/cart": "/moscow/cart", "/moscow/cart/": "/moscow/cart", "/moscow/profile": "/moscow/profile",
			"/moscow/order/12345678/tracking": "/moscow/order/-/tracking",
			"/moscow/order/payment/some-key":  "/moscow/order/payment/-",
		} {
			text := b.call("GET", path, nil).text
			if want := `<div id="root"><h1>app Москва</h1>` + frame + "</div>"; !strings.Contains(text, want) {
				t.Errorf("%s: no %s in %s", path, want, text)
			}
			if strings.Contains(text, "12345678") || strings.Contains(text, "some-key") {
				t.Errorf("%s names the order: %s", path, text)
			}
		}
	})
}
