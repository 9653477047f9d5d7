package bonus_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"servery/internal/bonus"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
)

// model computes what the calls of package bonus have to do, with plain balances in memory.
type model struct {
	balance map[bonus.Account]money.Amount
	orders  map[int64]*modelOrder
	given   map[string]bool
}

// modelOrder is what the model knows of an order.
type modelOrder struct {
	held, accrued money.Amount
	state         string // "", "held", "spent", "released"
	refunded      bool
	answer        bonus.Refunded
}

// give changes the balance once for each key, and returns the key of the fault that Give has to
// return, empty for none.
func (m *model) adjust(who bonus.Account, key string, amount money.Amount) string {
	if m.given[key] || amount == 0 {
		return ""
	}
	if m.balance[who]+amount < 0 {
		return "bonus.not_enough"
	}
	m.given[key] = true
	m.balance[who] += amount
	return ""
}

// reserve takes the amount from the balance for the order, once, and returns the key of the
// fault that Reserve has to return, empty for none.
func (m *model) reserve(who bonus.Account, o *modelOrder, amount money.Amount) string {
	if o.state != "" || o.refunded || amount == 0 {
		return ""
	}
	if m.balance[who] < amount {
		return "bonus.not_enough"
	}
	m.balance[who] -= amount
	o.held, o.state = amount, "held"
	return ""
}

// release returns what the order has reserved to the balance.
func (m *model) release(who bonus.Account, o *modelOrder) {
	if o.state == "held" {
		o.state = "released"
		m.balance[who] += o.held
	}
}

// accrue adds the amount to the balance, once for each order and not after a refund.
func (m *model) accrue(who bonus.Account, o *modelOrder, amount money.Amount) {
	if amount > 0 && o.accrued == 0 && !o.refunded {
		o.accrued = amount
		m.balance[who] += amount
	}
}

// refund undoes what the order did to the balance, and returns what Refund has to return. A
// second call changes nothing.
func (m *model) refund(who bonus.Account, o *modelOrder) bonus.Refunded {
	m.release(who, o)
	if o.refunded {
		return o.answer
	}
	o.refunded = true
	if o.state == "spent" {
		o.answer.Returned = o.held
		m.balance[who] += o.held
	}
	o.answer.TakenBack = min(o.accrued, m.balance[who])
	o.answer.Missing = o.accrued - o.answer.TakenBack
	m.balance[who] -= o.answer.TakenBack
	return o.answer
}

// lastCustomer and lastOrder keep the customers and orders of all sequences apart.
var lastCustomer, lastOrder atomic.Int64

// Random calls for two customers and four orders have the results and balances that a simple
// model computes, and leave the ledger consistent.
func TestBonuses_agreeWithASimpleModel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLedger(t, d)
		rapid.Check(t, func(r *rapid.T) { runRandomCalls(r, l) })
		l.checkLedger()
	})
}

// runRandomCalls makes up to 30 random calls on new customers and orders of the ledger. After
// each it compares result and balances with those of a model.
func runRandomCalls(r *rapid.T, l ledger) {
	m := &model{balance: map[bonus.Account]money.Amount{}, orders: map[int64]*modelOrder{}, given: map[string]bool{}}
	var people []bonus.Account
	var orders []int64 // ids differ each time, so nothing may depend on them
	for range 2 {
		people = append(people, l.newCustomer("sushi", fmt.Sprint(79160000000+lastCustomer.Add(1))))
	}
	for range 4 {
		id := lastOrder.Add(1)
		orders = append(orders, id)
		m.orders[id] = &modelOrder{}
	}
	// Whose an order is never changes, and neither do its sums.
	held := []money.Amount{0, 10_00, 20_00, 30_00}
	accrued := []money.Amount{30_00, 20_00, 0, 10_00}
	keys := map[string]money.Amount{"a": 25_00, "b": 0, "c": -15_00, "d": 40_00}

	for range rapid.IntRange(1, 30).Draw(r, "length") {
		order := rapid.IntRange(0, len(orders)-1).Draw(r, "order")
		id := orders[order]
		who, o := people[order%len(people)], m.orders[id]
		call := rapid.SampledFrom([]string{"give", "hold", "commit", "release", "accrue", "refund"}).Draw(r, "call")
		switch call {
		case "give":
			name := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(r, "key")
			key := fmt.Sprint(name, who.CustomerID)
			if got, want := l.adjust(who, key, keys[name]), m.adjust(who, key, keys[name]); got != want {
				r.Fatalf("give: %q, want %q", got, want)
			}
		case "hold":
			if got, want := l.reserve(who, id, held[order]), m.reserve(who, o, held[order]); got != want {
				r.Fatalf("hold: %q, want %q", got, want)
			}
		case "commit":
			l.confirm(id)
			if o.state == "held" {
				o.state = "spent"
			}
		case "release":
			l.release(id)
			m.release(who, o)
		case "accrue":
			l.accrue(who, id, accrued[order])
			m.accrue(who, o, accrued[order])
		case "refund":
			if got, want := l.refund(id), m.refund(who, o); got != want {
				r.Fatalf("refund: %+v, want %+v", got, want)
			}
		}
		for _, id := range people {
			if got, want := l.balance(id), m.balance[id]; got != want {
				r.Fatalf("after %s customer %d has %d, want %d", call, slices.Index(people, id), got, want)
			}
		}
	}
}
