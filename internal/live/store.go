package live

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// Read returns all that is set and in force at now, by the alias of the site.
func Read(ctx context.Context, q *gen.Queries, now time.Time) (map[string]State, error) {
	states := map[string]State{}
	kitchens, err := q.ListKitchenStates(ctx, clock.Cut(now))
	if err != nil {
		return nil, fmt.Errorf("read the states of kitchens: %w", err)
	}
	for _, row := range kitchens {
		s := states[row.Site]
		s.Kitchens = append(s.Kitchens, kitchenOf(row))
		states[row.Site] = s
	}
	prices, err := q.ListLivePrices(ctx, nullTime(now))
	if err != nil {
		return nil, fmt.Errorf("read the prices: %w", err)
	}
	for _, row := range prices {
		s := states[row.Site]
		s.Prices = append(s.Prices, priceOf(row))
		states[row.Site] = s
	}
	alerts, err := q.ListLiveAlerts(ctx, nullTime(now))
	if err != nil {
		return nil, fmt.Errorf("read the alerts: %w", err)
	}
	for _, row := range alerts {
		alert, err := alertOf(row)
		if err != nil {
			return nil, err
		}
		s := states[row.Site]
		s.Alerts = append(s.Alerts, alert)
		states[row.Site] = s
	}
	return states, nil
}

// FindKitchen returns the entry in force for e's site, shop, order type and kind. It reports false when
// there is none.
func FindKitchen(ctx context.Context, tx *db.Tx, e KitchenEntry, now time.Time) (KitchenEntry, bool, error) {
	row, err := tx.Q.GetKitchenState(ctx, gen.GetKitchenStateParams{
		Site: e.Site, ShopID: e.ShopID, OrderType: string(e.OrderType), Kind: string(e.Kind),
	})
	found := kitchenOf(row)
	return ifInForce(found, found.Until, now, err)
}

// SaveKitchen stores the entry in place of a stored one for the same site, shop, order type and kind.
// With isRemoved it deletes the stored one. Like every change it also deletes what has ended and raises
// the version.
func SaveKitchen(ctx context.Context, tx *db.Tx, e KitchenEntry, isRemoved bool) error {
	if isRemoved {
		return finishChange(ctx, tx, tx.Q.DeleteKitchenState(ctx, gen.DeleteKitchenStateParams{
			Site: e.Site, ShopID: e.ShopID, OrderType: string(e.OrderType), Kind: string(e.Kind),
		}), e.At)
	}
	return finishChange(ctx, tx, tx.Q.UpsertKitchenState(ctx, gen.UpsertKitchenStateParams{
		Site: e.Site, ShopID: e.ShopID, OrderType: string(e.OrderType), Kind: string(e.Kind), Minutes: int64(e.Minutes),
		Until: clock.Cut(e.Until), Reason: string(e.Reason), Note: e.Note, Actor: e.Actor, Now: clock.Cut(e.At),
	}), e.At)
}

// FindPrice returns the price in force for e's site, product, shop, price list and order type. It
// reports false when there is none.
func FindPrice(ctx context.Context, tx *db.Tx, e PriceEntry, now time.Time) (PriceEntry, bool, error) {
	row, err := tx.Q.GetLivePrice(ctx, gen.GetLivePriceParams{
		Site: e.Site, Product: e.Product, ShopID: e.ShopID, PriceList: e.PriceList, OrderType: string(e.OrderType),
	})
	found := priceOf(row)
	return ifInForce(found, found.Until, now, err)
}

// SavePrice stores the price in place of a stored one for the same site, product, shop, price list and
// order type. With isRemoved it deletes the stored one. Like every change it also deletes what has ended
// and raises the version.
func SavePrice(ctx context.Context, tx *db.Tx, e PriceEntry, isRemoved bool) error {
	if isRemoved {
		return finishChange(ctx, tx, tx.Q.DeleteLivePrice(ctx, gen.DeleteLivePriceParams{
			Site: e.Site, Product: e.Product, ShopID: e.ShopID, PriceList: e.PriceList, OrderType: string(e.OrderType),
		}), e.At)
	}
	return finishChange(ctx, tx, tx.Q.UpsertLivePrice(ctx, gen.UpsertLivePriceParams{
		Site: e.Site, Product: e.Product, ShopID: e.ShopID, PriceList: e.PriceList, OrderType: string(e.OrderType),
		Price: int64(e.Price), Until: nullTime(e.Until), Reason: string(e.Reason), Note: e.Note, Actor: e.Actor, Now: clock.Cut(e.At),
	}), e.At)
}

// FindAlert returns the alert in force for e's site, city and shop. It reports false when there is none.
func FindAlert(ctx context.Context, tx *db.Tx, e AlertEntry, now time.Time) (AlertEntry, bool, error) {
	row, err := tx.Q.GetLiveAlert(ctx, gen.GetLiveAlertParams{Site: e.Site, CityID: e.CityID, ShopID: e.ShopID})
	if errors.Is(err, db.ErrNotFound) {
		return AlertEntry{}, false, nil
	}
	if err != nil {
		return AlertEntry{}, false, fmt.Errorf("read what is set: %w", err)
	}
	found, err := alertOf(row)
	return ifInForce(found, found.Until, now, err)
}

// SaveAlert stores the alert in place of a stored one for the same site, city and shop. With isRemoved
// it deletes the stored one. Like every change it also deletes what has ended and raises the version.
func SaveAlert(ctx context.Context, tx *db.Tx, e AlertEntry, isRemoved bool) error {
	if isRemoved {
		return finishChange(ctx, tx, tx.Q.DeleteLiveAlert(ctx, gen.DeleteLiveAlertParams{Site: e.Site, CityID: e.CityID, ShopID: e.ShopID}), e.At)
	}
	texts, err := json.Marshal(e.Text)
	if err != nil {
		return fmt.Errorf("write the alert: %w", err)
	}
	return finishChange(ctx, tx, tx.Q.UpsertLiveAlert(ctx, gen.UpsertLiveAlertParams{
		Site: e.Site, CityID: e.CityID, ShopID: e.ShopID, Texts: string(texts), Stops: e.Stops, Until: nullTime(e.Until),
		Reason: string(e.Reason), Note: e.Note, Actor: e.Actor, Now: clock.Cut(e.At),
	}), e.At)
}

// ifInForce returns found and true when found, which ends at until, is in force at now. err is the error
// of the query for found. When the query found no row, or the row has ended, it returns false and no
// error; any other error of the query is returned.
func ifInForce[E any](found E, until, now time.Time, err error) (E, bool, error) {
	var none E
	switch {
	case errors.Is(err, db.ErrNotFound):
		return none, false, nil
	case err != nil:
		return none, false, fmt.Errorf("read what is set: %w", err)
	case !IsInForce(until, now):
		return none, false, nil
	}
	return found, true, nil
}

// finishChange returns the error of a change, if any. Otherwise it deletes what has ended by now, and
// raises the version by which all servers notice the change.
func finishChange(ctx context.Context, tx *db.Tx, changeErr error, now time.Time) error {
	if changeErr != nil {
		return fmt.Errorf("change what is set: %w", changeErr)
	}
	for _, err := range []error{
		tx.Q.DeleteEndedKitchenStates(ctx, clock.Cut(now)),
		tx.Q.DeleteEndedLivePrices(ctx, nullTime(now)),
		tx.Q.DeleteEndedLiveAlerts(ctx, nullTime(now)),
		tx.Q.BumpLive(ctx),
	} {
		if err != nil {
			return fmt.Errorf("change what is set: %w", err)
		}
	}
	return nil
}

// kitchenOf returns the entry of a kitchen that a row stores.
func kitchenOf(row gen.KitchenState) KitchenEntry {
	return KitchenEntry{
		Site: row.Site, ShopID: row.ShopID, OrderType: site.OrderType(row.OrderType), Kind: KitchenKind(row.Kind),
		Minutes: int(row.Minutes), Until: clock.Cut(row.Until), Origin: originOf(row.Reason, row.Note, row.Actor, row.CreatedAt),
	}
}

// priceOf returns the price that a row stores.
func priceOf(row gen.LivePrice) PriceEntry {
	return PriceEntry{
		Site: row.Site, Product: row.Product, ShopID: row.ShopID, PriceList: row.PriceList, OrderType: site.OrderType(row.OrderType),
		Price: money.Amount(row.Price), Until: cutNull(row.Until), Origin: originOf(row.Reason, row.Note, row.Actor, row.CreatedAt),
	}
}

// alertOf returns the alert that a row stores. It returns an error when its JSON cannot be read.
func alertOf(row gen.LiveAlert) (AlertEntry, error) {
	e := AlertEntry{
		Site: row.Site, CityID: row.CityID, ShopID: row.ShopID, Stops: row.Stops,
		Until: cutNull(row.Until), Origin: originOf(row.Reason, row.Note, row.Actor, row.CreatedAt),
	}
	var text lang.Text
	if err := json.Unmarshal([]byte(row.Texts), &text); err != nil {
		return e, fmt.Errorf("read an alert: %w", err)
	}
	e.Text = text
	return e, nil
}

// originOf returns the origin from the columns of a row.
func originOf(reason, note, actor string, at time.Time) Origin {
	return Origin{Reason: Reason(reason), Note: note, Actor: actor, At: clock.Cut(at)}
}

// nullTime returns an instant as the database stores it; zero is null.
func nullTime(t time.Time) sql.NullTime { return sql.NullTime{Time: clock.Cut(t), Valid: !t.IsZero()} }

// cutNull returns an instant of the database, zero for null.
func cutNull(t sql.NullTime) time.Time {
	if !t.Valid {
		return time.Time{}
	}
	return clock.Cut(t.Time)
}
