package login

import (
	"context"
	"crypto/subtle"
	"log/slog"
	"time"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/notify"
	"servery/internal/phone"
	"servery/internal/site"
)

// Telling is a code as a browser tells it. It prints without the code.
type Telling struct {
	Site *site.Site
	// Token is the session's.
	Token string
	Code  string
	// Device is the secret of a browser that has signed in before, empty for none.
	Device string
}

// String gives nothing of the code.
func (Telling) String() string { return "telling" }

// GoString gives nothing of the code.
func (Telling) GoString() string { return "telling" }

// LogValue gives nothing of the code.
func (Telling) LogValue() slog.Value { return slog.StringValue("telling") }

var errCodeDead = fault.New(fault.Invalid, "login.code_dead", fault.Field("code", "login.code_dead"))

// Check signs in by a code: the phone's customer is found or made, and the session becomes
// his as [customer.Sessions.SignInAs] says, with join in the same transaction. It gives the
// device's secret for its cookie: the one that was sent, else a new one.
//
// A try counts before the code is looked at, so that of any number at once no more than
// five count. Where the provider checks the codes it is asked outside of any transaction.
//
// Faults, all at code: login.wrong_code (Invalid) with the tries left; login.code_dead
// (Invalid) for one that was used, is too old, had its tries or was asked for by another
// browser; login.too_many (TooMany) when the phone has had too many wrong codes;
// login.not_checked (Unavailable) when the provider does not say whether the code is right:
// the try does not count then, since nothing was learned by it.
func (s *Service) Check(
	ctx context.Context, t Telling, join func(*db.Tx, customer.Taken) error,
) (in customer.SignedIn, device string, err error) {
	now := s.clock.Now()
	c, err := s.toldOf(ctx, t, now)
	if err != nil {
		return customer.SignedIn{}, "", err
	}
	code := phone.Digits(t.Code)
	if c.ref == "" && len(code) != c.codeLength {
		return customer.SignedIn{}, "", s.wrong(c) // it cannot be right, and teaches nothing
	}
	if c, err = s.takeTry(ctx, c, now); err != nil {
		return customer.SignedIn{}, "", err
	}
	right, err := s.isRight(ctx, c, code)
	if err != nil {
		s.metrics.checks.WithLabelValues(c.site, "unknown").Inc()
		return customer.SignedIn{}, "", s.notChecked(ctx, c, err)
	}
	if !right {
		s.metrics.checks.WithLabelValues(c.site, "wrong").Inc()
		return customer.SignedIn{}, "", s.wrong(c)
	}
	in, err = s.sessions.SignInAs(ctx, c.site, t.Token, func(tx *db.Tx) (id int64, err error) {
		id, device, err = s.arrive(ctx, tx, c, t.Device, now)
		return id, err
	}, join)
	if err != nil {
		return customer.SignedIn{}, "", err
	}
	s.metrics.checks.WithLabelValues(c.site, "right").Inc()
	return in, device, nil
}

// toldOf finds the code that the browser was asked for, if it can still be told.
func (s *Service) toldOf(ctx context.Context, t Telling, now time.Time) (challenge, error) {
	session, err := s.sessions.Find(ctx, t.Site.Alias, t.Token)
	if err != nil {
		return challenge{}, err
	}
	if session.ID == 0 {
		return challenge{}, errCodeDead
	}
	c, ok, err := lastChallenge(ctx, s.db.Read(), t.Site.Alias, session.ID)
	if err != nil {
		return challenge{}, err
	}
	if !ok || c.used || !c.expiresAt.After(now) || c.tries >= s.limits.Tries {
		return challenge{}, errCodeDead
	}
	if c.deviceID != 0 || c.captchaPassed {
		return c, nil
	}
	// Codes that were asked for before the alarm are no way around it.
	alarmed, err := s.alarmed(ctx, c.site, now)
	if err == nil && alarmed {
		s.metrics.checks.WithLabelValues(c.site, "limited").Inc()
		err = errCodeDead
	}
	return c, err
}

// takeTry takes one of the code's tries and one of the phone's.
func (s *Service) takeTry(ctx context.Context, c challenge, now time.Time) (challenge, error) {
	l := s.limits.Wrong
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		tries, ok, err := takeTry(ctx, tx.Q, c.id, s.limits.Tries, now)
		if err != nil {
			return err
		}
		if !ok {
			return errCodeDead
		}
		c.tries = tries
		err = changeBudget(ctx, tx.Q, s.budgetOf(c), now, func(b budget) (budget, error) {
			if wait := b.wait(now, l); wait > 0 {
				s.metrics.checks.WithLabelValues(c.site, "limited").Inc()
				return b, tooMany("code", wait)
			}
			// A code that was sent before they had to be longer is too easy to guess by now.
			if c.ref != "" && b.codeLength(now, 0, l) > 0 || b.codeLength(now, c.codeLength, l) > c.codeLength {
				return b, errCodeDead
			}
			return b.take(now, l), nil
		})
		if err != nil || tries > 1 {
			return err
		}
		return addTraffic(ctx, tx.Q, c.site, "", hourOf(c.createdAt), counted{checked: 1, wrong: 1})
	})
	return c, err
}

// isRight compares in a time that does not tell how much of the code is right, or asks the
// provider. An error means that nobody knows.
func (s *Service) isRight(ctx context.Context, c challenge, code string) (bool, error) {
	if c.ref == "" {
		h := codeHash(s.secret, c.salt, code)
		return subtle.ConstantTimeCompare(h[:], c.codeHash) == 1, nil
	}
	for _, sender := range s.senders.Senders(c.site, c.channel) {
		if checker, ok := sender.(notify.Checker); ok && sender.Name() == c.sender {
			ctx, cancel := context.WithTimeout(ctx, s.tryTime)
			defer cancel()
			return checker.Check(ctx, c.ref, c.phone, code)
		}
	}
	return false, nil // the site has parted with the provider
}

func (s *Service) wrong(c challenge) error {
	left := s.limits.Tries - c.tries
	if left <= 0 {
		return errCodeDead
	}
	return fault.New(fault.Invalid, "common.invalid", fault.Field("code", "login.wrong_code", fault.Args{"count": left}))
}

// notChecked gives the try back.
func (s *Service) notChecked(ctx context.Context, c challenge, cause error) error {
	ctx = context.WithoutCancel(ctx)
	now := s.clock.Now()
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := giveBackTry(ctx, tx.Q, c.id); err != nil {
			return err
		}
		err := changeBudget(ctx, tx.Q, s.budgetOf(c), now, func(b budget) (budget, error) { return b.giveBack(now), nil })
		if err != nil || c.tries > 1 {
			return err
		}
		return addTraffic(ctx, tx.Q, c.site, "", hourOf(c.createdAt), counted{checked: -1, wrong: -1})
	})
	if err != nil {
		return err
	}
	s.log.WarnContext(ctx, "a code could not be checked", slog.String("site", c.site), slog.String("sender", c.sender), slog.Any("error", cause))
	return fault.New(fault.Unavailable, "login.not_checked", fault.Field("code", "login.not_checked"), fault.Because(cause))
}

// arrive uses the code up and gives the customer whose phone it proved.
func (s *Service) arrive(ctx context.Context, tx *db.Tx, c challenge, device string, now time.Time) (int64, string, error) {
	ok, err := useChallenge(ctx, tx.Q, c.id, now)
	if err != nil {
		return 0, "", err
	}
	if !ok {
		return 0, "", errCodeDead
	}
	err = changeBudget(ctx, tx.Q, s.budgetOf(c), now, func(b budget) (budget, error) { return b.right(now), nil })
	if err != nil {
		return 0, "", err
	}
	scopes := scopesOf(c.phone)
	for i, scope := range scopes {
		count := counted{passed: 1}
		if i == len(scopes)-1 {
			count.wrong = -1 // its first try was counted as wrong
		}
		if err := addTraffic(ctx, tx.Q, c.site, scope, hourOf(c.createdAt), count); err != nil {
			return 0, "", err
		}
	}
	if device, err = s.Remember(ctx, tx, c.site, c.phone, device); err != nil {
		return 0, "", err
	}
	who, err := s.customers.Arrive(ctx, tx, c.site, c.phone, c.name)
	return who.ID, device, err
}
