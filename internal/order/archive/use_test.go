package archive_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/gen"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/order/archive"
	"servery/internal/order/erase"
	"servery/internal/order/ordertest"
	"servery/internal/order/search"
	"servery/internal/payment"
	"servery/internal/phone"
	"servery/internal/visit"
)

// archived is an order that is in the archive, with its customer's visit and request.
type archived struct {
	*ordertest.Restaurant

	v      visit.Context
	r      order.Request
	placed order.Order
}

// placeArchived returns a restaurant with a done order of a customer, or of a guest when phone is empty, that
// is archived.
func placeArchived(t *testing.T, d *db.DB, phone string) archived {
	t.Helper()
	h := ordertest.New(t, d)
	v := h.Visitor(t, "sushi")
	if phone != "" {
		v = h.NewSignedInVisitor(t, phone)
	}
	r := h.TakeawayFromPhone(t, v, 1)
	if phone != "" {
		r.Phone = phone
	}
	o := h.Place(t, v, r)
	h.Move(t, o, order.Cooking, order.Done)
	age(t, h)
	sweep(t, h)
	if !isArchived(t, d, o.ID) {
		t.Fatal("the order is not archived")
	}
	v.Now = h.Clock.Now()
	return archived{h, v, r, o}
}

// Whatever asks for an archived order by its number gets it as it was: its browser, another one by phone
// and by link, the restaurant, a repeat, and a change by the restaurant.
func TestRecall_byEachWayThatAnOrderIsAskedFor(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(context.Context, archived, visit.Context) error{
		"own browser": func(ctx context.Context, a archived, _ visit.Context) error {
			o, err := a.Orders.Get(ctx, a.v, a.placed.ID)
			return errors.Join(err, wantSame(a.placed, o))
		},
		"phone": func(ctx context.Context, a archived, other visit.Context) error {
			_, err := a.Orders.LookUp(ctx, other, order.Lookup{OrderID: a.placed.ID, Phone: a.placed.Phone})
			return err
		},
		"link": func(ctx context.Context, a archived, other visit.Context) error {
			o, err := a.Orders.LookUp(ctx, other, order.Lookup{OrderID: a.placed.ID, Link: a.placed.Link})
			return errors.Join(err, wantSame(a.placed, o))
		},
		"restaurant": func(ctx context.Context, a archived, _ visit.Context) error {
			found, err := a.Orders.FindWithPayment(ctx, a.placed.ID)
			return errors.Join(err, wantSame(a.placed, found.Order))
		},
		"place": func(ctx context.Context, a archived, _ visit.Context) error {
			at, err := a.Orders.FindPlace(ctx, a.placed.ID)
			if err == nil && at.ShopID != a.placed.ShopID {
				err = errors.New("another shop")
			}
			return err
		},
		"repeat": func(ctx context.Context, a archived, _ visit.Context) error {
			_, err := a.Repeats().Repeat(ctx, a.v, a.placed.ID, carts.Replace)
			return err
		},
		"change": func(ctx context.Context, a archived, _ visit.Context) error {
			_, err := a.Orders.SetState(ctx, a.placed.ID, order.Done, "Anna", a.Clock.Now())
			return err
		},
		"list of the customer": func(ctx context.Context, a archived, _ visit.Context) error {
			page, err := a.History.ReadPage(ctx, a.v, 1)
			if err == nil && (page.Total != 1 || len(page.Orders) != 1 || page.Orders[0].ID != a.placed.ID) {
				err = errors.New("it is not in the list")
			}
			return err
		},
		"export": func(ctx context.Context, a archived, _ visit.Context) error {
			all, err := a.History.Export(ctx, a.v)
			if err == nil && len(all) == 1 {
				return wantSame(a.placed, all[0].Order)
			}
			return errors.Join(err, errors.New("it is not exported"))
		},
		"day": func(ctx context.Context, a archived, _ visit.Context) error {
			return wantFound(ctx, a, search.Query{Site: a.v.Site, Day: clock.DayOf(a.placed.PromisedFrom, a.v.Site.Cities[0].Location), Limit: 5})
		},
		"phone for the restaurant": func(ctx context.Context, a archived, _ visit.Context) error {
			return wantFound(ctx, a, search.Query{Site: a.v.Site, Phone: a.placed.Phone, State: order.Done, Limit: 5})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				a := placeArchived(t, d, "79161234567")
				if err := ask(t.Context(), a, a.Visitor(t, "sushi")); err != nil {
					t.Error(err)
				}
				if isArchived(t, d, a.placed.ID) {
					t.Error("it is still archived")
				}
			})
		})
	}
}

// A stranger who tries numbers finds no order, and takes none out of the archive.
func TestRecall_notForAStrangerWhoHasOnlyTheNumber(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a := placeArchived(t, d, "79161234567")
		for name, v := range map[string]visit.Context{
			"a guest": a.Visitor(t, "sushi"), "a customer": a.NewSignedInVisitor(t, "79161234568"), "another brand's": a.Visitor(t, "pizza"),
		} {
			if _, err := a.Orders.Get(t.Context(), v, a.placed.ID); fault.KeyOf(err) != "order.not_found" {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := a.Orders.Cancel(t.Context(), v, a.placed.ID); fault.KeyOf(err) != "order.not_found" {
				t.Errorf("%s cancels: %v", name, err)
			}
			if _, err := a.Payments.Pay(t.Context(), v, payment.PayRequest{OrderID: a.placed.ID}); fault.KeyOf(err) != "order.not_found" {
				t.Errorf("%s pays: %v", name, err)
			}
		}
		if !isArchived(t, d, a.placed.ID) {
			t.Error("it has left the archive")
		}
	})
}

// wantSame returns an error unless got has the number, the link, the prices and as many lines as want, and
// the three states that a done order for takeaway has been in.
func wantSame(want, got order.Order) error {
	if got.ID != want.ID || got.Prices != want.Prices || len(got.Lines) != len(want.Lines) || got.Link != want.Link || len(got.History) != 3 {
		return errors.New("the order is another one")
	}
	return nil
}

// wantFound returns an error unless the archived order is among what the search finds.
func wantFound(ctx context.Context, a archived, q search.Query) error {
	page, err := search.New(a.DB, a.Clock).Find(ctx, q)
	for _, id := range page.IDs {
		if id == a.placed.ID {
			return err
		}
	}
	return errors.Join(err, errors.New("it is not found"))
}

// The key of an archived order's checkout makes no second order, and the number of the order is not
// given to another one.
func TestCreate_withTheKeyOfAnArchivedOrderMakesNoOther(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a := placeArchived(t, d, "")
		execute(t, d, "DELETE FROM order_cache") // as the sweep does, a day after the deadline
		before := number(t, d, "SELECT COUNT(*) FROM orders")
		_, err := a.Orders.Create(t.Context(), a.v, a.r)
		ordertest.WantRefused(t, err, "order.no_cache", "cart.changed", "order.lines_changed")
		if after := number(t, d, "SELECT COUNT(*) FROM orders"); after != before || !isArchived(t, d, a.placed.ID) {
			t.Errorf("%d orders, were %d", after, before)
		}
		err = d.InTx(t.Context(), func(tx *db.Tx) error {
			inserted, err := tx.Q.InsertOrder(t.Context(), gen.InsertOrderParams{ID: a.placed.ID, Site: "sushi", CacheKey: "another", Details: []byte("{}")})
			if inserted != 0 {
				t.Errorf("another order got the number")
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// The order of a checkout's key is found in the archive, by its own brand alone.
func TestFindByKey_ofAnArchivedOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a := placeArchived(t, d, "")
		for brand, want := range map[string]bool{"sushi": true, "pizza": false} {
			id, found, err := archive.FindByKey(t.Context(), d.Read(), brand, a.r.CacheKey)
			if err != nil || found != want || found && id != a.placed.ID {
				t.Errorf("%s: found is %t, order %d, %v", brand, found, id, err)
			}
		}
	})
}

// An acquirer names a payment whose order is archived: order and payment come back. An unknown payment
// recalls nothing.
func TestRecallPayment_bringsBackItsOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.HandOver(t, o)
		c.SweepEachMinute(t, 5*time.Minute)
		age(t, c.Restaurant)
		sweep(t, c.Restaurant)
		if !isArchived(t, d, o.ID) {
			t.Fatal("the order is not archived")
		}
		for _, id := range []string{"unknown", string(o.PaidBy)} {
			if err := archive.RecallPayment(t.Context(), d, id, c.Clock.Now()); err != nil {
				t.Fatal(err)
			}
			if isArchived(t, d, o.ID) != (id == "unknown") {
				t.Errorf("after the payment %s: archived is %t", id, isArchived(t, d, o.ID))
			}
		}
		if found := c.WithPayment(t, o.ID); len(found.Payment.Attempts) != 1 {
			t.Errorf("found %+v", found.Payment)
		}
	})
}

// An archived order counts as a former order of its customer, its browser and its phone: the code for a
// first order is refused.
func TestApplyPromocode_countsAnArchivedOrderAsAFormerOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.NewWithOffers(t, d)
		apply := func(v visit.Context) error {
			h.TakeawayFromPhone(t, v, 1)
			_, err := h.Carts.ApplyPromocode(t.Context(), v, carttest.Takeaway(carttest.Arbat), "HELLO")
			return err
		}
		if err := apply(h.NewSignedInVisitor(t, "79161234500")); err != nil {
			t.Fatalf("refused before any order: %v", err)
		}
		v := h.NewSignedInVisitor(t, "79161234567")
		o := h.PlaceTakeaway(t, v)
		h.Move(t, o, order.Cooking, order.Done)
		age(t, h)
		sweep(t, h)
		if !isArchived(t, d, o.ID) {
			t.Fatal("the order is not archived")
		}
		if err := apply(h.Again(t, v, "sushi")); err == nil {
			t.Error("the code for a first order is taken again in the browser")
		}
		if err := apply(h.NewSignedInVisitor(t, "79161234567")); err == nil {
			t.Error("the code for a first order is taken again by the customer")
		}
	})
}

// When the customer deletes the account, the archive has nothing of them any more either, and what is
// archived afterwards has no person.
func TestForget_removesThePersonOfArchivedOrders(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a := placeArchived(t, d, "79161234567")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return erase.Forget(t.Context(), tx, customer.Erased{
				Customer: customer.Customer{ID: a.v.CustomerID, Phone: "79161234567"}, Site: "sushi", SessionIDs: []int64{a.v.SessionID}, At: a.Clock.Now(),
			}, phone.Marks{})
		})
		if err != nil {
			t.Fatal(err)
		}
		if isArchived(t, d, a.placed.ID) {
			t.Error("it is still archived")
		}
		a.Clock.Advance(8 * 24 * time.Hour)
		sweep(t, a.Restaurant)
		if !isArchived(t, d, a.placed.ID) || number(t, d, "SELECT COUNT(*) FROM order_archive WHERE phone LIKE '79%' OR customer_id <> 0 OR session_id <> 0") != 0 {
			t.Error("the archive still has the person")
		}
	})
}

// A guest who was not seen for the term is removed from an archived order too.
func TestAnonymizeIdle_removesThePersonOfArchivedOrders(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a := placeArchived(t, d, "")
		a.Clock.Advance(500 * 24 * time.Hour)
		now := a.Clock.Now()
		if err := erase.AnonymizeIdle(t.Context(), d, "sushi", now.AddDate(0, -24, 0), now, phone.Marks{}); err != nil {
			t.Fatal(err)
		}
		found, err := a.Orders.Read(t.Context(), a.placed.ID)
		if err != nil || len(found) != 1 || found[0].Phone == a.placed.Phone || found[0].Details.Username != "" {
			t.Errorf("found %+v, %v", found, err)
		}
	})
}

// Pictures that only an archived order shows stay.
func TestRetainPictures_ofArchivedOrders(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a := placeArchived(t, d, "")
		execute(t, d, "UPDATE order_archive SET pictures = 'aa bb'")
		unused := map[string]bool{"aa": true, "bb": true, "cc": true}
		if err := a.History.RetainPictures(t.Context(), unused); err != nil || len(unused) != 1 || !unused["cc"] {
			t.Errorf("unused are %v, %v", unused, err)
		}
	})
}

// A document of one engine is read by the other, as after a move.
func TestRecall_ofADocumentOfTheOtherEngine(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		other := db.SQLite
		if d.Engine() == other {
			other = db.Postgres
		}
		a := placeArchived(t, dbtest.Open(t, other), "")
		row := a.DB.Reader().QueryRowContext(t.Context(), `SELECT id, site, shop_id, state, cache_key, session_id, customer_id, phone, promised_from,
			created_at, archived_at, pictures, body FROM order_archive`)
		values, into := make([]any, 13), make([]any, 13)
		for i := range values {
			into[i] = &values[i]
		}
		if err := row.Scan(into...); err != nil {
			t.Fatal(err)
		}
		execute(t, d, `INSERT INTO order_archive (id, site, shop_id, state, cache_key, session_id, customer_id, phone, promised_from,
			created_at, archived_at, pictures, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`, values...)
		h := ordertest.New(t, d)
		found, err := h.Orders.Read(t.Context(), a.placed.ID)
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		if err := wantSame(a.placed, found[0]); err != nil || !found[0].CreatedAt.Equal(a.placed.CreatedAt) {
			t.Errorf("found %+v, %v", found[0], err)
		}
	})
}
