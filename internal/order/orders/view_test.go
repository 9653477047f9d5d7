package orders_test

import (
	"encoding/json"
	"strings"
	"testing"

	"servery/internal/cart/carts"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/schedule"
)

// Looked up by phone, an order shows status, time, dishes and total, but no name, phone, street,
// link or key, and it can be neither repeated nor canceled.
func TestLookUp_byPhoneAndNumberShowsAnOrderInBrief(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		stranger := h.Visitor(t, "sushi")
		got, err := h.Orders.LookUp(t.Context(), stranger, order.Lookup{OrderID: o.ID, Phone: "79161234567"})
		if err != nil {
			t.Fatal(err)
		}
		again, err := h.Orders.Get(t.Context(), stranger, o.ID)
		if err != nil {
			t.Fatal(err)
		}
		for name, seen := range map[string]order.Order{"looked up": got, "afterwards": again} {
			if seen.State != o.State || !seen.PromisedTo.Equal(o.PromisedTo) || len(seen.Lines) != len(o.Lines) || seen.Prices != o.Prices {
				t.Errorf("%s: status, promise, dishes or total are not shown: %+v", name, seen)
			}
			text, err := json.Marshal(seen)
			if err != nil {
				t.Fatal(err)
			}
			for what, secret := range map[string]string{
				"name": o.Details.Username, "phone": o.Phone, "street": o.Details.Address.Street, "link": o.Link, "checkout": o.CacheKey,
			} {
				if secret == "" || strings.Contains(string(text), secret) {
					t.Errorf("%s: the %s %q is shown", name, what, secret)
				}
			}
		}
		for name, err := range map[string]error{
			"repeat": func() error { _, err := h.Repeats().Repeat(t.Context(), stranger, o.ID, carts.Replace); return err }(),
			"cancel": func() error { _, err := h.Orders.Cancel(t.Context(), stranger, o.ID); return err }(),
		} {
			if fault.KeyOf(err) != "order.not_found" {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// The link keeps showing all, also after a lookup by phone. An account with the phone of the
// order sees as much as the link, another one the brief view, and who placed it everything.
func TestLookUp_showsAllToTheAccountOfThePhoneAndToTheLinkForGood(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		byPhone := order.Lookup{OrderID: o.ID, Phone: o.Phone}
		friend := h.Visitor(t, "sushi")
		for _, look := range []order.Lookup{byPhone, {OrderID: o.ID, Link: o.Link}, byPhone} {
			if _, err := h.Orders.LookUp(t.Context(), friend, look); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := h.Orders.Get(t.Context(), friend, o.ID); err != nil || got.View != order.LinkView || got.Link != o.Link {
			t.Errorf("after the link and the phone: view %d, %v", got.View, err)
		}
		guest := h.Visitor(t, "sushi")
		if _, err := h.Orders.LookUp(t.Context(), guest, byPhone); err != nil {
			t.Fatal(err)
		}
		for phone, want := range map[string]order.View{o.Phone: order.LinkView, "79160000009": order.BriefView} {
			account := guest
			account.CustomerID, account.CustomerPhone = h.Customer(t, "sushi", phone), phone
			if got, err := h.Orders.Get(t.Context(), account, o.ID); err != nil || got.View != want {
				t.Errorf("the account of %s: view %d, %v", phone, got.View, err)
			}
		}
		if got, err := h.Orders.LookUp(t.Context(), v, byPhone); err != nil || got.View != order.OwnView {
			t.Errorf("who placed it: view %d, %v", got.View, err)
		}
	})
}
