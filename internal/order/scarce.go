package order

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"servery/internal/bonus"
	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/stock"
	"servery/internal/visit"
)

// hold takes for the order all that there is only so much of, besides its interval:
// uses of the code, gifts, presents, the first order of a phone, bonuses. What is held
// belongs to the order until settle or giveBack and has no deadline of its own: whether an
// order still holds anything is for its state to say. Faults, all Conflict:
// order.promocode_gone, order.gift_gone, order.present_gone, order.first_order_gone,
// bonus.not_enough; the caller then rolls back.
func hold(ctx context.Context, tx *db.Tx, o Order, q cart.Quoted, v visit.Context) error {
	wants := scarceOf(q, v, o.Phone)
	if err := stock.Reserve(ctx, tx, orderHolder(o.ID), wants, time.Time{}); err != nil {
		return aboutScarce(err, q, v)
	}
	if o.Prices.Bonuses == 0 {
		return nil
	}
	return bonus.Reserve(ctx, tx, o.account(), o.ID, o.Prices.Bonuses, v.Now)
}

// account is where the bonuses of an order come from and go to.
func (o Order) account() bonus.Account {
	return bonus.Account{CustomerID: o.customerID, Currency: o.Currency}
}

// settle makes what an accepted order holds used for good.
func settle(ctx context.Context, tx *db.Tx, id int64, now time.Time) error {
	if err := stock.Confirm(ctx, tx, orderHolder(id)); err != nil {
		return err
	}
	return bonus.Confirm(ctx, tx, id, now)
}

// giveBack returns what a canceled order has taken, held or used, each to whom it
// belongs.
func giveBack(ctx context.Context, tx *db.Tx, o Order, now time.Time) error {
	if err := schedule.Release(ctx, tx, orderHolder(o.ID)); err != nil {
		return err
	}
	if err := stock.Release(ctx, tx, orderHolder(o.ID)); err != nil {
		return err
	}
	return undoBonuses(ctx, tx, o, now)
}

// undoBonuses takes back all that an order has done to its customer's bonuses, and logs what
// could not be taken because he has spent it already: the brand bears that.
func undoBonuses(ctx context.Context, tx *db.Tx, o Order, now time.Time) error {
	if o.customerID == 0 {
		return nil
	}
	undone, err := bonus.Refund(ctx, tx, o.ID, now)
	if err == nil && undone.Missing > 0 {
		slog.WarnContext(ctx, "bonuses to take back were spent already",
			slog.Int64("order_id", o.ID), slog.Int64("customer_id", o.customerID), slog.Int64("missing_minor_units", int64(undone.Missing)))
	}
	return err
}

// scarceOf gives what of a quoted cart there is only so much of. What each phone gets once is
// counted by the phone's mark.
func scarceOf(q cart.Quoted, v visit.Context, phone string) []stock.Request {
	var wants []stock.Request
	want := func(kind stock.Kind, id int64, scope string, count int, limit *int) {
		if limit != nil {
			thing := stock.Item{Site: v.Site.Alias, Kind: kind, ID: id, Scope: scope}
			wants = append(wants, stock.Request{Item: thing, Count: count, Limit: *limit})
		}
	}
	once := 1
	if code := activeCode(q); code != nil {
		want(stock.Promocode, code.ID, "", once, code.Limit)
		want(stock.PromocodePhone, code.ID, v.Marks.Of(v.Site.Alias, phone), once, code.LimitPerPhone)
	}
	for _, g := range q.ChosenGifts() {
		if g.Kind != cart.Personal {
			want(stock.Gift, g.Gift.ID, "", g.Count, g.Gift.Stock)
			continue
		}
		for _, own := range q.Facts.Presents {
			if own.ID == g.ID {
				want(stock.Present, own.ID, "", g.Count, &own.MaxCount)
			}
		}
	}
	if needsFirstOrder(q) {
		want(stock.FirstOrder, 0, v.Marks.Of(v.Site.Alias, phone), once, &once)
	}
	return wants
}

// activeCode gives the promocode that does something in the cart, nil when none does.
func activeCode(q cart.Quoted) *catalog.Promocode {
	if q.Promocode == nil || !q.Promocode.IsActive {
		return nil
	}
	return q.Promocode.Content
}

// needsFirstOrder reports whether the cart holds something that is for a first order only.
func needsFirstOrder(q cart.Quoted) bool {
	if code := activeCode(q); code != nil && code.FirstOrder {
		return true
	}
	return slices.ContainsFunc(q.ChosenGifts(), func(g cart.PricedGift) bool {
		return g.Kind == cart.ForEverybody && slices.ContainsFunc(g.Gift.Conditions,
			func(c catalog.Condition) bool { return c.Kind == catalog.OfFirstOrder })
	})
}

// aboutScarce says what exactly somebody else was faster with, at the field that it is
// chosen in. Anything but stock.gone stays as it is.
func aboutScarce(err error, q cart.Quoted, v visit.Context) error {
	f, ok := fault.Of(err)
	if !ok {
		return err
	}
	thing, ok := f.Data.(stock.Item)
	if !ok {
		return err
	}
	refused := func(field, key string, args fault.Args) error {
		return fault.New(fault.Conflict, key, fault.With(args), fault.Field(field, key, args), fault.Because(err))
	}
	switch thing.Kind {
	case stock.Promocode:
		return refused("promocode", "order.promocode_gone", fault.Args{"code": q.Promocode.Code})
	case stock.PromocodePhone:
		return refused("promocode", "order.promocode_phone_gone", fault.Args{"code": q.Promocode.Code})
	case stock.Gift:
		at := slices.IndexFunc(q.Gifts, func(g cart.PricedGift) bool { return g.Gift.ID == thing.ID })
		return refused("gifts", "order.gift_gone", fault.Args{"name": v.Site.Text(q.Gifts[at].Gift.Name, v.Lang)})
	case stock.Present:
		at := slices.IndexFunc(q.Presents, func(g cart.PricedGift) bool { return g.ID == thing.ID })
		return refused("presents", "order.present_gone", fault.Args{"name": v.Site.Text(q.Presents[at].Gift.Name, v.Lang)})
	case stock.FirstOrder:
		return refused("phone", "order.first_order_gone", nil)
	}
	return err
}
