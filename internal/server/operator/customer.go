package operator

import (
	"context"

	"servery/internal/bonus"
	"servery/internal/catalog"
	"servery/internal/customer"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/phone"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// signInLinkPath is where the page waits for a sign-in link's token, which stands after #
// so that no server, log or referrer ever sees it.
const signInLinkPath = "/auth/link#"

// findOrCreateCustomer returns the customer of a site with the phone that an operator's call names, and
// the site. When the phone is new there, it creates the customer. Faults: catalog.unknown_site (NotFound),
// those of [phone.ParseFull] at phone.
func (c *Calls) findOrCreateCustomer(ctx context.Context, alias, number string) (customer.Customer, *site.Site, error) {
	brand, ok := c.catalog.Current().Sites.ByAlias(alias)
	if !ok {
		return customer.Customer{}, nil, fault.New(fault.NotFound, "catalog.unknown_site")
	}
	digits, err := phone.ParseFull(number, brand)
	if err != nil {
		return customer.Customer{}, nil, fault.New(fault.Invalid, "common.invalid", fault.Field("phone", fault.KeyOf(err)))
	}
	found, err := c.customers.FindOrCreateByPhone(ctx, brand.Alias, digits)
	return found, brand, err
}

// OperatorMakeSignInLink is POST /operator/customers/sign-in-link: it returns a link that signs in
// the customer with the phone; the link works once. When the phone is new, the customer is created first.
func (c *Calls) OperatorMakeSignInLink(
	ctx context.Context, req wire.OperatorMakeSignInLinkRequestObject,
) (wire.OperatorMakeSignInLinkResponseObject, error) {
	who, brand, err := c.findOrCreateCustomer(ctx, req.Body.Site, req.Body.Phone)
	if err != nil {
		return nil, err
	}
	link, err := c.customers.MakeLink(ctx, brand.Alias, who.ID)
	return wire.OperatorMakeSignInLink200JSONResponse{
		CustomerID: who.ID, URL: signInLinkPath + link.Token, ExpiresAt: link.ExpiresAt,
	}, err
}

// OperatorGiveBonuses is POST /operator/customers/bonuses: it adds bonuses to the account of the customer
// with the phone, or takes some away for a negative number, and returns the balance. A key that was used
// before changes nothing. When the phone is new, the customer is created first.
func (c *Calls) OperatorGiveBonuses(
	ctx context.Context, req wire.OperatorGiveBonusesRequestObject,
) (wire.OperatorGiveBonusesResponseObject, error) {
	who, brand, err := c.findOrCreateCustomer(ctx, req.Body.Site, req.Body.Phone)
	if err != nil {
		return nil, err
	}
	currency, ok := currencyOf(brand, convert.ValueOf(req.Body.Currency), who.Phone)
	if !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("currency", "common.not_allowed"))
	}
	account := bonus.Account{CustomerID: who.ID, Currency: currency}
	balance, err := c.bonuses.Adjust(ctx, account, req.Body.Key, req.Body.Bonuses)
	return wire.OperatorGiveBonuses200JSONResponse{
		CustomerID: who.ID, Balance: balance, Currency: currency.Code,
	}, err
}

// currencyOf returns a currency that the brand sells in: the currency with the code or, without a
// code, of the phone's country. It returns false when the brand does not sell in it.
func currencyOf(brand *site.Site, code, number string) (money.Currency, bool) {
	country := phone.Country(number)
	for _, city := range brand.Cities {
		if city.Currency.Code == code || code == "" && city.CountryCode == country {
			return city.Currency, true
		}
	}
	return money.Currency{}, false
}

// OperatorGivePresent is POST /operator/customers/presents: it creates a present, of a gift of the content,
// for the customer with the phone. A key that was used before creates no second one. When the phone is new,
// the customer is created first.
func (c *Calls) OperatorGivePresent(
	ctx context.Context, req wire.OperatorGivePresentRequestObject,
) (wire.OperatorGivePresentResponseObject, error) {
	b := req.Body
	brand, ok := c.catalog.Current().Sites.ByAlias(b.Site)
	if !ok {
		return nil, fault.New(fault.NotFound, "catalog.unknown_site")
	}
	gift, ok := c.findGift(brand, b.Gift)
	if !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("gift", "customer.unknown_gift"))
	}
	who, _, err := c.findOrCreateCustomer(ctx, b.Site, b.Phone)
	if err != nil {
		return nil, err
	}
	id, err := c.customers.AddPresent(ctx, brand.Alias, who.ID, b.Key, customer.Present{
		GiftID: gift.ID, Count: convert.OrOne(b.Count), ExpiresAt: convert.ValueOf(b.ExpiresAt),
	})
	return wire.OperatorGivePresent200JSONResponse{CustomerID: who.ID, ID: id}, err
}

// anyShop is the shop of a menu for which none is chosen.
const anyShop = 0

// findGift returns a gift of a brand by its alias, in whichever city it is offered, and reports
// whether there is one.
func (c *Calls) findGift(brand *site.Site, alias string) (*catalog.Gift, bool) {
	snapshot, now := c.catalog.Current(), c.clock.Now()
	for _, city := range brand.Cities {
		for _, orderType := range site.OrderTypes() {
			if gift, ok := snapshot.Menu(brand, city, orderType, anyShop, now).GiftByAlias(alias); ok {
				return gift, true
			}
		}
	}
	return nil, false
}
