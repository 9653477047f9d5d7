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

// Four clients change and read the same cart, ledger or order through all processes at once. Some order of their
// calls, one after the other, would have had the same answers.
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

// record lets historyClients make their calls at once, and returns the history. call makes one call; it returns the
// call's effect on the state, see [operation], and a text that describes it.
func record[S comparable](t *testing.T, seed int, call func(dice *rand.Rand) (step func(S) (S, bool), text string)) []operation[S] {
	t.Helper()
	var instant atomic.Int64
	var clients sync.WaitGroup
	parts := make([][]operation[S], historyClients)
	for i := range parts {
		dice := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
		clients.Go(func() {
			for range historyCalls / historyClients {
				o := operation[S]{call: instant.Add(1)}
				o.step, o.text = call(dice)
				o.ret = instant.Add(1)
				o.text = fmt.Sprintf("client %d, %d to %d: %s", i, o.call, o.ret, o.text)
				parts[i] = append(parts[i], o)
			}
		})
	}
	clients.Wait()
	var history []operation[S]
	for _, part := range parts {
		history = append(history, part...)
	}
	return history
}

// checkLinearizable reports an error unless the history of the subject is linearizable from the state start.
func checkLinearizable[S comparable](t *testing.T, subject string, start S, history []operation[S]) {
	t.Helper()
	if !linearizable(start, history) {
		t.Errorf("the history of %s is not that of one thing after the other:\n%s", subject, describe(history))
	}
}

// sendAnywhere sends a call to a random server and returns the answer. An error is the buyer's fault. It is safe for
// concurrent use.
func (b *buyer) sendAnywhere(ctx context.Context, dice *rand.Rand, method, path string, body any) answer {
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

// checkCart records a history of one cart on several devices, and checks it.
func (h *house) checkCart(t *testing.T, n int) {
	t.Helper()
	b := h.newBuyer(n, 1)
	b.place = endless
	if a := b.sendAnywhere(t.Context(), b.dice, http.MethodPut, "/cart/add", b.at(object{"product_key": "1-101", "count": 1})); !a.ok() {
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
		a := b.sendAnywhere(t.Context(), dice, http.MethodPut, path, body)
		var seen lines
		if a.body.Cart != nil {
			seen = lines{a.body.Cart.Products["1-101"].Count, a.body.Cart.Products["1-102"].Count}
		}
		return func(s lines) (lines, bool) {
			if a.status == http.StatusConflict { // the optimistic lock was lost, and nothing was changed
				return s, change != 0
			}
			s[dish] = max(0, s[dish]+change)
			return s, a.ok() && s == seen
		}, fmt.Sprintf("%s dish %d, %d: %s %v", path, dish, change, a, seen)
	})
	if b.fault != nil {
		t.Error(b.fault)
	}
	checkLinearizable(t, "a cart", lines{1, 0}, history)
}

// checkLedger records a history of one customer's bonuses, and checks it.
func (h *house) checkLedger(t *testing.T, n int) {
	t.Helper()
	phone := fmt.Sprintf("7904%07d", n)
	var link struct{ URL string }
	h.operate(t, "/customers/sign-in-link", object{"site": "races", "phone": phone}, &link)
	b := h.newBuyer(n, 2)
	if a := b.sendAnywhere(t.Context(), b.dice, http.MethodPost, "/user/sign-in", object{"token": tokenOf(link.URL)}); !a.ok() {
		t.Fatalf("sign in: %s", a)
	}
	history := record(t, n, func(dice *rand.Rand) (func(int) (int, bool), string) {
		if dice.IntN(3) == 0 {
			a := b.sendAnywhere(t.Context(), dice, http.MethodGet, "/user/balance", nil)
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
			if status != http.StatusOK { // a balance below zero is refused
				return s, status == http.StatusConflict && s+sum < 0
			}
			return s + sum, err == nil && s+sum == after.Balance
		}, fmt.Sprintf("add %d: %d %d", sum, status, after.Balance)
	})
	if b.fault != nil {
		t.Error(b.fault)
	}
	checkLinearizable(t, "a ledger", 0, history)
}

// checkStatus records a history of one order whose status kitchen and customer change, and checks it.
func (h *house) checkStatus(t *testing.T, n int) {
	t.Helper()
	b := h.newBuyer(n, 3)
	b.place, b.twice, b.cancels = endless, false, false
	b.buy(t.Context())
	if b.fault != nil || b.order == 0 {
		t.Fatalf("no order: %v", b.fault)
	}
	path := fmt.Sprintf("/orders/%d/status", b.order)
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
			a := b.sendAnywhere(t.Context(), dice, http.MethodGet, fmt.Sprintf("/order/%d", b.order), nil)
			var read struct {
				Order struct{ Status struct{ Alias order.State } }
			}
			err := json.Unmarshal([]byte(a.text), &read)
			seen := read.Order.Status.Alias
			return func(s order.State) (order.State, bool) { return s, err == nil && s == seen }, fmt.Sprintf("read: %d %s", a.status, seen)
		}
		if by == order.Customer {
			status = b.sendAnywhere(t.Context(), dice, http.MethodPost, "/order/cancel", object{"order_id": b.order}).status
		} else {
			status, _ = h.operateAt(t, dice, path, object{"status": to})
		}
		return func(s order.State) (order.State, bool) {
			isMove := order.CanMove(s, to, site.Takeaway, by)
			if by == order.Customer { // no order here is promised for later than was agreed
				isMove = order.Order{State: s}.CanCancel()
			}
			if isMove {
				return to, status == http.StatusOK
			}
			return s, status != http.StatusOK || s == to
		}, fmt.Sprintf("%s to %s: %d", by, to, status)
	})
	if b.fault != nil {
		t.Error(b.fault)
	}
	checkLinearizable(t, "an order", order.Accepted, history)
}

// operateAt makes an operator's call to a random server and returns status and text of the answer.
func (h *house) operateAt(t *testing.T, dice *rand.Rand, path string, body any) (int, []byte) {
	t.Helper()
	s := &shift{house: h, client: browser}
	return s.operateAt(t, h.servers[dice.IntN(len(h.servers))], http.MethodPost, path, body)
}
