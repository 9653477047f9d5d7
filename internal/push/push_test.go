package push_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment/payments"
	"servery/internal/push"
	"servery/internal/push/double"
	"servery/internal/queue"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// house is a kitchen whose orders are announced to a browser.
type house struct {
	*ordertest.Restaurant

	push    *push.Service
	browser *double.Service
	queue   *queue.Queue
	log     strings.Builder
	visitor visit.Context
	order   order.Order
}

// newHouse returns a kitchen with one order, whose states a browser can subscribe to.
func newHouse(t *testing.T, d *db.DB) *house {
	t.Helper()
	h := &house{Restaurant: ordertest.New(t, d), queue: ordertest.NewQueue(t, d)}
	var err error
	if h.browser, err = double.New(); err != nil {
		t.Fatal(err)
	}
	if h.push, err = push.New(t.Context(), h.options()); err != nil {
		t.Fatal(err)
	}
	h.StartProcessOn(h.queue, orders.Options{Announce: func(ctx context.Context, tx *db.Tx, o order.Order, c order.Change) error {
		return h.push.Announce(ctx, tx, o.ID, c.ID)
	}}, payments.Options{})
	h.visitor = h.NewVisitorWithCart(t)
	h.order = h.Place(t, h.visitor, h.Takeaway(t, h.visitor, carttest.Pokrovka, schedule.ASAP))
	return h
}

func (h *house) options() push.Options {
	return push.Options{
		DB: h.DB, Queue: h.queue, Clock: h.Clock, Log: slog.New(slog.NewTextHandler(&h.log, nil)), Contact: "https://example.com",
		Client: h.browser.Client(),
		Describe: func(ctx context.Context, id int64, l lang.Lang) (push.State, error) {
			o, err := orders.Load(ctx, h.DB.Read(), id)
			return push.State{ChangeID: o.ChangeID, IsFinal: o.State.IsFinal(), Title: "Sushi", Body: string(o.State) + " in " + string(l), Path: fmt.Sprintf("/moscow/order/%d/tracking", id)}, err
		},
	}
}

const endpoint = "https://push.example.com/send/secret-of-the-browser"

// subscribe subscribes the browser and returns the id of its subscription.
func (h *house) subscribe(t *testing.T, l lang.Lang) int64 {
	t.Helper()
	p256dh, auth := h.browser.Keys()
	w := push.Watcher{OrderID: h.order.ID, SessionID: h.visitor.SessionID, ChangeID: h.order.ChangeID, Lang: l, Now: h.Clock.Now()}
	if err := h.push.Subscribe(t.Context(), w, push.Subscription{Endpoint: endpoint, P256dh: p256dh, Auth: auth}); err != nil {
		t.Fatal(err)
	}
	var id int64
	if err := h.DB.Reader().QueryRowContext(t.Context(), "SELECT MAX(id) FROM push_subscription").Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

// countSubscriptions returns how many subscriptions are stored.
func (h *house) countSubscriptions(t *testing.T) (n int) {
	t.Helper()
	if err := h.DB.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM push_subscription").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// lastChange returns the number of the order's last change.
func (h *house) lastChange(t *testing.T) int64 {
	t.Helper()
	o, err := orders.Load(t.Context(), h.DB.Read(), h.order.ID)
	if err != nil {
		t.Fatal(err)
	}
	return o.ChangeID
}

// send runs the job of the order's last change.
func (h *house) send(t *testing.T, subscription int64) {
	t.Helper()
	if err := h.push.Send(t.Context(), subscription, h.lastChange(t)); err != nil {
		t.Fatal(err)
	}
}

// startQueue runs the jobs until the test ends.
func (h *house) startQueue(t *testing.T) {
	t.Helper()
	if err := h.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.queue.Stop(context.WithoutCancel(t.Context())) })
}

// awaitMessage waits until a message has arrived at the browser.
func (h *house) awaitMessage(t *testing.T) {
	t.Helper()
	select {
	case <-h.browser.Got():
	case <-time.After(20 * time.Second):
		t.Fatalf("no message: %v", h.browser.Faults())
	}
}

func TestService_sendsEachStateOnceInTheLanguageOfTheBrowser(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		id := h.subscribe(t, lang.Lang("de"))
		h.startQueue(t)
		h.Move(t, h.order, order.Cooking)
		h.awaitMessage(t)
		h.send(t, id) // the job runs again
		want := double.Message{
			Title: "Sushi", Body: "cooking in de", Lang: "de",
			Tag: fmt.Sprint("order-", h.order.ID), Path: fmt.Sprintf("/moscow/order/%d/tracking", h.order.ID),
		}
		if got := h.browser.Messages(); len(got) != 1 || got[0] != want {
			t.Errorf("got %+v, faults %v", got, h.browser.Faults())
		}
	})
}

func TestService_sendsAStateThatWasNotTakenAgainAndNoneThatMayHaveBeen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer any
		want   int
	}{
		"is busy":            {http.StatusTooManyRequests, 1},
		"is broken":          {http.StatusBadGateway, 1},
		"cannot be reached":  {&net.OpError{Op: "dial", Err: errors.New("refused")}, 1},
		"answers nothing":    {errors.New("cut off"), 0},
		"does not accept it": {http.StatusBadRequest, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				h := newHouse(t, d)
				id := h.subscribe(t, lang.Lang("en"))
				h.Move(t, h.order, order.Cooking)
				h.browser.Answer(c.answer)
				h.send(t, id)
				h.send(t, id)
				if got := h.browser.Messages(); len(got) != c.want {
					t.Errorf("got %+v", got)
				}
				if strings.Contains(h.log.String(), "secret-of-the-browser") {
					t.Errorf("the endpoint is logged: %s", h.log.String())
				}
			})
		})
	}
}

func TestService_retriesByItself(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.subscribe(t, lang.Lang("en"))
		h.browser.Answer(http.StatusServiceUnavailable, http.StatusTooManyRequests)
		h.startQueue(t)
		h.Move(t, h.order, order.Cooking)
		h.awaitMessage(t)
	})
}

func TestService_leavesOutAStateThatIsOver(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		id := h.subscribe(t, lang.Lang("en"))
		h.Move(t, h.order, order.Cooking)
		cooking := h.lastChange(t)
		h.Move(t, h.order, order.Done)
		if err := h.push.Send(t.Context(), id, cooking); err != nil {
			t.Fatal(err)
		}
		h.send(t, id)
		if got := h.browser.Messages(); len(got) != 1 || got[0].Body != "done in en" {
			t.Errorf("got %+v", got)
		}
		if n := h.countSubscriptions(t); n != 0 {
			t.Errorf("%d subscriptions after the last state", n)
		}
	})
}

func TestService_removesABrowserThatIsGone(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusGone} {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			h := newHouse(t, d)
			id := h.subscribe(t, lang.Lang("en"))
			h.Move(t, h.order, order.Cooking)
			h.browser.Answer(status)
			h.send(t, id)
			if n := h.countSubscriptions(t); n != 0 {
				t.Errorf("after %d there are %d subscriptions", status, n)
			}
		})
	}
}

func TestService_sendsNothingOnceTheSessionHasEnded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		id := h.subscribe(t, lang.Lang("en"))
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE session SET expires_at = $1 WHERE id = $2", h.Clock.Now(), h.visitor.SessionID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		h.Move(t, h.order, order.Cooking)
		h.send(t, id)
		if got := h.browser.Messages(); len(got) != 0 {
			t.Errorf("got %+v", got)
		}
	})
}

func TestService_Sweep_deletesAfterTwoWeeks(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.subscribe(t, lang.Lang("en"))
		for _, step := range []struct{ days, want int }{{13, 1}, {15, 0}} {
			h.Clock.Set(h.order.CreatedAt.AddDate(0, 0, step.days))
			if err := h.push.Sweep(t.Context()); err != nil || h.countSubscriptions(t) != step.want {
				t.Errorf("%d subscriptions after %d days, %v", h.countSubscriptions(t), step.days, err)
			}
		}
	})
}

func TestService_Subscribe_takesOnlyBrowsersOfPublicServicesAndFewOfThem(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		p256dh, auth := h.browser.Keys()
		w := push.Watcher{OrderID: h.order.ID, SessionID: h.visitor.SessionID, Lang: "en", Now: h.Clock.Now()}
		for _, sub := range []push.Subscription{
			{"http://push.example.com/1", p256dh, auth},
			{"https://10.0.0.1/1", p256dh, auth},
			{"https://[::1]/1", p256dh, auth},
			{"https://2130706433/1", p256dh, auth},
			{"https://push.local/1", p256dh, auth},
			{"https://router/1", p256dh, auth},
			{"https://user@push.example.com/1", p256dh, auth},
			{"https://push.example.com:22/1", p256dh, auth},
			{"https://push.example.com/" + strings.Repeat("x", 1000), p256dh, auth},
			{endpoint, p256dh[1:], auth},
			{endpoint, p256dh, auth[2:]},
		} {
			var refused *fault.Error
			if err := h.push.Subscribe(t.Context(), w, sub); !errors.As(err, &refused) || refused.Code != fault.Invalid {
				t.Errorf("%s: %v", sub.Endpoint, err)
			}
		}
		for n := range 7 {
			err := h.push.Subscribe(t.Context(), w, push.Subscription{Endpoint: fmt.Sprint("https://push.example.com/", n), P256dh: p256dh, Auth: auth})
			if (err != nil) != (n >= 5) {
				t.Errorf("browser %d: %v", n, err)
			}
		}
		if err := h.push.Unsubscribe(t.Context(), h.order.ID, h.visitor.SessionID); err != nil || h.countSubscriptions(t) != 0 {
			t.Errorf("%d are left, %v", h.countSubscriptions(t), err)
		}
	})
}

func TestNew_usesTheSameKeysAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		o := h.options()
		o.Queue = ordertest.NewQueue(t, d)
		again, err := push.New(t.Context(), o)
		if err != nil || again.PublicKey() != h.push.PublicKey() || again.PublicKey() == "" {
			t.Errorf("%v: %q", err, again.PublicKey())
		}
	})
}

func TestClient_reachesPublicAddressesAlone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"8.8.8.8": true, "2a00:1450:4001:82a::200e": true, "127.0.0.1": false, "10.1.2.3": false, "192.168.1.1": false, "172.16.0.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false, "224.0.0.1": false, "::1": false, "fe80::1": false, "fd00::1": false,
		"::ffff:127.0.0.1": false, "64:ff9b::7f00:1": false, "255.255.255.255": false,
	} {
		if got := push.IsPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is public: %v", text, got)
		}
	}
	reached := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := push.NewClient().Do(r)
	if err == nil {
		err = response.Body.Close()
		t.Errorf("a server of this machine was called: %v", err)
	}
	if reached {
		t.Error("it was reached")
	}
}
