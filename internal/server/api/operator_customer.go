package api

import (
	"context"

	"servery/internal/bonus"
	"servery/internal/catalog"
	"servery/internal/customer"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/phone"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// findNamedCustomer finds the customer that an operator's call names, and creates one when the phone
// is new. Faults: catalog.unknown_site (NotFound), those of [phone.ParseFull] at phone.
func (s *Server) findNamedCustomer(ctx context.Context, alias, number string) (customer.Customer, *site.Site, error) {
	brand, ok := s.Catalog.Current().Sites.ByAlias(alias)
	if !ok {
		return customer.Customer{}, nil, fault.New(fault.NotFound, "catalog.unknown_site")
	}
	digits, err := phone.ParseFull(number, brand)
	if err != nil {
		return customer.Customer{}, nil, fault.New(fault.Invalid, "common.invalid", fault.Field("phone", fault.KeyOf(err)))
	}
	found, err := s.Customers.ByPhone(ctx, brand.Alias, digits)
	return found, brand, err
}

// OperatorMakeSignInLink is POST /operator/customers/sign-in-link.
func (s *Server) OperatorMakeSignInLink(
	ctx context.Context, req wire.OperatorMakeSignInLinkRequestObject,
) (wire.OperatorMakeSignInLinkResponseObject, error) {
	who, brand, err := s.findNamedCustomer(ctx, req.Body.Site, req.Body.Phone)
	if err != nil {
		return nil, err
	}
	link, err := s.Customers.MakeLink(ctx, brand.Alias, who.ID)
	return wire.OperatorMakeSignInLink200JSONResponse{
		CustomerID: who.ID, URL: signInLinkPath + link.Token, ExpiresAt: link.ExpiresAt,
	}, err
}

// OperatorGiveBonuses is POST /operator/customers/bonuses.
func (s *Server) OperatorGiveBonuses(
	ctx context.Context, req wire.OperatorGiveBonusesRequestObject,
) (wire.OperatorGiveBonusesResponseObject, error) {
	who, brand, err := s.findNamedCustomer(ctx, req.Body.Site, req.Body.Phone)
	if err != nil {
		return nil, err
	}
	currency, ok := currencyOf(brand, valueOf(req.Body.Currency), who.Phone)
	if !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("currency", "common.not_allowed"))
	}
	account := bonus.Account{CustomerID: who.ID, Currency: currency}
	balance, err := s.Bonuses.Give(ctx, account, req.Body.Key, req.Body.Bonuses)
	return wire.OperatorGiveBonuses200JSONResponse{
		CustomerID: who.ID, Balance: balance, Currency: currency.Code,
	}, err
}

// currencyOf returns a currency that the brand sells in: the one with the code or, without a
// code, that of the phone's country.
func currencyOf(brand *site.Site, code, number string) (money.Currency, bool) {
	country := phone.Country(number)
	for _, city := range brand.Cities {
		if city.Currency.Code == code || code == "" && city.CountryCode == country {
			return city.Currency, true
		}
	}
	return money.Currency{}, false
}

// OperatorGivePresent is POST /operator/customers/presents.
func (s *Server) OperatorGivePresent(
	ctx context.Context, req wire.OperatorGivePresentRequestObject,
) (wire.OperatorGivePresentResponseObject, error) {
	b := req.Body
	brand, ok := s.Catalog.Current().Sites.ByAlias(b.Site)
	if !ok {
		return nil, fault.New(fault.NotFound, "catalog.unknown_site")
	}
	gift, ok := s.findGift(brand, b.Gift)
	if !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("gift", "customer.unknown_gift"))
	}
	who, _, err := s.findNamedCustomer(ctx, b.Site, b.Phone)
	if err != nil {
		return nil, err
	}
	id, err := s.Customers.Give(ctx, brand.Alias, who.ID, b.Key, customer.Present{
		GiftID: gift.ID, Count: oneOr(b.Count), ExpiresAt: valueOf(b.ExpiresAt),
	})
	return wire.OperatorGivePresent200JSONResponse{CustomerID: who.ID, ID: id}, err
}

// findGift finds a findGift of a brand by its alias, whichever city knows it.
func (s *Server) findGift(brand *site.Site, alias string) (*catalog.Gift, bool) {
	snapshot, now := s.Catalog.Current(), s.clock.Now()
	for _, city := range brand.Cities {
		for _, orderType := range site.OrderTypes() {
			if gift, ok := snapshot.Menu(brand, city, orderType, 0, now).GiftByAlias(alias); ok {
				return gift, true
			}
		}
	}
	return nil, false
}
