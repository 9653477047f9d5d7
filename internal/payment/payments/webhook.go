package payments

import (
	"context"
	"errors"
	"log/slog"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/payment"
	"servery/internal/site"
)

// HandleWebhook applies a webhook of an acquirer to an account of the brand and returns the
// reply to send, after everything was committed. A webhook that is forged, of no interest or for
// another account changes nothing.
func (s *Service) HandleWebhook(ctx context.Context, brand *site.Site, account string, c acquiring.Callback) acquiring.Reply {
	a, ok := s.accounts.FindAcquirer(brand.Alias, account)
	if !ok {
		return acquiring.PlainReply(acquiring.Unwelcome)
	}
	notice, err := a.VerifyCallback(ctx, c)
	if err != nil {
		s.log.WarnContext(ctx, "webhook refused", slog.String("site", brand.Alias), slog.String("account", account),
			slog.String("sender", c.Sender.String()), slog.Any("error", err))
		return acquiring.ReplyToError(err)
	}
	if notice.Ignored {
		return notice.ReplyFor(acquiring.Accepted)
	}
	verdict, err := s.handleNotice(context.WithoutCancel(ctx), brand, account, notice)
	if err != nil {
		s.log.ErrorContext(ctx, "webhook failed", slog.String("site", brand.Alias), slog.String("account", account),
			slog.String("payment_id", string(paymentOf(notice))), slog.Any("error", err))
		verdict = acquiring.TryAgain
	}
	return notice.ReplyFor(verdict)
}

// paymentOf returns our id of the payment that a notice is about.
func paymentOf(n acquiring.Notice) acquiring.ID {
	if n.IsClaim() {
		return n.Claim.ID
	}
	return n.Event.ID
}

// handleNotice applies the event of a notice to its attempt and returns the verdict for the acquirer. The
// attempt must be of the account that received the notice: the acquirer is not asked about the claim of
// any other. Each attempt is stored before its acquirer is first called, so a claim that finds none is
// about no payment of ours, however early it comes.
func (s *Service) handleNotice(ctx context.Context, brand *site.Site, account string, n acquiring.Notice) (acquiring.Verdict, error) {
	a, err := s.loadOrRecallAttempt(ctx, paymentOf(n))
	switch {
	case errors.Is(err, db.ErrNotFound):
		return acquiring.NotKnown, nil
	case err != nil:
		return acquiring.TryAgain, err
	case a.Site != brand.Alias || a.Account != account:
		return acquiring.NotKnown, nil
	case n.Event.State == acquiring.Asked:
		return s.authorizePayment(ctx, a, n.Event)
	}
	e := n.Event
	if n.IsClaim() {
		named := a
		named.Ref = n.Claim.Ref // that of the attempt may not be stored yet
		e, err = s.queryStatus(ctx, named, statusTimeout)
		switch {
		case acquiring.KindOf(err) == acquiring.Foreign, err == nil && e.State == acquiring.Absent:
			return acquiring.Unwelcome, nil
		case err != nil:
			s.logFailedCall(ctx, a, "status", err)
			return acquiring.TryAgain, nil
		}
	}
	if _, err := s.applyVerified(ctx, a, e); err != nil {
		return acquiring.TryAgain, err
	}
	return acquiring.Accepted, nil
}

// loadOrRecallAttempt reads an attempt, also one whose order is archived. It returns [db.ErrNotFound] when
// there is none.
func (s *Service) loadOrRecallAttempt(ctx context.Context, id acquiring.ID) (payment.Attempt, error) {
	a, err := loadAttempt(ctx, s.db.Read(), id)
	if !errors.Is(err, db.ErrNotFound) {
		return a, err
	}
	if err := s.orders.RecallPayment(ctx, id); err != nil {
		return payment.Attempt{}, err
	}
	return loadAttempt(ctx, s.db.Read(), id)
}

// authorizePayment returns whether a payment may go on, for an acquirer that asks before it
// takes the money. It changes nothing.
func (s *Service) authorizePayment(ctx context.Context, a payment.Attempt, e acquiring.Event) (acquiring.Verdict, error) {
	bill, err := s.orders.Bill(ctx, s.db.Read(), a.OrderID)
	switch {
	case err != nil:
		return acquiring.TryAgain, err
	case e.Sum != a.Sum:
		return acquiring.WrongSum, nil
	case bill.State != payment.BillDue || !a.IsActive():
		return acquiring.NotNow, nil
	case !s.clock.Now().Before(a.Deadline):
		return acquiring.TooLate, nil
	}
	return acquiring.Accepted, nil
}
