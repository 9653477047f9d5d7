package audittest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/site"
)

// payGrace is how long after its deadline an order may still wait for its payment: a sweep
// comes every minute.
const payGrace = 5 * time.Minute

// orderRow is an order as it is stored.
type orderRow struct {
	id, changeID, customerID, revision                            int64
	cacheKey, site, kind, phone, paymentType, currency, paidBy    string
	state                                                         order.State
	created                                                       time.Time
	subtotal, packages, delivery, discount, bonuses, total, upcom money.Amount
	lines                                                         []order.Line
	details                                                       order.Details
	history                                                       []change
}

// change is a row of its history.
type change struct {
	id    int64
	state order.State
	actor string
	at    time.Time
}

// String returns the order as reports name it.
func (o *orderRow) String() string { return fmt.Sprintf("order %d (%s)", o.id, o.state) }

// isOnline reports whether it is paid before it is cooked.
func (o *orderRow) isOnline() bool { return o.paymentType != site.Cash && o.paymentType != site.Card }

// stands reports whether the order may hold limited stock.
func (o *orderRow) stands() bool { return o.state != order.Canceled }

// readOrders reads all orders with their lines and history. It fails when one of them cannot be read.
func (a *audit) readOrders() error {
	a.all = map[int64]*orderRow{}
	var o orderRow
	var details []byte
	var wrong error
	err := a.each(`SELECT id, change_id, customer_id, revision, cache_key, site, order_type, phone, payment_type, currency, paid_by,
		state, created_at, subtotal, packages, delivery, discount, bonuses, total, upcoming_bonuses, details FROM orders`,
		[]any{
			&o.id, &o.changeID, &o.customerID, &o.revision, &o.cacheKey, &o.site, &o.kind, &o.phone, &o.paymentType, &o.currency, &o.paidBy,
			&o.state, &o.created, &o.subtotal, &o.packages, &o.delivery, &o.discount, &o.bonuses, &o.total, &o.upcom, &details,
		}, func() {
			row := o
			wrong = errors.Join(wrong, json.Unmarshal(details, &row.details))
			a.all[o.id] = &row
		})
	if err != nil {
		return err
	}
	var id int64
	var body []byte
	err = a.each("SELECT order_id, body FROM order_line ORDER BY order_id, position", []any{&id, &body}, func() {
		var l order.Line
		if err := json.Unmarshal(body, &l); err != nil {
			wrong = errors.Join(wrong, fmt.Errorf("line of order %d: %w", id, err))
			return
		}
		a.all[id].lines = append(a.all[id].lines, l)
	})
	if err == nil {
		err = wrong
	}
	if err != nil {
		return err
	}
	var c change
	return a.each("SELECT order_id, id, state, actor, at FROM order_status ORDER BY id", []any{&id, &c.id, &c.state, &c.actor, &c.at},
		func() { a.all[id].history = append(a.all[id].history, c) })
}

// orders checks the sums, the history and the deadline of each order, then what customers got confirmed
// and the keys of checkouts.
func (a *audit) orders() error {
	for _, id := range slices.Sorted(maps.Keys(a.all)) {
		o := a.all[id]
		a.sums(o)
		a.life(o)
		late := o.created.Add(a.books.PayWithin + payGrace)
		if o.state == order.WaitingForPayment && !a.books.Now.IsZero() && a.books.Now.After(late) {
			a.breach("I12", "%s of %s still waits at %s", o, o.created.Format(time.RFC3339), a.books.Now.Format(time.RFC3339))
		}
	}
	a.checkConfirmed()
	return a.checkKeys()
}

// sums looks whether the total is made of what it is made of.
func (a *audit) sums(o *orderRow) {
	var subtotal, discount money.Amount
	bonuses := o.details.DeliveryBonuses
	for _, l := range o.lines {
		subtotal, discount = subtotal.Add(l.Total), discount.Add(l.Discount)
		if l.Total != l.WithModifiers.Times(l.Count) || l.Discount < 0 || l.Discount > l.Total {
			a.breach("I9", "%s: line %s costs %d, %d times %d, less %d", o, l.Key, l.Total, l.Count, l.WithModifiers, l.Discount)
		}
		bonuses = bonuses.Add(l.Bonuses)
		a.leaves(o, l.Key, l.Total, l.Bonuses, min(l.WithModifiers, money.Scale).Times(l.Count))
	}
	for _, p := range o.details.Packages {
		bonuses = bonuses.Add(p.Bonuses)
		a.leaves(o, p.Alias, p.Price.Times(p.Count), p.Bonuses, min(p.Price, money.Scale).Times(p.Count))
	}
	a.leaves(o, order.DeliveryKey, o.delivery, o.details.DeliveryBonuses, 0)
	if o.subtotal != subtotal || o.discount != discount {
		a.breach("I9", "%s: subtotal %d and discount %d, its lines say %d and %d", o, o.subtotal, o.discount, subtotal, discount)
	}
	if o.total < 0 || o.total != o.subtotal+o.packages+o.delivery-o.discount-o.bonuses {
		a.breach("I9", "%s: the total %d does not add up", o, o.total)
	}
	if o.bonuses < 0 || o.packages < 0 || o.delivery < 0 {
		a.breach("I9", "%s: something is below zero", o)
	}
	if o.bonuses != bonuses {
		a.breach("I9", "%s: %d bonuses, its parts say %d", o, o.bonuses, bonuses)
	}
	if len(o.lines) == 0 {
		a.breach("I9", "%s has no lines", o)
	}
}

// leaves looks whether bonuses leave of a part what has to be paid of it.
func (a *audit) leaves(o *orderRow, part string, total, bonuses, least money.Amount) {
	if bonuses < 0 || bonuses > 0 && total.Sub(bonuses) < least {
		a.breach("I9", "%s: %d bonuses leave %d of %s, and each item has to cost a unit", o, bonuses, total.Sub(bonuses), part)
	}
}

// life looks whether the order came along allowed ways only.
func (a *audit) life(o *orderRow) {
	if len(o.history) == 0 {
		a.breach("I10", "%s has no history", o)
		return
	}
	first, last := o.history[0], o.history[len(o.history)-1]
	if begin := beginning(o); first.state != begin {
		a.breach("I10", "%s begins in %s, not in %s", o, first.state, begin)
	}
	if last.state != o.state || last.id != o.changeID {
		a.breach("I10", "%s ends its history in %s", o, last.state)
	}
	for i, c := range o.history[1:] {
		from := o.history[i]
		actor, _, _ := strings.Cut(c.actor, ":") // operator:name
		if !order.CanMove(from.state, c.state, site.OrderType(o.kind), order.Actor(actor)) {
			a.breach("I10", "%s went from %s to %s by %s", o, from.state, c.state, c.actor)
		}
		if c.at.Before(from.at) {
			a.breach("I10", "%s came to %s before it was %s", o, c.state, from.state)
		}
	}
}

func beginning(o *orderRow) order.State {
	if o.isOnline() {
		return order.WaitingForPayment
	}
	return order.Accepted
}

// checkConfirmed checks that all orders that were confirmed are there, as they were confirmed.
func (a *audit) checkConfirmed() {
	byKey, byID := map[string]int64{}, map[int64]string{}
	for _, t := range a.books.Confirmed {
		o := a.all[t.ID]
		if o == nil {
			a.breach("I1", "order %d, which its customer was shown of, is not there", t.ID)
			continue
		}
		if t.Total != 0 && t.Total != o.total || t.PaymentType != "" && t.PaymentType != o.paymentType || t.Phone != "" && t.Phone != o.phone {
			a.breach("I1", "%s is not what its customer was shown of", o)
		}
		if have := portions(o); t.Products != nil && !maps.Equal(t.Products, have) {
			a.breach("I1", "%s has the products %v, its customer was shown of %v", o, have, t.Products)
		}
		if t.Paid && o.paidBy == "" {
			a.breach("I1", "%s: its customer was shown that it is paid", o)
		}
		if t.Key == "" {
			continue
		}
		if id, ok := byKey[t.Key]; ok && id != t.ID || o.cacheKey != t.Key {
			a.breach("I2", "one key was answered with the orders %d and %d", id, t.ID)
		}
		if key, ok := byID[t.ID]; ok && key != t.Key {
			a.breach("I2", "%s was shown of under two keys", o)
		}
		byKey[t.Key], byID[t.ID] = t.ID, t.Key
	}
}

func portions(o *orderRow) map[int64]int {
	have := map[int64]int{}
	for _, l := range o.lines {
		have[l.ProductID] += l.Count
	}
	return have
}

// checkKeys checks I2: no two orders have the same checkout key, and each stored checkout that
// became an order has the key of that order.
func (a *audit) checkKeys() error {
	seen := map[string]int64{}
	for id, o := range a.all {
		if other, ok := seen[o.cacheKey]; ok {
			a.breach("I2", "the orders %d and %d are of one key", id, other)
		}
		seen[o.cacheKey] = id
	}
	var key string
	var id int64
	return a.each("SELECT key, order_id FROM order_cache WHERE order_id <> 0", []any{&key, &id}, func() {
		if o := a.all[id]; o == nil || o.cacheKey != key {
			a.breach("I2", "a checkout says that it became order %d, which says otherwise", id)
		}
	})
}
