package order

import (
	"context"

	"servery/internal/cart"
	"servery/internal/fault"
	"servery/internal/pay"
	"servery/internal/site"
)

func (s *Service) PaymentTypes(brand *site.Site, city *site.City, t site.OrderType) []string {
	return city.PaymentTypes[t]
}

func (s *Service) Acquirer(brand *site.Site, city *site.City, paymentType string) (account string, a pay.Acquirer, m pay.Method, ok bool) {
	return "", nil, 0, false
}

func (s *Service) Pay(ctx context.Context, v cart.Visitor, r PayRequest) (Paying, error) {
	return Paying{}, fault.New(fault.NotFound, "common.not_found")
}

func (s *Service) PayingOf(ctx context.Context, v cart.Visitor, cacheKey string) (Paying, error) {
	return Paying{}, fault.New(fault.NotFound, "common.not_found")
}

func (s *Service) Prove(ctx context.Context, v cart.Visitor, a Answer) (Paying, error) {
	return Paying{}, fault.New(fault.NotFound, "common.not_found")
}

func (s *Service) ProveReturn(ctx context.Context, brand *site.Site, a Answer) (Order, error) {
	return Order{}, fault.New(fault.NotFound, "common.not_found")
}

func (s *Service) Callback(ctx context.Context, brand *site.Site, account string, c pay.Callback) pay.Reply {
	return pay.PlainReply(pay.Unwelcome)
}
