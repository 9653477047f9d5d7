package audittest

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"servery/internal/order"
	"servery/internal/schedule"
)

// holdGrace is how long after its expiry a reservation may still be stored: until the sweep.
const holdGrace = 5 * time.Minute

// holdKeptFor is how long an order's reservation of limited stock is stored.
const holdKeptFor = 90 * 24 * time.Hour

// checkBonuses reports breaches of rule I5: no bonuses may come from nowhere or be lost, and the
// reserved bonuses must be exactly those of waiting orders.
func (a *audit) checkBonuses() error {
	for rule, query := range map[string]string{
		"a posting does not sum to zero":                "SELECT posting_id FROM bonus_entry GROUP BY posting_id HAVING SUM(amount) <> 0",
		"a customer's account is below zero":            "SELECT account_id FROM bonus_entry e JOIN bonus_account a ON a.id = e.account_id WHERE a.kind = 'customer' GROUP BY account_id HAVING SUM(amount) < 0",
		"a balance is not the sum of its entries":       "SELECT a.id FROM bonus_account a JOIN bonus_entry e ON e.account_id = a.id WHERE a.kind = 'customer' GROUP BY a.id, a.balance HAVING SUM(e.amount) <> a.balance",
		"an account without entries has a balance":      "SELECT a.id FROM bonus_account a WHERE a.balance <> 0 AND NOT EXISTS (SELECT 1 FROM bonus_entry e WHERE e.account_id = a.id)",
		"the account of held or spent ones is negative": "SELECT account_id FROM bonus_entry e JOIN bonus_account a ON a.id = e.account_id WHERE a.kind IN ('held', 'spent') GROUP BY account_id HAVING SUM(amount) < 0",
	} {
		var id int64
		if err := a.eachRow(query, []any{&id}, func() { a.report("I5", "%s (%d)", rule, id) }); err != nil {
			return err
		}
	}
	// What is held is held for orders that wait, to the kopeck.
	held := map[string]int64{}
	for _, o := range a.orders {
		if o.state == order.WaitingForPayment {
			held[o.site+" "+o.currency] += int64(o.bonuses)
		}
	}
	var brand, currency string
	var sum int64
	err := a.eachRow(`SELECT a.site, a.currency, CAST(SUM(e.amount) AS bigint) FROM bonus_account a JOIN bonus_entry e ON e.account_id = a.id
		WHERE a.kind = 'held' GROUP BY a.site, a.currency`, []any{&brand, &currency, &sum}, func() {
		name := brand + " " + currency
		if sum != held[name] {
			a.report("I5", "%d bonuses of %s are held, orders that wait hold %d", sum, name, held[name])
		}
		delete(held, name)
	})
	for name, want := range held {
		if want != 0 {
			a.report("I5", "no bonuses of %s are held, orders that wait hold %d", name, want)
		}
	}
	return err
}

// isStandingOrder reports whether the holder's name, as "order:17", is that of an order that is
// not canceled.
func (a *audit) isStandingOrder(name string) bool {
	number, ok := strings.CutPrefix(name, "order:")
	if !ok {
		return false
	}
	id, err := strconv.ParseInt(number, 10, 64)
	return err == nil && a.orders[id] != nil && a.orders[id].isStanding()
}

// isPastDeadline reports whether a reservation with that deadline should have been released by
// now. It is false without a deadline.
func (a *audit) isPastDeadline(until sql.NullTime) bool {
	return until.Valid && !a.books.Now.IsZero() && a.books.Now.After(until.Time.Add(holdGrace))
}

// hasForgottenHolds reports whether there is an order older than holdKeptFor. The reservations of such
// orders are deleted, so that only the counts of the stock that they use are left.
func (a *audit) hasForgottenHolds() bool {
	for _, o := range a.orders {
		if !a.books.Now.IsZero() && o.created.Before(a.books.Now.Add(-holdKeptFor)) {
			return true
		}
	}
	return false
}

// checkStock reports breaches of rules I6 and I7: each count of limited stock must be within its
// limit, and equal what orders that are not canceled have reserved. A count may be higher once there
// is an order older than holdKeptFor.
func (a *audit) checkStock() error {
	counted := map[string]int{}
	var name, body string
	var until sql.NullTime
	var decodeErr error
	err := a.eachRow("SELECT holder, things, expires_at FROM stock_hold", []any{&name, &body, &until}, func() {
		if !a.isStandingOrder(name) || a.isPastDeadline(until) {
			a.report("I7", "stock is held by %s, and no such order stands", name)
		}
		var things []struct {
			Site, Kind, Scope string
			ID                int64
			Count             int
		}
		if err := json.Unmarshal([]byte(body), &things); err != nil {
			decodeErr = fmt.Errorf("stock of %s: %w", name, err)
		}
		for _, t := range things {
			counted[fmt.Sprintf("%s %s %d %s", t.Site, t.Kind, t.ID, t.Scope)] += t.Count
		}
	})
	if err == nil {
		err = decodeErr
	}
	if err != nil {
		return err
	}
	var brand, kind, scope string
	var id int64
	var used, limit int
	// What the shares of a thing have left is not used.
	err = a.eachRow(`SELECT c.site, c.kind, c.thing_id, c.scope, CAST(c.used - COALESCE((SELECT SUM(s.max_used - s.used) FROM stock_share s
			WHERE s.site = c.site AND s.kind = c.kind AND s.thing_id = c.thing_id AND c.scope = ''), 0) AS bigint), c.max_used
		FROM stock_count c`, []any{&brand, &kind, &id, &scope, &used, &limit}, func() {
		thing := fmt.Sprintf("%s %s %d %s", brand, kind, id, scope)
		if used < 0 || used > limit {
			a.report("I6", "%d of %s are used, the limit is %d", used, thing, limit)
		}
		if counted[thing] > used || counted[thing] < used && !a.hasForgottenHolds() {
			a.report("I7", "%d of %s are counted, %d are held", used, thing, counted[thing])
		}
		delete(counted, thing)
	})
	for thing, count := range counted {
		a.report("I7", "%d of %s are held, and nothing is counted", count, thing)
	}
	return err
}

// checkSlots reports breaches of rule I8: the work taken of each interval must equal what
// checkouts and orders that are not canceled have reserved, and be within its ceiling.
func (a *audit) checkSlots() error {
	type work struct{ minutes, holds int }
	held := map[string]work{}
	var name, body, earlier, kind string
	var shop, group int64
	var start time.Time
	var until sql.NullTime
	var decodeErr error
	// slot names the interval of the row that was read last.
	slot := func(group int64) string {
		return fmt.Sprintf("%s at shop %d, group %d, %s", start.UTC().Format(time.RFC3339), shop, group, kind)
	}
	err := a.eachRow("SELECT holder, shop_id, order_type, starts_at, minutes, earlier, expires_at FROM slot_hold",
		[]any{&name, &shop, &kind, &start, &body, &earlier, &until}, func() {
			if !strings.HasPrefix(name, "cache:") && !a.isStandingOrder(name) || a.isPastDeadline(until) {
				a.report("I8", "%s is held by %s, and no such order stands", slot(0), name)
			}
			parts, err := schedule.ParseParts(start, body, earlier)
			if err != nil {
				decodeErr = fmt.Errorf("interval of %s: %w", name, err)
			}
			for _, part := range parts {
				start = part.Start // for slot
				for group, n := range part.Minutes {
					w := held[slot(group)]
					held[slot(group)] = work{w.minutes + n, w.holds + 1}
				}
			}
		})
	if err == nil {
		err = decodeErr
	}
	if err != nil {
		return err
	}
	var used, ceiling, holds int
	err = a.eachRow("SELECT shop_id, order_type, starts_at, product_group_id, used_minutes, ceiling_minutes, holds FROM slot",
		[]any{&shop, &kind, &start, &group, &used, &ceiling, &holds}, func() {
			if used > ceiling {
				a.report("I8", "%s: %d minutes of %d are given away", slot(group), used, ceiling)
			}
			if want := held[slot(group)]; used != want.minutes || holds != want.holds {
				a.report("I8", "%s: %d minutes and %d holds, held are %d by %d", slot(group), used, holds, want.minutes, want.holds)
			}
			delete(held, slot(group))
		})
	for name, w := range held {
		a.report("I8", "%s: %d minutes are held, and nothing is counted", name, w.minutes)
	}
	return err
}
