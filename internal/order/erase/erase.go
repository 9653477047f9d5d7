// Package erase anonymizes orders: those of customers whose account is erased, and those of guests who
// were not seen for long. What the books need stays.
package erase

import (
	"context"
	"strconv"
	"time"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/order/archive"
	"servery/internal/phone"
)

const (
	// idleAtOnce is how many orders are anonymized in one transaction, idleBatches how many
	// transactions one sweep makes.
	idleAtOnce, idleBatches = 100, 5
	// recheckAfter is how long after a sweep an order that cannot be anonymized yet is checked again.
	recheckAfter = 30 * 24 * time.Hour
)

// AnonymizeIdle removes the person from orders of guests at the site who were not seen since the
// instant: since then there was no order with their phone, and their browser was not used. An order for
// which checkAnonymizable has a reason, such as a refund that is under way, is checked again after a
// month. One call handles up to 500 orders in five transactions; before that it makes up to a hundred
// come back from the archive. Orders of customers are anonymized with the account.
func AnonymizeIdle(ctx context.Context, d *db.DB, siteAlias string, seenBefore, now time.Time, marks phone.Marks) error {
	if err := archive.RecallIdle(ctx, d, siteAlias, seenBefore, now); err != nil {
		return err
	}
	for range idleBatches {
		foundCount := 0
		err := d.InTx(ctx, func(tx *db.Tx) error {
			found, err := listIdleOrders(ctx, tx.Q, siteAlias, seenBefore)
			if err != nil {
				return err
			}
			foundCount = len(found)
			for _, o := range found {
				if err := anonymizeIdle(ctx, tx, siteAlias, o, seenBefore, marks); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || foundCount < idleAtOnce {
			return err
		}
	}
	return nil
}

// anonymizeIdle removes the person from a guest's order when the guest was last seen earlier than
// seenBefore and nothing prevents it. Otherwise it stores when the guest was last seen, so that a later
// sweep checks the order again. When something prevents it, the stored time is later, so that the order
// is checked again only after recheckAfter. It must be called in a transaction.
func anonymizeIdle(ctx context.Context, tx *db.Tx, siteAlias string, o idleOrder, seenBefore time.Time, marks phone.Marks) error {
	seen, err := guestLastSeen(ctx, tx.Q, siteAlias, o)
	if err != nil {
		return err
	}
	if seen.Before(seenBefore) {
		refused, err := checkAnonymizable(ctx, tx.Q, o.orderRef)
		if err != nil {
			return err
		}
		if refused == "" {
			return anonymize(ctx, tx.Q, o.id, marks)
		}
		seen = seenBefore.Add(recheckAfter)
	}
	return setPersonSeen(ctx, tx.Q, o.id, seen)
}

// Forget anonymizes the orders of a customer, in the transaction that erases the account: those that
// were placed by the customer or with the customer's phone, and those that a guest has placed in one
// of the customer's sessions. Lines, sums, dates, shop, city and the payment type stay. The phone is
// replaced by its mark, so that the phone cannot use again what each phone may use once.
//
// The payment attempts keep their sums, their dates and the acquirers' references.
//
// Faults, both Conflict: customer.order_running while one of them is not done or canceled,
// because the kitchen needs to know where to bring it; customer.refund_running while money
// is being refunded, and customer.receipt_running while a closing receipt is being made, because the
// acquirer is called again with the same request.
func Forget(ctx context.Context, tx *db.Tx, e customer.Erased, marks phone.Marks) error {
	if err := archive.RecallOf(ctx, tx, e.Site, e.ID, e.Phone, e.SessionIDs, e.At); err != nil {
		return err
	}
	found, err := listOrdersOf(ctx, tx.Q, e)
	if err != nil {
		return err
	}
	for _, o := range found {
		refused, err := checkAnonymizable(ctx, tx.Q, o)
		if err != nil {
			return err
		}
		if refused != "" {
			return fault.New(fault.Conflict, refused)
		}
	}
	for _, o := range found {
		if err := anonymize(ctx, tx.Q, o.id, marks); err != nil {
			return err
		}
	}
	return nil
}

// anonymizedKey returns what an anonymized order has in place of the key of its checkout.
func anonymizedKey(id int64) string { return "forgotten:" + strconv.FormatInt(id, 10) }
