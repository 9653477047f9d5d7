package payments

import (
	"context"
	"slices"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/payment"
	"servery/internal/site"
	"servery/internal/visit"
)

// refreshInterval is how often an acquirer is asked at most because a customer waits.
const refreshInterval = time.Second

// Complete3DS submits the result of 3-D Secure if the request has one, and otherwise asks the
// acquirer for the outcome. It returns how the payment stands then. Without a PaymentID it
// takes the attempt that the customer is shown. A result is submitted once. The acquirer is
// asked at most once a second, or at once with IsLast, but not while another call for the
// attempt is being made. With IsLast, an attempt that failed on the acquirer's page is also
// canceled. Fault: order.not_found (NotFound).
func (s *Service) Complete3DS(ctx context.Context, v visit.Context, r payment.ThreeDSResult) (payment.View, error) {
	bill, err := s.orders.FindBill(ctx, v, r.OrderID, r.CacheKey)
	if err != nil {
		return payment.View{}, err
	}
	attempts, err := listAttempts(ctx, s.db.Read(), bill.OrderID)
	if err != nil {
		return payment.View{}, err
	}
	current := payment.ShownAttempt(bill, attempts)
	if r.PaymentID != "" {
		at := slices.IndexFunc(attempts, func(a payment.Attempt) bool { return a.ID == r.PaymentID })
		if at < 0 {
			return payment.View{}, notFound()
		}
		current = &attempts[at]
	}
	if current != nil && current.IsActive() {
		if err := s.submitOrRefresh(ctx, *current, r); err != nil {
			return payment.View{}, err
		}
	}
	return s.loadView(ctx, v, bill.OrderID)
}

// submitOrRefresh submits a result of 3-D Secure. When there was nothing to submit and the
// attempt is active, it asks the acquirer for the outcome.
func (s *Service) submitOrRefresh(ctx context.Context, a payment.Attempt, r payment.ThreeDSResult) error {
	a, isSubmitted, err := s.submit3DS(ctx, a, r)
	if err != nil || isSubmitted || !a.IsActive() {
		return err
	}
	return s.refreshStatus(ctx, a, r.IsLast)
}

// Handle3DSReturn submits what the bank's page of 3-D Secure posts, which has no session, and
// returns the bill. It is enough to know the random id of the attempt. Fault: order.not_found
// (NotFound).
func (s *Service) Handle3DSReturn(ctx context.Context, brand *site.Site, r payment.ThreeDSResult) (payment.Bill, error) {
	a, err := loadAttempt(ctx, s.db.Read(), r.PaymentID)
	if err != nil {
		return payment.Bill{}, hideNotFound(err)
	}
	if a.Site != brand.Alias {
		return payment.Bill{}, notFound()
	}
	if _, _, err := s.submit3DS(ctx, a, r); err != nil {
		return payment.Bill{}, err
	}
	return s.orders.Bill(ctx, s.db.Read(), a.OrderID)
}

// submit3DS submits a stage of 3-D Secure, once, and stores the acquirer's answer. It returns the
// attempt, and false when there was nothing to submit or another call submits it; it returns true also
// when the call to the acquirer failed. If the acquirer certainly did not use the result then, the result
// may be submitted again; otherwise the outcome is stored as unknown.
func (s *Service) submit3DS(ctx context.Context, a payment.Attempt, r payment.ThreeDSResult) (payment.Attempt, bool, error) {
	stage, ok := a.StageOf(r)
	if !ok {
		return a, false, nil
	}
	now := s.clock.Now()
	isClaimed, err := s.claimWork(ctx, func(tx *db.Tx) (bool, error) { return claimStage(ctx, tx.Q, a, stage, now, now.Add(callLease)) })
	if err != nil || !isClaimed {
		return a, false, err
	}
	next, err := s.call3DS(ctx, a, r)
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		current, err := s.storeAnswer(ctx, a, next)
		return current, true, err
	}
	s.logFailedCall(ctx, a, "finish 3-D Secure", err)
	switch acquiring.KindOf(err) {
	case acquiring.Foreign, acquiring.Unsent, acquiring.Busy, acquiring.Invalid: // the result was not used
		err := s.db.InTx(ctx, func(tx *db.Tx) error { return resetStage(ctx, tx.Q, a, stage) })
		return a, true, err
	default:
		current, err := s.storeAnswer(ctx, a, acquiring.Next{})
		return current, true, err
	}
}

// call3DS sends a result of 3-D Secure to the acquirer and returns the answer. It stores
// nothing.
func (s *Service) call3DS(ctx context.Context, a payment.Attempt, r payment.ThreeDSResult) (acquiring.Next, error) {
	acquirer, err := s.acquirerOf(a)
	if err != nil {
		return acquiring.Next{}, err
	}
	ctx, cancel := detachContext(ctx, startTimeout)
	defer cancel()
	return acquirer.Finish3DS(ctx, acquiring.ThreeDSResult{
		Lookup: a.Lookup(), PaRes: r.PaRes, CRes: r.CRes, TransID: a.Next.ThreeDS.TransID, MethodDone: r.MethodDone,
	})
}

// refreshStatus asks the acquirer for the outcome because the customer waits: at most once a
// second, and with a short time limit. When isLast is set, it asks at once and waits longer,
// and an attempt that failed on the acquirer's page is then canceled, so that another can be
// made. While another call for the attempt is being made, it does nothing.
func (s *Service) refreshStatus(ctx context.Context, a payment.Attempt, isLast bool) error {
	now, limit, askedBefore := s.clock.Now(), refreshTimeout, s.clock.Now().Add(-refreshInterval)
	if isLast {
		limit, askedBefore = statusTimeout, now
	}
	isClaimed, err := s.claimWork(ctx, func(tx *db.Tx) (bool, error) { return claimRefresh(ctx, tx.Q, a.ID, now, askedBefore) })
	if err != nil || !isClaimed || a.LeaseUntil.After(now) {
		return err
	}
	e, err := s.queryStatus(ctx, a, limit)
	if err != nil {
		s.logFailedCall(ctx, a, "status", err)
		return nil // the outcome is still unknown
	}
	a, err = s.applyVerified(context.WithoutCancel(ctx), a, e)
	if err != nil || !isLast || !a.IsActive() || a.Reason == acquiring.NoReason {
		return err
	}
	_, _, err = s.cancelAttempt(ctx, a)
	return err
}
