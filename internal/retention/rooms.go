// Package retention ends what is kept: the terms of all tables stand here in one place, and the
// job that ends what no room ends by itself. Everything that is known of a customer goes
// by [Rooms.Erase], whether they ask for it or were idle for long.
package retention

import (
	"context"
	"time"

	"servery/internal/bonus"
	"servery/internal/cart"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/feedback"
	"servery/internal/geo"
	"servery/internal/login"
	"servery/internal/order"
	"servery/internal/phone"
	"servery/internal/vk"
)

// Rooms are the areas that keep something of persons.
type Rooms struct {
	Customers *customer.Customers
	Orders    *order.Service
	Carts     *cart.Service
	Addresses *geo.Addresses
	Bonuses   *bonus.Service
	Feedback  *feedback.Service
	Login     *login.Service
	VK        *vk.Accounts
	// Marks stand for phones in what each phone gets once.
	Marks phone.Marks
}

// Erase makes every room forget a customer, in one transaction. Faults: those of
// [customer.Customers.Erase] and [order.Service.Forget].
func (r Rooms) Erase(ctx context.Context, site string, id int64) error {
	return r.erase(ctx, site, id, func(*db.Tx) error { return nil })
}

// EraseIdle is Erase for a customer who was not seen since the instant; it returns
// [customer.ErrNotIdle] for one who was.
func (r Rooms) EraseIdle(ctx context.Context, site string, id int64, before time.Time) error {
	return r.erase(ctx, site, id, func(tx *db.Tx) error { return customer.CheckIdle(ctx, tx, id, before) })
}

func (r Rooms) erase(ctx context.Context, site string, id int64, check func(tx *db.Tx) error) error {
	return r.Customers.Erase(ctx, site, id, func(tx *db.Tx, e customer.Erased) error {
		for _, forget := range []func() error{
			func() error { return check(tx) },
			func() error { return r.Orders.Forget(ctx, tx, e, r.Marks) }, // the one that may refuse
			func() error { return r.Carts.ForgetCustomer(ctx, tx, e.ID) },
			func() error { return r.Addresses.Forget(ctx, tx, e.ID) },
			func() error { return r.Bonuses.Void(ctx, tx, e.ID, e.At) },
			func() error { return r.Feedback.Forget(ctx, tx, e.Site, e.Phone) },
			func() error { return r.Login.Erase(ctx, tx, e.Site, e.Phone) },
			func() error { return r.VK.Erase(ctx, tx, e.ID) },
		} {
			if err := forget(); err != nil {
				return err
			}
		}
		return nil
	})
}
