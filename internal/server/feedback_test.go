package server_test

import (
	"fmt"
	"net/http"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/server"
)

func TestFeedback_aFormIsListedForTheOperatorOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		form := object{
			"city_id": carttest.Moscow, "name": "Anna", "phone": "8 916 123-45-67", "is_agreed": true,
			"city_name": "Moscow", "shop": "Mall", "square": 60.5,
		}
		for range 2 {
			b.ok("POST", "/api/feedback/landlord-request", form, "Idempotency-Key", "a-key-of-one-form")
		}
		b.ok("POST", "/api/feedback/call-me-back", object{"name": "Anna", "phone": "79161234567", "is_agreed": true})
		list := func(query string) []any {
			forms, _ := b.ok("GET", "/api/operator/feedback"+query, nil, "Authorization", "Bearer "+operatorToken)["forms"].([]any)
			return forms
		}
		if got := list(""); len(got) != 2 || dig(got[0], "kind") != "call_me_back" || dig(got[1], "fields", "square") != 60.5 || dig(got[1], "delivery") != "none" {
			t.Errorf("listed: %v", got)
		}
		if got := list("?site=sushi&kind=landlord"); len(got) != 1 {
			t.Errorf("of a kind: %v", got)
		}
		first := b.ok("GET", "/api/operator/feedback?limit=1", nil, "Authorization", "Bearer "+operatorToken)
		if got := list(fmt.Sprintf("?before=%v", first["next"])); len(got) != 1 || dig(got[0], "kind") != "landlord" {
			t.Errorf("the second page: %v", got)
		}
	})
}

func TestFeedback_refusalNamesEachField(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	form := object{"city_id": carttest.Moscow, "name": "", "phone": "1", "email": "anna@", "message": " "}
	for _, field := range []string{"name", "phone", "email", "message", "is_agreed"} {
		b.refused(http.StatusUnprocessableEntity, field, "POST", "/api/feedback/questions", form)
	}
	for field, value := range map[string]any{"square": "large", "shop": nil} {
		offer := object{"name": "Anna", "phone": "79161234567", "is_agreed": true, "city_name": "Moscow", "shop": "Mall", "square": 60}
		if offer[field] = value; value == nil {
			delete(offer, field)
		}
		b.refused(http.StatusUnprocessableEntity, field, "POST", "/api/feedback/landlord-request", offer)
	}
}

func TestFeedback_boundsTheFormsOfAnAddress(t *testing.T) {
	t.Parallel()
	e := newEdgeWith(t, dbtest.Open(t, db.SQLite), nil, func(o *server.Options) { o.Limits.FormsPerAddress = 2 })
	form := func(n int) object {
		return object{"name": "Anna", "phone": fmt.Sprintf("7916123456%d", n), "is_agreed": true}
	}
	for n := range 2 {
		e.browser(t).ok("POST", "/api/feedback/call-me-back", form(n))
	}
	e.browser(t).refused(http.StatusTooManyRequests, "", "POST", "/api/feedback/call-me-back", form(3))
}
