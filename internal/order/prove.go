package order

import (
	"context"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/site"
	"servery/internal/visit"
)

// lookEvery is how often an acquirer is asked because customers want to know.
const lookEvery = time.Second

// Prove hands over what came back from 3-D Secure, or else asks what became of the payment;
// IsLast asks for certain. The outcome of 3-D Secure is kept, because answers are good once.
// Fault: order.not_found (NotFound).
func (s *Service) Prove(ctx context.Context, v visit.Context, a Answer) (Paying, error) {
	o, err := s.toPay(ctx, v, a.OrderID, a.CacheKey)
	if err != nil {
		return Paying{}, err
	}
	tries, err := paymentsOf(ctx, s.db.Read(), o.ID)
	if err != nil {
		return Paying{}, err
	}
	told := payingOf(o, tries, nil)
	if a.PaymentID != "" {
		told.Last = nil
		for i, p := range tries {
			if p.ID == a.PaymentID {
				told.Last = &tries[i]
			}
		}
		if told.Last == nil {
			return Paying{}, notFound()
		}
	}
	if p := told.Last; p != nil && p.IsLive() {
		if err := s.proveOrLook(ctx, *p, a); err != nil {
			return Paying{}, err
		}
	}
	return s.paying(ctx, v, o.ID)
}

func (s *Service) proveOrLook(ctx context.Context, p Payment, a Answer) error {
	p, handedOver, err := s.prove(ctx, p, a)
	if err != nil || handedOver || !p.IsLive() {
		return err
	}
	return s.lookAt(ctx, p, a.IsLast)
}

// ProveReturn takes what the bank's page of 3-D Secure posts by itself, without a session,
// and gives the order. Whoever knows the payment's random id may do so. Fault:
// order.not_found (NotFound).
func (s *Service) ProveReturn(ctx context.Context, brand *site.Site, a Answer) (Order, error) {
	p, err := loadPayment(ctx, s.db.Read(), a.PaymentID)
	if err != nil {
		return Order{}, hide(err)
	}
	if p.Site != brand.Alias {
		return Order{}, notFound()
	}
	if _, _, err := s.prove(ctx, p, a); err != nil {
		return Order{}, err
	}
	return load(ctx, s.db.Read(), p.OrderID)
}

// stage gives which stage of 3-D Secure an answer is for, and false when there is nothing
// to hand over.
func (p Payment) stage(a Answer) (proofStage, bool) {
	kind := p.Next.Kind
	switch {
	case p.State != Pending || p.proof == proved || kind != acquiring.ThreeDS1 && kind != acquiring.ThreeDS2:
		return "", false
	case a.PaRes != "" || a.CRes != "":
		return proved, true
	}
	return methodEnded, kind == acquiring.ThreeDS2 && p.Next.ThreeDS.MethodURL != "" && p.proof == notProved
}

// prove hands a stage of 3-D Secure over, once, and keeps the outcome. It reports false when
// there was nothing to hand over, or somebody else does so.
func (s *Service) prove(ctx context.Context, p Payment, a Answer) (Payment, bool, error) {
	stage, ok := p.stage(a)
	if !ok {
		return p, false, nil
	}
	now := s.clock.Now()
	mine := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		mine, err = claimProof(ctx, tx.Q, p, stage, now, now.Add(busyFor))
		return err
	})
	if err != nil || !mine {
		return p, false, err
	}
	next, err := s.finish3DS(ctx, p, a)
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		known, err := s.keep(ctx, p, next)
		return known, true, err
	}
	s.logRefusal(ctx, p, "finish 3-D Secure", err)
	switch acquiring.KindOf(err) {
	case acquiring.Foreign, acquiring.Unsent, acquiring.Busy, acquiring.Invalid: // it was not used up
		err := s.db.InTx(ctx, func(tx *db.Tx) error { return returnProof(ctx, tx.Q, p, stage) })
		return p, true, err
	default:
		known, err := s.keep(ctx, p, acquiring.Next{})
		return known, true, err
	}
}

func (s *Service) finish3DS(ctx context.Context, p Payment, a Answer) (acquiring.Next, error) {
	acquirer, err := s.acquirer(p)
	if err != nil {
		return acquiring.Next{}, err
	}
	ctx, cancel := patient(ctx, startWithin)
	defer cancel()
	return acquirer.Finish3DS(ctx, acquiring.Proof{
		Lookup: p.Lookup(), PaRes: a.PaRes, CRes: a.CRes, TransID: p.Next.ThreeDS.TransID, MethodDone: a.MethodDone,
	})
}

// lookAt asks the acquirer because the customer wants to know: not more often than each
// second, and not longer than he waits. The last time a payment that failed on the
// acquirer's page is ended, so that he can try again.
func (s *Service) lookAt(ctx context.Context, p Payment, isLast bool) error {
	now, limit, before := s.clock.Now(), lookWithin, s.clock.Now().Add(-lookEvery)
	if isLast {
		limit, before = statusWithin, now
	}
	mine := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		mine, err = claimLook(ctx, tx.Q, p.ID, now, before)
		return err
	})
	if err != nil || !mine || p.busyUntil.After(now) {
		return err
	}
	e, err := s.statusOf(ctx, p, limit)
	if err != nil {
		s.logRefusal(ctx, p, "status", err)
		return nil // still nobody knows
	}
	p, err = s.believe(context.WithoutCancel(ctx), p, e)
	if err != nil || !isLast || !p.IsLive() || p.Reason == acquiring.NoReason {
		return err
	}
	_, _, err = s.withdraw(ctx, p)
	return err
}
