package orders_test

import (
	"slices"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/schedule"
)

// Without the required consent the order is refused at the field consents. With it the order
// stores alias, version and time of each known consent sent.
func TestCreate_needsRequiredConsentsAndStoresTheirVersions(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.Import(t, map[string]string{"countries.yaml": strings.Replace(carttest.Texts["countries.yaml"], "cash_limit: 5000}",
			`cash_limit: 5000, consents: [{alias: notice, text: A, version: "7", required: true}, {alias: news, text: B, version: "1"}, {alias: terms, text: C, version: "2"}]}`, 1)})
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		for _, given := range [][]string{nil, {"news"}, {"Notice", "unknown"}} {
			r.Consents = given
			_, err := h.Orders.Create(t.Context(), v, r)
			if f, ok := fault.Of(err); !ok || f.Code != fault.Invalid || len(f.Fields["consents"]) != 1 || f.Fields["consents"][0].Key != "order.consent_required" {
				t.Errorf("with %v: %v", given, err)
			}
		}
		r.Consents = []string{"terms", "unknown", "notice"}
		placed := h.Place(t, v, r)
		read, err := h.Orders.Get(t.Context(), v, placed.ID)
		if err != nil {
			t.Fatal(err)
		}
		now := v.Now
		if want := []order.Consent{{Alias: "notice", Version: "7", At: now}, {Alias: "terms", Version: "2", At: now}}; !slices.Equal(read.Details.Consents, want) {
			t.Errorf("the order keeps %v, want %v", read.Details.Consents, want)
		}
	})
}
