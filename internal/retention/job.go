package retention

import (
	"context"
	"errors"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/order/archive"
	"servery/internal/order/erase"
	"servery/internal/site"
)

// requestLife is how long forms are stored, and the phones that asked for delivery to a place.
const requestLife = 365 * 24 * time.Hour

// Job deletes what is stored longer than its term. It is safe to run in several processes at once.
type Job struct {
	Rooms

	DB    *db.DB
	Clock clock.Clock
	// Sites returns the brands of the content in use; the terms of any other are the defaults.
	Sites func() *site.Sites
}

// Sweep deletes or anonymizes a bounded part of what is stored longer than its term: carts, customers and
// their presents, orders, forms, delivery requests. It archives orders where a brand has a term for it. The
// next call continues. It is called each minute. It returns the errors of all parts joined; a failing part
// stops no other.
func (j Job) Sweep(ctx context.Context) error {
	now := j.Clock.Now()
	return errors.Join(
		eachSite(ctx, j.DB, func(alias string) error {
			terms := j.termsOf(alias)
			before := terms.PersonalBefore(now)
			guests, customers := terms.CartsBefore(now)
			return errors.Join(
				j.Carts.SweepIdle(ctx, alias, guests, customers),
				j.Customers.SweepIdle(ctx, alias, before, func(id int64) error { return j.EraseIdle(ctx, alias, id, before) }),
				erase.AnonymizeIdle(ctx, j.DB, alias, before, now, j.Marks),
				j.archive(ctx, alias, terms, now))
		}),
		j.Feedback.Sweep(ctx, now.Add(-requestLife)), j.Customers.Sweep(ctx))
}

// archive archives orders of a brand that has a term for it.
func (j Job) archive(ctx context.Context, alias string, terms site.Terms, now time.Time) error {
	before, isOn := terms.ArchiveBefore(now)
	if !isOn {
		return nil
	}
	return archive.Sweep(ctx, j.DB, alias, before, now)
}

// termsOf returns the terms of a brand, with defaults for those it does not set. A brand that
// content no longer has gets the defaults.
func (j Job) termsOf(alias string) site.Terms {
	if s, ok := j.Sites().ByAlias(alias); ok {
		return s.Settings.Terms.WithDefaults()
	}
	return site.DefaultTerms()
}
