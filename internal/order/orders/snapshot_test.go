package orders_test

import (
	"fmt"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/site"
	"servery/internal/visit"
)

// seen is what one answer shows of an order and its payment.
type seen struct {
	state      order.State
	payments   []payment.Attempt
	refundable int
	money      payment.Status
}

// isConsistent reports whether the answer is of one instant, before the payment or after it.
// needsLines says that it also has to show refundable lines once the order is paid.
func (s seen) isConsistent(needsLines bool) bool {
	isPaid := len(s.payments) > 0 && s.payments[len(s.payments)-1].State == payment.Paid
	return isPaid == (s.state == order.Accepted) && isPaid == (s.money == payment.StatusPaid) && (!needsLines || isPaid == (s.refundable > 0))
}

// Four ways to read an order run while its payment arrives. None ever shows a paid order without
// its payment, or the reverse.
func TestMoney_isOfOneInstantWhileThePaymentArrives(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashierWithOffers(t, d)
		v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", 0)
		views := map[string]func(o order.Order) (seen, error){
			"operator": func(o order.Order) (seen, error) {
				m, err := c.Orders.FindWithPayment(t.Context(), o.ID)
				return seen{m.Order.State, m.Payment.Attempts, len(m.Payment.Refundable()), m.Payment.Status()}, err
			},
			"order": func(o order.Order) (seen, error) {
				m, err := c.Orders.ReadPayment(t.Context(), o)
				return seen{m.Order.State, m.Payment.Attempts, len(m.Payment.Refundable()), m.Payment.Status()}, err
			},
			"list": func(order.Order) (seen, error) {
				page, err := c.History.ReadPage(t.Context(), v, 1)
				if err != nil {
					return seen{}, err
				}
				listed := page.Orders[0]
				return seen{listed.State, listed.Payment.Attempts, 0, listed.Payment.Status()}, nil
			},
			"paying": func(o order.Order) (seen, error) {
				p, err := c.Payments.FindView(t.Context(), v, o.CacheKey)
				if err != nil {
					return seen{}, err
				}
				return seen{order.State(p.Bill.OrderState), []payment.Attempt{*p.Last}, 0, p.Status}, nil
			},
		}
		for range 25 {
			o := beginPaying(t, c, v)
			for name, look := range views {
				if _, err := look(o); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			wrong, paid := make(chan string, len(views)), make(chan struct{})
			for name, look := range views {
				go func() { wrong <- watchUntilPaid(o, name, look, paid) }()
			}
			c.DeliverWebhook(t, c.Desk.Pay(c.Desk.LastID()))
			close(paid)
			for range views {
				if text := <-wrong; text != "" {
					t.Fatal(text)
				}
			}
			c.Clock.Advance(time.Second)
		}
	})
}

// beginPaying places an order of the visitor, begins its payment and returns the order.
func beginPaying(t *testing.T, c *ordertest.Cashier, v visit.Context) order.Order {
	t.Helper()
	v = c.Again(t, v, "sushi")
	c.Guest, c.Form = v, c.TakeawayFromPhone(t, v, 1)
	c.Placed = c.PlaceUnpaid(t, v, c.Form)
	c.Form.PaymentType = site.SBP
	c.BeginPayment(t, c.Request(site.SBP))
	return c.Placed
}

// watchUntilPaid reads an order with look until paid is closed, and once more. It returns a text
// about the first answer that is not consistent, empty when all are. name is that of the way to read: only
// those named operator and order also show refundable lines.
func watchUntilPaid(o order.Order, name string, look func(order.Order) (seen, error), paid <-chan struct{}) string {
	for isLast := false; ; {
		s, err := look(o)
		switch {
		case err != nil:
			return name + ": " + err.Error()
		case !s.isConsistent(name == "operator" || name == "order"):
			return fmt.Sprintf("%s: the order is %s, its money %s, %d lines, payments %+v", name, s.state, s.money, s.refundable, listStates(s.payments))
		case isLast:
			return ""
		}
		select {
		case <-paid:
			isLast = true
		default:
		}
	}
}

// listStates returns the states of the attempts.
func listStates(payments []payment.Attempt) []payment.AttemptState {
	var states []payment.AttemptState
	for _, p := range payments {
		states = append(states, p.State)
	}
	return states
}
