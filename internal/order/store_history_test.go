package order_test

import (
	"context"
	"database/sql"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/ordertest"
)

// counted counts the queries that are asked of a database.
type counted struct {
	gen.DBTX

	queries int
}

func (c *counted) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	c.queries++
	return c.DBTX.QueryContext(ctx, query, args...)
}

func (c *counted) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	c.queries++
	return c.DBTX.QueryRowContext(ctx, query, args...)
}

func isSame[T any](a, b []T) bool {
	return slices.EqualFunc(a, b, func(a, b T) bool { return reflect.DeepEqual(a, b) })
}

func TestExport_isWhatEachOrderShowsByItself(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
		c.Place(t, v, c.Fetch(t, v, 1))
		c.Clock.Advance(time.Minute)
		back, _ := c.MarkPaid(t, c.Place(t, v, c.Fetch(t, v, 2)))
		if _, err := c.Orders.Cancel(t.Context(), v, back.ID); err != nil {
			t.Fatal(err)
		}
		c.Clock.Advance(time.Minute)
		c.MarkPaid(t, c.Place(t, v, c.Fetch(t, v, 1)))
		c.PlacePaid(t) // by another
		all, err := c.Orders.Export(t.Context(), v)
		if err != nil || len(all) != 3 {
			t.Fatalf("%d orders, %v", len(all), err)
		}
		payments, refunds := 0, 0
		for i, m := range all {
			want, err := c.Orders.FindWithPayment(t.Context(), m.Order.ID)
			if err != nil || !reflect.DeepEqual(m.Order, want.Order) || !isSame(m.Payment.Attempts, want.Payment.Attempts) ||
				!isSame(m.Payment.Refunds, want.Payment.Refunds) || !isSame(m.Payment.Closings, want.Payment.Closings) {
				t.Errorf("order %d differs: %v", m.Order.ID, err)
			}
			if i > 0 && all[i-1].Order.CreatedAt.Before(m.Order.CreatedAt) {
				t.Error("the newest is not the first")
			}
			payments, refunds = payments+len(m.Payment.Attempts), refunds+len(m.Payment.Refunds)
		}
		if payments != 2 || refunds != 1 {
			t.Errorf("%d payments and %d refunds", payments, refunds)
		}
		if _, err := c.Orders.Export(t.Context(), c.Visitor(t, "sushi")); !errors.Is(err, customer.ErrSignInFirst) {
			t.Errorf("a guest's: %v", err)
		}
	})
}

func TestExport_asksAsManyQueriesForAnyNumberOfOrders(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.SignedIn(t, ownPhone)
		ask := func() int {
			c := &counted{DBTX: d.Reader()}
			if _, err := order.ExportOwn(t.Context(), gen.New(c), "sushi", v.CustomerID); err != nil {
				t.Fatal(err)
			}
			return c.queries
		}
		none := ask()
		for range 12 {
			h.PlaceTakeaway(t, v)
		}
		if many := ask(); many != none || many > 6 {
			t.Errorf("%d queries for 12 orders, %d for none", many, none)
		}
	})
}
