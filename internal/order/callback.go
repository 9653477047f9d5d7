package order

import (
	"context"
	"errors"
	"log/slog"

	"servery/internal/db"
	"servery/internal/pay"
	"servery/internal/site"
)

// Callback takes what an acquirer sends by itself to an account of the brand, and gives
// what it is to be answered, after all that follows was committed. One that is not the
// acquirer's own changes nothing.
func (s *Service) Callback(ctx context.Context, brand *site.Site, account string, c pay.Callback) pay.Reply {
	a, ok := s.accounts.Find(brand.Alias, account)
	if !ok {
		return pay.PlainReply(pay.Unwelcome)
	}
	notice, err := a.Verify(ctx, c)
	if err != nil {
		s.log.WarnContext(ctx, "a callback was refused", slog.String("site", brand.Alias), slog.String("account", account),
			slog.String("sender", c.Sender.String()), slog.Any("error", err))
		return pay.ReplyTo(err)
	}
	if notice.Ignored {
		return notice.Answer(pay.Accepted)
	}
	verdict, err := s.heard(context.WithoutCancel(ctx), brand, account, notice.Event)
	if err != nil {
		s.log.ErrorContext(ctx, "a callback could not be applied", slog.String("site", brand.Alias), slog.String("account", account),
			slog.String("payment_id", string(notice.Event.ID)), slog.Any("error", err))
		verdict = pay.TryAgain
	}
	return notice.Answer(verdict)
}

// heard applies a genuine event to the payment that it names, which must be of the account
// that it came to.
func (s *Service) heard(ctx context.Context, brand *site.Site, account string, e pay.Event) (pay.Verdict, error) {
	p, err := loadPayment(ctx, s.db.Read(), e.ID)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return pay.NotKnown, nil
	case err != nil:
		return pay.TryAgain, err
	case p.Site != brand.Alias || p.Account != account:
		return pay.NotKnown, nil
	case e.State == pay.Asked:
		return s.mayGoOn(ctx, p, e)
	}
	if _, err := s.believe(ctx, p, e); err != nil {
		return pay.TryAgain, err
	}
	return pay.Accepted, nil
}

// mayGoOn answers an acquirer that asks whether a payment may go on.
func (s *Service) mayGoOn(ctx context.Context, p Payment, e pay.Event) (pay.Verdict, error) {
	o, err := load(ctx, s.db.Read(), p.OrderID)
	switch {
	case err != nil:
		return pay.TryAgain, err
	case e.Sum != p.Sum:
		return pay.WrongSum, nil
	case o.State != WaitingForPayment || !p.IsLive():
		return pay.NotNow, nil
	case !s.clock.Now().Before(p.Deadline):
		return pay.TooLate, nil
	}
	return pay.Accepted, nil
}
