package orders

import (
	"time"

	"servery/internal/cart"
	"servery/internal/fault"
	"servery/internal/guess"
	"servery/internal/limit"
	"servery/internal/visit"
)

// phoneLimits are how many orders of guests may be refused that show what a phone has ordered. A mobile network has
// thousands of guests behind one address, some of whom are refused because a price or a time has changed.
var phoneLimits = guess.Limits{PerSession: 10, PerAddress: 100}

// phoneGuess counts one try of a guest to order with a phone that nothing proves to be theirs. Prices that depend on
// what the phone has ordered show it by any refusal: of a total that does not match, and of what is wrong beside one
// that does.
type phoneGuess struct {
	limiter    *guess.Limiter // nil for a customer and without limits on guests: nothing is counted then
	guess      guess.Guess
	hasCaptcha bool // whether a captcha may lift the limit of the address
	now        time.Time
	isCounted  bool
}

// newPhoneGuess returns the guess that an order of the visitor is.
func (s *Service) newPhoneGuess(v visit.Context) *phoneGuess {
	if v.CustomerID != 0 || s.limits == (limit.Limits{}) {
		return &phoneGuess{}
	}
	guessed := guess.Guess{SessionID: v.SessionID, Address: v.Caller.Address, PassesShared: v.Caller.PassedCaptcha}
	return &phoneGuess{limiter: s.phones, guess: guessed, hasCaptcha: v.Caller.HasCaptcha, now: v.Now}
}

// attempt must be called before anything that depends on the prices is shown. It counts the guess as wrong, once,
// when the prices depend on the phone. After too many of the session or the address it returns order.captcha
// (Invalid) at captcha_user_token where a captcha may lift the limit of the address, else order.too_many_lookups (TooMany).
func (g *phoneGuess) attempt(q cart.Quoted) error {
	if g.limiter == nil || g.isCounted || !q.DependsOnPhone() {
		return nil
	}
	wait, by := g.limiter.Attempt(g.guess, g.now)
	switch {
	case by == guess.Shared && g.hasCaptcha:
		return fault.New(fault.Invalid, "order.captcha", fault.Field("captcha_user_token", "order.captcha"))
	case by != guess.Unbound:
		return fault.New(fault.TooMany, "order.too_many_lookups", fault.RetryAfter(wait))
	}
	g.isCounted = true
	return nil
}

// succeed takes the count back: the order was placed, which has limits of its own.
func (g *phoneGuess) succeed() {
	if g.isCounted {
		g.limiter.Succeed(g.guess)
	}
}
