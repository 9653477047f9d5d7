package server_test

import (
	"html"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestDocument_ofAPublicPageIsMadeWholeForAllVisitors(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for path, want := range map[string]struct {
			title string
			data  []string
		}{
			"/moscow/delivery":       {"Доставка в Москве — Умико", []string{`"content":{"alias":"delivery"`, `"shops":[{`}},
			"/moscow/shops":          {"Рестораны в Москве — Умико", []string{`"shops":[{`}},
			"/moscow/promotions":     {"Акции в Москве — Умико", nil},
			"/moscow/bonus":          {"Бонусы в Москве — Умико", nil},
			"/moscow/about":          {"О нас — Умико в Москве", []string{`"content":{"alias":"about","description":"Кто готовит"`}},
			"/moscow/about/":         {"О нас — Умико в Москве", nil},
			"/moscow/privacy-policy": {"Личные данные — Умико в Москве", nil},
			"/ankara/privacy-policy": {"Личные данные в Турции — Умико в Анкаре", nil},
			"/privacy-policy":        {"Личные данные — Умико", []string{`"path":"/privacy-policy"`}},
		} {
			answer := b.call("GET", path, nil, "Cookie", "language=ru")
			text := html.UnescapeString(answer.text)
			if answer.status != 200 || !strings.Contains(text, "<title>"+want.title+"</title>") {
				t.Errorf("%s: %d, no %q", path, answer.status, want.title)
			}
			for _, part := range append(want.data, `"page":"public"`) {
				if !strings.Contains(text, part) {
					t.Errorf("%s: no %s in %s", path, part, text)
				}
			}
			if !strings.Contains(text, `<meta name="description"`) && strings.Contains(path, "moscow/about") {
				t.Errorf("%s: no description", path)
			}
		}
	})
}

func TestDocument_ofAPageThatTheBrandLacksIsNotFound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for _, path := range []string{"/moscow/imprint", "/moscow/about/x", "/moscow/delivery/x", "/user-agreement", "/about", "/paris/about"} {
			if answer := b.call("GET", path, nil, "Cookie", "language=ru"); answer.status != 404 || !strings.Contains(answer.text, `"page":"not_found"`) {
				t.Errorf("%s: %d", path, answer.status)
			}
		}
	})
}

func TestDocument_ofAPersonalPageHasATitleOfItsOwn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for path, title := range map[string]string{
			"/moscow/cart": "Корзина", "/moscow/profile": "Профиль", "/moscow/order/12345678/tracking": "Заказ", "/moscow/order/payment/key": "Оплата заказа",
			"/moscow/back-to-home": "Оплата заказа", "/auth/link": "Вход", "/auth/vk/callback": "Вход",
		} {
			if text := b.call("GET", path, nil, "Cookie", "language=ru").text; !strings.Contains(text, "<title>"+title+" — Умико</title>") {
				t.Errorf("%s: no title %s", path, title)
			}
		}
	})
}

func TestGetPage(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for path, want := range map[string]string{
			"/api/pages/about?city_id=1":          `"heading":"The kitchen","text":"\u003cp\u003eWe cook rice\u003c/p\u003e"`,
			"/api/pages/privacy-policy?city_id=2": `"title":"Privacy in Türkiye"`,
			"/api/pages/privacy-policy":           `"title":"Privacy"`,
			"/api/pages/imprint?city_id=1":        `"message":`,
			"/api/pages/about":                    `"message":`,
			"/api/pages/about?city_id=77":         `"message":`,
			"/api/cities/moscow":                  `"pages":[{"alias":"about","title":"About us"},{"alias":"delivery","title":"Delivery"},{"alias":"privacy-policy","title":"Privacy"}]`,
		} {
			answer := b.call("GET", path, nil, "Cookie", "language=en")
			if !strings.Contains(answer.text, want) || (answer.status == 200) == strings.Contains(want, "message") {
				t.Errorf("%s: %d, no %s in %s", path, answer.status, want, answer.text)
			}
		}
	})
}
