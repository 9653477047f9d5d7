package correct_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/correct"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// Points of the zones of [newKitchen], and one outside of all.
var (
	inCenter = geo.Point{Latitude: 55.75, Longitude: 37.60}
	inSouth  = geo.Point{Latitude: 55.65, Longitude: 37.60} // costs 50 and 15 minutes more
	inWest   = geo.Point{Latitude: 55.75, Longitude: 37.30} // of another shop
	inNorth  = geo.Point{Latitude: 55.90, Longitude: 37.60} // has a minimum of 5000
	nowhere  = geo.Point{Latitude: 55.20, Longitude: 37.60}
)

// kitchen is a counter whose orders are corrected.
type kitchen struct {
	*ordertest.Counter

	Corrections *correct.Service
	texts       map[string]string // its content, as far as it is not carttest's
}

// newKitchen returns a kitchen whose city has two more zones: one of another shop, and one with a high
// minimum.
func newKitchen(t *testing.T, d *db.DB) *kitchen {
	t.Helper()
	k := &kitchen{Counter: ordertest.NewCounter(t, d)}
	const nextCity = `- {place: ankara` // follows the zones of Moscow
	zones := `    - {id: 103, name: Запад, shop: west, delivery: 149, minimum_order: 100, delivery_minutes: 25, area: [[55.7, 37.2], [55.8, 37.2], [55.8, 37.4], [55.7, 37.4]]}
    - {id: 104, name: Север, shop: arbat, delivery: 149, minimum_order: 5000, delivery_minutes: 25, area: [[55.85, 37.5], [55.95, 37.5], [55.95, 37.7], [55.85, 37.7]]}
`
	cities := strings.Replace(carttest.Texts["sushi/cities.yaml"], nextCity, zones+nextCity, 1)
	cities = strings.Replace(cities, "delivery: 199, minimum_order: 700", "delivery: 199, minimum_order: 100", 1)
	k.texts = map[string]string{
		"sushi/cities.yaml": cities,
		"sushi/shops.yaml": carttest.Texts["sushi/shops.yaml"] +
			`- {id: 13, alias: west, city: moscow, name: Запад, street: Западная, latitude: 55.75, longitude: 37.3, cooking_minutes: 20, hours: {default: {1-7: ["10:00-23:00"]}}, ceiling: {delivery: 60}}` + "\n",
	}
	k.Import(t, k.texts)
	k.Corrections = correct.New(d, k.Orders, k.Payments)
	return k
}

// deliver returns a visitor and their delivery of two dishes, as soon as possible to the center.
func (k *kitchen) deliver(t *testing.T) (visit.Context, order.Order) {
	t.Helper()
	v := k.Visitor(t, "sushi")
	return v, k.Place(t, v, k.Delivery(t, v, schedule.ASAP))
}

// deliverTo returns a new visitor's delivery of two dishes, as soon as possible to a saved address at the point.
func (k *kitchen) deliverTo(t *testing.T, at geo.Point) order.Order {
	t.Helper()
	v := k.Visitor(t, "sushi")
	a := k.SaveAddress(t, v, at)
	if _, err := k.Carts.SetAddress(t.Context(), v, a); err != nil {
		t.Fatal(err)
	}
	r := k.Request(t, v, carttest.Delivery(), schedule.ASAP)
	r.Address = &order.AddressInput{ID: a.ID}
	return k.Place(t, v, r)
}

// tryCorrect corrects an order and returns the order, the effect and the error.
func (k *kitchen) tryCorrect(t *testing.T, id int64, r correct.Request) (order.Order, correct.Effect, error) {
	t.Helper()
	return k.Corrections.Correct(t.Context(), k.Catalog.Current(), id, r, k.Clock.Now())
}

// correct corrects an order. An error ends the test.
func (k *kitchen) correct(t *testing.T, id int64, r correct.Request) (order.Order, correct.Effect) {
	t.Helper()
	o, effect, err := k.tryCorrect(t, id, r)
	if err != nil {
		t.Fatal(err)
	}
	return o, effect
}

// read returns the order as it is stored.
func (k *kitchen) read(t *testing.T, id int64) order.Order {
	t.Helper()
	found, err := k.Orders.Read(t.Context(), id)
	if err != nil || len(found) != 1 {
		t.Fatal(len(found), err)
	}
	return found[0]
}

// moveTo returns a request that corrects the address to a house at the point.
func moveTo(key string, at geo.Point) correct.Request {
	street, house := "улица Ленина", "7"
	return correct.Request{Key: key, Actor: "Vera", Address: &correct.AddressInput{Street: &street, House: &house, Point: &at}}
}

// A preview says what another zone changes and stores nothing. The correction then changes that, once:
// the order costs more and comes later, the customer is notified, and the history says which fields were
// corrected without naming the person.
func TestCorrect_movesAnOrderToADearerZone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		_, before := k.deliver(t)
		r := moveTo("a", inSouth)
		name, number, comment := " Boris ", "8 916 765-43-21", "no onion"
		r.Name, r.Phone, r.Comment = &name, &number, &comment
		preview := r
		preview.Key, preview.IsPreview = "", true
		_, foreseen := k.correct(t, before.ID, preview)
		if got := k.read(t, before.ID); got.ChangeID != before.ChangeID || got.Prices != before.Prices || got.Phone != before.Phone {
			t.Fatalf("a preview has stored %+v", got)
		}
		for range 2 {
			got, effect := k.correct(t, before.ID, r)
			if effect.TotalAfter != foreseen.TotalAfter || len(effect.Fields) != 6 || !effect.ToAfter.Equal(before.PromisedTo.Add(15*time.Minute)) {
				t.Errorf("got %+v, foreseen %+v", effect, foreseen)
			}
			if got.Prices.Total != before.Prices.Total+money.Major(50) || effect.ToCollect != got.Prices.Total || effect.Refund != 0 {
				t.Errorf("it costs %s instead of %s, %s to collect", got.Prices.Total, before.Prices.Total, effect.ToCollect)
			}
		}
		got := k.read(t, before.ID)
		a := got.Details.Address
		if got.Details.Username != "Boris" || got.Phone != "79167654321" || got.Details.Comment != comment || a.FullAddress != "Москва, улица Ленина, 7" || a.Room != "5" ||
			got.ZoneID != 102 || got.IsLate() || !got.PromisedTo.Equal(before.PromisedTo.Add(15*time.Minute)) {
			t.Errorf("stored %+v to %+v", got, *a)
		}
		if len(got.History) != 2 || got.History[1].Kind != order.Corrected || got.History[1].Actor != "operator:Vera" || got.NewsID() != got.ChangeID ||
			strings.Join(got.History[1].Fields, " ") != "name phone comment address time price" {
			t.Errorf("the history is %+v", got.History)
		}
		if sentences := got.Description(time.UTC, k.Clock.Now()); sentences[1].Key != "order.corrected" {
			t.Errorf("the customer reads %v", sentences)
		}
		list, err := k.Corrections.List(t.Context(), got.ID)
		if err != nil || len(list) != 1 || list[0].Before.Phone != before.Phone || list[0].After.Phone != got.Phone || *list[0].After.Address != *a ||
			list[0].Before.Address.Street != "улица Арбат" {
			t.Errorf("listed %+v, %v", list, err)
		}
		if _, _, err := k.tryCorrect(t, got.ID, moveTo("a", inCenter)); fault.KeyOf(err) != "order.correction_key_used" {
			t.Errorf("another correction under the key: %v", err)
		}
		if _, effect := k.correct(t, got.ID, correct.Request{Key: "b", Name: &name}); len(effect.Fields) != 0 || len(k.read(t, got.ID).History) != 2 {
			t.Errorf("what is right already is corrected: %v", effect.Fields)
		}
		k.CheckBooks(t)
	})
}

// An order was paid online. When it becomes dearer, the difference is collected at the hand-over. When it
// becomes cheaper, the difference first lowers that sum; the rest is refunded with a receipt of the
// delivery. The closing receipt and the books agree with what was paid.
func TestCorrect_settlesWhatWasPaidOnline(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		_, o := k.deliver(t)
		o, _ = k.MarkPaid(t, o)
		for i, step := range []struct {
			to                 geo.Point
			collect, refund    money.Amount
			surcharge, reduced money.Amount
		}{
			{inSouth, money.Major(50), 0, money.Major(50), 0},
			{inCenter, 0, 0, 0, 0},
			{inSouth, money.Major(50), 0, money.Major(50), 0},
		} {
			got, effect := k.correct(t, o.ID, moveTo(string(rune('a'+i)), step.to))
			if effect.ToCollect != step.collect || effect.Refund != step.refund || got.Surcharge != step.surcharge || got.Reduction != step.reduced {
				t.Errorf("step %d: %+v, surcharge %s, reduction %s", i, effect, got.Surcharge, got.Reduction)
			}
		}
		k.HandOver(t, o)
		if got := k.read(t, o.ID); got.ToCollect() != 0 {
			t.Errorf("%s is collected of a done order", got.ToCollect())
		}

		dear, _ := k.MarkPaid(t, k.deliverTo(t, inSouth))
		got, effect := k.correct(t, dear.ID, moveTo("a", inCenter))
		if effect.Refund != money.Major(50) || effect.ToCollect != 0 || got.Reduction != money.Major(50) || !effect.ToAfter.Equal(effect.ToBefore) {
			t.Errorf("cheaper: %+v, reduction %s", effect, got.Reduction)
		}
		k.SweepEachMinute(t, 2*time.Minute)
		if _, effect = k.correct(t, dear.ID, moveTo("b", inSouth)); effect.ToCollect != money.Major(50) || effect.Refund != 0 {
			t.Errorf("dearer again: %+v", effect)
		}
		k.HandOver(t, dear)
		k.SweepEachMinute(t, 3*time.Minute)
		m := k.WithPayment(t, dear.ID)
		if len(m.Payment.Refunds) != 1 || m.Payment.Refunds[0].Cause != payment.OnCorrection || m.Payment.Refunds[0].Actor != "operator:Vera" {
			t.Errorf("refunds %+v", m.Payment.Refunds)
		}
		if message, _ := m.Payment.RefundMessage(func(s acquiring.Sum) string { return s.Amount.String() }); message.Key != "refund.done_corrected" {
			t.Errorf("the customer reads %v", message)
		}
		if calls := k.Bank.RefundCalls(); len(calls) != 1 || calls[0].Receipt.Total() != money.Major(50) || len(calls[0].Receipt.Lines) != 1 || !calls[0].Receipt.Lines[0].Service {
			t.Errorf("refunded with %+v", calls)
		}
		if closed := k.Closing(t, dear.ID); closed.Sum.Amount != dear.Prices.Total-money.Major(50) {
			t.Errorf("closed %s of %s", closed.Sum.Amount, dear.Prices.Total)
		}
		k.Bank.WantRefunded(t, money.Major(50))
		k.CheckBooks(t)
	})
}

// An order paid online became dearer by a corrected address, and the courier collected the difference. A
// person hands it back in two parts, and not a kopeck more; what was paid online goes back through the acquirer.
func TestRefund_handsBackWhatWasCollectedAtTheHandOver(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		refund := func(o order.Order, r payment.RefundRequest) string {
			_, err := k.Orders.Refund(t.Context(), o.ID, r, k.Clock.Now())
			return fault.KeyOf(err)
		}
		_, plain := k.deliver(t)
		plain, _ = k.MarkPaid(t, plain)
		k.HandOver(t, plain)
		if got := refund(plain, payment.RefundRequest{Key: "c", All: true, Collected: true}); got != "order.not_refundable" {
			t.Errorf("nothing was collected: %q", got)
		}
		_, o := k.deliver(t)
		o, _ = k.MarkPaid(t, o)
		k.correct(t, o.ID, moveTo("a", inSouth))
		part := payment.RefundRequest{Key: "part", Amount: money.Major(20), Collected: true, Owed: true, Actor: "Vera"}
		if got := refund(o, part); got != "order.not_refundable" {
			t.Errorf("before it is collected: %q", got)
		}
		k.HandOver(t, o)
		for range 2 {
			if got := refund(o, part); got != "" {
				t.Fatal(got)
			}
		}
		if _, err := k.Orders.HandBack(t.Context(), o.ID, part.Key, "courier 7", k.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		if got := refund(o, payment.RefundRequest{Key: "over", Amount: money.Major(31), Collected: true}); got != "order.refund_over" {
			t.Errorf("more than was collected: %q", got)
		}
		if got := refund(o, payment.RefundRequest{Key: "rest", All: true, Collected: true}); got != "" {
			t.Fatal(got)
		}
		if got := refund(o, payment.RefundRequest{Key: "again", All: true, Collected: true}); got != "order.nothing_to_refund" {
			t.Errorf("when all is handed back: %q", got)
		}
		m := k.WithPayment(t, o.ID)
		var handedBack money.Amount
		for _, h := range m.Payment.ByHand {
			handedBack = handedBack.Add(h.Amount)
		}
		if handedBack != money.Major(50) || len(m.Payment.ByHand) != 2 || m.Order.IsRefunded() || m.Payment.ByHand[0].HandedBackBy != "operator:courier 7" {
			t.Errorf("handed back %s: %+v", handedBack, m.Payment.ByHand)
		}
		for _, part := range m.Payment.Refundable() { // of what was paid online nothing has gone back yet
			if part.Refunded != 0 || part.RefundedAmount != 0 {
				t.Errorf("%s: %d for %s of %s are refunded", part.Key, part.Refunded, part.RefundedAmount, part.Paid)
			}
		}
		k.SweepEachMinute(t, 3*time.Minute) // the closing receipt
		if got := refund(o, payment.RefundRequest{Key: "online", All: true}); got != "" {
			t.Fatal(got)
		}
		k.SweepEachMinute(t, 3*time.Minute)
		if m = k.WithPayment(t, o.ID); !m.Order.IsRefunded() {
			t.Errorf("refunds %+v", m.Payment.Refunds)
		}
		k.Bank.WantRefunded(t, o.Prices.Total)
		k.CheckBooks(t)
	})
}

// An address outside of all zones, another shop's zone, a zone with a higher minimum, an address of a
// takeaway, wrong fields and an order that is sent are refused, and nothing is changed.
func TestCorrect_refusesWhatCannotBe(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		_, o := k.deliver(t)
		takeaway := k.PlaceTakeaway(t, k.Visitor(t, "sushi"))
		empty, word, past := "", "call me", "2020-01-01T10:00:00Z"
		requestWith := func(change func(r *correct.Request)) correct.Request {
			r := correct.Request{Key: "k"}
			change(&r)
			return r
		}
		for name, c := range map[string]struct {
			id         int64
			r          correct.Request
			key, field string
		}{
			"nowhere":         {o.ID, moveTo("k", nowhere), "order.not_delivered", "address"},
			"another shop":    {o.ID, moveTo("k", inWest), "order.correct_other_shop", "address"},
			"a minimum":       {o.ID, moveTo("k", inNorth), "order.minimum", "address"},
			"no point":        {o.ID, requestWith(func(r *correct.Request) { r.Address = &correct.AddressInput{Street: &word} }), "common.invalid", "address.coordinates"},
			"no flat":         {o.ID, requestWith(func(r *correct.Request) { r.Address = &correct.AddressInput{Room: &empty} }), "common.invalid", "room"},
			"of a takeaway":   {takeaway.ID, moveTo("k", inCenter), "common.invalid", "address"},
			"no key":          {o.ID, moveTo("", inCenter), "common.invalid", "key"},
			"no name":         {o.ID, requestWith(func(r *correct.Request) { r.Name = &empty }), "common.invalid", "name"},
			"no phone":        {o.ID, requestWith(func(r *correct.Request) { r.Phone = &word }), "common.invalid", "phone"},
			"no interval":     {o.ID, requestWith(func(r *correct.Request) { r.IntervalID = &word }), "schedule.unknown_interval", "interval_id"},
			"a past interval": {o.ID, requestWith(func(r *correct.Request) { r.IntervalID = &past }), "schedule.past", "interval_id"},
			"no order":        {1, moveTo("k", inCenter), "order.not_found", "order_id"},
		} {
			_, _, err := k.tryCorrect(t, c.id, c.r)
			f, ok := fault.Of(err)
			if !ok || f.Message.Key != c.key || f.Fields[c.field] == nil {
				t.Errorf("%s: %v, want %s at %s", name, err, c.key, c.field)
			}
		}
		if got := k.read(t, o.ID); got.ChangeID != o.ChangeID || got.Prices != o.Prices || *got.Details.Address != *o.Details.Address {
			t.Errorf("refused corrections have changed %+v", got)
		}
		k.Move(t, o, order.Cooking)
		k.correct(t, o.ID, moveTo("cooked", inSouth))
		k.Move(t, o, order.Sent)
		if _, _, err := k.tryCorrect(t, o.ID, moveTo("sent", inCenter)); fault.KeyOf(err) != "order.not_correctable" {
			t.Errorf("an order on its way: %v", err)
		}
	})
}

// A new time is reserved and the former one released in one step. A full interval is refused, and the
// order keeps its own.
func TestCorrect_takesANewTimeAndFreesTheOld(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		placeAt := func(hour int) order.Order {
			v := k.Visitor(t, "sushi")
			return k.Place(t, v, k.Takeaway(t, v, carttest.Pokrovka, ordertest.HalfPast(hour)))
		}
		first, second := placeAt(14), placeAt(15) // each fills its interval
		moveToHour := func(hour int) correct.Request {
			id := ordertest.HalfPast(hour)
			return correct.Request{Key: "k", IntervalID: &id}
		}
		if _, _, err := k.tryCorrect(t, first.ID, moveToHour(15)); fault.KeyOf(err) != "schedule.full" {
			t.Errorf("into a full interval: %v", err)
		}
		k.correct(t, second.ID, moveToHour(16))
		got, effect := k.correct(t, first.ID, moveToHour(15))
		if got.IntervalID != ordertest.HalfPast(15) || !got.PromisedFrom.Equal(first.PromisedFrom.Add(time.Hour)) || !effect.ToBefore.Equal(first.PromisedTo) ||
			len(effect.Fields) != 1 || got.IsLate() {
			t.Errorf("got %+v for %s", effect, got.IntervalID)
		}
		placeAt(14) // is free again
		k.CheckBooks(t)
	})
}

// An order for a later time that is wanted as soon as possible gets the first free time and frees its own, although
// its own is among those that "as soon as possible" may stand for.
func TestCorrect_bringsAnOrderForward(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		placeAt := func(interval string) order.Order {
			v := k.Visitor(t, "sushi")
			return k.Place(t, v, k.Takeaway(t, v, carttest.Pokrovka, interval))
		}
		late, soon := ordertest.HalfPast(15), schedule.ASAP
		o := placeAt(late)
		got, _ := k.correct(t, o.ID, correct.Request{Key: "k", IntervalID: &soon})
		if !got.IsASAP() || !got.PromisedTo.Before(o.PromisedFrom) {
			t.Errorf("promised from %s to %s", got.PromisedFrom, got.PromisedTo)
		}
		placeAt(late) // is free again
		k.CheckBooks(t)
	})
}

// Corrections of one order, one of them twice, run concurrently with its customer's cancellation. Each
// is made once or refused, and the books agree.
func TestCorrect_concurrentWithOthersAndACancellation(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		v, o := k.deliver(t)
		o, _ = k.MarkPaid(t, o)
		var calls sync.WaitGroup
		late := ordertest.HalfPast(18)
		for _, r := range []correct.Request{
			moveTo("a", inSouth), moveTo("a", inSouth), moveTo("b", inCenter), moveTo("c", inSouth), {Key: "d", IntervalID: &late},
		} {
			calls.Go(func() {
				if _, _, err := k.tryCorrect(t, o.ID, r); err != nil && fault.KeyOf(err) != "order.not_correctable" {
					t.Error(err)
				}
			})
		}
		calls.Go(func() {
			if _, err := k.Orders.Cancel(t.Context(), v, o.ID); err != nil {
				t.Error(err)
			}
		})
		calls.Wait()
		k.SweepEachMinute(t, 8*time.Minute)
		got := k.read(t, o.ID)
		list, err := k.Corrections.List(t.Context(), o.ID)
		corrected := 0
		for _, c := range got.History {
			if c.Kind == order.Corrected {
				corrected++
			}
		}
		if got.State != order.Canceled || err != nil || corrected != len(list) || got.ToCollect() != 0 {
			t.Errorf("%s after %d corrections, %d of them listed: %v", got.State, corrected, len(list), err)
		}
		k.Bank.WantRefunded(t, o.Prices.Total)
		k.CheckBooks(t)
	})
}
