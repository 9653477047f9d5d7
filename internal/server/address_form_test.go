package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// everyAddressField is an address form with all fields, of which none is required.
const everyAddressField = "[{field: room}, {field: private_house}, {field: building}, {field: rear_building}, {field: entrance}, {field: floor}, {field: intercom}, {field: bell_name}, {field: landmark}]"

// importAddressForm imports content in which Russia has the address form.
func (e *edge) importAddressForm(t *testing.T, form string) {
	t.Helper()
	e.Import(t, map[string]string{
		"countries.yaml": strings.Replace(carttest.Texts["countries.yaml"], "cash_limit: 5000}", "cash_limit: 5000, address_form: "+form+"}", 1),
	})
}

func TestCity_saysWhatItsAddressesAskFor(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		first := func() map[string]any {
			return dig(b.ok("GET", "/api/cities/moscow", nil), "city", "address_form").([]any)[0].(map[string]any)
		}
		if q := first(); q["field"] != "room" || q["is_required"] != true || q["is_for_flats"] != true {
			t.Errorf("a country without a form begins with %v", q)
		}
		e.importAddressForm(t, "[{field: bell_name, required: true}, {field: floor}]")
		if q := first(); q["field"] != "bell_name" || q["is_required"] != true || q["is_for_flats"] != false {
			t.Errorf("the form begins with %v", q)
		}
	})
}

// What a customer enters in each field is saved, and goes to the operator with the order.
func TestOrder_hasWhatTheAddressFormAsksFor(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.importAddressForm(t, everyAddressField)
		b := e.browser(t)
		details := object{
			"room": "7", "building": "Б", "rear_building": "left", "entrance": "2", "floor": "3", "intercom": "7#", "bell_name": "Müller",
			"landmark": "by the mill",
		}
		total := b.fill()
		chosen := b.ok("POST", "/api/user/addresses/set-by-coordinates", with(pointInFreeZone(), details))
		b.ok("PUT", "/api/cart/set-interval", object{"city_id": 1, "interval": "asap"})
		created := b.ok("POST", "/api/order/create", b.checkout(total))
		id := idOf(created["order_id"])
		seen := dig(b.ok("GET", fmt.Sprintf("/api/order/%d", id), nil), "order", "delivery_address")
		for field, want := range details {
			for who, address := range map[string]any{"saved": dig(chosen, "delivery_address"), "seen by the customer": seen, "read by the operator": dig(b.readOrder(id), "address")} {
				if got := dig(address, field); got != want {
					t.Errorf("%s %s: %v, want %v", field, who, got, want)
				}
			}
		}
	})
}

// An address that was saved before the country had a form is not shown with what the form lacks, and has it again
// when the form does.
func TestAddress_hidesWhatTheFormLacks(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.fill()
		rooms := func() []any {
			saved := b.ok("GET", "/api/user/addresses", nil)["delivery_addresses"].([]any)[0]
			chosen := b.ok("POST", "/api/user/addresses/set-by-id", object{"delivery_address_id": dig(saved, "id")})
			inCart := b.ok("PUT", "/api/cart", moscow(nil))
			return []any{dig(saved, "room"), dig(chosen, "delivery_address", "room"), dig(inCart, "cart", "delivery_address", "room")}
		}
		e.importAddressForm(t, "[{field: bell_name, required: true}]")
		for i, room := range rooms() {
			if room != nil {
				t.Errorf("the form without rooms: %d shows %v", i, room)
			}
		}
		refused := b.checkout(dig(b.ok("PUT", "/api/cart", moscow(nil)), "cart", "prices", "total"))
		b.refused(http.StatusUnprocessableEntity, "bell_name", "POST", "/api/order/create", refused)
		e.importAddressForm(t, "[{field: room, required: true}]")
		for i, room := range rooms() {
			if room != "7" {
				t.Errorf("the form with rooms: %d shows %v", i, room)
			}
		}
	})
}

// A correction follows the form of the country: what it takes out must not be required, what it adds must be asked for.
func TestCorrectOrder_followsTheAddressForm(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		id, _ := b.order()
		path := fmt.Sprintf("/api/operator/orders/%d/correct", id)
		correct := func(key string, address object) object {
			return object{"key": key, "address": address, "actor": "desk"}
		}
		b.refused(http.StatusUnprocessableEntity, "bell_name", "POST", path, correct("c-1", object{"bell_name": "Müller"}), asOperator...)
		b.refused(http.StatusUnprocessableEntity, "room", "POST", path, correct("c-2", object{"room": ""}), asOperator...)
		b.ok("POST", path, correct("c-3", object{"private_house": true}), asOperator...)
		if a := dig(b.readOrder(id), "address"); dig(a, "private_house") != true || dig(a, "room") != nil {
			t.Errorf("a private house: %v", a)
		}
		b.refused(http.StatusUnprocessableEntity, "room", "POST", path, correct("c-4", object{"room": "8"}), asOperator...)
		b.refused(http.StatusUnprocessableEntity, "room", "POST", path, correct("c-5", object{"private_house": false}), asOperator...)
		b.ok("POST", path, correct("c-6", object{"private_house": false, "room": "8"}), asOperator...)
		if a := dig(b.readOrder(id), "address"); dig(a, "private_house") != nil || dig(a, "room") != "8" {
			t.Errorf("a flat: %v", a)
		}
		e.importAddressForm(t, "[{field: bell_name, required: true}]") // the order is from before
		b.ok("POST", path, correct("c-7", object{"comment": "the green door"}), asOperator...)
		if a := dig(b.readOrder(id), "address"); dig(a, "room") != "8" {
			t.Errorf("an order from before: %v", a)
		}
	})
}
