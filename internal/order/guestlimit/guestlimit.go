// Package guestlimit bounds what guests order without paying: orders that are open, portions in an
// hour, orders from one network address. It bounds orders of customers who have signed in too, more
// widely. It counts orders and owns the table of where they came from.
package guestlimit

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/limit"
	"servery/internal/visit"
)

const (
	// countedFor is the time in which what a guest orders is counted.
	countedFor = time.Hour
	// originLife is how long the address that an order came from is stored.
	originLife = 7 * 24 * time.Hour
	// openFor is how long after its promised time an order that is not ended counts as open.
	openFor = 12 * time.Hour
	// refusedFor is how long a guest who has ordered too much is asked to wait.
	refusedFor = 15 * time.Minute
)

// counts are the orders that are counted against a guest.
type counts struct {
	// openOfPhone and openOfSession are not done or canceled yet.
	openOfPhone, openOfSession int
	// portions are those of the last hour, of the phone or the session, whichever has more.
	portions int
	// fromAddress and withPhone are those of the last hour, canceled ones too.
	fromAddress, withPhone int
	// isKnownPhone says that an order was delivered to the phone before.
	isKnownPhone bool
}

// hasTooManyOrders reports whether a guest with these orders has reached a limit on orders.
// delivered is how many orders from the address were delivered; as many more may come from it. The limit
// of the address does not hold for a phone that was delivered to before.
func (c counts) hasTooManyOrders(l limit.Limits, delivered int) bool {
	return isOver(c.openOfPhone, l.OrdersPerPhone) || isOver(c.openOfSession, l.OrdersPerSession) || isOver(c.withPhone, l.OrdersPerHour) ||
		!c.isKnownPhone && l.OrdersPerAddress > 0 && c.fromAddress >= l.OrdersPerAddress+delivered
}

// isOver reports whether a limit of most is reached; 0 is no limit.
func isOver(count, most int) bool { return most > 0 && count >= most }

// wouldExceedPortions reports whether a guest with these orders and this many more portions would
// have more than most portions in an hour. It is false for a phone that was delivered to before,
// and when most is 0.
func (c counts) wouldExceedPortions(portions, most int) bool {
	return !c.isKnownPhone && most > 0 && c.portions+portions > most
}

// Check refuses a guest who orders more than the limits allow, but not one who has solved a captcha and
// cannot sign in by a code. When the limits are off it refuses no guest, whatever the brand's bound of
// portions. A customer who has signed in is refused by the limits of customers. It must be called in the
// transaction of the order, and locks what it counts of a guest until that ends. isCounted is true for an
// order that is to be counted against the guest's network address. Faults: order.confirm_phone
// (Unauthenticated) where the guest can sign in by a code; order.captcha (Invalid) at captcha_user_token
// where the guest can solve a captcha; else, and for a customer, order.too_many_orders or
// order.too_many_portions (TooMany), with "_call" added and the phone of the city or else of the brand
// where there is one.
func Check(
	ctx context.Context, tx *db.Tx, v visit.Context, q cart.Quoted, phone string, limits limit.Limits,
) (isCounted bool, err error) {
	if limits.IsOff() {
		return false, nil
	}
	if v.CustomerID != 0 {
		return false, checkCustomer(ctx, tx, v, q, limits)
	}
	if err := lockGuest(ctx, tx, v, phone); err != nil {
		return false, err
	}
	c, err := countOrders(ctx, tx.Q, v, phone)
	if err != nil {
		return false, err
	}
	delivered := 0
	if c.fromAddress >= limits.OrdersPerAddress { // below the limit they make no difference
		if delivered, err = countDelivered(ctx, tx.Q, v, c.fromAddress); err != nil {
			return false, err
		}
	}
	portions := 0
	for _, line := range q.Lines {
		portions += line.Count
	}
	reason := ""
	switch {
	case v.Caller.PassedCaptcha && !v.Caller.CanConfirm: // nothing more can be asked of the guest
	case c.hasTooManyOrders(limits, delivered):
		reason = "order.too_many_orders"
	case c.wouldExceedPortions(portions, v.Site.Settings.GuestPortions):
		reason = "order.too_many_portions"
	}
	if reason != "" {
		return false, refuse(v, q, reason)
	}
	return !c.isKnownPhone, nil
}

// checkCustomer refuses a customer who has reached a limit on orders. Nothing is locked: orders of one cart are placed one
// after another, so that orders at once exceed a limit by one for each further city at most. It returns the fault of [Check].
func checkCustomer(ctx context.Context, tx *db.Tx, v visit.Context, q cart.Quoted, limits limit.Limits) error {
	open, placed, err := countCustomerOrders(ctx, tx.Q, v)
	if err != nil {
		return err
	}
	if isOver(open, limits.OrdersPerCustomer) || isOver(placed, limits.OrdersPerHour) {
		return refuseUntilLater(v, q, "order.too_many_orders")
	}
	return nil
}

// refuse returns the fault that asks a guest to confirm the phone or else to solve a captcha. Where
// neither can be asked, it is the fault of the reason, with the phone to call if there is one.
func refuse(v visit.Context, q cart.Quoted, reason string) error {
	switch {
	case v.Caller.CanConfirm:
		return fault.New(fault.Unauthenticated, "order.confirm_phone")
	case v.Caller.HasCaptcha:
		return fault.New(fault.Invalid, "order.captcha", fault.Field("captcha_user_token", "order.captcha"))
	}
	return refuseUntilLater(v, q, reason)
}

// refuseUntilLater returns the fault of a reason, TooMany, with the phone to call if there is one.
func refuseUntilLater(v visit.Context, q cart.Quoted, reason string) error {
	number := cmp.Or(q.Spot.City.Phone, v.Site.Phone)
	if number == "" {
		return fault.New(fault.TooMany, reason, fault.RetryAfter(refusedFor))
	}
	return fault.New(fault.TooMany, reason+"_call", fault.With(fault.Args{"phone": number}), fault.RetryAfter(refusedFor))
}

// lockGuest makes transactions of guests with the same session, phone or address wait until this one
// ends. An address that is not known is not locked.
func lockGuest(ctx context.Context, tx *db.Tx, v visit.Context, phone string) error {
	for _, lock := range []struct {
		kind db.Locked
		name string
	}{
		{db.LockedSession, strconv.FormatInt(v.SessionID, 10)}, {db.LockedPhone, v.Site.Alias + " " + phone}, {db.LockedAddress, v.Caller.Address},
	} {
		if lock.name == "" {
			continue
		}
		if err := tx.Lock(ctx, lock.kind, lock.name); err != nil {
			return err
		}
	}
	return nil
}
