// Package guestlimit bounds what guests order without paying: orders that are open, portions in an
// hour, orders from one network address. It counts orders and owns the table of where they came from.
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
	// originLife is how long it is kept where an order came from.
	originLife = 7 * 24 * time.Hour
	// openFor is how long after its promise an order counts as open that no kitchen has ended.
	openFor = 12 * time.Hour
	// refusedFor is when a guest who has ordered too much may try again.
	refusedFor = 15 * time.Minute
)

// counts are the orders that are counted against a guest.
type counts struct {
	// openOfPhone and openOfSession are not done or canceled yet.
	openOfPhone, openOfSession int
	// portions are those of the last hour, of the phone or the session, whichever has more.
	portions int
	// fromAddress are those of the last hour.
	fromAddress int
	// isKnownPhone says that an order was delivered to the phone before.
	isKnownPhone bool
}

// tooManyOrders reports whether a guest with these orders has reached a limit on orders.
// delivered is how many orders were delivered to customers of the address; so many more may come
// from it.
func (c counts) tooManyOrders(l limit.Limits, delivered int) bool {
	isOver := func(count, most int) bool { return most > 0 && count >= most }
	return isOver(c.openOfPhone, l.OrdersPerPhone) || isOver(c.openOfSession, l.OrdersPerSession) ||
		!c.isKnownPhone && l.OrdersPerAddress > 0 && c.fromAddress >= l.OrdersPerAddress+delivered
}

// tooManyPortions reports whether a guest with these orders and this many more portions would
// exceed most in an hour. It is false for a phone that was delivered to before and when most is
// 0.
func (c counts) tooManyPortions(portions, most int) bool {
	return !c.isKnownPhone && most > 0 && c.portions+portions > most
}

// Check refuses a guest who orders more than the limits allow. It must be called in the
// transaction of the order, and locks what it counts until that ends. isCounted is true for an order
// that is to be counted against the guest's network address. Faults: order.confirm_phone
// (Unauthenticated) where the guest can sign in by a code; order.captcha (Invalid) at
// captcha_user_token where the guest can solve a captcha; else order.too_many_orders or
// order.too_many_portions (TooMany), with "_call" added and the shop's phone where there is one.
func Check(
	ctx context.Context, tx *db.Tx, v visit.Context, q cart.Quoted, phone string, limits limit.Limits,
) (isCounted bool, err error) {
	if v.CustomerID != 0 || limits.IsOff() {
		return false, nil
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
	case c.tooManyOrders(limits, delivered):
		reason = "order.too_many_orders"
	case c.tooManyPortions(portions, v.Site.Settings.GuestPortions):
		reason = "order.too_many_portions"
	}
	if reason != "" {
		return false, refuse(v, q, reason)
	}
	return !c.isKnownPhone, nil
}

// refuse returns the fault that asks a guest to confirm the phone or else to solve a captcha. Where
// neither can be asked, it is the fault of the reason, with the phone to call if there is one.
func refuse(v visit.Context, q cart.Quoted, reason string) error {
	number := cmp.Or(q.Spot.City.Phone, v.Site.Phone)
	switch {
	case v.Caller.CanConfirm:
		return fault.New(fault.Unauthenticated, "order.confirm_phone")
	case v.Caller.HasCaptcha:
		return fault.New(fault.Invalid, "order.captcha", fault.Field("captcha_user_token", "order.captcha"))
	case number == "":
		return fault.New(fault.TooMany, reason, fault.RetryAfter(refusedFor))
	}
	return fault.New(fault.TooMany, reason+"_call", fault.With(fault.Args{"phone": number}), fault.RetryAfter(refusedFor))
}

// lockGuest makes transactions of guests with the same session, phone or address wait for each
// other until this one ends.
func lockGuest(ctx context.Context, tx *db.Tx, v visit.Context, phone string) error {
	for _, by := range []struct {
		what db.Locked
		name string
	}{
		{db.LockedSession, strconv.FormatInt(v.SessionID, 10)}, {db.LockedPhone, v.Site.Alias + " " + phone}, {db.LockedAddress, v.Caller.Address},
	} {
		if by.name == "" {
			continue
		}
		if err := tx.Lock(ctx, by.what, by.name); err != nil {
			return err
		}
	}
	return nil
}
