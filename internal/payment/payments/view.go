package payments

import (
	"context"

	"servery/internal/db"
	"servery/internal/payment"
	"servery/internal/site"
	"servery/internal/visit"
)

// FindView returns how the payment of an order of the visitor stands, by the key of its
// checkout. Fault: order.not_found (NotFound).
func (s *Service) FindView(ctx context.Context, v visit.Context, cacheKey string) (payment.View, error) {
	id, err := orderOfCheckout(ctx, s.db.Read(), cacheKey)
	if err != nil {
		return payment.View{}, hideNotFound(err)
	}
	bill, err := s.orders.FindBill(ctx, v, id, cacheKey)
	if err != nil {
		return payment.View{}, err
	}
	return s.loadView(ctx, v, bill.OrderID)
}

// ListAttempts returns the attempts to pay an order, the oldest first.
func (s *Service) ListAttempts(ctx context.Context, orderID int64) ([]payment.Attempt, error) {
	return listAttempts(ctx, s.db.Read(), orderID)
}

// loadView returns how the payment of an order stands now, with the payment types for paying
// online.
func (s *Service) loadView(ctx context.Context, v visit.Context, orderID int64) (payment.View, error) {
	h, err := s.History(ctx, orderID)
	if err != nil {
		return payment.View{}, err
	}
	var types []string
	if city, ok := v.Site.City(h.Bill.CityID); ok {
		for _, t := range s.PaymentTypes(v.Site, city, h.Bill.Type) {
			if site.IsOnline(t) {
				types = append(types, t)
			}
		}
	}
	return payment.NewView(h, types), nil
}

// History returns the bill of an order with its payments, all as of one instant. It returns
// [db.ErrNotFound] when the order does not exist.
func (s *Service) History(ctx context.Context, orderID int64) (payment.History, error) {
	var h payment.History
	err := s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		bill, err := s.orders.Bill(ctx, at.Q, orderID)
		if err != nil {
			return err
		}
		h, err = ReadHistory(ctx, at, bill)
		return err
	})
	return h, err
}
