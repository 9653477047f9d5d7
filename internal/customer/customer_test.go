package customer_test

import (
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/gen"
	"servery/internal/fault"
)

func TestCustomer_isOneForAPhoneAtABrand(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		ids := make([]int64, 8)
		var work sync.WaitGroup
		for i := range ids {
			work.Go(func() {
				c, err := r.customers.FindOrCreateByPhone(t.Context(), "sushi", anna)
				if err != nil {
					t.Error(err)
				}
				ids[i] = c.ID
			})
		}
		work.Wait()
		for _, id := range ids {
			if id == 0 || id != ids[0] {
				t.Fatalf("customers %v", ids)
			}
		}
		if other := r.byPhone("pizza", anna); other.ID == ids[0] {
			t.Error("a phone is the same customer at two brands")
		}
		if other := r.byPhone("sushi", boris); other.ID == ids[0] {
			t.Error("two phones are one customer")
		}
	})
}

func TestCustomer_printsAsItsID(t *testing.T) {
	t.Parallel()
	c := customer.Customer{ID: 7, Phone: anna, Name: "Anna"}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(verb, c); got != "customer 7" {
			t.Errorf("%s prints %s", verb, got)
		}
	}
}

// presents returns the presents of a customer as the cart reads them.
func (r *room) presents(site, phone string) []customer.Present {
	r.t.Helper()
	rows, err := r.db.Read().ListCustomerPresents(r.t.Context(), gen.ListCustomerPresentsParams{
		CustomerID: r.byPhone(site, phone).ID, Site: site, Now: sql.NullTime{Time: r.clock.Now(), Valid: true},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	list := make([]customer.Present, len(rows))
	for i, row := range rows {
		list[i] = customer.Present{ID: row.ID, GiftID: row.GiftID, Count: int(row.Count), ExpiresAt: row.ExpiresAt.Time}
	}
	return list
}

// addPresent creates a present of sushi for the customer with the phone. It returns its id, or the field
// and the key of a refusal.
func (r *room) addPresent(phone, key string, p customer.Present) (int64, string) {
	r.t.Helper()
	id, err := r.customers.AddPresent(r.t.Context(), "sushi", r.byPhone("sushi", phone).ID, key, p)
	if f, ok := fault.Of(err); ok {
		for field, messages := range f.Fields {
			return 0, field + " " + messages[0].Key
		}
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return id, ""
}

func TestPresent_isThereForItsCustomerUntilItEnds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		ends := r.clock.Now().Add(time.Hour)
		first, _ := r.addPresent(anna, "a", customer.Present{GiftID: 5, Count: 2})
		second, _ := r.addPresent(anna, "b", customer.Present{GiftID: 6, Count: 1, ExpiresAt: ends.In(time.FixedZone("east", 3600))})
		r.addPresent(boris, "c", customer.Present{GiftID: 5, Count: 1})
		want := []customer.Present{{ID: first, GiftID: 5, Count: 2}, {ID: second, GiftID: 6, Count: 1, ExpiresAt: ends}}
		got := r.presents("sushi", anna)
		if len(got) != 2 || got[0] != want[0] || !got[1].ExpiresAt.Equal(ends) || got[1].ID != second {
			t.Errorf("presents %v, want %v", got, want)
		}
		if others := r.presents("pizza", anna); len(others) != 0 {
			t.Errorf("at another brand there are %v", others)
		}
		r.clock.Advance(time.Hour)
		if got := r.presents("sushi", anna); len(got) != 1 || got[0] != want[0] {
			t.Errorf("after its end there are %v", got)
		}
	})
}

func TestPresent_isAddedOnceForItsKey(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		ends := r.clock.Now().Add(time.Hour + time.Nanosecond)
		p := customer.Present{GiftID: 5, Count: 2, ExpiresAt: ends}
		first, _ := r.addPresent(anna, "a", p)
		for range 2 {
			if again, refusal := r.addPresent(anna, "a", p); again != first {
				t.Errorf("given again it is %d, want %d (%s)", again, first, refusal)
			}
			r.clock.Advance(2 * time.Hour) // what was answered stays answered after its end
		}
		for name, other := range map[string]struct {
			phone   string
			present customer.Present
		}{
			"another customer": {boris, p},
			"another gift":     {anna, customer.Present{GiftID: 6, Count: 2, ExpiresAt: ends}},
			"another count":    {anna, customer.Present{GiftID: 5, Count: 1, ExpiresAt: ends}},
			"another end":      {anna, customer.Present{GiftID: 5, Count: 2}},
		} {
			if _, refusal := r.addPresent(other.phone, "a", other.present); refusal != "key customer.key_reused" {
				t.Errorf("%s: %q", name, refusal)
			}
		}
		if _, refusal := r.addPresent(anna, "b", p); refusal != "expires_at customer.present_ended" {
			t.Errorf("a present that has ended: %q", refusal)
		}
	})
}

func TestPresent_isOneForConcurrentCallsWithOneKey(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		who := r.byPhone("sushi", anna)
		var work sync.WaitGroup
		for range 8 {
			work.Go(func() {
				if _, err := r.customers.AddPresent(t.Context(), "sushi", who.ID, "a", customer.Present{GiftID: 5, Count: 1}); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		if got := r.presents("sushi", anna); len(got) != 1 {
			t.Errorf("presents %v", got)
		}
	})
}

func TestCustomers_AddPresent_refusesCountsAndKeysOutOfBounds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		customers := newRoom(t, d).customers
		for name, c := range map[string]struct {
			count        int
			key, problem string
		}{
			"minus three": {-3, "a", "count"}, "none": {0, "b", "count"}, "too many": {101, "c", "count"},
			"more than a number holds": {1 << 53, "d", "count"}, "a long key": {1, strings.Repeat("k", 65), "key"},
		} {
			_, err := customers.AddPresent(t.Context(), "sushi", 1, c.key, customer.Present{GiftID: 5, Count: c.count})
			if f, ok := fault.Of(err); !ok || f.Code != fault.Invalid || f.Fields[c.problem] == nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		var kept int
		if err := d.Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM present").Scan(&kept); err != nil || kept != 0 {
			t.Errorf("%d are kept, %v", kept, err)
		}
	})
}
