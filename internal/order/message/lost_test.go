package message_test

import (
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/notify"
	"servery/internal/order/message"
)

// sweep sweeps the messages and sends what is due.
func (h *house) sweep(t *testing.T) {
	t.Helper()
	if err := h.messages.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.send(t)
}

// state returns what became of the only message about an order.
func (h *house) state(t *testing.T, orderID int64) message.State {
	t.Helper()
	list, err := h.messages.List(t.Context(), orderID)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list[0].State
}

// A process takes more than five minutes to send a message. Then the sweep of another process stores its
// outcome as unknown, which stays although the message is sent in the end. It is not sent again.
func TestMessages_areUnknownWhenTheirSenderDoesNotComeBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		o := h.place(t)
		var during []message.State
		h.first.during = func() {
			for _, pass := range []time.Duration{0, 4 * time.Minute, 2 * time.Minute} {
				h.Clock.Advance(pass)
				h.sweep(t) // another process
				during = append(during, h.state(t, o.ID))
			}
		}
		h.send(t)
		if len(during) != 3 || during[0] != message.Sending || during[1] != message.Sending || during[2] != message.Unknown {
			t.Errorf("while it was sent the message was %v", during)
		}
		for range 3 {
			h.Clock.Advance(10 * time.Minute)
			h.sweep(t)
		}
		h.expectMessages(t, o, "accepted unknown")
		if len(h.first.sent)+len(h.second.sent) != 1 {
			t.Errorf("%d and %d messages", len(h.first.sent), len(h.second.sent))
		}
	})
}

// When a sender says that a number has opted out or does not exist, no other sender is tried, also later.
func TestMessages_reachNoNumberThatHasOptedOut(t *testing.T) {
	t.Parallel()
	for what, refusal := range map[string]error{
		"opted out":     &notify.Refusal{Provider: "first", Code: "209", Reason: "the number is on the stop list", OptedOut: true},
		"no such phone": &notify.Refusal{Provider: "first", Code: "202", Reason: "the number is wrong", Undeliverable: true},
	} {
		h := newHouse(t, dbtest.Open(t, db.SQLite))
		h.first.errors = []error{refusal}
		o := h.place(t)
		for range 5 {
			h.sweep(t)
			h.Clock.Advance(10 * time.Minute)
		}
		h.expectMessages(t, o, "accepted failed")
		if len(h.first.sent) != 1 || len(h.second.sent) != 0 {
			t.Errorf("%s: %d and %d messages", what, len(h.first.sent), len(h.second.sent))
		}
	}
}

// The outcome of a message is stored for 90 days after the message was stored.
func TestMessages_areStoredForNinetyDays(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		old := h.place(t)
		h.send(t)
		h.Clock.Advance(24 * time.Hour)
		recent := h.place(t)
		h.send(t)
		h.Clock.Advance(89*24*time.Hour - time.Minute)
		h.sweep(t)
		h.expectMessages(t, old, "accepted sent")
		h.Clock.Advance(2 * time.Minute)
		h.sweep(t)
		h.expectMessages(t, old)
		h.expectMessages(t, recent, "accepted sent")
	})
}
