package message_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/notify"
	"servery/internal/order"
	"servery/internal/order/message"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment/payments"
	"servery/internal/remote"
	"servery/internal/schedule"
	"servery/internal/site"
)

// sender takes messages, or fails with the next of its errors.
type sender struct {
	name   string
	errors []error
	sent   []notify.Message
	// during, when there is one, is called while the next message is sent.
	during func()
}

// Name returns the name of the sender.
func (s *sender) Name() string { return s.name }

// Send stores the message, calls during once, and returns the next error, nil when none is left.
func (s *sender) Send(_ context.Context, m notify.Message) (notify.Sent, error) {
	s.sent = append(s.sent, m)
	if during := s.during; during != nil {
		s.during = nil
		during()
	}
	if len(s.errors) == 0 {
		return notify.Sent{}, nil
	}
	err := s.errors[0]
	s.errors = s.errors[1:]
	return notify.Sent{}, err
}

// senders are those of the brand sushi.
type senders []notify.Sender

// Senders returns the senders for text messages of the brand sushi, and none for any other.
func (s senders) Senders(alias string, c notify.Channel) []notify.Sender {
	if alias == "sushi" && c == notify.SMS {
		return s
	}
	return nil
}

// house is a brand that sends messages on each occasion, through two senders.
type house struct {
	*ordertest.Restaurant
	messages      *message.Service
	first, second *sender
	bank          *ordertest.Till
}

// newHouse returns the brand sushi on the database, with its senders and a bank.
func newHouse(t *testing.T, d *db.DB) *house {
	t.Helper()
	h := &house{Restaurant: ordertest.New(t, d), first: &sender{name: "first"}, second: &sender{name: "second"}, bank: &ordertest.Till{}}
	h.Import(t, map[string]string{"sushi/brand.yaml": strings.Replace(carttest.Texts["sushi/brand.yaml"],
		"settings: {", "settings: {order_messages: [accepted, delayed, sent, canceled, refunded], ", 1)})
	q := ordertest.NewQueue(t, d)
	h.messages = message.New(message.Options{
		DB: d, Queue: q, Clock: h.Clock, Log: slog.New(slog.DiscardHandler), Senders: senders{h.first, h.second},
		Site: h.Catalog.Current().Sites.ByAlias, Address: func(*site.Site) string { return "https://sushi.example" },
	})
	h.StartProcessOn(q, orders.Options{Announce: h.messages.Announce}, payments.Options{
		Accounts: acquiring.Accounts{"sushi": {"till": h.bank}}, Log: slog.New(slog.DiscardHandler),
	})
	return h
}

// send runs the due jobs twice, so that repeated jobs are tested too.
func (h *house) send(t *testing.T) {
	t.Helper()
	for range 2 {
		if err := h.messages.SendDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// expectMessages fails the test unless the messages about the order are these, as "occasion state".
func (h *house) expectMessages(t *testing.T, o order.Order, want ...string) {
	t.Helper()
	list, err := h.messages.List(t.Context(), o.ID)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, fmt.Sprint(m.Occasion, " ", m.State))
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("messages %v, want %v", got, want)
	}
}

// place places a delivery of a new visitor.
func (h *house) place(t *testing.T) order.Order {
	t.Helper()
	v := h.Visitor(t, "sushi")
	return h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
}

// An order is accepted, delayed, sent and canceled. The customer gets one message about each, with the
// link of the order.
func TestMessages_goOutOnceOnEachOccasion(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		o := h.place(t)
		h.send(t)
		h.Move(t, o, order.Cooking)
		if _, err := h.Orders.Delay(t.Context(), o.ID, o.PromisedTo.Add(time.Hour), "", "", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		h.send(t)
		h.Move(t, o, order.Sent)
		h.send(t)
		if _, err := h.Orders.CancelForRestaurant(t.Context(), o.ID, order.CancelRequest{
			Outcome: order.OutcomeUndelivered, Reason: "nobody_there", Food: "returned",
		}, h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		h.send(t)
		h.expectMessages(t, o, "accepted sent", "delayed sent", "sent sent", "canceled sent")
		link := fmt.Sprintf("https://sushi.example/moscow/order/%d/tracking?t=%s", o.ID, o.Link)
		for i, says := range []string{"We have your order. We will", "running late", "The courier is on the way.", "The order is canceled. Nobody was there when the courier came."} {
			if m := h.first.sent[i]; !strings.Contains(m.Text, says) || !strings.HasSuffix(m.Text, link) || m.Phone != "79161234567" {
				t.Errorf("message %d: %q", i, m.Text)
			}
		}
		if len(h.first.sent) != 4 || len(h.second.sent) != 0 {
			t.Errorf("%d and %d messages", len(h.first.sent), len(h.second.sent))
		}
	})
}

// A message that may have arrived is listed as unknown, and no sender repeats it.
func TestMessages_areNotRepeatedWhenTheyMayHaveArrived(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	h.first.errors = []error{&remote.Error{Provider: "first", MayHaveArrived: true}}
	o := h.place(t)
	for range 3 {
		h.send(t)
		h.Clock.Advance(10 * time.Minute)
		if err := h.messages.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	h.expectMessages(t, o, "accepted unknown")
	if len(h.first.sent)+len(h.second.sent) != 1 {
		t.Errorf("%d and %d messages", len(h.first.sent), len(h.second.sent))
	}
}

// A message that no sender could deliver is repeated by all of them later. A message to a number that
// cannot be reached is not repeated.
func TestMessages_areRepeatedWhenTheySurelyDidNotArrive(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	notSent := &remote.Error{Provider: "it", Reason: "cannot be reached"}
	h.first.errors, h.second.errors = []error{notSent, notSent}, []error{notSent}
	o := h.place(t)
	h.send(t)
	h.expectMessages(t, o, "accepted waiting")
	h.Clock.Advance(11 * time.Second)
	h.send(t)
	h.expectMessages(t, o, "accepted sent")
	if len(h.first.sent) != 2 || len(h.second.sent) != 2 {
		t.Errorf("%d and %d attempts", len(h.first.sent), len(h.second.sent))
	}
	h.first.errors = []error{notify.ErrUndeliverable}
	unreachable := h.place(t)
	h.send(t)
	h.expectMessages(t, unreachable, "accepted failed")
}

// At night only a message about an order of this night goes out; another waits for the morning.
func TestMessages_wakeNobody(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	tonight := h.place(t)
	h.send(t)
	h.Clock.Advance(35 * time.Hour) // eleven in the evening, long after
	if _, err := h.Orders.CancelForRestaurant(t.Context(), tonight.ID, order.CancelRequest{Outcome: order.OutcomeCanceled}, h.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	h.send(t)
	h.expectMessages(t, tonight, "accepted sent", "canceled waiting")
	h.Clock.Advance(11 * time.Hour)
	h.send(t)
	h.expectMessages(t, tonight, "accepted sent", "canceled sent")
}

// An order is stepped back before the message that it is sent has gone out: the message is left out.
func TestMessages_leaveOutWhatWasOvertaken(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	o := h.place(t)
	h.Move(t, o, order.Cooking, order.Sent)
	if _, err := h.Orders.StepBack(t.Context(), o.ID, "", h.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	h.send(t)
	h.expectMessages(t, o, "accepted sent", "sent left_out")
}

// An order is delayed twice before the first message has gone out. The customer gets one message, with the time that holds.
func TestMessages_sayTheLastDelayOnly(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	o := h.place(t)
	h.send(t)
	for _, later := range []time.Duration{time.Hour, 2 * time.Hour} {
		if _, err := h.Orders.Delay(t.Context(), o.ID, o.PromisedTo.Add(later), "", "", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
	}
	h.send(t)
	h.expectMessages(t, o, "accepted sent", "delayed left_out", "delayed sent")
}

// An order is delayed before the message that it is accepted has gone out, as by night. The message of the delay says
// both.
func TestMessages_sayOnceThatADelayedOrderIsAccepted(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	o := h.place(t)
	if _, err := h.Orders.Delay(t.Context(), o.ID, o.PromisedTo.Add(time.Hour), "", "", h.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	h.send(t)
	h.expectMessages(t, o, "accepted left_out", "delayed sent")
}

// The kitchen steps an order back and sends it again. The customer reads once that the courier is on the
// way.
func TestMessages_sayOnceThatTheCourierIsOnTheWay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		o := h.place(t)
		h.send(t)
		h.Move(t, o, order.Cooking, order.Sent)
		h.send(t)
		if _, err := h.Orders.StepBack(t.Context(), o.ID, "", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		h.Move(t, o, order.Sent)
		h.send(t)
		h.expectMessages(t, o, "accepted sent", "sent sent")
	})
}
