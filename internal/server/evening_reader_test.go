//go:build !release

package server_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
)

// feedReader is a program of the restaurant that builds its list of orders from the feed of changes alone.
type feedReader struct {
	t *testing.T
	// last is where the next page begins, highest the number of the last change.
	last    any
	highest float64
	orders  map[int64]map[string]any
}

// newFeedReader returns a reader that has read nothing.
func newFeedReader(t *testing.T) *feedReader {
	t.Helper()
	return &feedReader{t: t, last: 0.0, orders: map[int64]map[string]any{}}
}

// read reads the feed to its end, five changes at a time.
func (r *feedReader) read(desk *browser) {
	r.t.Helper()
	for {
		page := desk.ok("GET", fmt.Sprintf("/api/operator/changes?site=sushi&limit=5&after=%v", r.last), nil, asOperator...)
		for _, c := range page["changes"].([]any) {
			r.apply(c.(map[string]any))
		}
		if page["last"] == r.last {
			return
		}
		r.last = page["last"]
	}
}

// apply applies a change to the list. The number of the change must be above those of all earlier changes.
func (r *feedReader) apply(c map[string]any) {
	r.t.Helper()
	number, _ := c["change"].(float64)
	if number <= r.highest {
		r.t.Errorf("change %v comes after %v", number, r.highest)
	}
	r.highest = number
	o := r.orders[idOf(c["order_id"])]
	if o == nil {
		o = map[string]any{"order_id": c["order_id"], "site": c["site"], "shop_id": c["shop_id"], "created_at": c["at"], "history": []any{}}
		r.orders[idOf(c["order_id"])] = o
	}
	o["change"] = number
	switch c["kind"] {
	case "placed", "paid", "moved", "stepped_back", "canceled":
		o["status"], o["changed_at"] = c["status"], c["at"]
	case "taken":
		o["taken_by"], o["taken_at"] = c["actor"], c["at"]
	case "courier_assigned":
		o["courier"] = c["courier"]
	case "courier_removed":
		delete(o, "courier")
	}
	if o["status"] != c["status"] {
		r.t.Errorf("a change of kind %v brings order %v from %v to %v", c["kind"], c["order_id"], o["status"], c["status"])
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

// compare compares the orders of the day, in any status, with the list of the reader.
func (r *feedReader) compare(desk *browser) {
	r.t.Helper()
	day := ""
	for _, o := range r.orders {
		day = o["created_at"].(string)[:len("2006-01-02")]
	}
	listed := desk.ok("GET", "/api/operator/orders/search?limit=200&site=sushi&day="+day, nil, asOperator...)["orders"].([]any)
	if len(listed) != len(r.orders) {
		r.t.Errorf("the restaurant lists %d orders, the reader of the feed has %d", len(listed), len(r.orders))
	}
	for _, l := range listed {
		o := maps.Clone(l.(map[string]any))
		if courier, ok := o["courier"]; ok {
			o["courier"] = dig(courier, "id")
		}
		read := r.orders[idOf(o["order_id"])]
		for _, name := range []string{
			"order_id", "site", "shop_id", "created_at", "change", "status", "changed_at", "taken_by", "taken_at", "courier", "promised_from", "promised_to", "history",
		} {
			if _, ok := read[name]; !ok && slices.Contains([]string{"promised_from", "promised_to"}, name) {
				continue // the feed has only new promises
			}
			if !reflect.DeepEqual(read[name], o[name]) {
				r.t.Errorf("order %v has %s %v, by the feed %v", o["order_id"], name, o[name], read[name])
			}
		}
	}
}
