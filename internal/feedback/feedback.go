// Package feedback keeps what visitors leave for the brand.
package feedback

import (
	"context"
	"fmt"

	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/phone"
)

// Service keeps forms. It is safe for concurrent use.
type Service struct{ db *db.DB }

// New makes the service on a migrated database.
func New(d *db.DB) *Service { return &Service{db: d} }

// TellWhenDelivered keeps the wish to be called when a place of a city is delivered
// to. The same wish twice is kept once. Faults: cart.unknown_city (NotFound);
// feedback.check (Invalid) with all that is wrong at phone and coordinates.
func (s *Service) TellWhenDelivered(ctx context.Context, v cart.Visitor, cityID int64, at geo.Point, number string) error {
	city, err := v.City(cityID)
	if err != nil {
		return err
	}
	var wrong []fault.Option
	digits, err := phone.Parse(number, city)
	if err != nil {
		wrong = append(wrong, fault.Field("phone", fault.KeyOf(err)))
	}
	if !at.Valid() {
		wrong = append(wrong, fault.Field("coordinates", "feedback.point"))
	}
	if len(wrong) > 0 {
		return fault.New(fault.Invalid, "feedback.check", wrong...)
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		err := tx.Q.InsertUndeliveredPlace(ctx, gen.InsertUndeliveredPlaceParams{
			Site: v.Site.Alias, CityID: cityID, Latitude: at.Latitude, Longitude: at.Longitude,
			Phone: digits, Language: string(v.Lang), Now: v.Now,
		})
		if err != nil {
			return fmt.Errorf("keep the wish: %w", err)
		}
		return nil
	})
}
