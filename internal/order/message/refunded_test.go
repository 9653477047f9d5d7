package message_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/schedule"
)

// placePaid places a delivery in the language, which was paid online.
func (h *house) placePaid(t *testing.T, l lang.Lang) order.Order {
	t.Helper()
	v := h.Visitor(t, "sushi")
	v.Lang = l
	o, _ := (&ordertest.Counter{Restaurant: h.Restaurant}).MarkPaid(t, h.Place(t, v, h.Delivery(t, v, schedule.ASAP)))
	return o
}

// refund asks for a refund of the order and has the bank make it.
func (h *house) refund(t *testing.T, o order.Order, r payment.RefundRequest) {
	t.Helper()
	if _, err := h.Orders.Refund(t.Context(), o.ID, r, h.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	h.Clock.Advance(time.Minute)
	if err := h.Orders.Sweep(t.Context(), h.Clock.Now()); err != nil {
		t.Fatal(err)
	}
}

// lastText returns the text of the last message that the sender was passed.
func (s *sender) lastText() string { return s.sent[len(s.sent)-1].Text }

// Each refund is announced with its own sum, once the bank has made it.
func TestRefunded_saysTheSumOnceTheBankHasMadeIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		o := h.placePaid(t, lang.EN)
		h.send(t)
		h.bank.Answers = []func(acquiring.Refund) (acquiring.Refunded, error){ordertest.RefundPending}
		h.refund(t, o, payment.RefundRequest{Key: "cold", Amount: money.Major(123)})
		h.send(t)
		h.expectMessages(t, o, "accepted sent")
		h.Clock.Advance(time.Hour) // the bank has made it
		if err := h.Orders.Sweep(t.Context(), h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		h.send(t)
		h.expectMessages(t, o, "accepted sent", "refunded sent")
		if text := h.first.lastText(); !strings.Contains(text, "We are refunding ₽123.") || strings.Contains(text, "Anna") || strings.Contains(text, "79161234567") {
			t.Errorf("the message says %q", text)
		}
		h.refund(t, o, payment.RefundRequest{Key: "late", Amount: money.Major(45)})
		h.refund(t, o, payment.RefundRequest{Key: "late", Amount: money.Major(45)}) // the same one
		h.send(t)
		h.expectMessages(t, o, "accepted sent", "refunded sent", "refunded sent")
		if text := h.first.lastText(); !strings.Contains(text, "₽45") {
			t.Errorf("the second message says %q", text)
		}
	})
}

// A customer is sent nothing about money that was handed back by hand, or that the bank has refused to refund.
func TestRefunded_isNotSaidOfMoneyThatNoBankRefunds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		cash := h.place(t)
		h.Move(t, cash, order.Cooking, order.Sent, order.Done)
		h.refund(t, cash, payment.RefundRequest{Key: "cold", All: true})
		h.expectMessages(t, cash, "accepted waiting", "sent waiting")
		refused := h.placePaid(t, lang.EN)
		h.bank.Answers = []func(acquiring.Refund) (acquiring.Refunded, error){ordertest.RefundRefused}
		h.refund(t, refused, payment.RefundRequest{Key: "cold", All: true})
		h.expectMessages(t, refused, "accepted waiting")
	})
}

// A message is in the language in which its order was placed, whatever language is the brand's own.
func TestMessages_areInTheLanguageOfTheirOrder(t *testing.T) {
	t.Parallel()
	says := map[lang.Lang]map[string]string{
		lang.RU: {"accepted": "заказ", "delayed": "заказ", "sent": "Курьер", "refunded": "Возвращаем 12", "canceled": "отмен"},
		lang.EN: {"accepted": "order", "delayed": "order", "sent": "courier", "refunded": "We are refunding", "canceled": "canceled"},
		lang.TR: {"accepted": "sipariş", "delayed": "sipariş", "sent": "Kurye", "refunded": "iade ediyoruz", "canceled": "iptal"},
		lang.UZ: {"accepted": "buyurtma", "delayed": "buyurtma", "sent": "Kuryer", "refunded": "qaytaramiz", "canceled": "bekor"},
		lang.DE: {"accepted": "Bestellung", "delayed": "Bestellung", "sent": "Kurier", "refunded": "Wir erstatten", "canceled": "storniert"},
		lang.UK: {"accepted": "замовлення", "delayed": "замовлення", "sent": "Курʼєр", "refunded": "Повертаємо 12", "canceled": "скасовано"},
	}
	if spoken := slices.Sorted(maps.Keys(says)); !slices.Equal(spoken, slices.Sorted(slices.Values(lang.All()))) {
		t.Fatalf("the test knows %v of %v", spoken, lang.All())
	}
	h, read := newHouse(t, dbtest.Open(t, db.SQLite)), map[string]lang.Lang{}
	for l, words := range says {
		o := h.placePaid(t, l)
		expect := func(occasion string) {
			t.Helper()
			before := len(h.first.sent)
			h.send(t)
			if len(h.first.sent) != before+1 {
				t.Fatalf("%s, %s: %d messages", l, occasion, len(h.first.sent)-before)
			}
			m := h.first.sent[before]
			link := strings.LastIndex(m.Text, " https://sushi.example/")
			if m.Lang != l || !strings.Contains(m.Text, words[occasion]) || link < 0 {
				t.Errorf("%s, %s: in %s it says %q", l, occasion, m.Lang, m.Text)
				return
			}
			if another, isRead := read[m.Text[:link]]; isRead {
				t.Errorf("%s, %s: it says the same in %s: %q", l, occasion, another, m.Text)
			}
			read[m.Text[:link]] = l
		}
		expect("accepted")
		h.Move(t, o, order.Cooking)
		if _, err := h.Orders.Delay(t.Context(), o.ID, o.PromisedTo.Add(time.Hour), "", "", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		expect("delayed")
		h.Move(t, o, order.Sent)
		expect("sent")
		h.refund(t, o, payment.RefundRequest{Key: "cold", Amount: money.Major(12)})
		expect("refunded")
		if _, err := h.Orders.CancelForRestaurant(t.Context(), o.ID, order.CancelRequest{
			Outcome: order.OutcomeUndelivered, Reason: "nobody_there", Food: "returned", KeepMoney: true,
		}, h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		expect("canceled")
	}
}
