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
	verdict, err := s.handleEvent(context.WithoutCancel(ctx), brand, account, notice.Event)
	if err != nil {
		s.log.ErrorContext(ctx, "webhook failed", slog.String("site", brand.Alias), slog.String("account", account),
			slog.String("payment_id", string(notice.Event.ID)), slog.Any("error", err))
		verdict = acquiring.TryAgain
	}
	return notice.ReplyFor(verdict)
}

// handleEvent applies a genuine event to its attempt and returns the verdict for the acquirer.
// The attempt must be of the account that received the event.
func (s *Service) handleEvent(ctx context.Context, brand *site.Site, account string, e acquiring.Event) (acquiring.Verdict, error) {
	a, err := loadAttempt(ctx, s.db.Read(), e.ID)
	if errors.Is(err, db.ErrNotFound) {
		if err := s.orders.RecallPayment(ctx, e.ID); err != nil {
			return acquiring.TryAgain, err
		}
		a, err = loadAttempt(ctx, s.db.Read(), e.ID)
	}
	switch {
	case errors.Is(err, db.ErrNotFound):
		return acquiring.NotKnown, nil
	case err != nil:
		return acquiring.TryAgain, err
	case a.Site != brand.Alias || a.Account != account:
		return acquiring.NotKnown, nil
	case e.State == acquiring.Asked:
		return s.authorizePayment(ctx, a, e)
	}
	if _, err := s.applyVerified(ctx, a, e); err != nil {
		return acquiring.TryAgain, err
	}
	return acquiring.Accepted, nil
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
