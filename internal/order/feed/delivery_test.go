package feed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/forward"
	"servery/internal/order"
	"servery/internal/order/feed"
	"servery/internal/order/ordertest"
	"servery/internal/parallel"
	"servery/internal/schedule"
)

// receiver is a webhook that stores the changes that it receives, unless it is closed.
type receiver struct {
	mu       sync.Mutex
	isClosed bool
	// losesAnswer says that the receiver stores a message, but its answer does not arrive.
	losesAnswer bool
	changes     []int64
	keys        []string
}

var errClosed = errors.New("closed")

// Name returns the name of the webhook.
func (*receiver) Name() string { return "receiver" }

// Send stores the changes and the key of the message. It returns errClosed when the receiver is closed,
// and after storing when it loses the answer.
func (r *receiver) Send(_ context.Context, m forward.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isClosed {
		return errClosed
	}
	var body struct {
		Site    string
		Changes []int64
		Last    int64
	}
	if err := json.Unmarshal(m.Body, &body); err != nil {
		return err
	}
	r.changes, r.keys = append(r.changes, body.Changes...), append(r.keys, m.Key)
	if r.losesAnswer {
		return errClosed
	}
	return nil
}

// kitchen is a brand whose changes are posted to a receiver.
type kitchen struct {
	*ordertest.Restaurant
	hook *receiver
	log  *bytes.Buffer
}

// newKitchen returns a kitchen on the database, with a delivery of its process that has begun.
func newKitchen(t *testing.T, d *db.DB) (*kitchen, *feed.Delivery) {
	t.Helper()
	k := &kitchen{ordertest.New(t, d), &receiver{}, &bytes.Buffer{}}
	process := k.newProcess()
	k.deliver(t, process)
	return k, process
}

// newProcess returns the delivery of another process.
func (k *kitchen) newProcess() *feed.Delivery {
	return feed.NewDelivery(feed.DeliveryOptions{
		DB: k.DB, Clock: k.Clock, Log: slog.New(slog.NewTextHandler(k.log, nil)), Sites: func() []string { return []string{"pizza", "sushi"} },
		Hook:   func(site string) (forward.Sender, bool) { return k.hook, site == "sushi" },
		Encode: func(e feed.Entry) (json.RawMessage, error) { return json.Marshal(e.ID) },
	})
}

// deliver posts all changes that are due. An error ends the test.
func (k *kitchen) deliver(t *testing.T, d *feed.Delivery) {
	t.Helper()
	if err := d.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// changeOrders places two orders and moves both, and returns the numbers of all changes so far.
func (k *kitchen) changeOrders(t *testing.T) []int64 {
	t.Helper()
	for range 2 {
		v := k.Visitor(t, "sushi")
		k.Move(t, k.Place(t, v, k.Delivery(t, v, schedule.ASAP)), order.Cooking)
	}
	page, err := feed.New(k.DB).List(t.Context(), feed.Query{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int64
	for _, e := range page.Entries {
		numbers = append(numbers, e.ID)
	}
	return numbers
}

// expectPosted fails the test unless exactly the changes with these numbers were posted, in this order.
func (k *kitchen) expectPosted(t *testing.T, numbers []int64) {
	t.Helper()
	if !slices.Equal(k.hook.changes, numbers) {
		t.Errorf("posted %v, want %v", k.hook.changes, numbers)
	}
}

// The webhook is closed at first, and two processes deliver at once later. Each change is posted once,
// in order.
func TestDelivery_postsEachChangeInOrderOnceWhateverIsAway(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k, process := newKitchen(t, d)
		k.hook.isClosed = true
		all := k.changeOrders(t)
		k.deliver(t, process)
		k.deliver(t, process) // not due yet: no second attempt
		state, err := process.State(t.Context(), "sushi")
		if err != nil || state.Attempts != 1 || state.Error != "closed" || !state.DueAt.After(k.Clock.Now()) {
			t.Errorf("after an attempt in vain: %+v, %v", state, err)
		}
		k.hook.isClosed = false
		k.Clock.Advance(2 * time.Second)
		other := k.newProcess()
		if err := parallel.Each([]*feed.Delivery{process, other}, 2, func(p *feed.Delivery) error { return p.Deliver(t.Context()) }); err != nil {
			t.Fatal(err)
		}
		k.expectPosted(t, all)
		all = k.changeOrders(t)
		k.deliver(t, other)
		k.expectPosted(t, all)
	})
}

// A message whose answer is lost comes again under the same key.
func TestDelivery_repeatsWhatWasNotAnswered(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	k, process := newKitchen(t, d)
	all := k.changeOrders(t)
	k.hook.losesAnswer = true
	k.deliver(t, process)
	k.hook.losesAnswer = false
	k.Clock.Advance(2 * time.Second)
	k.deliver(t, process)
	k.expectPosted(t, append(slices.Clone(all), all...))
	if k.hook.keys[0] != k.hook.keys[1] {
		t.Errorf("keys %v", k.hook.keys)
	}
}

// After twelve failed attempts the webhook is given up, with an alert. Resumed, it gets the changes that
// it has missed, or those after a given number.
func TestDelivery_failsLoudlyAfterItsAttemptsAndGoesOnWhenResumed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k, process := newKitchen(t, d)
		k.hook.isClosed = true
		all := k.changeOrders(t)
		for range 12 {
			k.deliver(t, process)
			k.Clock.Advance(9 * time.Hour)
		}
		state, err := process.State(t.Context(), "sushi")
		if err != nil || !state.HasFailed() || strings.Count(k.log.String(), "alert=true") != 1 {
			t.Fatalf("%+v, %v, log %s", state, err, k.log)
		}
		k.hook.isClosed = false
		k.deliver(t, process)
		k.expectPosted(t, nil)
		if state, err = process.Resume(t.Context(), "sushi", nil); err != nil || state.HasFailed() || state.Attempts != 0 {
			t.Errorf("resumed: %+v, %v", state, err)
		}
		k.deliver(t, k.newProcess())
		k.expectPosted(t, all)
		if _, err := process.Resume(t.Context(), "sushi", &all[0]); err != nil {
			t.Fatal(err)
		}
		k.deliver(t, process)
		k.expectPosted(t, append(slices.Clone(all), all[1:]...))
	})
}
