// Package search finds orders for the restaurant: by the day that they are promised for or by the
// phone, in any state, page by page. What is archived of a page comes back from the archive.
package search

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/order/archive"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Query says which orders of a brand are looked for. Day or Phone is set, or both.
type Query struct {
	Site *site.Site
	// Day is the shift day, by the clock of the order's city, that the order is promised for.
	Day clock.Day
	// Phone is digits with the country code.
	Phone string
	// Shops is empty for all shops, State for all states.
	Shops []int64
	State order.State
	// Before is the Next of the page before; empty for the first page.
	Before string
	Limit  int
}

// Page is a part of what a query finds, the latest promise first.
type Page struct {
	IDs []int64
	// Next is the Before of the page that follows; empty for the last page.
	Next string
}

// Finder finds orders. It is safe for concurrent use.
type Finder struct {
	db    *db.DB
	clock clock.Clock
}

// New returns a finder on a migrated database.
func New(d *db.DB, c clock.Clock) *Finder { return &Finder{d, c} }

// Find returns a page of the orders that match the query. Faults (Invalid): order.search_day_or_phone
// without day and phone; common.invalid at before when that is not the Next of a page.
func (f *Finder) Find(ctx context.Context, q Query) (Page, error) {
	if q.Day.IsZero() && q.Phone == "" {
		return Page{}, fault.New(fault.Invalid, "order.search_day_or_phone", fault.Field("day", "order.search_day_or_phone"))
	}
	since, from := q.bounds()
	if q.Before != "" {
		var ok bool
		if from, ok = parsePosition(q.Before); !ok {
			return Page{}, fault.New(fault.Invalid, "common.invalid", fault.Field("before", "common.invalid"))
		}
	}
	var page Page
	for {
		if err := archive.RecallFound(ctx, f.db, q.ofArchive(since, from), f.clock.Now()); err != nil {
			return Page{}, err
		}
		found, err := listPromised(ctx, f.db.Read(), q, since, from)
		if err != nil {
			return Page{}, err
		}
		for _, p := range found {
			if !q.isOfDay(p) {
				continue
			}
			if len(page.IDs) == q.Limit {
				page.Next = from.String()
				return page, nil
			}
			page.IDs, from = append(page.IDs, p.id), p.position
		}
		if len(found) <= q.Limit {
			return page, nil
		}
		// There may be more, and the page is not full yet, since orders of other days were left out.
		from = found[len(found)-1].position
	}
}

// ofArchive returns the search of archived orders that may be on the page after the position from.
func (q Query) ofArchive(since time.Time, from position) archive.Search {
	return archive.Search{
		Site: q.Site.Alias, Phone: q.Phone, Shops: db.ListOf(q.Shops), State: string(q.State),
		Since: since, Before: from.at, BeforeID: from.id, Count: q.Limit + 1,
	}
}

// promised is an order with the instant that it is promised for.
type promised struct {
	position

	cityID int64
}

// isOfDay reports whether the order is promised for the day of the query, by the clock of its city. For
// a city that the brand has left, the clock of the brand's first city counts.
func (q Query) isOfDay(p promised) bool {
	if q.Day.IsZero() {
		return true
	}
	city, ok := q.Site.City(p.cityID)
	if !ok {
		city = q.Site.Cities[0] // a brand has at least one
	}
	return schedule.ShiftDay(p.at, city.Location) == q.Day
}

// bounds returns the earliest instant of the query and a position after its latest order. They enclose
// the day in every time zone; without a day they enclose all time.
func (q Query) bounds() (since time.Time, from position) {
	if q.Day.IsZero() {
		return time.Unix(0, 0).UTC(), position{at: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}
	}
	return clock.At(q.Day.Add(-1), 0, time.UTC), position{at: clock.At(q.Day.Add(3), 0, time.UTC)}
}

// position is a place among the sorted orders: after the order with the id, which is promised for the
// instant.
type position struct {
	at time.Time
	id int64
}

// String returns the position as a caller of [Finder.Find] gets it.
func (p position) String() string { return fmt.Sprintf("%d-%d", p.at.UnixMilli(), p.id) }

// parsePosition reads the String of a position. It returns false for any other text.
func parsePosition(text string) (position, bool) {
	at, id, found := strings.Cut(text, "-")
	ms, errAt := strconv.ParseInt(at, 10, 64)
	number, errID := strconv.ParseInt(id, 10, 64)
	return position{time.UnixMilli(ms).UTC(), number}, found && errAt == nil && errID == nil
}
