package order

import (
	"context"
	"time"

	"servery/internal/cart"
	"servery/internal/fault"
	"servery/internal/pay"
	"servery/internal/site"
)

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

// Payments gives the tries to pay an order, the first one first.
func (s *Service) Payments(ctx context.Context, orderID int64) ([]Payment, error) {
	return paymentsOf(ctx, s.db.Read(), orderID)
}

// CheckPayments asks the acquirers what became of the payments that are due to be asked
// about. [Service.Sweep] does so too.
func (s *Service) CheckPayments(ctx context.Context, now time.Time) error { return nil }

// paymentJob is the check of a payment.
type paymentJob struct {
	ID pay.ID `json:"id"`
}

// Kind names the job.
func (paymentJob) Kind() string { return "order.check_payment" }

func (s *Service) checkPayment(ctx context.Context, job paymentJob) error { return nil }

// unpaidJob is the deadline of an order that is paid online.
type unpaidJob struct {
	OrderID int64 `json:"order_id"`
}

// Kind names the job.
func (unpaidJob) Kind() string { return "order.cancel_unpaid" }

func (s *Service) cancelIfUnpaid(ctx context.Context, job unpaidJob) error { return nil }
