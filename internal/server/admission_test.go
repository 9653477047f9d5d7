package server_test

import (
	"net/http"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestAdmission_refusesNewVisitorsWhenAllSeatsAreTaken(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	release := e.server.TakeSeats(0)
	body := moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free})
	a := b.call("PUT", "/api/cart/add", body)
	if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") != "2" || a.json["message"] == "" {
		t.Errorf("answered %d, %v, %v", a.status, a.header, a.json)
	}
	for _, path := range []string{"/readyz", "/healthz", "/moscow", "/api/cities", "/api/cities/moscow", "/assets/entry-1.js"} {
		if a := b.call("GET", path, nil); a.status != http.StatusOK {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	release()
	b.ok("PUT", "/api/cart/add", body)
}

func TestAdmission_letsStaffSignInApartFromOrders(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	release := e.server.TakeSeats(0)
	defer release()
	guess := object{"login": "guess", "password": "a guess", "code": "000000"}
	e.browser(t).refused(http.StatusUnprocessableEntity, "", "POST", "/api/operator/sign-in", guess)
}

// A customer who was let in waits for a seat. A new visitor is refused.
func TestAdmission_letsACustomerThrough(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	inside, outside := e.browser(t), e.browser(t)
	body := moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free})
	inside.ok("PUT", "/api/cart/add", body)
	release := e.server.TakeSeats(0)
	answers := make(chan int)
	go func() { answers <- inside.call("PUT", "/api/cart/add", body).status }()
	e.server.AwaitWaiting(1)
	if a := outside.call("PUT", "/api/cart/add", body); a.status != http.StatusServiceUnavailable {
		t.Errorf("at the door: %d", a.status)
	}
	release()
	select {
	case status := <-answers:
		if status != http.StatusOK {
			t.Errorf("who was let in: %d", status)
		}
	case <-time.After(time.Minute):
		t.Fatal("who was let in waits for ever")
	}
}
