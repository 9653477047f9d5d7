package history_test

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
	"servery/internal/order/history"
	"servery/internal/order/ordertest"
	"servery/internal/visit"
)

// countingDB passes queries to a database and counts them.
type countingDB struct {
	gen.DBTX

	queries int
}

// QueryContext counts the query and passes it on.
func (c *countingDB) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	c.queries++
	return c.DBTX.QueryContext(ctx, query, args...)
}

// QueryRowContext counts the query and passes it on.
func (c *countingDB) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	c.queries++
	return c.DBTX.QueryRowContext(ctx, query, args...)
}

// isSame reports whether the lists have equal values in the same order.
func isSame[T any](a, b []T) bool {
	return slices.EqualFunc(a, b, func(a, b T) bool { return reflect.DeepEqual(a, b) })
}

// A customer has three orders, one refunded and one paid. The export has them, the newest first,
// each equal to what is read alone. A guest is asked to sign in.
func TestExport_isWhatEachOrderShowsByItself(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
		c.Place(t, v, c.TakeawayFromPhone(t, v, 1))
		c.Clock.Advance(time.Minute)
		refunded, _ := c.MarkPaid(t, c.Place(t, v, c.TakeawayFromPhone(t, v, 2)))
		if _, err := c.Orders.Cancel(t.Context(), v, refunded.ID); err != nil {
			t.Fatal(err)
		}
		c.Clock.Advance(time.Minute)
		c.MarkPaid(t, c.Place(t, v, c.TakeawayFromPhone(t, v, 1)))
		c.PlacePaid(t) // by another
		all, err := c.History.Export(t.Context(), v)
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
		if _, err := c.History.Export(t.Context(), c.Visitor(t, "sushi")); !errors.Is(err, customer.ErrSignInFirst) {
			t.Errorf("a guest's: %v", err)
		}
	})
}

// Exporting twelve orders takes as many queries as exporting none, at most six.
func TestExport_asksAsManyQueriesForAnyNumberOfOrders(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v := h.NewSignedInVisitor(t, "79161234567")
		countQueries := func() int {
			c := &countingDB{DBTX: d.Reader()}
			if _, err := history.ExportOwn(t.Context(), gen.New(c), "sushi", v.CustomerID); err != nil {
				t.Fatal(err)
			}
			return c.queries
		}
		none := countQueries()
		for range 12 {
			h.PlaceTakeaway(t, v)
		}
		if many := countQueries(); many != none || many > 6 {
			t.Errorf("%d queries for 12 orders, %d for none", many, none)
		}
	})
}

// readPage returns a page of the visitor's orders and the ids of these orders.
func readPage(t testing.TB, h *ordertest.Restaurant, v visit.Context, page int) (history.Page, []int64) {
	t.Helper()
	p, err := h.History.ReadPage(t.Context(), v, page)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, o := range p.Orders {
		ids = append(ids, o.ID)
	}
	return p, ids
}

// A customer has placed twelve orders on two devices. The first page has the newest ten, the
// second the rest, the third none. Orders of others are not listed, and a guest is asked to sign
// in.
func TestReadPage_hasTenOrdersTheNewestFirst(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		desk, handset, other := h.NewSignedInVisitor(t, "79161234567"), h.NewSignedInVisitor(t, "79161234567"), h.NewSignedInVisitor(t, "79161230002")
		h.PlaceTakeaway(t, other)
		h.PlaceTakeaway(t, h.Visitor(t, "sushi")) // a guest's, with the customer's phone
		var placed []int64
		for i := range 12 {
			v := desk
			if i%2 == 0 {
				v = handset
			}
			o := h.PlaceTakeaway(t, v)
			placed = append(placed, o.ID)
			h.Clock.Advance(time.Minute)
		}
		slices.Reverse(placed)
		first, ids := readPage(t, h, desk, 1)
		if !slices.Equal(ids, placed[:10]) || first.Total != 12 || first.Pages() != 2 {
			t.Errorf("the first of %d pages: %v", first.Pages(), ids)
		}
		if o := first.Orders[0]; o.Portions != 1 || len(o.History) != 1 || o.History[0].State != order.Accepted || len(o.Lines) != 0 {
			t.Errorf("the newest is %+v", o)
		}
		if _, ids := readPage(t, h, handset, 2); !slices.Equal(ids, placed[10:]) {
			t.Errorf("the second page: %v", ids)
		}
		if third, ids := readPage(t, h, desk, 3); ids != nil || third.Total != 12 {
			t.Errorf("the third page: %v", ids)
		}
		if _, err := h.History.ReadPage(t.Context(), h.Visitor(t, "sushi"), 1); !errors.Is(err, customer.ErrSignInFirst) {
			t.Errorf("a guest's list: %v", err)
		}
	})
}
