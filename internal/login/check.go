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

// Attempt is a code as a browser sends it. It prints without the code.
type Attempt struct {
	Site *site.Site
	// Token is the session's.
	Token string
	Code  string
	// Device is the secret of a browser that has signed in before, empty for none.
	Device string
}

// String returns "attempt", so that no text contains the code.
func (Attempt) String() string { return "attempt" }

// GoString returns "attempt", so that %#v prints nothing of the code.
func (Attempt) GoString() string { return "attempt" }

// LogValue returns "attempt", so that no log contains the code.
func (Attempt) LogValue() slog.Value { return slog.StringValue("attempt") }

var errCodeDead = fault.New(fault.Invalid, "login.code_dead", fault.Field("code", "login.code_dead"))

// Check signs in by a code: it finds or creates the phone's customer, and the session becomes
// theirs as by [customer.Sessions.SignInAs], with join in the same transaction. It returns the
// secret of the device for its cookie: the one that was sent, or a new one.
//
// An attempt counts before the code is verified, so that of any number of concurrent attempts at
// most five count. Where the provider verifies the codes, it is called outside of any transaction.
//
// Faults, all at code: login.wrong_code (Invalid) with the attempts left; login.code_dead (Invalid)
// for a code that was used, is too old, has no attempt left or was requested by another browser;
// login.too_many (TooMany) when the phone has had too many wrong codes; login.not_checked
// (Unavailable) when the provider does not answer: that attempt does not count.
func (s *Service) Check(
	ctx context.Context, t Attempt, join func(*db.Tx, customer.Rotated) error,
) (in customer.SignedIn, device string, err error) {
	now := s.clock.Now()
	c, err := s.activeChallenge(ctx, t, now)
	if err != nil {
		return customer.SignedIn{}, "", err
	}
	code := phone.Digits(t.Code)
	if c.ref == "" && len(code) != c.codeLength {
		return customer.SignedIn{}, "", s.wrongCode(c) // no attempt counts: it cannot be right
	}
	if c, err = s.useAttempt(ctx, c, now); err != nil {
		return customer.SignedIn{}, "", err
	}
	isRight, err := s.verifyCode(ctx, c, code)
	if err != nil {
		s.metrics.checks.WithLabelValues(c.site, "unknown").Inc()
		return customer.SignedIn{}, "", s.uncountAttempt(ctx, c, err)
	}
	if !isRight {
		s.metrics.checks.WithLabelValues(c.site, "wrong").Inc()
		return customer.SignedIn{}, "", s.wrongCode(c)
	}
	in, err = s.sessions.SignInAs(ctx, c.site, t.Token, func(tx *db.Tx) (id int64, err error) {
		id, device, err = s.completeSignIn(ctx, tx, c, t.Device, now)
		return id, err
	}, join)
	if err != nil {
		return customer.SignedIn{}, "", err
	}
	s.metrics.checks.WithLabelValues(c.site, "right").Inc()
	return in, device, nil
}

// activeChallenge returns the code that the browser has requested, or login.code_dead (Invalid)
// when it can no longer be entered. During an alarm only a known device, or a browser that has
// solved the captcha, can enter a code.
func (s *Service) activeChallenge(ctx context.Context, t Attempt, now time.Time) (challenge, error) {
	session, err := s.sessions.Find(ctx, t.Site.Alias, t.Token)
	if err != nil {
		return challenge{}, err
	}
	if session.ID == 0 {
		return challenge{}, errCodeDead
	}
	c, exists, err := lastChallenge(ctx, s.db.Read(), t.Site.Alias, session.ID)
	if err != nil {
		return challenge{}, err
	}
	if !exists || c.used || !c.expiresAt.After(now) || c.attempts >= s.limits.Tries {
		return challenge{}, errCodeDead
	}
	if c.deviceID != 0 || c.captchaPassed {
		return c, nil
	}
	// Codes that were requested before the alarm do not bypass it.
	isAttacked, err := s.updateAlarm(ctx, c.site, now)
	if err == nil && isAttacked {
		s.metrics.checks.WithLabelValues(c.site, "limited").Inc()
		err = errCodeDead
	}
	return c, err
}

// useAttempt counts an attempt against the code and against the budget of the phone, before the
// code is verified. The first attempt also counts in the traffic of the site. It returns the
// challenge with the new number of attempts. Faults: login.code_dead (Invalid) when the code has no
// attempt left, or is shorter than the phone needs by now; login.too_many (TooMany) when the phone has
// had too many wrong codes.
func (s *Service) useAttempt(ctx context.Context, c challenge, now time.Time) (challenge, error) {
	l := s.limits.Wrong
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		tries, isUsable, err := countAttempt(ctx, tx.Q, c.id, s.limits.Tries, now)
		if err != nil {
			return err
		}
		if !isUsable {
			return errCodeDead
		}
		c.attempts = tries
		err = changeBudget(ctx, tx.Q, s.budgetOf(c), now, func(b budget) (budget, error) {
			if wait := b.waitTime(now, l); wait > 0 {
				s.metrics.checks.WithLabelValues(c.site, "limited").Inc()
				return b, refuseTooMany("code", wait)
			}
			// Since this code was sent, the phone may need longer codes: then this one is too easy to guess. Codes
			// of a provider (ref) are never long, so they are refused whenever the phone needs a long one.
			if c.ref != "" && b.needsLongCode(now, l) || b.codeLength(now, c.codeLength, l) > c.codeLength {
				return b, errCodeDead
			}
			return b.countWrong(now, l), nil
		})
		if err != nil || tries > 1 {
			return err
		}
		// Of each code only the first attempt is in the traffic of the site.
		return addTraffic(ctx, tx.Q, c.site, siteScope, hourOf(c.createdAt), trafficCounts{checked: 1, wrong: 1})
	})
	return c, err
}

// verifyCode reports whether a code is right. It compares hashes in constant time, or calls the
// provider where that verifies its codes. It reports false when the site no longer uses that provider.
// An error means that the provider has not answered.
func (s *Service) verifyCode(ctx context.Context, c challenge, code string) (bool, error) {
	if c.ref == "" {
		h := codeHash(s.secret, c.salt, code)
		return subtle.ConstantTimeCompare(h[:], c.codeHash) == 1, nil
	}
	for _, sender := range s.senders.Senders(c.site, c.channel) {
		if checker, ok := sender.(notify.Checker); ok && sender.Name() == c.sender {
			ctx, cancel := context.WithTimeout(ctx, s.sendTimeout)
			defer cancel()
			return checker.Check(ctx, c.ref, c.phone, code)
		}
	}
	return false, nil // the site no longer uses the provider
}

// wrongCode returns the fault for a wrong code: login.wrong_code (Invalid) with the attempts left,
// or login.code_dead when none is left.
func (s *Service) wrongCode(c challenge) error {
	attemptsLeft := s.limits.Tries - c.attempts
	if attemptsLeft <= 0 {
		return errCodeDead
	}
	return fault.New(fault.Invalid, "common.invalid", fault.Field("code", "login.wrong_code", fault.Args{"count": attemptsLeft}))
}

// uncountAttempt takes back the count of an attempt that the provider has not answered, from the
// code, the phone and the site. It returns login.not_checked (Unavailable).
func (s *Service) uncountAttempt(ctx context.Context, c challenge, cause error) error {
	ctx = context.WithoutCancel(ctx) // the count is taken back even when the browser is gone
	now := s.clock.Now()
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := uncountAttempt(ctx, tx.Q, c.id); err != nil {
			return err
		}
		err := changeBudget(ctx, tx.Q, s.budgetOf(c), now, func(b budget) (budget, error) { return b.uncountWrong(now), nil })
		if err != nil || c.attempts > 1 {
			return err // only the first attempt with a code was counted for the site
		}
		return addTraffic(ctx, tx.Q, c.site, siteScope, hourOf(c.createdAt), trafficCounts{checked: -1, wrong: -1})
	})
	if err != nil {
		return err
	}
	s.log.WarnContext(ctx, "login code not verified", slog.String("site", c.site), slog.String("sender", c.sender), slog.Any("error", cause))
	return fault.New(fault.Unavailable, "login.not_checked", fault.Field("code", "login.not_checked"), fault.Because(cause))
}

// completeSignIn uses the code up, counts the attempt as right instead of wrong, stores the device and
// creates the phone's customer when there is none. It returns the id of the customer and the secret of
// the device, or login.code_dead (Invalid) when the code was used concurrently. It must be called in
// the transaction of the sign-in.
func (s *Service) completeSignIn(ctx context.Context, tx *db.Tx, c challenge, device string, now time.Time) (int64, string, error) {
	isUsable, err := useChallenge(ctx, tx.Q, c.id, now)
	if err != nil {
		return 0, "", err
	}
	if !isUsable {
		return 0, "", errCodeDead
	}
	err = changeBudget(ctx, tx.Q, s.budgetOf(c), now, func(b budget) (budget, error) { return b.countRight(now), nil })
	if err != nil {
		return 0, "", err
	}
	for _, scope := range scopesOf(c.phone) {
		count := trafficCounts{passed: 1}
		if scope == siteScope {
			count.wrong = -1 // the first attempt with the code was counted as wrong there
		}
		if err := addTraffic(ctx, tx.Q, c.site, scope, hourOf(c.createdAt), count); err != nil {
			return 0, "", err
		}
	}
	if device, err = s.RememberDevice(ctx, tx, c.site, c.phone, device); err != nil {
		return 0, "", err
	}
	owner, err := s.customers.FindOrCreate(ctx, tx, c.site, c.phone, c.name)
	return owner.ID, device, err
}
