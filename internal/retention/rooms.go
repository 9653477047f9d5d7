// Package retention holds the terms of all tables in one place, and the job that deletes what no
// area deletes by itself. All data of a customer is erased by [Rooms.Erase], at their request or
// when they were idle for long.
package retention

import (
	"context"
	"time"

	"servery/internal/bonus"
	"servery/internal/cart/carts"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/feedback"
	"servery/internal/geo"
	"servery/internal/login"
	"servery/internal/order/erase"
	"servery/internal/phone"
	"servery/internal/vk"
)

// Rooms are the areas that store personal data.
type Rooms struct {
	Customers *customer.Customers
	Carts     *carts.Service
	Addresses *geo.Addresses
	Bonuses   *bonus.Service
	Feedback  *feedback.Service
	Login     *login.Service
	VK        *vk.Accounts
	// Marks stand for phones in what each phone gets once.
	Marks phone.Marks
}

// Erase deletes a customer's data in every area, in one transaction. When an area refuses,
// nothing is deleted. Faults: those of [customer.Customers.Erase] and [erase.Forget].
func (r Rooms) Erase(ctx context.Context, site string, id int64) error {
	return r.eraseIf(ctx, site, id, func(*db.Tx) error { return nil })
}

// EraseIdle deletes the data of a customer in every area, in one transaction, if they were not seen
// since the instant. It returns [customer.ErrNotIdle] when they were.
func (r Rooms) EraseIdle(ctx context.Context, site string, id int64, before time.Time) error {
	return r.eraseIf(ctx, site, id, func(tx *db.Tx) error { return customer.CheckIdle(ctx, tx, id, before) })
}

// eraseIf deletes a customer's data in every area, in one transaction. It deletes nothing and
// returns the error when check, which is called first, or any area returns one.
func (r Rooms) eraseIf(ctx context.Context, site string, id int64, check func(tx *db.Tx) error) error {
	return r.Customers.Erase(ctx, site, id, func(tx *db.Tx, e customer.Erased) error {
		for _, forget := range []func() error{
			func() error { return check(tx) },
			func() error { return erase.Forget(ctx, tx, e, r.Marks) }, // before the others: it may refuse
			func() error { return r.Carts.ForgetCustomer(ctx, tx, e.ID) },
			func() error { return r.Addresses.DeleteOfCustomer(ctx, tx, e.ID) },
			func() error { return r.Bonuses.Void(ctx, tx, e.ID, e.At) },
			func() error { return r.Feedback.Erase(ctx, tx, e.Site, e.ID, e.Phone) },
			func() error { return r.Login.Erase(ctx, tx, e.Site, e.Phone) },
			func() error { return r.VK.EraseAccounts(ctx, tx, e.ID) },
		} {
			if err := forget(); err != nil {
				return err
			}
		}
		return nil
	})
}
