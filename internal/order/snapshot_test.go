package order_test

import (
	"fmt"
	"testing"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/site"
	"servery/internal/visit"
)

// seen is how the paying of an order shows in one answer.
type seen struct {
	state      order.State
	payments   []payment.Attempt
	refundable int
	money      payment.Status
}

// agrees reports whether what is seen is of one instant: before the payment or after it.
func (s seen) agrees(needsLines bool) bool {
	isPaid := len(s.payments) > 0 && s.payments[len(s.payments)-1].State == payment.Paid
	return isPaid == (s.state == order.Accepted) && isPaid == (s.money == payment.StatusPaid) && (!needsLines || isPaid == (s.refundable > 0))
}

func TestMoney_isOfOneInstantWhileThePaymentArrives(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewOnlineShop(t, d)
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
			o := waitsForItsPayment(t, c, v)
			for name, look := range views {
				if _, err := look(o); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			wrong, paid := make(chan string, len(views)), make(chan struct{})
			for name, look := range views {
				go func() { wrong <- watch(o, name, look, paid) }()
			}
			c.Deliver(t, c.Desk.Pay(c.Desk.Last()))
			close(paid)
			for range views {
				if what := <-wrong; what != "" {
					t.Fatal(what)
				}
			}
			c.Clock.Advance(1e9)
		}
	})
}

// waitsForItsPayment returns an order of the visitor that is about to be paid.
func waitsForItsPayment(t *testing.T, c *ordertest.Cashier, v visit.Context) order.Order {
	t.Helper()
	v = c.Again(t, v, "sushi")
	c.Guest, c.Form = v, c.Fetch(t, v, 1)
	c.Placed = c.PlaceUnpaid(t, v, c.Form)
	c.Form.PaymentType = site.SBP
	c.BeginPayment(t, c.Request(site.SBP))
	return c.Placed
}

// watch looks at an order until it is paid, and once more. It says what does not agree.
func watch(o order.Order, name string, look func(order.Order) (seen, error), paid <-chan struct{}) string {
	for isLast := false; ; {
		s, err := look(o)
		switch {
		case err != nil:
			return name + ": " + err.Error()
		case !s.agrees(name == "operator" || name == "order"):
			return fmt.Sprintf("%s: the order is %s, its money %s, %d lines, payments %+v", name, s.state, s.money, s.refundable, statesOf(s.payments))
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

func statesOf(payments []payment.Attempt) []acquiring.ID {
	var states []acquiring.ID
	for _, p := range payments {
		states = append(states, acquiring.ID(p.State))
	}
	return states
}
