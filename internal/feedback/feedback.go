// Package feedback keeps what visitors leave for the brand.
package feedback

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/phone"
	"servery/internal/site"
)

// Service keeps forms. It is safe for concurrent use.
type Service struct{ db *db.DB }

// New makes the service on a migrated database.
func New(d *db.DB) *Service { return &Service{db: d} }

// Wish is to be told when a place of a city is delivered to.
type Wish struct {
	Site   *site.Site
	CityID int64
	At     geo.Point
	// Phone is as the visitor wrote it.
	Phone string
	Lang  lang.Lang
	Now   time.Time
}

// TellWhenDelivered keeps a wish. The same one twice is kept once. Faults:
// cart.unknown_city (NotFound); feedback.check (Invalid) with all that is wrong at
// phone and coordinates.
func (s *Service) TellWhenDelivered(ctx context.Context, w Wish) error {
	city, ok := w.Site.City(w.CityID)
	if !ok {
		return fault.New(fault.NotFound, "cart.unknown_city")
	}
	var wrong []fault.Option
	digits, err := phone.Parse(w.Phone, city)
	if err != nil {
		wrong = append(wrong, fault.Field("phone", fault.KeyOf(err)))
	}
	if !w.At.Valid() {
		wrong = append(wrong, fault.Field("coordinates", "feedback.point"))
	}
	if len(wrong) > 0 {
		return fault.New(fault.Invalid, "feedback.check", wrong...)
	}
	w.Phone = digits
	return s.db.InTx(ctx, func(tx *db.Tx) error { return keep(ctx, tx.Q, w) })
}

// Forget takes back what was wished for under a phone of a brand, in the transaction that
// erases its customer.
func (s *Service) Forget(ctx context.Context, tx *db.Tx, siteAlias, phone string) error {
	return forget(ctx, tx.Q, siteAlias, phone)
}

// Kept is a wish as it is kept.
type Kept struct {
	CityID    int64
	At        geo.Point
	Lang      lang.Lang
	CreatedAt time.Time
}

// Wishes gives what was wished for under a phone of a brand, digits with the country code.
func (s *Service) Wishes(ctx context.Context, siteAlias, phone string) ([]Kept, error) {
	return list(ctx, s.db.Read(), siteAlias, phone)
}
