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
	kept, surcharge, reduction                                    money.Amount
	lines                                                         []order.Line
	details                                                       order.Details
	history                                                       []change
}

// change is a row of an order's history.
type change struct {
	id    int64
	kind  string
	state order.State
	actor string
	at    time.Time
}

// String returns the number and the state of the order, as reports name it.
func (o *orderRow) String() string { return fmt.Sprintf("order %d (%s)", o.id, o.state) }

// isOnline reports whether the order is paid online, before it is cooked.
func (o *orderRow) isOnline() bool { return o.paymentType != site.Cash && o.paymentType != site.Card }

// isStanding reports whether the order is not canceled, so that it may use limited stock.
func (o *orderRow) isStanding() bool { return o.state != order.Canceled }

// paid returns what an order paid online cost when it was paid, before corrections.
func (o *orderRow) paid() money.Amount { return o.total.Sub(o.surcharge).Add(o.reduction) }

// isKept reports whether the order was canceled and not all of its money was refunded with that.
func (o *orderRow) isKept() bool { return o.state == order.Canceled && o.kept > 0 }

// readOrders reads all orders with their lines and history into a.orders. It returns an error when
// one of them cannot be read.
func (a *audit) readOrders() error {
	a.orders = map[int64]*orderRow{}
	var o orderRow
	var details []byte
	var decodeErr error
	err := a.eachRow(`SELECT id, change_id, customer_id, revision, cache_key, site, order_type, phone, payment_type, currency, paid_by,
		state, created_at, subtotal, packages, delivery, discount, bonuses, total, upcoming_bonuses, kept, surcharge, reduction, details FROM orders`,
		[]any{
			&o.id, &o.changeID, &o.customerID, &o.revision, &o.cacheKey, &o.site, &o.kind, &o.phone, &o.paymentType, &o.currency, &o.paidBy,
			&o.state, &o.created, &o.subtotal, &o.packages, &o.delivery, &o.discount, &o.bonuses, &o.total, &o.upcom, &o.kept, &o.surcharge, &o.reduction, &details,
		}, func() {
			row := o
			decodeErr = errors.Join(decodeErr, json.Unmarshal(details, &row.details))
			a.orders[o.id] = &row
		})
	if err != nil {
		return err
	}
	var id int64
	var body []byte
	err = a.eachRow("SELECT order_id, body FROM order_line ORDER BY order_id, position", []any{&id, &body}, func() {
		var l order.Line
		if err := json.Unmarshal(body, &l); err != nil {
			decodeErr = errors.Join(decodeErr, fmt.Errorf("line of order %d: %w", id, err))
			return
		}
		a.orders[id].lines = append(a.orders[id].lines, l)
	})
	if err == nil {
		err = decodeErr
	}
	if err != nil {
		return err
	}
	var c change
	return a.eachRow("SELECT order_id, id, kind, state, actor, at FROM order_status ORDER BY id", []any{&id, &c.id, &c.kind, &c.state, &c.actor, &c.at},
		func() { a.orders[id].history = append(a.orders[id].history, c) })
}

// checkOrders reports orders whose sums, history or deadline are wrong, orders that differ from
// what customers saw, and wrong keys of checkouts.
func (a *audit) checkOrders() error {
	for _, id := range slices.Sorted(maps.Keys(a.orders)) {
		o := a.orders[id]
		a.checkSums(o)
		a.checkHistory(o)
		late := o.created.Add(a.books.PayWithin + payGrace)
		if o.state == order.WaitingForPayment && !a.books.Now.IsZero() && a.books.Now.After(late) {
			a.report("I12", "%s of %s still waits at %s", o, o.created.Format(time.RFC3339), a.books.Now.Format(time.RFC3339))
		}
	}
	a.checkConfirmed()
	return a.checkKeys()
}

// checkSums reports breaches of rule I9: the prices of lines, packages and delivery, less
// discount and bonuses, must add up to the sums of the order.
func (a *audit) checkSums(o *orderRow) {
	var subtotal, discount money.Amount
	bonuses := o.details.DeliveryBonuses
	for _, l := range o.lines {
		subtotal, discount = subtotal.Add(l.Total), discount.Add(l.Discount)
		if l.Total != l.WithModifiers.Times(l.Count) || l.Discount < 0 || l.Discount > l.Total {
			a.report("I9", "%s: line %s costs %d, %d times %d, less %d", o, l.Key, l.Total, l.Count, l.WithModifiers, l.Discount)
		}
		bonuses = bonuses.Add(l.Bonuses)
		a.checkBonusShare(o, l.Key, l.Total, l.Bonuses, min(l.WithModifiers, money.Scale).Times(l.Count))
	}
	for _, p := range o.details.Packages {
		bonuses = bonuses.Add(p.Bonuses)
		a.checkBonusShare(o, p.Alias, p.Price.Times(p.Count), p.Bonuses, min(p.Price, money.Scale).Times(p.Count))
	}
	a.checkBonusShare(o, order.DeliveryKey, o.delivery, o.details.DeliveryBonuses, 0)
	if o.subtotal != subtotal || o.discount != discount {
		a.report("I9", "%s: subtotal %d and discount %d, its lines say %d and %d", o, o.subtotal, o.discount, subtotal, discount)
	}
	if o.total < 0 || o.total != o.subtotal+o.packages+o.delivery-o.discount-o.bonuses {
		a.report("I9", "%s: the total %d does not add up", o, o.total)
	}
	if o.bonuses < 0 || o.packages < 0 || o.delivery < 0 {
		a.report("I9", "%s: something is below zero", o)
	}
	if o.bonuses != bonuses {
		a.report("I9", "%s: %d bonuses, its parts say %d", o, o.bonuses, bonuses)
	}
	if len(o.lines) == 0 {
		a.report("I9", "%s has no lines", o)
	}
}

// checkBonusShare reports a breach of rule I9 in a part of an order: bonuses must not be below zero,
// and must leave at least minPaid of the part's total to be paid in money.
func (a *audit) checkBonusShare(o *orderRow, part string, total, bonuses, minPaid money.Amount) {
	if bonuses < 0 || bonuses > 0 && total.Sub(bonuses) < minPaid {
		a.report("I9", "%s: %d bonuses leave %d of %s, at least %d must be paid in money", o, bonuses, total.Sub(bonuses), part, minPaid)
	}
}

// checkHistory reports breaches of rule I10: the order must have begun in its first state, been
// moved by allowed moves only, and be in the last state of its history.
func (a *audit) checkHistory(o *orderRow) {
	if len(o.history) == 0 {
		a.report("I10", "%s has no history", o)
		return
	}
	first, last := o.history[0], o.history[len(o.history)-1]
	if begin := firstState(o); first.state != begin {
		a.report("I10", "%s begins in %s, not in %s", o, first.state, begin)
	}
	if last.state != o.state || last.id != o.changeID {
		a.report("I10", "%s ends its history in %s", o, last.state)
	}
	for i, c := range o.history[1:] {
		from := o.history[i]
		actor, _, _ := strings.Cut(c.actor, ":") // operator:name
		isMove := order.CanMove(from.state, c.state, site.OrderType(o.kind), order.Actor(actor))
		switch order.ChangeKind(c.kind) {
		case order.SteppedBack:
			before, _ := order.StateBefore(from.state)
			isMove = before == c.state
		case order.Taken, order.Promised, order.CourierAssigned, order.CourierRemoved, order.Corrected, order.RefundOwed, order.Refunded:
			isMove = from.state == c.state
		case order.Placed, order.Paid, order.Moved, order.Cancellation:
		}
		if !isMove {
			a.report("I10", "%s went from %s to %s by %s", o, from.state, c.state, c.actor)
		}
		if c.at.Before(from.at) {
			a.report("I10", "%s came to %s before it was %s", o, c.state, from.state)
		}
	}
}

// firstState returns the state in which an order of its payment type begins.
func firstState(o *orderRow) order.State {
	if o.isOnline() {
		return order.WaitingForPayment
	}
	return order.Accepted
}

// checkConfirmed reports breaches of rules I1 and I2: each order that a customer saw confirmed
// must be stored as it was confirmed, and each key must have been answered with one order.
func (a *audit) checkConfirmed() {
	byKey, byID := map[string]int64{}, map[int64]string{}
	for _, seen := range a.books.Confirmed {
		o := a.orders[seen.ID]
		if o == nil {
			a.report("I1", "order %d, which its customer saw confirmed, is not there", seen.ID)
			continue
		}
		if seen.Total != 0 && seen.Total != o.total || seen.PaymentType != "" && seen.PaymentType != o.paymentType || seen.Phone != "" && seen.Phone != o.phone {
			a.report("I1", "%s is not what its customer saw confirmed", o)
		}
		if stored := countPortions(o); seen.Products != nil && !maps.Equal(seen.Products, stored) {
			a.report("I1", "%s has the products %v, its customer saw %v", o, stored, seen.Products)
		}
		if seen.Paid && o.paidBy == "" {
			a.report("I1", "%s: its customer saw that it is paid, and it is not", o)
		}
		if seen.Key == "" {
			continue
		}
		if id, ok := byKey[seen.Key]; ok && id != seen.ID || o.cacheKey != seen.Key {
			a.report("I2", "one key was answered with the orders %d and %d", id, seen.ID)
		}
		if key, ok := byID[seen.ID]; ok && key != seen.Key {
			a.report("I2", "%s was confirmed under two keys", o)
		}
		byKey[seen.Key], byID[seen.ID] = seen.ID, seen.Key
	}
}

// countPortions returns how many portions the order has of each product.
func countPortions(o *orderRow) map[int64]int {
	portions := map[int64]int{}
	for _, l := range o.lines {
		portions[l.ProductID] += l.Count
	}
	return portions
}

// checkKeys reports breaches of rule I2: no two orders may have the same checkout key, and a
// stored checkout that became an order must have the key of that order.
func (a *audit) checkKeys() error {
	seen := map[string]int64{}
	for id, o := range a.orders {
		if other, ok := seen[o.cacheKey]; ok {
			a.report("I2", "the orders %d and %d are of one key", id, other)
		}
		seen[o.cacheKey] = id
	}
	var key string
	var id int64
	return a.eachRow("SELECT key, order_id FROM order_cache WHERE order_id <> 0", []any{&key, &id}, func() {
		if o := a.orders[id]; o == nil || o.cacheKey != key {
			a.report("I2", "a checkout says that it became order %d, which says otherwise", id)
		}
	})
}
