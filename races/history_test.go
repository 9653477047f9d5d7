package races_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/order"
	"servery/internal/site"
)

// historiesVariable is how many histories of each kind are recorded on each engine.
const historiesVariable = "SERVERY_HISTORIES"

const (
	historyClients = 4
	historyCalls   = 200
)

// Four clients change and read the same cart, ledger or order through all processes at once. What
// they are answered is what one after the other would have been answered.
func TestHistories_areThoseOfOneThingAfterTheOther(t *testing.T) {
	t.Parallel()
	histories := 2
	if text := os.Getenv(historiesVariable); text != "" {
		var err error
		if histories, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		engine  db.Engine
		servers int
	}{{db.SQLite, 1}, {db.Postgres, 2}} {
		t.Run(string(c.engine), func(t *testing.T) {
			h := newHouse(t, c.engine, c.servers, 1)
			for n := 1; n <= histories && !t.Failed(); n++ {
				h.checkCart(t, n)
				h.checkLedger(t, n)
				h.checkStatus(t, n)
			}
			t.Logf("%d histories of a cart, a ledger and an order, %d calls each", histories, historyCalls)
		})
	}
}

// record lets the clients make their calls at once, and returns the history. make makes one call,
// and returns what it did to the state.
func record[S comparable](t *testing.T, seed int, call func(dice *rand.Rand) (step func(S) (S, bool), text string)) []operation[S] {
	t.Helper()
	var at atomic.Int64
	var all sync.WaitGroup
	parts := make([][]operation[S], historyClients)
	for i := range parts {
		dice := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
		all.Go(func() {
			for range historyCalls / historyClients {
				o := operation[S]{call: at.Add(1)}
				o.step, o.text = call(dice)
				o.ret = at.Add(1)
				o.text = fmt.Sprintf("client %d, %d to %d: %s", i, o.call, o.ret, o.text)
				parts[i] = append(parts[i], o)
			}
		})
	}
	all.Wait()
	var history []operation[S]
	for _, part := range parts {
		history = append(history, part...)
	}
	return history
}

// check fails the test where the history is none of one thing after the other.
func check[S comparable](t *testing.T, what string, start S, history []operation[S]) {
	t.Helper()
	if !linearizable(start, history) {
		t.Errorf("the history of %s is not that of one thing after the other:\n%s", what, describe(history))
	}
}

// sendTo sends a call to any of the servers until it is answered.
func (b *buyer) sendTo(ctx context.Context, dice *rand.Rand, method, path string, body any) answer {
	server := b.house.servers[dice.IntN(len(b.house.servers))]
	a, err := b.send(ctx, server, method, path, fmt.Sprintf("key-%016x", dice.Uint64()), body)
	if err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.fail("%s: %v", path, err)
	}
	return a
}

// lines are how many portions of the two dishes are in a cart.
type lines [2]int

// checkCart records the history of one cart on several devices.
func (h *house) checkCart(t *testing.T, n int) {
	t.Helper()
	b := h.newBuyer(n, 1)
	b.place = endless
	if a := b.sendTo(t.Context(), b.dice, http.MethodPut, "/cart/add", b.at(object{"product_key": "1-101", "count": 1})); !a.ok() {
		t.Fatalf("a dish cannot be added: %s", a)
	}
	history := record(t, n, func(dice *rand.Rand) (func(lines) (lines, bool), string) {
		dish, count, path := dice.IntN(2), 1+dice.IntN(3), "/cart"
		body := b.at(nil)
		change := 0
		switch dice.IntN(3) {
		case 0:
			path, change = "/cart/add", count
		case 1:
			path, change = "/cart/remove", -count
		}
		if change != 0 {
			body = b.at(object{"product_key": fmt.Sprintf("1-%d", 101+dish), "count": count})
		}
		a := b.sendTo(t.Context(), dice, http.MethodPut, path, body)
		var seen lines
		if a.body.Cart != nil {
			seen = lines{a.body.Cart.Products["1-101"].Count, a.body.Cart.Products["1-102"].Count}
		}
		return func(s lines) (lines, bool) {
			if a.status == http.StatusConflict { // others were always faster
				return s, change != 0
			}
			s[dish] = max(0, s[dish]+change)
			return s, a.ok() && s == seen
		}, fmt.Sprintf("%s dish %d, %d: %s %v", path, dish, change, a, seen)
	})
	if b.fault != nil {
		t.Error(b.fault)
	}
	check(t, "a cart", lines{1, 0}, history)
}

// checkLedger records the history of one customer's bonuses.
func (h *house) checkLedger(t *testing.T, n int) {
	t.Helper()
	phone := fmt.Sprintf("7904%07d", n)
	var link struct{ URL string }
	h.operate(t, "/customers/sign-in-link", object{"site": "races", "phone": phone}, &link)
	b := h.newBuyer(n, 2)
	if a := b.sendTo(t.Context(), b.dice, http.MethodPost, "/user/sign-in", object{"token": tokenOf(link.URL)}); !a.ok() {
		t.Fatalf("sign in: %s", a)
	}
	history := record(t, n, func(dice *rand.Rand) (func(int) (int, bool), string) {
		if dice.IntN(3) == 0 {
			a := b.sendTo(t.Context(), dice, http.MethodGet, "/user/balance", nil)
			var read struct{ Balances []struct{ Balance int } }
			err := json.Unmarshal([]byte(a.text), &read)
			seen := 0
			if len(read.Balances) > 0 {
				seen = read.Balances[0].Balance
			}
			return func(s int) (int, bool) { return s, err == nil && a.ok() && s == seen }, fmt.Sprintf("read: %d %d", a.status, seen)
		}
		sum := dice.IntN(100) - 50
		if sum == 0 {
			sum = 50
		}
		var after struct{ Balance int }
		status, text := h.operateAt(t, dice, "/customers/bonuses", object{
			"site": "races", "phone": phone, "key": fmt.Sprintf("%d-%016x", n, dice.Uint64()), "bonuses": sum,
		})
		err := json.Unmarshal(text, &after)
		return func(s int) (int, bool) {
			if status != http.StatusOK { // nobody has less than nothing
				return s, status == http.StatusConflict && s+sum < 0
			}
			return s + sum, err == nil && s+sum == after.Balance
		}, fmt.Sprintf("add %d: %d %d", sum, status, after.Balance)
	})
	if b.fault != nil {
		t.Error(b.fault)
	}
	check(t, "a ledger", 0, history)
}

// checkStatus records the history of one order, which kitchen and customer move.
func (h *house) checkStatus(t *testing.T, n int) {
	t.Helper()
	b := h.newBuyer(n, 3)
	b.place, b.twice, b.cancels = endless, false, false
	b.buy(t.Context())
	if b.fault != nil || b.order == 0 {
		t.Fatalf("no order: %v", b.fault)
	}
	path := fmt.Sprintf("/operator/orders/%d/status", b.order)[len("/operator"):]
	history := record(t, n, func(dice *rand.Rand) (func(order.State) (order.State, bool), string) {
		var to order.State
		by, status := order.Operator, 0
		switch dice.IntN(40) {
		case 0:
			to = order.Cooking
		case 1:
			to = order.Done
		case 2:
			to = order.Canceled
		case 3:
			to, by = order.Canceled, order.Customer
		default:
			a := b.sendTo(t.Context(), dice, http.MethodGet, fmt.Sprintf("/order/%d", b.order), nil)
			var read struct {
				Order struct{ Status struct{ Alias order.State } }
			}
			err := json.Unmarshal([]byte(a.text), &read)
			seen := read.Order.Status.Alias
			return func(s order.State) (order.State, bool) { return s, err == nil && s == seen }, fmt.Sprintf("read: %d %s", a.status, seen)
		}
		if by == order.Customer {
			status = b.sendTo(t.Context(), dice, http.MethodPost, "/order/cancel", object{"order_id": b.order}).status
		} else {
			status, _ = h.operateAt(t, dice, path, object{"status": to})
		}
		return func(s order.State) (order.State, bool) {
			isMove := order.CanMove(s, to, site.Takeaway, by)
			if isMove {
				return to, status == http.StatusOK
			}
			return s, status != http.StatusOK || s == to
		}, fmt.Sprintf("%s to %s: %d", by, to, status)
	})
	if b.fault != nil {
		t.Error(b.fault)
	}
	check(t, "an order", order.Accepted, history)
}

// operateAt makes a call as the kitchen's system at any of the servers, again where it was one too
// many in this second.
func (h *house) operateAt(t *testing.T, dice *rand.Rand, path string, body any) (int, []byte) {
	t.Helper()
	s := &shift{house: h, client: browser}
	for {
		status, text := s.operateAt(t, h.servers[dice.IntN(len(h.servers))], http.MethodPost, path, body)
		if status != http.StatusTooManyRequests {
			return status, text
		}
		time.Sleep(50 * time.Millisecond)
	}
}
