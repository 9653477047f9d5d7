package payment

import (
	"context"
	"errors"
	"log/slog"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/site"
)

// HandleWebhook applies what an acquirer sends by itself to an account of the brand, and returns
// the reply, after all that follows was committed. One that is not the acquirer's own changes
// nothing.
func (s *Service) HandleWebhook(ctx context.Context, brand *site.Site, account string, c acquiring.Callback) acquiring.Reply {
	a, ok := s.accounts.FindAcquirer(brand.Alias, account)
	if !ok {
		return acquiring.PlainReply(acquiring.Unwelcome)
	}
	notice, err := a.VerifyCallback(ctx, c)
	if err != nil {
		s.log.WarnContext(ctx, "webhook refused", slog.String("site", brand.Alias), slog.String("account", account),
			slog.String("sender", c.Sender.String()), slog.Any("err", err))
		return acquiring.ReplyToError(err)
	}
	if notice.Ignored {
		return notice.ReplyFor(acquiring.Accepted)
	}
	verdict, err := s.handleEvent(context.WithoutCancel(ctx), brand, account, notice.Event)
	if err != nil {
		s.log.ErrorContext(ctx, "webhook failed", slog.String("site", brand.Alias), slog.String("account", account),
			slog.String("payment_id", string(notice.Event.ID)), slog.Any("err", err))
		verdict = acquiring.TryAgain
	}
	return notice.ReplyFor(verdict)
}

// handleEvent applies a genuine event to the attempt that it names, which must be of the account
// that received it.
func (s *Service) handleEvent(ctx context.Context, brand *site.Site, account string, e acquiring.Event) (acquiring.Verdict, error) {
	a, err := loadAttempt(ctx, s.db.Read(), e.ID)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return acquiring.NotKnown, nil
	case err != nil:
		return acquiring.TryAgain, err
	case a.Site != brand.Alias || a.Account != account:
		return acquiring.NotKnown, nil
	case e.State == acquiring.Asked:
		return s.authorize(ctx, a, e)
	}
	if _, err := s.applyVerified(ctx, a, e); err != nil {
		return acquiring.TryAgain, err
	}
	return acquiring.Accepted, nil
}

// authorize answers an acquirer that asks whether a payment may go on.
func (s *Service) authorize(ctx context.Context, a Attempt, e acquiring.Event) (acquiring.Verdict, error) {
	bill, err := s.orders.Bill(ctx, s.db.Read(), a.OrderID)
	switch {
	case err != nil:
		return acquiring.TryAgain, err
	case e.Sum != a.Sum:
		return acquiring.WrongSum, nil
	case bill.State != BillDue || !a.IsActive():
		return acquiring.NotNow, nil
	case !s.clock.Now().Before(a.Deadline):
		return acquiring.TooLate, nil
	}
	return acquiring.Accepted, nil
}
