package order

import (
	"context"
	"errors"
	"log/slog"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/site"
)

// Callback takes what an acquirer sends by itself to an account of the brand, and gives
// what it is to be answered, after all that follows was committed. One that is not the
// acquirer's own changes nothing.
func (s *Service) Callback(ctx context.Context, brand *site.Site, account string, c acquiring.Callback) acquiring.Reply {
	a, ok := s.accounts.Find(brand.Alias, account)
	if !ok {
		return acquiring.PlainReply(acquiring.Unwelcome)
	}
	notice, err := a.Verify(ctx, c)
	if err != nil {
		s.log.WarnContext(ctx, "a callback was refused", slog.String("site", brand.Alias), slog.String("account", account),
			slog.String("sender", c.Sender.String()), slog.Any("error", err))
		return acquiring.ReplyTo(err)
	}
	if notice.Ignored {
		return notice.Answer(acquiring.Accepted)
	}
	verdict, err := s.heard(context.WithoutCancel(ctx), brand, account, notice.Event)
	if err != nil {
		s.log.ErrorContext(ctx, "a callback could not be applied", slog.String("site", brand.Alias), slog.String("account", account),
			slog.String("payment_id", string(notice.Event.ID)), slog.Any("error", err))
		verdict = acquiring.TryAgain
	}
	return notice.Answer(verdict)
}

// heard applies a genuine event to the payment that it names, which must be of the account
// that it came to.
func (s *Service) heard(ctx context.Context, brand *site.Site, account string, e acquiring.Event) (acquiring.Verdict, error) {
	p, err := loadPayment(ctx, s.db.Read(), e.ID)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return acquiring.NotKnown, nil
	case err != nil:
		return acquiring.TryAgain, err
	case p.Site != brand.Alias || p.Account != account:
		return acquiring.NotKnown, nil
	case e.State == acquiring.Asked:
		return s.mayGoOn(ctx, p, e)
	}
	if _, err := s.believe(ctx, p, e); err != nil {
		return acquiring.TryAgain, err
	}
	return acquiring.Accepted, nil
}

// mayGoOn answers an acquirer that asks whether a payment may go on.
func (s *Service) mayGoOn(ctx context.Context, p Payment, e acquiring.Event) (acquiring.Verdict, error) {
	o, err := load(ctx, s.db.Read(), p.OrderID)
	switch {
	case err != nil:
		return acquiring.TryAgain, err
	case e.Sum != p.Sum:
		return acquiring.WrongSum, nil
	case o.State != WaitingForPayment || !p.IsLive():
		return acquiring.NotNow, nil
	case !s.clock.Now().Before(p.Deadline):
		return acquiring.TooLate, nil
	}
	return acquiring.Accepted, nil
}
