package orders

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"servery/internal/bonus"
	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/payment/payments"
	"servery/internal/schedule"
	"servery/internal/stock"
	"servery/internal/visit"
)

// reserveBenefits reserves for the order all that is limited apart from its interval: uses of
// the promocode, gifts, presents, the first order of a phone, bonuses. The reservations have no
// deadline; confirmReservations or releaseReservations ends them. Faults, all Conflict:
// order.promocode_gone, order.promocode_phone_gone, order.gift_gone, order.present_gone,
// order.first_order_gone, bonus.not_enough; the caller must then roll back.
func reserveBenefits(ctx context.Context, tx *db.Tx, o order.Order, q cart.Quoted, v visit.Context) error {
	if wants := stockRequests(q, v, o.Phone); len(wants) > 0 { // a new order holds nothing to release
		noDeadline := time.Time{}
		if err := stock.Reserve(ctx, tx, order.Holder(o.ID), wants, noDeadline); err != nil {
			return explainStockFault(err, q, v)
		}
	}
	if o.Prices.Bonuses == 0 {
		return nil
	}
	return bonus.Reserve(ctx, tx, accountOf(o), o.ID, o.Prices.Bonuses, v.Now)
}

// accountOf returns the customer's bonus account in the currency of the order.
func accountOf(o order.Order) bonus.Account {
	return bonus.Account{CustomerID: o.CustomerID, Currency: o.Currency}
}

// confirmReservations makes the reservations of stock and bonuses of an accepted order final. It
// must be called in the transaction that accepts the order.
func confirmReservations(ctx context.Context, tx *db.Tx, id int64, now time.Time) error {
	if err := stock.Confirm(ctx, tx, order.Holder(id)); err != nil {
		return err
	}
	return bonus.Confirm(ctx, tx, id, now)
}

// releaseReservations releases what a canceled order has reserved or used: its interval, limited
// stock and bonuses. It must be called in the transaction that cancels the order.
func releaseReservations(ctx context.Context, tx *db.Tx, o order.Order, now time.Time) error {
	if err := schedule.Release(ctx, tx, order.Holder(o.ID)); err != nil {
		return err
	}
	if err := stock.Release(ctx, tx, order.Holder(o.ID)); err != nil {
		return err
	}
	return refundBonuses(ctx, tx, o, now)
}

// refundBonuses reverses what an order did to its customer's bonuses. It logs a warning with
// what cannot be taken back because the customer has spent it; the brand bears that. It does
// nothing for a guest's order.
func refundBonuses(ctx context.Context, tx *db.Tx, o order.Order, now time.Time) error {
	if o.CustomerID == 0 {
		return nil
	}
	undone, err := bonus.Refund(ctx, tx, o.ID, now)
	if err == nil && undone.Missing > 0 {
		slog.WarnContext(ctx, "bonuses to take back were spent already",
			slog.Int64("order_id", o.ID), slog.Int64("customer_id", o.CustomerID), slog.Int64("missing_minor_units", int64(undone.Missing)))
	}
	return err
}

// returnBonuses returns to the customer the bonuses of the parts of an order that were refunded, as far as
// they have not gone back before. It does nothing for a guest's order.
func returnBonuses(ctx context.Context, tx *db.Tx, o order.Order, now time.Time) error {
	if o.CustomerID == 0 || o.Prices.Bonuses == 0 {
		return nil
	}
	due, err := payments.BonusesDue(ctx, tx, o.Bill())
	if err != nil {
		return err
	}
	return bonus.Return(ctx, tx, o.ID, due, now)
}

// stockRequests returns the limited items of a priced cart as requests of stock. What each phone
// gets once is counted under the phone's mark, anything else for all customers together.
func stockRequests(q cart.Quoted, v visit.Context, phone string) []stock.Request {
	var wants []stock.Request
	const forAll = "" // the scope of what is counted for all customers together
	want := func(kind stock.Kind, id int64, scope string, count int, limit *int) {
		if limit != nil { // otherwise it is not limited
			item := stock.Item{Site: v.Site.Alias, Kind: kind, ID: id, Scope: scope}
			wants = append(wants, stock.Request{Item: item, Count: count, Limit: *limit})
		}
	}
	once := 1
	if code := activeCode(q); code != nil {
		want(stock.Promocode, code.ID, forAll, once, code.Limit)
		want(stock.PromocodePhone, code.ID, v.Marks.Of(v.Site.Alias, phone), once, code.LimitPerPhone)
	}
	for _, g := range q.ChosenGifts() {
		if g.Kind != cart.Personal {
			want(stock.Gift, g.Gift.ID, forAll, g.Count, g.Gift.Stock)
			continue
		}
		for _, own := range q.Facts.Presents {
			if own.ID == g.ID {
				want(stock.Present, own.ID, forAll, g.Count, &own.MaxCount)
			}
		}
	}
	if needsFirstOrder(q) {
		const noID = 0 // a phone has one first order
		want(stock.FirstOrder, noID, v.Marks.Of(v.Site.Alias, phone), once, &once)
	}
	return wants
}

// activeCode returns the promocode of the cart if it is in effect, nil otherwise.
func activeCode(q cart.Quoted) *catalog.Promocode {
	if q.Promocode == nil || !q.Promocode.IsActive {
		return nil
	}
	return q.Promocode.Content
}

// needsFirstOrder reports whether the cart has a promocode or a gift that is for a first order
// only.
func needsFirstOrder(q cart.Quoted) bool {
	if code := activeCode(q); code != nil && code.FirstOrder {
		return true
	}
	return slices.ContainsFunc(q.ChosenGifts(), func(g cart.PricedGift) bool {
		return g.Kind == cart.ForEverybody && slices.ContainsFunc(g.Gift.Conditions,
			func(c catalog.Condition) bool { return c.Kind == catalog.OfFirstOrder })
	})
}

// explainStockFault returns, in place of stock.gone, a Conflict that names what another order
// has taken, at the field in which it is chosen. Any other error is returned as it is.
func explainStockFault(err error, q cart.Quoted, v visit.Context) error {
	var gone *stock.Gone
	if !errors.As(err, &gone) {
		return err
	}
	refused := func(field, key string, args fault.Args) error {
		return fault.New(fault.Conflict, key, fault.With(args), fault.Field(field, key, args), fault.Because(err))
	}
	switch item := gone.Item; item.Kind {
	case stock.Promocode:
		return refused("promocode", "order.promocode_gone", fault.Args{"code": q.Promocode.Code})
	case stock.PromocodePhone:
		return refused("promocode", "order.promocode_phone_gone", fault.Args{"code": q.Promocode.Code})
	case stock.Gift:
		at := slices.IndexFunc(q.Gifts, func(g cart.PricedGift) bool { return g.Gift.ID == item.ID })
		return refused("gifts", "order.gift_gone", fault.Args{"name": v.Site.Text(q.Gifts[at].Gift.Name, v.Lang)})
	case stock.Present:
		at := slices.IndexFunc(q.Presents, func(g cart.PricedGift) bool { return g.ID == item.ID })
		return refused("presents", "order.present_gone", fault.Args{"name": v.Site.Text(q.Presents[at].Gift.Name, v.Lang)})
	case stock.FirstOrder:
		return refused("phone", "order.first_order_gone", nil)
	}
	return err
}

// reserveInterval reserves the time with the id for the checkout: the one that it has reserved already,
// or else one that can still be ordered. It releases another time that the checkout has reserved. It
// returns the reserved interval with the same id, also for "asap". Faults: those of
// [schedule.Plan.Resolve], [schedule.Plan.CheckPause] and [schedule.ReserveOver].
func (s *Service) reserveInterval(ctx context.Context, tx *db.Tx, checkout Checkout, q cart.Quoted, intervalID string, now time.Time) (schedule.Interval, error) {
	key := checkout.Key
	kept, held, err := schedule.FindReservation(ctx, tx.Q, checkoutHolder(key))
	if err != nil {
		return schedule.Interval{}, err
	}
	if held && checkout.intervalID != intervalID { // another interval is held
		if err := schedule.Release(ctx, tx, checkoutHolder(key)); err != nil {
			return schedule.Interval{}, err
		}
		kept, held = schedule.Reservation{}, false
	}
	// What the customer holds can be ordered, even when it begins too soon by now to be chosen.
	choice := []schedule.Interval{q.Spot.Plan().At(kept.Start)}
	holdsIt := held && kept.ExpiresAt.After(now) && kept.ShopID == q.Spot.Shop.ID && kept.OrderType == q.Spot.OrderType
	if !holdsIt {
		if choice, err = q.Spot.Plan().Resolve(intervalID, now); err != nil {
			return schedule.Interval{}, err
		}
	}
	choice[0].ID = intervalID                                        // by which CheckPause sees that it is "asap"
	if err := q.Spot.Plan().CheckPause(choice[0], now); err != nil { // also of what is held
		return schedule.Interval{}, err
	}
	start, err := schedule.ReserveOver(ctx, tx, s.newHold(key, q, choice, now), kept, held)
	if err != nil {
		return schedule.Interval{}, err
	}
	taken := choice[slices.IndexFunc(choice, func(i schedule.Interval) bool { return i.Start.Equal(start) })]
	taken.ID = intervalID
	return taken, nil
}

// newHold returns the request that reserves for the checkout the first free one of the candidates, until
// its payment would be due. A large order may also use free work of earlier intervals.
func (s *Service) newHold(key string, q cart.Quoted, candidates []schedule.Interval, now time.Time) schedule.Request {
	starts := make([]time.Time, len(candidates))
	for i, interval := range candidates {
		starts[i] = interval.Start
	}
	hold := schedule.Request{
		Holder: checkoutHolder(key), ShopID: q.Spot.Shop.ID, OrderType: q.Spot.OrderType,
		Starts: starts, Needs: q.Needs(), Ceilings: q.Spot.Ceilings(), ExpiresAt: now.Add(s.payWithin),
	}
	if q.IsLarge() {
		hold.Earlier = q.Spot.Plan().EarlierStarts(candidates[len(candidates)-1], now)
	}
	return hold
}

// explainIntervalFault returns a fault of the schedule as one of the field interval_id, with the
// fresh cart, in which no time is chosen. An unknown interval becomes Invalid, because the
// request is wrong. An error that is no fault is returned as it is.
func explainIntervalFault(err error, q cart.Quoted) error {
	f, ok := fault.Of(err)
	if !ok {
		return err
	}
	q.Interval, q.Cart.IntervalID = nil, ""
	code := f.Code
	if errors.Is(err, fault.New(fault.NotFound, "schedule.unknown_interval")) {
		code = fault.Invalid
	}
	explained := fault.New(code, f.Message.Key, fault.With(f.Message.Args),
		fault.Field("interval_id", f.Message.Key, f.Message.Args), fault.Because(err))
	return cart.Refuse(explained, q)
}
