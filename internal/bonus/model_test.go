package bonus_test

import (
	"fmt"
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
	usedKey map[string]bool
}

// modelOrder is what the model knows of an order.
type modelOrder struct {
	held, accrued money.Amount
	// returned went back before the refund.
	returned money.Amount
	state    string // "", "held", "spent", "released"
	refunded bool
	undone   bonus.Refunded // what the refund has moved
}

// adjust changes the balance once for each key, and returns the key of the fault that Adjust has
// to return, empty for none.
func (m *model) adjust(who bonus.Account, key string, amount money.Amount) string {
	if m.usedKey[key] || amount == 0 {
		return ""
	}
	if m.balance[who]+amount < 0 {
		return "bonus.not_enough"
	}
	m.usedKey[key] = true
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

// returnPart returns as much of what the order has spent as is due, less what went back before.
func (m *model) returnPart(who bonus.Account, o *modelOrder, due money.Amount) {
	if due = min(due, o.held); o.state == "spent" && !o.refunded && due > o.returned {
		m.balance[who] += due - o.returned
		o.returned = due
	}
}

// refund undoes what the order did to the balance, and returns what Refund has to return. A
// second call changes nothing.
func (m *model) refund(who bonus.Account, o *modelOrder) bonus.Refunded {
	m.release(who, o)
	if o.refunded {
		return o.undone
	}
	o.refunded = true
	if o.state == "spent" {
		o.undone.Returned = o.held - o.returned
		m.balance[who] += o.undone.Returned
	}
	o.undone.TakenBack = min(o.accrued, m.balance[who])
	o.undone.Missing = o.accrued - o.undone.TakenBack
	m.balance[who] -= o.undone.TakenBack
	return o.undone
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
	m := &model{balance: map[bonus.Account]money.Amount{}, orders: map[int64]*modelOrder{}, usedKey: map[string]bool{}}
	var accounts []bonus.Account
	var orders []int64 // ids differ each time, so nothing may depend on them
	for range 2 {
		accounts = append(accounts, l.newCustomer("sushi", fmt.Sprint(79160000000+lastCustomer.Add(1))))
	}
	for range 4 {
		id := lastOrder.Add(1)
		orders = append(orders, id)
		m.orders[id] = &modelOrder{}
	}
	// All calls for an order have the same customer and sums, as the package requires.
	held := []money.Amount{0, 10_00, 20_00, 30_00}
	accrued := []money.Amount{30_00, 20_00, 0, 10_00}
	keys := map[string]money.Amount{"a": 25_00, "b": 0, "c": -15_00, "d": 40_00}

	for range rapid.IntRange(1, 30).Draw(r, "length") {
		order := rapid.IntRange(0, len(orders)-1).Draw(r, "order")
		id := orders[order]
		who, o := accounts[order%len(accounts)], m.orders[id]
		call := rapid.SampledFrom([]string{"adjust", "reserve", "confirm", "release", "accrue", "return", "refund"}).Draw(r, "call")
		switch call {
		case "adjust":
			name := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(r, "key")
			key := fmt.Sprint(name, who.CustomerID)
			if got, want := l.adjust(who, key, keys[name]), m.adjust(who, key, keys[name]); got != want {
				r.Fatalf("adjust: %q, want %q", got, want)
			}
		case "reserve":
			if got, want := l.reserve(who, id, held[order]), m.reserve(who, o, held[order]); got != want {
				r.Fatalf("reserve: %q, want %q", got, want)
			}
		case "confirm":
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
		case "return":
			due := money.Amount(rapid.IntRange(0, 35_00).Draw(r, "due"))
			l.returnPart(id, due)
			m.returnPart(who, o, due)
		case "refund":
			if got, want := l.refund(id), m.refund(who, o); got != want {
				r.Fatalf("refund: %+v, want %+v", got, want)
			}
		}
		for n, account := range accounts {
			if got, want := l.balance(account), m.balance[account]; got != want {
				r.Fatalf("after %s customer %d has %d, want %d", call, n, got, want)
			}
		}
	}
}
