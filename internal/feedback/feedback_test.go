package feedback_test

import (
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/feedback"
	"servery/internal/geo"
	"servery/internal/visit"
)

// newRequest returns the delivery request of a visitor.
func newRequest(v visit.Context, city int64, at geo.Point, phone string) feedback.DeliveryRequest {
	return feedback.DeliveryRequest{Site: v.Site, CityID: city, At: at, Phone: phone, Lang: v.Lang, Now: v.Now}
}

func TestDeliveryWish_isStoredOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, nil)
		v, s := k.Visitor(t, "sushi"), k.Service
		for _, phone := range []string{"8 916 123-45-67", "+79161234567"} {
			if err := s.RequestDelivery(t.Context(), newRequest(v, carttest.Moscow, carttest.Outside, phone)); err != nil {
				t.Fatal(err)
			}
		}
		var count int
		row := d.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM undelivered_place WHERE phone = '79161234567' AND language = 'en'")
		if err := row.Scan(&count); err != nil || count != 1 {
			t.Errorf("%d rows, %v", count, err)
		}
	})
}

func TestRequestDelivery_reportsAllFaults(t *testing.T) {
	t.Parallel()
	k := newDesk(t, dbtest.Open(t, db.SQLite), nil)
	v, s := k.Visitor(t, "sushi"), k.Service
	err := s.RequestDelivery(t.Context(), newRequest(v, carttest.Moscow, geo.Point{}, "12"))
	if f, ok := fault.Of(err); !ok || f.Message.Key != "feedback.check" || f.Fields["phone"][0].Key != "phone.invalid" || f.Fields["coordinates"] == nil {
		t.Errorf("got %v", err)
	}
	if err := s.RequestDelivery(t.Context(), newRequest(v, 77, carttest.Outside, "+79161234567")); fault.KeyOf(err) != "cart.unknown_city" {
		t.Errorf("an unknown city: %v", err)
	}
}
