// Package erase takes persons out of orders: customers who leave, and guests of whom nothing was heard
// for long. What the books need stays.
package erase

import (
	"context"
	"strconv"
	"time"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/phone"
)

const (
	// idleAtOnce is how many orders are anonymized in one transaction, idleBatches how many
	// transactions one sweep makes.
	idleAtOnce, idleBatches = 100, 5
	// askAgainAfter is when an order that cannot be anonymized yet is looked at again.
	askAgainAfter = 30 * 24 * time.Hour
)

// AnonymizeIdle takes the person out of orders of guests at the site whom nothing was heard of
// since the instant: no order with the phone, no use of the browser. Orders of
// customers go with the account. One that is not done or canceled, or whose money is on its
// way, is looked at again after a month.
func AnonymizeIdle(ctx context.Context, d *db.DB, siteAlias string, before time.Time, marks phone.Marks) error {
	for range idleBatches {
		looked := 0
		err := d.InTx(ctx, func(tx *db.Tx) error {
			found, err := listIdleOrders(ctx, tx.Q, siteAlias, before)
			if err != nil {
				return err
			}
			looked = len(found)
			for _, o := range found {
				if err := anonymizeIdle(ctx, tx, siteAlias, o, before, marks); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || looked < idleAtOnce {
			return err
		}
	}
	return nil
}

// anonymizeIdle takes the person out of an order of a guest when nothing was heard of them since before
// and they are not needed any more, and otherwise writes down when to look again.
func anonymizeIdle(ctx context.Context, tx *db.Tx, siteAlias string, o idleOrder, before time.Time, marks phone.Marks) error {
	seen, err := lastSignOfGuest(ctx, tx.Q, siteAlias, o)
	if err != nil {
		return err
	}
	if seen.Before(before) {
		refused, err := checkAnonymizable(ctx, tx.Q, o.orderRef)
		if err != nil {
			return err
		}
		if refused == "" {
			return anonymize(ctx, tx.Q, o.id, marks)
		}
		seen = before.Add(askAgainAfter)
	}
	return setPersonSeen(ctx, tx.Q, o.id, seen)
}

// Forget anonymizes the orders of a customer, in the transaction that erases the account: those that
// were placed by the customer or with the customer's phone, and those that a guest has placed in one
// of the customer's sessions. Lines, sums, dates, shop, city and the payment type stay. The phone is
// replaced by its mark, so that what each phone gets once is not given again.
//
// Of the payment attempts stay sums, dates and the acquirers' names of them.
//
// Faults, both Conflict: customer.order_running while one of them is not done or canceled,
// because the kitchen needs to know where to bring it; customer.refund_running while money
// is being refunded, and customer.receipt_running while a closing receipt is being made, because the
// acquirer is called again with the same request.
func Forget(ctx context.Context, tx *db.Tx, e customer.Erased, marks phone.Marks) error {
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

// anonymizedKey stands where the key of the checkout was.
func anonymizedKey(id int64) string { return "forgotten:" + strconv.FormatInt(id, 10) }
