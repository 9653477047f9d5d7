package cart

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"servery/internal/bonus"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/site"
	"servery/internal/stock"
	"servery/internal/visit"
)

// inquiry finds what is known beside the carts of a visitor in a city. It asks only for
// what matters to a cart and for nothing twice: a change asks before it decides, and
// again to price what the cart has become. It lives no longer than one attempt.
type inquiry struct {
	q *gen.Queries
	v visit.Context
	// giftsUsed gives the counts of a brand's gifts.
	giftsUsed func(ctx context.Context) (map[int64]int, error)

	city  *site.City
	asked question
	uses  gen.ReadUsesRow
	// ordered says that session or customer have ordered before, and waiting that an order of
	// theirs waits for its payment, where heard says that it came with the cart.
	heard, ordered, waiting bool

	isHeldKnown bool
	held        waitingHolds

	isInTx bool
	// slots are what was read last of the intervals.
	slots usedSlots

	own      bool // whether presents and balance are known
	presents []Present
	balance  money.Amount
}

// question is what is asked of orders and codes; the zero one need not be asked.
type question struct {
	orders bool
	codeID int64
	phone  string
}

// inquire begins to ask, of the database as it is now and of counts that are at most a
// second old.
func (s *Service) inquire(v visit.Context, city *site.City) *inquiry {
	read := s.db.Read()
	counts := func(ctx context.Context) (map[int64]int, error) { return s.gifts.at(ctx, read, v.Site.Alias, v.Now) }
	return &inquiry{q: read, v: v, city: city, giftsUsed: counts}
}

// inquireIn begins to ask in a transaction, where everything is as new as can be.
func inquireIn(tx *db.Tx, v visit.Context, city *site.City) *inquiry {
	counts := func(ctx context.Context) (map[int64]int, error) {
		return stock.Used(ctx, tx.Q, v.Site.Alias, stock.Gift)
	}
	return &inquiry{q: tx.Q, v: v, city: city, giftsUsed: counts, isInTx: true}
}

// told takes what came with the cart, which need not be asked for any more.
func (i *inquiry) told(s stored) *inquiry {
	i.heard, i.ordered, i.waiting = true, s.hasOrdered, s.isWaiting
	return i
}

// found is a cart's place in the content and what is known beside the cart.
type found struct {
	spot  Place
	menu  *catalog.Menu
	facts Facts
}

// found finds what a cart's price depends on.
func (i *inquiry) found(ctx context.Context, c Cart) (found, error) {
	spot := placeOf(i.v, c, i.city)
	menu := menuAt(i.v, spot)
	facts, err := i.facts(ctx, c, menu)
	return found{spot, menu, facts}, err
}

// price prices a cart at its place.
func (i *inquiry) price(ctx context.Context, c Cart) (Quoted, error) {
	at, err := i.found(ctx, c)
	if err != nil {
		return Quoted{}, err
	}
	return i.fitInterval(ctx, Quote(c.known(at.menu), at.spot, at.menu, at.facts, i.v.Lang, i.v.Now))
}

// facts gives what is known beside a cart.
func (i *inquiry) facts(ctx context.Context, c Cart, menu *catalog.Menu) (Facts, error) {
	f := Facts{CustomerID: i.v.CustomerID}
	// Before the counts, or an order that is canceled in between would be counted and no
	// longer left out.
	if err := i.askHeld(ctx); err != nil {
		return Facts{}, err
	}
	var code *catalog.Promocode
	if c.Promocode != "" {
		code, _ = menu.Promocode(c.Promocode)
	}
	if hasStock(menu, code) {
		var err error
		if f.GiftsUsed, err = i.othersGifts(ctx); err != nil {
			return Facts{}, err
		}
	}
	if err := i.ask(ctx, questionOf(c, menu, code)); err != nil {
		return Facts{}, err
	}
	f.HasOrdered = i.ordered || i.uses.HasOrdered != 0
	if code != nil {
		f.PromocodeUsed, f.PromocodeUsedByPhone = i.codeUsed(code.ID, c.Phone)
	}
	if err := i.askOwn(ctx); err != nil {
		return Facts{}, err
	}
	f.Presents, f.Balance = i.held.withoutPresents(i.v.Site.Alias, i.presents), i.balance.Add(i.held.bonuses)
	return f, nil
}

// hasStock reports whether anything that the cart may hold runs out.
func hasStock(menu *catalog.Menu, code *catalog.Promocode) bool {
	for _, g := range menu.Gifts {
		if g.Stock != nil {
			return true
		}
	}
	return code != nil && code.Gift != nil && code.Gift.Stock != nil
}

// questionOf gives what has to be asked for a cart. Most carts need nothing.
func questionOf(c Cart, menu *catalog.Menu, code *catalog.Promocode) question {
	asks := question{orders: code != nil && code.FirstOrder, phone: c.Phone}
	for _, g := range menu.Gifts {
		for i := range g.Conditions {
			asks.orders = asks.orders || g.Conditions[i].Kind == catalog.OfFirstOrder
		}
	}
	if code != nil && (code.Limit != nil || code.LimitPerPhone != nil) {
		asks.codeID = code.ID
	}
	return asks
}

func (i *inquiry) ask(ctx context.Context, asks question) error {
	if i.heard && (i.ordered || asks.phone == "") {
		asks.orders = false
	}
	if !asks.orders && asks.codeID == 0 {
		asks = question{}
	}
	if asks == i.asked {
		return nil
	}
	i.asked, i.uses = question{}, gen.ReadUsesRow{}
	if asks == (question{}) {
		return nil
	}
	params := gen.ReadUsesParams{
		SessionID: i.v.SessionID, CustomerID: i.v.CustomerID, Site: i.v.Site.Alias, CityID: i.city.ID,
		Phone: asks.phone, OtherPhone: i.v.CustomerPhone, Mark: i.v.MarkPhone(asks.phone), OtherMark: i.v.MarkPhone(i.v.CustomerPhone),
		CodeID: asks.codeID,
	}
	if asks.orders {
		params.AsksOrders = 1
	}
	uses, err := i.q.ReadUses(ctx, params)
	if err != nil {
		return fmt.Errorf("read former orders: %w", err)
	}
	i.asked, i.uses = asks, uses
	return nil
}

// askOwn asks for what belongs to the customer.
func (i *inquiry) askOwn(ctx context.Context) error {
	if i.own || i.v.CustomerID == 0 {
		return nil
	}
	rows, err := i.q.ListCustomerPresents(ctx, gen.ListCustomerPresentsParams{
		CustomerID: i.v.CustomerID, Site: i.v.Site.Alias, Now: sql.NullTime{Time: clock.Cut(i.v.Now), Valid: true},
	})
	if err != nil {
		return fmt.Errorf("read presents: %w", err)
	}
	for _, row := range rows {
		p := Present{ID: row.ID, GiftID: row.GiftID, MaxCount: int(row.Count), Used: int(row.Used)}
		if row.ExpiresAt.Valid {
			p.ExpiresAt = row.ExpiresAt.Time
		}
		i.presents = append(i.presents, p)
	}
	if i.v.Site.Bonus != nil || i.city.Bonus != nil {
		if i.balance, err = bonus.Balance(ctx, i.q, bonus.Account{CustomerID: i.v.CustomerID, Currency: i.city.Currency}); err != nil {
			return err
		}
	}
	i.own = true
	return nil
}

// second is a brand's gifts as they were counted within one second.
type second struct {
	site string
	at   int64
}

// giftCounts keeps how many of a brand's gifts are used for the rest of a second: what a
// cart shows may be that old.
type giftCounts struct {
	kept *otter.Cache[second, map[int64]int]
}

// keptSeconds is enough for all brands.
const keptSeconds = 256

func newGiftCounts() giftCounts {
	return giftCounts{otter.Must(&otter.Options[second, map[int64]int]{MaximumSize: keptSeconds})}
}

// at gives the counts, which nobody may change.
func (g giftCounts) at(ctx context.Context, q *gen.Queries, site string, now time.Time) (map[int64]int, error) {
	load := func(ctx context.Context, s second) (map[int64]int, error) {
		return stock.Used(context.WithoutCancel(ctx), q, s.site, stock.Gift) // others may wait for it
	}
	return g.kept.Get(ctx, second{site, now.Unix()}, otter.LoaderFunc[second, map[int64]int](load))
}
