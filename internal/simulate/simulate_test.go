package simulate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"servery/internal/clock"
	orders "servery/internal/order"
	"servery/internal/simulate"
	"servery/internal/site"
)

type position struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// operator is a server of the operator's calls with one order, whose id is 7.
type operator struct {
	calls     *http.ServeMux
	mu        sync.Mutex
	clock     *clock.Fake
	orderType site.OrderType
	states    []orders.State
	changedAt time.Time
	promised  time.Time
	positions []position
	failing   bool
}

var shop, door = position{55.75, 37.60}, position{55.76, 37.64}

// newOperator returns an operator whose order was accepted now, for a time in an hour.
func newOperator(c *clock.Fake, orderType site.OrderType) *operator {
	o := &operator{
		calls: http.NewServeMux(), clock: c, orderType: orderType,
		states: []orders.State{orders.Accepted}, changedAt: c.Now(), promised: c.Now().Add(time.Hour),
	}
	o.calls.HandleFunc("GET /api/operator/orders", o.handleList)
	o.calls.HandleFunc("POST /api/operator/orders/7/status", o.handleStatus)
	o.calls.HandleFunc("POST /api/operator/orders/7/courier-location", o.handleCourier)
	return o
}

// ServeHTTP answers the operator's calls, or 503 while it is failing.
func (o *operator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.failing:
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.Header.Get("Authorization") != "Bearer secret":
		w.WriteHeader(http.StatusUnauthorized)
	default:
		o.calls.ServeHTTP(w, r)
	}
}

// state returns the present state of the order.
func (o *operator) state() orders.State { return o.states[len(o.states)-1] }

// handleList answers with the order while it is open.
func (o *operator) handleList(w http.ResponseWriter, _ *http.Request) {
	list := []map[string]any{}
	if !o.state().IsFinal() {
		list = append(list, map[string]any{
			"order_id": 7, "status": o.state(), "next": orders.Next(o.state(), o.orderType, orders.Operator),
			"changed_at": o.changedAt, "promised_from": o.promised, "from": shop, "to": door,
		})
	}
	if err := json.NewEncoder(w).Encode(map[string]any{"orders": list}); err != nil {
		panic(err)
	}
}

// handleStatus moves the order to a state, or answers with a conflict when an operator must not.
func (o *operator) handleStatus(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Status orders.State `json:"status"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || !orders.CanMove(o.state(), body.Status, o.orderType, orders.Operator) {
		w.WriteHeader(http.StatusConflict)
		return
	}
	o.states, o.changedAt = append(o.states, body.Status), o.clock.Now()
	fmt.Fprint(w, "{}")
}

// handleCourier records a position of the courier, or answers with a conflict unless the order is sent.
func (o *operator) handleCourier(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Coordinates position `json:"coordinates"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || o.state() != orders.Sent {
		w.WriteHeader(http.StatusConflict)
		return
	}
	o.positions = append(o.positions, body.Coordinates)
	fmt.Fprint(w, "{}")
}

// startOperator starts a server with one accepted order, and returns it with its kitchen and their clock.
func startOperator(t *testing.T, orderType site.OrderType) (*operator, *simulate.Kitchen, *clock.Fake) {
	t.Helper()
	c := clock.NewFake(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	o := newOperator(c, orderType)
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	k := simulate.New(simulate.Options{
		BaseURL: server.URL, Token: "secret", Pace: 12 * time.Second, Clock: c, Logger: slog.New(slog.DiscardHandler),
	})
	return o, k, c
}

func TestKitchen_cooksAndDeliversAtThePace(t *testing.T) {
	t.Parallel()
	for _, orderType := range site.OrderTypes() {
		o, k, c := startOperator(t, orderType)
		seconds := 0
		for ; !o.state().IsFinal() && seconds < 100; seconds++ {
			k.MoveOrders(t.Context())
			c.Advance(time.Second)
		}
		if !slices.Equal(o.states, orders.Path(orderType)) {
			t.Errorf("%s: went through %v", orderType, o.states)
		}
		if steps := len(o.states) - 1; seconds != steps*12+1 {
			t.Errorf("%s: took %d seconds for %d steps", orderType, seconds, steps)
		}
	}
}

func TestCourier_comesFromTheShopToTheDoorByABentRoad(t *testing.T) {
	t.Parallel()
	o, k, c := startOperator(t, site.Delivery)
	for range 100 {
		k.MoveOrders(t.Context())
		c.Advance(time.Second)
	}
	if n := len(o.positions); n < 11 || n > 12 {
		t.Fatalf("%d reports: %v", n, o.positions)
	}
	bent := false
	for i := range o.positions[1:] {
		a, b := o.positions[i], o.positions[i+1]
		if b.Longitude <= a.Longitude {
			t.Errorf("the courier goes back from %v to %v", a, b)
		}
		off := b.Latitude - (shop.Latitude + (b.Longitude-shop.Longitude)/4)
		bent = bent || off > 0.001 || off < -0.001
	}
	if !bent {
		t.Error("the courier flies")
	}
}

func TestKitchen_cooksAnOrderForLaterInItsLastHour(t *testing.T) {
	t.Parallel()
	o, k, c := startOperator(t, site.Takeaway)
	o.promised = c.Now().Add(26 * time.Hour)
	for range 25 {
		k.MoveOrders(t.Context())
		c.Advance(time.Hour - time.Second)
	}
	if k.MoveOrders(t.Context()); o.state() != orders.Accepted {
		t.Fatalf("%v before its time it is %s", o.promised.Sub(c.Now()), o.state())
	}
	c.Advance(30 * time.Second)
	if k.MoveOrders(t.Context()); o.state() != orders.Cooking {
		t.Fatalf("%v before its time it is %s", o.promised.Sub(c.Now()), o.state())
	}
	c.Advance(12 * time.Second)
	if k.MoveOrders(t.Context()); o.state() != orders.Done {
		t.Errorf("once begun it does not go on: %s", o.state())
	}
}

func TestKitchen_survivesFaults(t *testing.T) {
	t.Parallel()
	o, k, c := startOperator(t, site.Delivery)
	c.Advance(13 * time.Second)
	o.failing = true
	k.MoveOrders(t.Context())
	if o.state() != orders.Accepted {
		t.Fatal("moved by a failing server")
	}
	o.failing = false
	k.MoveOrders(t.Context())
	if o.state() != orders.Cooking {
		t.Errorf("got %s", o.state())
	}
}

func TestKitchen_stopsWithItsContext(t *testing.T) {
	t.Parallel()
	_, k, _ := startOperator(t, site.Delivery)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k.Run(ctx) // returns
}

func TestKitchen_restsWhileTheOrdersAreNotItsOwn(t *testing.T) {
	t.Parallel()
	o, _, c := startOperator(t, site.Delivery)
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	rests := true
	k := simulate.New(simulate.Options{
		BaseURL: server.URL, Token: "secret", Pace: 12 * time.Second, Clock: c, Logger: slog.New(slog.DiscardHandler),
		IsPaused: func() bool { return rests },
	})
	c.Advance(time.Minute)
	if k.MoveOrders(t.Context()); o.state() != orders.Accepted {
		t.Errorf("an order of others is %s", o.state())
	}
	rests = false
	if k.MoveOrders(t.Context()); o.state() != orders.Cooking {
		t.Errorf("an order of its own is %s", o.state())
	}
}
