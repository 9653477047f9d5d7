package orders

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/archive"
	"servery/internal/site"
	"servery/internal/visit"
)

// errNumberTaken is returned when the random number belongs to another order already.
var errNumberTaken = errors.New("the order number is taken")

// insertOrder inserts the order with its lines and its first state, and sets its ChangeID and
// History. It returns errNumberTaken when another order has the number.
func insertOrder(ctx context.Context, tx *db.Tx, o *order.Order, cacheKey, actor string) error {
	row, err := orderParams(o, cacheKey)
	if err != nil {
		return err
	}
	placed := order.Change{Kind: order.Placed, State: o.State, Actor: actor, At: o.CreatedAt}
	if placed.ID, err = insertPlaced(ctx, tx, row, o.Lines, placed); err != nil {
		return err
	}
	o.ChangeID, o.History = placed.ID, []order.Change{placed}
	return nil
}

// orderParams returns what is stored of the order without its lines and changes.
func orderParams(o *order.Order, cacheKey string) (gen.InsertOrderParams, error) {
	details, err := json.Marshal(o.Details)
	if err != nil {
		return gen.InsertOrderParams{}, fmt.Errorf("write order: %w", err)
	}
	return gen.InsertOrderParams{
		ID: o.ID, Site: o.Site, CityID: o.CityID, ShopID: o.ShopID, ZoneID: o.ZoneID, SessionID: o.SessionID,
		CacheKey: cacheKey, RequestHash: o.RequestHash, Link: o.Link, OrderType: string(o.Type),
		State: string(o.State), Now: o.CreatedAt, Phone: o.Phone, PaymentType: o.PaymentType,
		IntervalID: o.IntervalID, PromisedFrom: o.PromisedFrom, PromisedTo: o.PromisedTo,
		Currency: o.Currency.Code, Subtotal: int64(o.Prices.Subtotal), Packages: int64(o.Prices.Packages),
		Delivery: int64(o.Prices.Delivery), Discount: int64(o.Prices.Discount), Bonuses: int64(o.Prices.Bonuses),
		Total: int64(o.Prices.Total), Revision: o.Revision, Details: details,
		CustomerID: o.CustomerID, Promocode: o.Promocode, UpcomingBonuses: int64(o.Prices.UpcomingBonuses),
		PayUntil: nullTime(o.PayUntil),
	}, nil
}

// findOrderByKey returns the id of the site's order with the checkout key, also of an archived
// one; false when there is none.
func findOrderByKey(ctx context.Context, q *gen.Queries, siteAlias, cacheKey string) (int64, bool, error) {
	id, err := q.FindOrderByCacheKey(ctx, gen.FindOrderByCacheKeyParams{CacheKey: cacheKey, Site: siteAlias})
	if errors.Is(err, db.ErrNotFound) {
		return archive.FindByKey(ctx, q, siteAlias, cacheKey)
	}
	if err != nil {
		return 0, false, fmt.Errorf("find order by its key: %w", err)
	}
	return id, true, nil
}

// Load returns an order with its lines and history. It returns [db.ErrNotFound] when there is
// none.
func Load(ctx context.Context, q *gen.Queries, id int64) (order.Order, error) {
	row, err := q.GetOrder(ctx, id)
	if err != nil {
		return order.Order{}, fmt.Errorf("read order: %w", err)
	}
	o, err := FromRow(row)
	if err != nil {
		return order.Order{}, err
	}
	bodies, err := q.ListOrderLines(ctx, id)
	if err != nil {
		return order.Order{}, fmt.Errorf("read lines: %w", err)
	}
	o.Lines = make([]order.Line, len(bodies))
	for i, body := range bodies {
		if err := json.Unmarshal(body, &o.Lines[i]); err != nil {
			return order.Order{}, fmt.Errorf("read line: %w", err)
		}
	}
	changes, err := q.ListOrderStatuses(ctx, id)
	if err != nil {
		return order.Order{}, fmt.Errorf("read states: %w", err)
	}
	if len(changes) == 0 { // each order was placed: this one has gone to the archive since its row was read
		return order.Order{}, fmt.Errorf("read states: %w", db.ErrNotFound)
	}
	for _, c := range changes {
		o.History = append(o.History, ChangeFromRow(c))
	}
	return o, nil
}

// load returns an order as [Load] does, also one that is archived: that comes back from the archive. It
// must not be called in a transaction.
func (s *Service) load(ctx context.Context, id int64) (order.Order, error) {
	o, err := Load(ctx, s.db.Read(), id)
	if !errors.Is(err, db.ErrNotFound) {
		return o, err
	}
	if err := archive.Recall(ctx, s.db, s.clock.Now(), id); err != nil {
		return order.Order{}, err
	}
	return Load(ctx, s.db.Read(), id)
}

// loadFor returns an order as load does. An archived order comes back for its owner alone: others who have
// only its number, and may be trying numbers, get [db.ErrNotFound], as they would for one that is not archived.
func (s *Service) loadFor(ctx context.Context, v visit.Context, id int64) (order.Order, error) {
	o, err := Load(ctx, s.db.Read(), id)
	if !errors.Is(err, db.ErrNotFound) {
		return o, err
	}
	owner, isArchived, ownerErr := archive.FindOwner(ctx, s.db.Read(), id)
	if ownerErr != nil {
		return order.Order{}, ownerErr
	}
	if isArchived && !(order.Order{Site: owner.Site, SessionID: owner.SessionID, CustomerID: owner.CustomerID}).BelongsTo(v) {
		return order.Order{}, err
	}
	return s.load(ctx, id)
}

// FromRow returns the order of a row, without lines and history. It returns an error when its
// currency or details cannot be read.
func FromRow(row gen.GetOrderRow) (order.Order, error) {
	currency, err := money.ParseCurrency(row.Currency)
	if err != nil {
		return order.Order{}, fmt.Errorf("read order: %w", err)
	}
	o := order.Order{
		ID: row.ID, Site: row.Site, CityID: row.CityID, ShopID: row.ShopID, ZoneID: row.ZoneID,
		Type: site.OrderType(row.OrderType), State: order.State(row.State), ChangedAt: row.ChangedAt,
		ChangeID: row.ChangeID, CreatedAt: row.CreatedAt, Link: row.Link, Phone: row.Phone,
		PaymentType: row.PaymentType, IntervalID: row.IntervalID,
		PromisedFrom: row.PromisedFrom, PromisedTo: row.PromisedTo, Currency: currency, Revision: row.Revision,
		Prices: cart.Prices{
			Subtotal: money.Amount(row.Subtotal), Packages: money.Amount(row.Packages),
			Delivery: money.Amount(row.Delivery), Discount: money.Amount(row.Discount),
			Bonuses: money.Amount(row.Bonuses), UpcomingBonuses: money.Amount(row.UpcomingBonuses),
			Total: money.Amount(row.Total),
		},
		Promocode: row.Promocode, RefundedAt: row.RefundedAt.Time, CacheKey: row.CacheKey,
		PayUntil: row.PayUntil.Time, PaidBy: acquiring.ID(row.PaidBy),
		Outcome: order.Outcome(row.Outcome), TakenBy: row.TakenBy, TakenAt: row.TakenAt.Time, AgreedFrom: row.AgreedFrom.Time, AgreedTo: row.AgreedTo.Time,
		Kept: money.Amount(row.Kept), Surcharge: money.Amount(row.Surcharge), Reduction: money.Amount(row.Reduction),
		Courier:   order.Courier{ID: row.CourierID, Name: row.CourierName, Phone: row.CourierPhone},
		SessionID: row.SessionID, CustomerID: row.CustomerID, RequestHash: row.RequestHash,
	}
	if err := json.Unmarshal(row.Details, &o.Details); err != nil {
		return order.Order{}, fmt.Errorf("read order: %w", err)
	}
	return o, nil
}

// viewOf returns how much of an order the visitor may see, false when it is hidden from them. A
// visitor who has looked it up by phone sees it in brief, unless they have signed in with that
// phone.
func viewOf(ctx context.Context, q *gen.Queries, v visit.Context, o order.Order) (order.View, bool, error) {
	switch {
	case o.BelongsTo(v):
		return order.OwnView, true, nil
	case v.SessionID == 0 || o.Site != v.Site.Alias:
		return order.BriefView, false, nil
	}
	as, granted, err := findGrant(ctx, q, v.SessionID, o.ID)
	if as == order.BriefView && o.IsOfPhone(v) {
		as = order.LinkView
	}
	return as, granted, err
}

// findGrant returns the view that an earlier lookup has allowed the session, false when there
// was none.
func findGrant(ctx context.Context, q *gen.Queries, sessionID, id int64) (order.View, bool, error) {
	byLink, err := q.FindOrderGrant(ctx, gen.FindOrderGrantParams{SessionID: sessionID, OrderID: id})
	switch {
	case errors.Is(err, db.ErrNotFound):
		return order.BriefView, false, nil
	case err != nil:
		return order.BriefView, false, fmt.Errorf("read grant: %w", err)
	case byLink:
		return order.LinkView, true, nil
	}
	return order.BriefView, true, nil
}

// storeChange stores a change of the order, and sets state and history in o. It does not check that
// the change is allowed. It reports false when the stored state is not that of o, because another
// transaction moved the order first; the caller must then roll back.
func storeChange(ctx context.Context, tx *db.Tx, o *order.Order, c order.Change) (bool, error) {
	var err error
	if c.ID, err = insertChange(ctx, tx, o.ID, c); err != nil {
		return false, err
	}
	from := o.State
	if c.State != from {
		o.ChangedAt = c.At
	}
	o.State, o.ChangeID = c.State, c.ID
	rows, err := tx.Q.MoveOrder(ctx, gen.MoveOrderParams{
		State: string(c.State), ChangeID: c.ID, ChangedAt: o.ChangedAt, ID: o.ID, FromState: string(from),
	})
	if err != nil {
		return false, fmt.Errorf("move order: %w", err)
	}
	if c.Kind == order.Cancellation {
		if err := tx.Q.SetOrderOutcome(ctx, gen.SetOrderOutcomeParams{Outcome: string(o.Outcome), ID: o.ID}); err != nil {
			return false, fmt.Errorf("write the outcome: %w", err)
		}
	}
	o.History = append(o.History, c)
	return rows > 0, nil
}

// setRefundedByHand stores that a done order was refunded. It reports false and changes nothing
// when that was stored before or the order is not done.
func setRefundedByHand(ctx context.Context, q *gen.Queries, id int64, now time.Time) (bool, error) {
	rows, err := q.RefundOrder(ctx, gen.RefundOrderParams{ID: id, Now: sql.NullTime{Time: now, Valid: true}})
	if err != nil {
		return false, fmt.Errorf("refund order: %w", err)
	}
	return rows > 0, nil
}

// listUnpaid returns the ids of the orders that wait for their payment although their deadline
// is over.
func listUnpaid(ctx context.Context, q *gen.Queries, now time.Time) ([]int64, error) {
	ids, err := q.ListUnpaidOrders(ctx, nullTime(now))
	if err != nil {
		return nil, fmt.Errorf("list unpaid orders: %w", err)
	}
	return ids, nil
}

// owner is the session, site and city that a checkout belongs to.
type owner struct {
	sessionID int64
	site      string
	cityID    int64
}

// ownerOf returns the owner of the visitor's checkouts in the city.
func ownerOf(v visit.Context, city *site.City) owner {
	return owner{v.SessionID, v.Site.Alias, city.ID}
}

// insertCheckout inserts a checkout of the owner.
func insertCheckout(ctx context.Context, tx *db.Tx, o owner, c Checkout) error {
	err := tx.Later().InsertOrderCache(ctx, gen.InsertOrderCacheParams{
		Key: c.Key, SessionID: o.sessionID, Site: o.site, CityID: o.cityID,
		IntervalID: c.intervalID, Now: c.CreatedAt, ExpiresAt: c.ExpiresAt, HeldSince: nullTime(c.heldSince),
	})
	if err != nil {
		return fmt.Errorf("begin checkout: %w", err)
	}
	return nil
}

// firstHeldSince returns when the owner began to hold intervals by checkouts that became no order:
// the earliest heldSince of these checkouts that is after the given instant. It returns now when
// there is none.
func firstHeldSince(ctx context.Context, q *gen.Queries, o owner, after, now time.Time) (time.Time, error) {
	since, err := q.FirstHeldSince(ctx, gen.FirstHeldSinceParams{SessionID: o.sessionID, Site: o.site, CityID: o.cityID, After: nullTime(after)})
	if errors.Is(err, db.ErrNotFound) {
		return now, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("read checkouts: %w", err)
	}
	return since.Time, nil
}

// deleteFormerCheckouts deletes the owner's checkouts that became no order and hold no interval, but for the newest ones
// and the one that [firstHeldSince] needs.
func deleteFormerCheckouts(ctx context.Context, tx *db.Tx, o owner, heldAfter time.Time) error {
	err := tx.Later().DeleteFormerOrderCaches(ctx, gen.DeleteFormerOrderCachesParams{
		SessionID: o.sessionID, Site: o.site, CityID: o.cityID, Kept: keptCheckouts, After: nullTime(heldAfter),
	})
	if err != nil {
		return fmt.Errorf("delete former checkouts: %w", err)
	}
	return nil
}

// listHoldingCheckouts returns the keys of the owner's checkouts that hold an interval: that have not
// expired and have not become an order.
func listHoldingCheckouts(ctx context.Context, q *gen.Queries, o owner, now time.Time) ([]string, error) {
	keys, err := q.ListHoldingOrderCaches(ctx, gen.ListHoldingOrderCachesParams{
		SessionID: o.sessionID, Site: o.site, CityID: o.cityID, Now: now,
	})
	if err != nil {
		return nil, fmt.Errorf("list checkouts: %w", err)
	}
	return keys, nil
}

// claimCheckout stores that the owner's checkout becomes the order with the id, and returns the
// checkout. It returns [db.ErrNotFound] when there is no such checkout or it has an order already.
func claimCheckout(ctx context.Context, q *gen.Queries, o owner, key string, id int64) (Checkout, error) {
	row, err := q.ClaimOrderCache(ctx, gen.ClaimOrderCacheParams{
		OrderID: id, Key: key, SessionID: o.sessionID, Site: o.site, CityID: o.cityID,
	})
	if err != nil {
		return Checkout{}, fmt.Errorf("claim checkout: %w", err)
	}
	return Checkout{Key: key, ExpiresAt: row.ExpiresAt, intervalID: row.IntervalID}, nil
}

// findOrderOfCheckout returns the id of the order that the owner's checkout has become. It
// returns [db.ErrNotFound] when there is no such checkout.
func findOrderOfCheckout(ctx context.Context, q *gen.Queries, o owner, key string) (int64, error) {
	id, err := q.GetOrderCache(ctx, gen.GetOrderCacheParams{
		Key: key, SessionID: o.sessionID, Site: o.site, CityID: o.cityID,
	})
	if err != nil {
		return 0, fmt.Errorf("read checkout: %w", err)
	}
	return id, nil
}

// insertGrant stores how much the visitor's session may see of the order, LinkView or BriefView.
// A wider view that is stored already stays.
func insertGrant(ctx context.Context, q *gen.Queries, v visit.Context, id int64, as order.View) error {
	err := q.GrantOrder(ctx, gen.GrantOrderParams{SessionID: v.SessionID, OrderID: id, ByLink: as == order.LinkView, Now: v.Now})
	if err != nil {
		return fmt.Errorf("open order: %w", err)
	}
	return nil
}
