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

// DeliveryRequest asks for a message once a place of a city is delivered to.
type DeliveryRequest struct {
	Site   *site.Site
	CityID int64
	At     geo.Point
	// Phone is as the visitor wrote it.
	Phone string
	Lang  lang.Lang
	Now   time.Time
}

// maxPlaces is how many places a phone may wait for.
const maxPlaces = 10

// RequestDelivery stores a delivery request. A repeated request is stored once. Faults:
// cart.unknown_city (NotFound); feedback.check (Invalid) with the reasons at phone and
// coordinates; feedback.too_many (TooMany) for a phone that waits for many places.
func (s *Service) RequestDelivery(ctx context.Context, w DeliveryRequest) error {
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
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, db.LockedPhone, w.Site.Alias+" "+w.Phone); err != nil {
			return err
		}
		places, err := countRequests(ctx, tx.Q, w.Site.Alias, w.Phone)
		if err != nil {
			return err
		}
		if places >= maxPlaces {
			return fault.New(fault.TooMany, "feedback.too_many", fault.RetryAfter(countedFor))
		}
		return insertRequest(ctx, tx.Q, w)
	})
}

// Erase deletes all that a customer and their phone have sent to a brand. It must be called in the
// transaction that erases the customer.
func (s *Service) Erase(ctx context.Context, tx *db.Tx, siteAlias string, customerID int64, phone string) error {
	if err := deleteForms(ctx, tx.Q, siteAlias, customerID, phone); err != nil {
		return err
	}
	return deleteRequests(ctx, tx.Q, siteAlias, phone)
}

// StoredRequest is a delivery request as it is stored.
type StoredRequest struct {
	CityID    int64
	At        geo.Point
	Lang      lang.Lang
	CreatedAt time.Time
}

// ListOfPhone returns the delivery requests of a phone at a brand. The phone is digits with the
// country code.
func (s *Service) ListOfPhone(ctx context.Context, siteAlias, phone string) ([]StoredRequest, error) {
	return listRequests(ctx, s.DB.Read(), siteAlias, phone)
}
