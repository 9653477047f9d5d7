package orders_test

import (
	"errors"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/order"
	"servery/internal/order/follow"
	"servery/internal/order/orders"
	"servery/internal/order/repeat"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// A stranger, the same session at another brand, and a visitor without a session get
// order.not_found from each call, for the order and for ids that do not exist.
func TestOrders_ofOthersAreNotFound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		stranger, pizza, nobody := h.Visitor(t, "sushi"), h.Again(t, v, "pizza"), h.Again(t, visit.Context{}, "sushi")
		for name, who := range map[string]visit.Context{"stranger": stranger, "other brand": pizza, "no session": nobody} {
			for _, id := range []int64{o.ID, o.ID + 1, 0, -1} {
				for call, do := range map[string]func() error{
					"get":     func() error { _, err := h.Orders.Get(t.Context(), who, id); return err },
					"cancel":  func() error { _, err := h.Orders.Cancel(t.Context(), who, id); return err },
					"repeat":  func() error { _, err := h.Repeats().Repeat(t.Context(), who, id, carts.Replace); return err },
					"courier": func() error { _, _, err := h.Follow.Courier(t.Context(), who, id); return err },
					"watch":   func() error { _, err := h.Follow.Watch(t.Context(), who, id); return err },
					"look":    func() error { _, err := h.Orders.LookUp(t.Context(), who, order.Lookup{OrderID: id}); return err },
				} {
					if err := do(); !errors.Is(err, fault.New(fault.NotFound, "order.not_found")) {
						t.Errorf("%s, %s: %v", name, call, err)
					}
				}
			}
		}
	})
}

// A wrong phone, number or link is order.not_found. The phone opens the order in brief, without
// canceling; the link opens all of it.
func TestLookUp_byPhoneOrLink(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		for name, look := range map[string]order.Lookup{
			"another phone":  {OrderID: o.ID, Phone: "+7 916 123-45-68"},
			"another number": {OrderID: o.ID + 1, Phone: "+7 916 123-45-67"},
			"another link":   {OrderID: o.ID, Link: o.Link[1:] + "x"},
			"half a link":    {OrderID: o.ID, Link: o.Link[:10]},
			"no phone":       {OrderID: o.ID, Phone: "-"},
		} {
			_, err := h.Orders.LookUp(t.Context(), h.Visitor(t, "sushi"), look)
			if f, ok := fault.Of(err); !ok || f.Code != fault.NotFound || f.Message.Key != "order.not_found" {
				t.Errorf("%s: %v", name, err)
			}
		}
		for name, c := range map[string]struct {
			look order.Lookup
			want order.View
		}{
			"by phone":           {order.Lookup{OrderID: o.ID, Phone: "8 (916) 123-45-67"}, order.BriefView},
			"by the same digits": {order.Lookup{OrderID: o.ID, Phone: "79161234567"}, order.BriefView},
			"by link":            {order.Lookup{OrderID: o.ID, Link: o.Link}, order.LinkView},
		} {
			friend := h.Visitor(t, "sushi")
			if got, err := h.Orders.LookUp(t.Context(), friend, c.look); err != nil || got.ID != o.ID || got.View != c.want {
				t.Errorf("%s: view %d, %v", name, got.View, err)
			}
			if got, err := h.Orders.Get(t.Context(), friend, o.ID); err != nil || got.View != c.want {
				t.Errorf("%s: after the look-up view %d, %v", name, got.View, err)
			}
			if c.want != order.BriefView {
				continue
			}
			if _, err := h.Orders.Cancel(t.Context(), friend, o.ID); fault.KeyOf(err) != "order.not_found" {
				t.Errorf("%s: a friend may cancel: %v", name, err)
			}
		}
		friend := h.Visitor(t, "sushi")
		if _, err := h.Orders.LookUp(t.Context(), friend, order.Lookup{OrderID: o.ID, Link: o.Link}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if canceled, err := h.Orders.Cancel(t.Context(), friend, o.ID); err != nil || canceled.State != order.Canceled || canceled.View != order.LinkView {
				t.Errorf("by its link: %s, view %d, %v", canceled.State, canceled.View, err)
			}
		}
	})
}

// A session may be wrong ten times and an address thirty times in ten minutes. Then even the
// right phone is order.too_many_lookups, but not for others.
func TestLookUp_limitsGuessesBySessionAndAddress(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	v := h.Visitor(t, "sushi")
	o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
	guess := func(who visit.Context, address, phone string) string {
		_, err := h.Orders.LookUp(t.Context(), h.Again(t, who, "sushi"), order.Lookup{OrderID: o.ID, Phone: phone, Address: address})
		if err == nil {
			return ""
		}
		return fault.KeyOf(err)
	}
	const wrong, right = "+79161234568", "+79161234567"
	thief := h.Visitor(t, "sushi")
	for range 10 {
		if got := guess(thief, "192.0.2.1", wrong); got != "order.not_found" {
			t.Fatal(got)
		}
	}
	if got := guess(thief, "192.0.2.2", right); got != "order.too_many_lookups" {
		t.Errorf("the eleventh of a session: %q", got)
	}
	for range 2 { // new sessions, the same address
		next := h.Visitor(t, "sushi")
		for range 10 {
			guess(next, "192.0.2.1", wrong)
		}
	}
	if got := guess(h.Visitor(t, "sushi"), "192.0.2.1", right); got != "order.too_many_lookups" {
		t.Errorf("the thirty-first of an address: %q", got)
	}
	if got := guess(h.Visitor(t, "sushi"), "192.0.2.9", right); got != "" {
		t.Errorf("somebody else: %q", got)
	}
	h.Clock.Advance(10 * time.Minute)
	if got := guess(thief, "192.0.2.1", right); got != "" {
		t.Errorf("ten minutes later: %q", got)
	}
}

// The operator moves an order along its path. Moves that the table does not have, an unknown
// order and canceling by the customer are refused; the history names who moved it.
func TestSetState_allowsTheMovesOfTheTable(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		move := func(to order.State) error {
			_, err := h.Orders.SetState(t.Context(), o.ID, to, "anna", h.Clock.Advance(time.Minute))
			return err
		}
		if err := move(order.Sent); !errors.Is(err, fault.New(fault.Conflict, "order.not_movable")) {
			t.Errorf("accepted to sent: %v", err)
		}
		for _, to := range []order.State{order.Cooking, order.Cooking, order.Sent, order.Done, order.Done} {
			if err := move(to); err != nil {
				t.Errorf("to %s: %v", to, err)
			}
			if _, err := h.Orders.Cancel(t.Context(), v, o.ID); !errors.Is(err, fault.New(fault.Conflict, "order.not_cancelable_"+string(to))) {
				t.Errorf("cancel in %s: %v", to, err)
			}
		}
		for _, to := range []order.State{order.Accepted, order.Canceled, order.WaitingForPayment} {
			if err := move(to); !errors.Is(err, fault.New(fault.Conflict, "order.not_movable")) {
				t.Errorf("done to %s: %v", to, err)
			}
		}
		got, err := h.Orders.Get(t.Context(), v, o.ID)
		if err != nil || len(got.History) != 4 || got.History[1].Actor != "operator:anna" || got.ChangeID != got.History[3].ID {
			t.Errorf("history %+v, %v", got.History, err)
		}
		if open, err := h.Orders.Open(t.Context(), orders.OpenQuery{Limit: 10}); err != nil || len(open) != 0 {
			t.Errorf("a done order is open: %v, %v", open, err)
		}
		if _, err := h.Orders.SetState(t.Context(), 1, order.Done, "", h.Clock.Now()); fault.KeyOf(err) != "order.not_found" {
			t.Errorf("an unknown order: %v", err)
		}
	})
}

// Since the order one dish costs more, one is stopped and one is gone. Repeat names all three
// and fills the cart with the others.
func TestRepeat_namesTheDifferences(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		q, err := h.Carts.Add(t.Context(), v, carttest.Delivery(), cart.Addition{ProductKey: "1-1007", Count: 2})
		if err != nil {
			t.Fatal(err)
		}
		r.SeenTotal = q.Prices.Total
		o := h.Place(t, v, r)
		if _, err := h.Repeats().Repeat(t.Context(), v, o.ID, carts.Replace); !errors.Is(err, fault.New(fault.Conflict, "order.not_repeatable")) {
			t.Fatalf("before it is done: %v", err)
		}
		h.Move(t, o, order.Cooking, order.Sent, order.Done)
		h.Import(t, map[string]string{"sushi/menu/01-rolls.yaml": `group: {id: 11, alias: rolls, name: Роллы}
products:
  - {id: 1001, alias: salmon-roll, name: {ru: Ролл с лососем, en: Salmon roll}, price: 600, composition: [rice, salmon], modifiers: [sauce], picture: none}
  - {id: 1002, alias: rice-roll, name: {ru: Ролл с рисом, en: Rice roll}, price: 100, composition: [rice], picture: none}
`})
		h.Stop(t, catalog.StopProduct, "rice-roll")
		v = h.Again(t, v, "sushi")
		for range 2 { // the second call changes nothing
			repeated, err := h.Repeats().Repeat(t.Context(), v, o.ID, carts.Replace)
			if err != nil {
				t.Fatal(err)
			}
			kinds := map[string]repeat.DifferenceKind{}
			for _, d := range repeated.Differences {
				kinds[d.Name[lang.EN]] = d.Kind
				if d.Kind == repeat.OtherPrice && (d.Old.String() != "579.5" || d.New.String() != "630.5") {
					t.Errorf("prices %s and %s", d.Old, d.New)
				}
			}
			if len(kinds) != 3 || kinds["Salmon roll"] != repeat.OtherPrice || kinds["Rice roll"] != repeat.StoppedNow || kinds["Arbat roll"] != repeat.Gone {
				t.Errorf("got %v", kinds)
			}
			if len(repeated.Cart.Lines) != 2 || repeated.Cart.Count != 2 || repeated.Cart.Cart.Address == nil || repeated.Cart.Cart.OrderType != site.Delivery {
				t.Errorf("got %+v", repeated.Cart.Cart)
			}
		}
	})
}

// A day after an order was sent, its courier's position and the key of its checkout are gone; the order
// stays.
func TestSweep_deletesWhatIsPastItsTerm(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		o := h.Place(t, v, r)
		h.Move(t, o, order.Cooking, order.Sent)
		if err := h.Follow.SetCourierLocation(t.Context(), v.Snapshot, o.ID, follow.Report{Point: carttest.InFree}, h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		if err := h.Orders.Sweep(t.Context(), h.Clock.Advance(25*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if _, known, err := h.Follow.Courier(t.Context(), v, o.ID); err != nil || known {
			t.Errorf("the position is kept for ever: %v", err)
		}
		if _, err := h.Orders.Create(t.Context(), v, r); fault.KeyOf(err) != "order.no_cache" {
			t.Errorf("a key answers for ever: %v", err)
		}
		if _, err := h.Orders.Get(t.Context(), v, o.ID); err != nil {
			t.Errorf("the order itself: %v", err)
		}
	})
}

// Each case has an order and the English sentences expected, with times of Moscow. Each state
// has a name for both order types.
func TestOrder_Description_usesTheClockOfTheCity(t *testing.T) {
	t.Parallel()
	moscow, err := time.LoadLocation("Europe/Moscow")
	if err != nil {
		t.Fatal(err)
	}
	from := carttest.Noon.Add(45 * time.Minute)
	base := order.Order{Type: site.Delivery, State: order.Cooking, PromisedFrom: from, PromisedTo: from.Add(30 * time.Minute)}
	for want, change := range map[string]func(*order.Order){
		"We are cooking. We will bring it by 13:15.":                func(o *order.Order) { o.IntervalID = schedule.ASAP },
		"We are cooking. We will bring it between 12:45 and 13:15.": func(*order.Order) {},
		"We have your order. Come for it between 12:45 and 13:15.":  func(o *order.Order) { o.Type, o.State = site.Takeaway, order.Accepted },
		"We have your order. We will bring it on November 21 between 12:45 and 13:15.": func(o *order.Order) {
			o.State = order.Accepted
			o.PromisedFrom = from.AddDate(0, 0, 1)
			o.PromisedTo = o.PromisedFrom.Add(30 * time.Minute)
		},
		"We are cooking. We promised it by 13:15 but are running late: we will bring it by 13:45. We are sorry.": func(o *order.Order) {
			o.AgreedTo, o.PromisedTo = o.PromisedTo, o.PromisedTo.Add(30*time.Minute)
		},
		"We are cooking. We promised it on November 20 by 23:50 but are running late: we will bring it on November 21 by 00:20. We are sorry.": func(o *order.Order) {
			o.AgreedTo = from.Add(11*time.Hour + 5*time.Minute)
			o.PromisedTo = o.AgreedTo.Add(30 * time.Minute)
		},
		"We are cooking. We promised it on November 19 by 23:50 but are running late: we will bring it on November 20 by 13:15. We are sorry.": func(o *order.Order) {
			o.AgreedTo = from.Add(11*time.Hour+5*time.Minute).AddDate(0, 0, -1)
		},
		"Picked up. Enjoy your meal.": func(o *order.Order) { o.Type, o.State = site.Takeaway, order.Done },
		"The order is canceled.":      func(o *order.Order) { o.State = order.Canceled },
	} {
		o := base
		change(&o)
		said := ""
		for _, m := range o.Description(moscow, carttest.Noon) {
			if said != "" {
				said += " "
			}
			said += lang.T(lang.EN, m.Key, m.Args)
		}
		if said != want {
			t.Errorf("said %q, want %q", said, want)
		}
	}
	for _, s := range order.States() {
		for _, orderType := range site.OrderTypes() {
			o := base
			o.State, o.Type = s, orderType
			for _, m := range append(o.Description(moscow, carttest.Noon), s.Name(orderType)) {
				for _, l := range lang.All() {
					if lang.T(l, m.Key, m.Args) == m.Key {
						t.Errorf("no words for %s in %s", m.Key, l)
					}
				}
			}
		}
	}
}
