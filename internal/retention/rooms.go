// Package retention ends what is kept: the terms of all tables stand here in one place, and the
// job that ends what no room ends by itself. Everything that is known of a customer goes
// by [Rooms.Erase], whether they ask for it or were idle for long.
package retention

import (
	"context"

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
	return r.Customers.Erase(ctx, site, id, func(tx *db.Tx, e customer.Erased) error {
		for _, forget := range []func() error{
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
