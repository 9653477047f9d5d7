package races_test

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"testing"
)

// reader is a program of the restaurant that reads the feed of changes.
type reader struct {
	*party
	last    any                      // the position in the feed
	highest float64                  // the number of the last change
	rebuilt map[int64]map[string]any // the orders by their changes alone
	whole   map[int64]map[string]any // the orders as they were read after their last change
}

// newReader returns a reader that has read nothing.
func (v *evening) newReader(t *testing.T) *reader {
	t.Helper()
	return &reader{party: v.newParty(t, ""), last: 0.0, rebuilt: map[int64]map[string]any{}, whole: map[int64]map[string]any{}}
}

// read reads the feed to its end, five changes at a time, then each changed order, and compares the open orders. In
// some turns it kills the server after the first page.
func (r *reader) read(t *testing.T) {
	t.Helper()
	changed := map[int64]bool{}
	for pages := 0; ; pages++ {
		if pages == 1 && r.evening.turn%3 == 0 {
			r.evening.killSoon()
		}
		page := r.mustCall(t, http.MethodGet, fmt.Sprintf("/operator/changes?site=sushi&limit=5&after=%v", r.last), nil)
		for _, c := range listAt(page, "changes") {
			r.apply(t, c.(map[string]any))
			changed[idAt(c, "order_id")] = true
		}
		if page["last"] == r.last {
			break
		}
		r.last = page["last"]
	}
	for id := range changed {
		r.whole[id] = r.readOrder(t, id)
	}
	r.compareOpen(t)
}

// readOrder returns an order as the restaurant reads it, without can_step_back, which changes with time alone.
func (p *party) readOrder(t *testing.T, id int64) map[string]any {
	t.Helper()
	o, _ := dig(p.mustCall(t, http.MethodGet, fmt.Sprint("/operator/orders/", id), nil), "order").(map[string]any)
	delete(o, "can_step_back")
	return o
}

// apply applies a change to the rebuilt orders. It reports an error unless the number of the change is above all
// before.
func (r *reader) apply(t *testing.T, c map[string]any) {
	t.Helper()
	number, _ := c["change"].(float64)
	if number <= r.highest {
		t.Errorf("change %v comes after %v", number, r.highest)
	}
	r.highest = number
	id := idAt(c, "order_id")
	o := r.rebuilt[id]
	if o == nil {
		o = map[string]any{"order_id": c["order_id"], "site": c["site"], "shop_id": c["shop_id"], "created_at": c["at"], "history": []any{}}
		r.rebuilt[id] = o
	}
	o["change"] = c["change"]
	switch c["kind"] {
	case "placed", "paid", "moved", "stepped_back", "canceled":
		o["status"], o["changed_at"] = c["status"], c["at"]
	case "taken":
		o["taken_by"], o["taken_at"] = c["actor"], c["at"]
	}
	if o["status"] != c["status"] {
		t.Errorf("a change of kind %v brings order %d from %v to %v", c["kind"], id, o["status"], c["status"])
	}
	for _, name := range []string{"promised_from", "promised_to"} {
		if at, ok := c[name]; ok {
			o[name] = at
		}
	}
	entry := maps.Clone(c)
	for _, name := range []string{"order_id", "site", "shop_id"} {
		delete(entry, name)
	}
	o["history"] = append(o["history"].([]any), entry)
}

// compareOpen compares the open orders by the feed with the operator's list of open orders.
func (r *reader) compareOpen(t *testing.T) {
	t.Helper()
	open := map[int64]bool{}
	for _, o := range listAt(r.mustCall(t, http.MethodGet, "/operator/orders?limit=500", nil), "orders") {
		open[idAt(o, "order_id")] = true
		r.compare(t, o.(map[string]any))
	}
	for id, o := range r.rebuilt {
		isOpen := o["status"] != "done" && o["status"] != "canceled" && o["status"] != "waiting_for_payment"
		if isOpen != open[id] {
			t.Errorf("order %d is open in the list: %v, by the feed it is %v", id, open[id], o["status"])
		}
	}
}

// compare compares an order of the operator's list with both forms of it that the reader has. It removes
// can_step_back from o.
func (r *reader) compare(t *testing.T, o map[string]any) {
	t.Helper()
	id := idAt(o, "order_id")
	for _, name := range slices.Sorted(maps.Keys(r.rebuilt[id])) {
		if !reflect.DeepEqual(r.rebuilt[id][name], o[name]) {
			t.Errorf("order %d has %s %v, by the feed %v", id, name, o[name], r.rebuilt[id][name])
		}
	}
	delete(o, "can_step_back")
	if !reflect.DeepEqual(r.whole[id], o) {
		t.Errorf("order %d is %v, the reader has %v", id, o, r.whole[id])
	}
}

// compareAll compares all orders of the days, final ones too, with those that the reader has.
func (r *reader) compareAll(t *testing.T, days []string) {
	t.Helper()
	listed := 0
	for _, day := range days {
		for _, o := range listAt(r.mustCall(t, http.MethodGet, "/operator/orders/search?limit=200&site=sushi&day="+day, nil), "orders") {
			listed++
			r.compare(t, o.(map[string]any))
		}
	}
	if listed != len(r.rebuilt) {
		t.Errorf("the restaurant lists %d orders, the reader has %d", listed, len(r.rebuilt))
	}
}
