package carts

import (
	"context"
	"time"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/guess"
	"servery/internal/money"
	"servery/internal/visit"
)

// AddGift adds one more of a gift to the visitor's cart, saves it and returns it with its
// prices. It returns an Invalid fault at gift when the gift is not offered, not earned or in the
// cart as often as it may be, and a Conflict with the fresh cart when it has run out or is
// stopped.
func (s *Service) AddGift(ctx context.Context, v visit.Context, p cart.PlaceRequest, giftID int64) (cart.Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"add gift", p, giftID}, func(ctx context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		in, err := loader.loadPricing(ctx, c)
		if err != nil {
			return c, err
		}
		return c.AddGift(giftID, in.place, in.menu, in.facts, v.Lang, v.Now)
	})
}

// RemoveGift removes one of a gift from the visitor's cart, saves it and returns it with its
// prices. When the gift comes from the promocode, the promocode is removed too, and a notice says
// so. A gift that is not in the cart is no fault.
func (s *Service) RemoveGift(ctx context.Context, v visit.Context, p cart.PlaceRequest, giftID int64) (cart.Quoted, error) {
	return s.removeGiftWith(ctx, v, p, giftID, "remove gift", cart.Cart.RemoveGift)
}

// ForgetGift removes a gift from the visitor's cart, whatever its count, saves the cart and
// returns it with its prices. When the gift comes from the promocode, the promocode is removed
// too, and a notice says so.
func (s *Service) ForgetGift(ctx context.Context, v visit.Context, p cart.PlaceRequest, giftID int64) (cart.Quoted, error) {
	return s.removeGiftWith(ctx, v, p, giftID, "forget gift", cart.Cart.ForgetGift)
}

// removeGiftWith removes a gift from the visitor's cart by the function remove, saves the cart and
// returns it with its prices. change names the call in its request hash. When remove has also
// removed the promocode, a notice says so.
func (s *Service) removeGiftWith(
	ctx context.Context, v visit.Context, p cart.PlaceRequest, id int64, change string, remove func(c cart.Cart, id int64, menu *catalog.Menu) cart.Cart,
) (cart.Quoted, error) {
	lostCode := ""
	q, err := s.updateAtPlace(ctx, v, p, request{change, p, id}, func(_ context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		changed := remove(c, id, cart.MenuOf(v, c, loader.city))
		lostCode = "" // an earlier attempt may have set it
		if changed.Promocode == "" {
			lostCode = c.Promocode
		}
		return changed, nil
	})
	if err != nil || lostCode == "" {
		return q, err
	}
	g, _ := q.Menu.Gift(id) // it is in the menu, or the code would not have had it
	args := fault.Args{"code": lostCode, "name": q.NameOf(g, v.Lang)}
	q.Notices = append(q.Notices, fault.Message{Key: "cart.promocode_left", Args: args})
	return q, nil
}

// AddPresent adds one more of the customer's own present to the cart, saves it and returns it
// with its prices. It returns an Invalid fault at present when it is not the customer's, not
// earned or in the cart as often as it may be, and a Conflict with the fresh cart when it is
// used up, expired or stopped.
func (s *Service) AddPresent(ctx context.Context, v visit.Context, p cart.PlaceRequest, id int64) (cart.Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"add present", p, id}, func(ctx context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		in, err := loader.loadPricing(ctx, c)
		if err != nil {
			return c, err
		}
		return c.AddPresent(id, in.place, in.menu, in.facts, v.Lang, v.Now)
	})
}

// RemovePresent removes one of a present from the visitor's cart, saves it and returns it with
// its prices. A present that is not in the cart is no fault.
func (s *Service) RemovePresent(ctx context.Context, v visit.Context, p cart.PlaceRequest, id int64) (cart.Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"remove present", p, id}, func(_ context.Context, c cart.Cart, _ *factLoader) (cart.Cart, error) {
		return c.RemovePresent(id), nil
	})
}

// ApplyPromocode puts a promocode into the visitor's cart in place of its former one, saves it
// and returns it with its prices. It returns an Invalid fault at promocode for an unknown code and
// for a bound that does not hold; the message then says what is missing.
//
// Guesses of codes that do not exist are limited. Beyond the limit of the session it returns
// cart.too_many_codes (TooMany) at promocode. Beyond the limit of the address or the site it
// returns cart.captcha (Invalid) at captcha_user_token, or cart.codes_paused (TooMany) at
// promocode where there is no captcha. A code that several visitors have applied already is not
// bound by the limits of address and site.
func (s *Service) ApplyPromocode(ctx context.Context, v visit.Context, p cart.PlaceRequest, code string) (cart.Quoted, error) {
	code = catalog.NormalCode(code)
	secret := v.Site.Alias + " " + code
	g := guess.Guess{
		CustomerID: v.CustomerID, SessionID: v.SessionID, Site: v.Site.Alias, Address: v.Caller.Address,
		PassesShared: v.Caller.PassedCaptcha || s.codesEntered.IsPublic(secret),
	}
	if wait, refusedBy := s.codes.Attempt(g, v.Now); refusedBy != guess.Unbound {
		return cart.Quoted{}, refuseGuess(v, refusedBy, wait)
	}
	exists := true // a call that fails before the code is looked up is no wrong guess
	q, err := s.updateAtPlace(ctx, v, p, request{"apply promocode", p, code}, func(ctx context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		withCode := c
		withCode.Promocode = code
		in, err := loader.loadPricing(ctx, withCode)
		if err != nil {
			return c, err
		}
		_, exists = in.menu.Promocode(code)
		return c.ApplyPromocode(code, in.place, in.menu, in.facts, v.Lang, v.Now)
	})
	if exists {
		s.codes.Succeed(g)
	} else {
		s.codes.Fail(g, v.Now)
	}
	if exists && err == nil {
		s.codesEntered.Add(secret, v.SessionID)
	}
	return q, err
}

// codesPerSite is how many codes may be wrong at a site in ten minutes, of all guests together.
const codesPerSite = 100

// codeLimits returns the limits on guesses of promocodes.
func codeLimits() guess.Limits {
	l := guess.Default()
	l.PerSite = codesPerSite
	return l
}

// refuseGuess returns the fault for a code that is not checked because a limit on guesses
// refuses it: cart.captcha (Invalid) where a captcha may lift a limit of address or site, else a
// TooMany fault that says how long to wait.
func refuseGuess(v visit.Context, refusedBy guess.Bound, wait time.Duration) error {
	if refusedBy == guess.Shared && v.Caller.HasCaptcha {
		return fault.New(fault.Invalid, "cart.captcha", fault.Field("captcha_user_token", "cart.captcha"))
	}
	reason := "cart.too_many_codes"
	if refusedBy == guess.Shared {
		reason = "cart.codes_paused"
	}
	return fault.New(fault.TooMany, reason, fault.RetryAfter(wait), fault.Field("promocode", reason))
}

// ForgetPromocode removes the promocode from the visitor's cart, saves it and returns it with
// its prices.
func (s *Service) ForgetPromocode(ctx context.Context, v visit.Context, p cart.PlaceRequest) (cart.Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{Change: "forget promocode", Place: p}, func(_ context.Context, c cart.Cart, _ *factLoader) (cart.Cart, error) {
		return c.ForgetPromocode(), nil
	})
}

// ApplyBonuses sets the maximum of bonuses to pay with in the visitor's cart, saves it and returns
// it with its prices. 0 is always accepted. It returns an Invalid fault at bonuses for a
// guest and where bonuses cannot be spent.
func (s *Service) ApplyBonuses(ctx context.Context, v visit.Context, p cart.PlaceRequest, maximum money.Amount) (cart.Quoted, error) {
	return s.updateAtPlace(ctx, v, p, request{"apply bonuses", p, maximum}, func(ctx context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		in, err := loader.loadPricing(ctx, c)
		if err != nil {
			return c, err
		}
		return c.ApplyBonuses(maximum, in.place, in.menu, in.facts, v.Lang, v.Now)
	})
}
