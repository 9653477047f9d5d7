package cart

import (
	"context"
	"time"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/guess"
	"servery/internal/money"
	"servery/internal/visit"
)

// AddGift adds one more of a gift; see [Cart.AddGift].
func (s *Service) AddGift(ctx context.Context, v visit.Context, p PlaceRequest, giftID int64) (Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"add gift", p, giftID}, func(ctx context.Context, c Cart, loader *factLoader) (Cart, error) {
		at, err := loader.loadPricing(ctx, c)
		if err != nil {
			return c, err
		}
		return c.AddGift(giftID, at.place, at.menu, at.facts, v.Lang, v.Now)
	})
}

// RemoveGift removes one of a gift; see [Cart.RemoveGift]. A notice names a promocode that leaves
// with its gift.
func (s *Service) RemoveGift(ctx context.Context, v visit.Context, p PlaceRequest, giftID int64) (Quoted, error) {
	return s.removeGiftWith(ctx, v, p, giftID, "remove gift", Cart.RemoveGift)
}

// ForgetGift removes a gift from the cart; see [Cart.ForgetGift]. A notice names a promocode that
// leaves with its gift.
func (s *Service) ForgetGift(ctx context.Context, v visit.Context, p PlaceRequest, giftID int64) (Quoted, error) {
	return s.removeGiftWith(ctx, v, p, giftID, "forget gift", Cart.ForgetGift)
}

// removeGiftWith removes a gift from the cart by the function take; change names the call.
func (s *Service) removeGiftWith(
	ctx context.Context, v visit.Context, p PlaceRequest, id int64, change string, take func(c Cart, id int64, menu *catalog.Menu) Cart,
) (Quoted, error) {
	lostCode := ""
	q, err := s.updateAtPlace(ctx, v, p, request{change, p, id}, func(_ context.Context, c Cart, loader *factLoader) (Cart, error) {
		changed := take(c, id, MenuOf(v, c, loader.city))
		if lostCode = ""; changed.Promocode == "" {
			lostCode = c.Promocode
		}
		return changed, nil
	})
	if err != nil || lostCode == "" {
		return q, err
	}
	g, _ := q.Menu.Gift(id) // the code gave it
	args := fault.Args{"code": lostCode, "name": q.nameOf(g, v.Lang)}
	q.Notices = append(q.Notices, fault.Message{Key: "cart.promocode_left", Args: args})
	return q, nil
}

// AddPresent adds one more of the customer's own present; see [Cart.AddPresent].
func (s *Service) AddPresent(ctx context.Context, v visit.Context, p PlaceRequest, id int64) (Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"add present", p, id}, func(ctx context.Context, c Cart, loader *factLoader) (Cart, error) {
		at, err := loader.loadPricing(ctx, c)
		if err != nil {
			return c, err
		}
		return c.AddPresent(id, at.place, at.menu, at.facts, v.Lang, v.Now)
	})
}

// RemovePresent removes one of a present; see [Cart.RemovePresent].
func (s *Service) RemovePresent(ctx context.Context, v visit.Context, p PlaceRequest, id int64) (Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"remove present", p, id}, func(_ context.Context, c Cart, _ *factLoader) (Cart, error) {
		return c.RemovePresent(id), nil
	})
}

// ApplyPromocode puts a promocode into the cart in place of another; see [Cart.ApplyPromocode]. The
// number of codes that do not exist is limited: beyond the limit of the visitor's own session it
// returns cart.too_many_codes (TooMany) at promocode, and beyond that of the address or the site
// cart.captcha (Invalid) at captcha_user_token, or cart.codes_paused (TooMany) at promocode where
// there is no captcha. Codes that several visitors have applied keep working.
func (s *Service) ApplyPromocode(ctx context.Context, v visit.Context, p PlaceRequest, code string) (Quoted, error) {
	code = catalog.NormalCode(code)
	secret := v.Site.Alias + " " + code
	g := guess.Guess{
		CustomerID: v.CustomerID, SessionID: v.SessionID, Site: v.Site.Alias, Address: v.Caller.Address,
		PassesShared: v.Caller.PassedCaptcha || s.known.Has(secret),
	}
	if wait, by := s.codes.Attempt(g, v.Now); by != guess.Unbound {
		return Quoted{}, refuseGuess(v, by, wait)
	}
	exists := true
	q, err := s.updateAtPlace(ctx, v, p, request{"apply promocode", p, code}, func(ctx context.Context, c Cart, loader *factLoader) (Cart, error) {
		asked := c
		asked.Promocode = code
		at, err := loader.loadPricing(ctx, asked)
		if err != nil {
			return c, err
		}
		_, exists = at.menu.Promocode(code)
		return c.ApplyPromocode(code, at.place, at.menu, at.facts, v.Lang, v.Now)
	})
	if exists {
		s.codes.Succeed(g)
	} else {
		s.codes.Fail(g, v.Now)
	}
	if exists && err == nil {
		s.known.Add(secret, v.SessionID)
	}
	return q, err
}

// codesPerSite is how many codes of new visitors at a site may be wrong in ten minutes.
const codesPerSite = 100

func codeLimits() guess.Limits {
	l := guess.Default()
	l.PerSite = codesPerSite
	return l
}

// refuseGuess returns the fault for a visitor whose code is not checked because of a limit on
// guesses.
func refuseGuess(v visit.Context, by guess.Bound, wait time.Duration) error {
	if by == guess.Shared && v.Caller.HasCaptcha {
		return fault.New(fault.Invalid, "cart.captcha", fault.Field("captcha_user_token", "cart.captcha"))
	}
	reason := "cart.too_many_codes"
	if by == guess.Shared {
		reason = "cart.codes_paused"
	}
	return fault.New(fault.TooMany, reason, fault.RetryAfter(wait), fault.Field("promocode", reason))
}

// ForgetPromocode removes the promocode from the cart.
func (s *Service) ForgetPromocode(ctx context.Context, v visit.Context, p PlaceRequest) (Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"forget promocode", p, nil}, func(_ context.Context, c Cart, _ *factLoader) (Cart, error) {
		return c.ForgetPromocode(), nil
	})
}

// ApplyBonuses pays with at most this many bonuses; see [Cart.ApplyBonuses].
func (s *Service) ApplyBonuses(ctx context.Context, v visit.Context, p PlaceRequest, most money.Amount) (Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"apply bonuses", p, most}, func(ctx context.Context, c Cart, loader *factLoader) (Cart, error) {
		at, err := loader.loadPricing(ctx, c)
		if err != nil {
			return c, err
		}
		return c.ApplyBonuses(most, at.place, at.menu, at.facts, v.Lang, v.Now)
	})
}
