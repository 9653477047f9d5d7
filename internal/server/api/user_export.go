package api

import (
	"context"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/server/convert"
	"servery/internal/server/orderwire"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// exportName is what a browser saves the export as.
const exportName = `attachment; filename="personal-data.json"`

// ExportUser is GET /user/export: it returns everything that is stored of the signed-in customer, as a JSON
// file. It stores the time of the export, and returns customer.export_too_soon (TooMany) for another one
// within exportPause.
func (s *Server) ExportUser(ctx context.Context, _ wire.ExportUserRequestObject) (wire.ExportUserResponseObject, error) {
	v, err := s.visits.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.Customers.Profile(ctx, v.Site.Alias, v.CustomerID)
	if err != nil {
		return nil, err
	}
	if err := s.Customers.ClaimExport(ctx, v.CustomerID, s.exportPause); err != nil {
		return nil, err
	}
	disposition := exportName
	answer := wire.ExportUser200JSONResponse{Headers: wire.ExportUser200ResponseHeaders{ContentDisposition: &disposition}}
	answer.Body = wire.UserExport{
		ExportedAt: v.Now, Site: v.Site.Alias, User: localizerOf(v).user(p), DeliveryAddresses: []wire.DeliveryAddress{},
		DeliveryWishes: []wire.ExportedWish{}, Forms: []wire.ExportedForm{}, VkAccounts: []wire.ExportedVkAccount{}, Carts: []wire.ExportedCart{},
		Orders: []wire.Order{}, Presents: []wire.ExportedPresent{}, Consents: []wire.ConsentAnswer{},
		Payments: []wire.ExportedPayment{},
	}
	for _, a := range p.Consents {
		answer.Body.Consents = append(answer.Body.Consents, wire.ConsentAnswer{
			Kind: wire.ConsentKind(a.Kind), Version: a.Version, IsGiven: a.IsGiven, At: a.At, Address: convert.OrNil(a.Address),
		})
	}
	if answer.Body.Balances, err = s.wireBalances(ctx, v); err != nil {
		return nil, err
	}
	if answer.Body.Sessions, err = s.wireSessions(ctx, v); err != nil {
		return nil, err
	}
	if err := s.exportAccounts(ctx, v, &answer.Body); err != nil {
		return nil, err
	}
	if err := s.exportAddresses(ctx, v, &answer.Body); err != nil {
		return nil, err
	}
	if err := s.exportFeedback(ctx, v, &answer.Body); err != nil {
		return nil, err
	}
	if err := s.exportCarts(ctx, v, &answer.Body); err != nil {
		return nil, err
	}
	return answer, s.exportOrders(ctx, v, &answer.Body)
}

// exportAccounts adds the VK accounts with which the customer signs in.
func (s *Server) exportAccounts(ctx context.Context, v visit.Context, to *wire.UserExport) error {
	accounts, err := s.VK.ListAccounts(ctx, v.Site.Alias, v.CustomerID)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		to.VkAccounts = append(to.VkAccounts, wire.ExportedVkAccount{VkUserID: a.ID, JoinedAt: a.JoinedAt})
	}
	return nil
}

// exportAddresses adds the addresses, also those in cities that the brand has left.
func (s *Server) exportAddresses(ctx context.Context, v visit.Context, to *wire.UserExport) error {
	addresses, err := s.Addresses.List(ctx, owner(v))
	if err != nil {
		return err
	}
	for _, a := range addresses {
		city, ok := v.Site.City(a.CityID)
		if !ok {
			city = orderwire.LeftCity(v, a.CityID, &a)
		}
		to.DeliveryAddresses = append(to.DeliveryAddresses, localizerOf(v).Address(v, a, city))
	}
	return nil
}

// exportFeedback adds the customer's wishes for delivery and the forms that the customer has sent.
func (s *Server) exportFeedback(ctx context.Context, v visit.Context, to *wire.UserExport) error {
	wishes, err := s.Feedback.ListOfPhone(ctx, v.Site.Alias, v.CustomerPhone)
	if err != nil {
		return err
	}
	for _, w := range wishes {
		to.DeliveryWishes = append(to.DeliveryWishes, wire.ExportedWish{
			CityID: w.CityID, Coordinates: convert.Coordinates(w.At), Language: string(w.Lang), CreatedAt: w.CreatedAt,
		})
	}
	forms, err := s.Feedback.ListForms(ctx, v.Site.Alias, v.CustomerID, v.CustomerPhone)
	if err != nil {
		return err
	}
	for _, f := range forms {
		to.Forms = append(to.Forms, wire.ExportedForm{
			Kind: wire.FormKind(f.Kind), Name: f.Name, Fields: convert.FormFields(f.Fields), CreatedAt: f.CreatedAt,
		})
	}
	return nil
}

// exportOrders adds the orders with their payments, and the presents.
func (s *Server) exportOrders(ctx context.Context, v visit.Context, to *wire.UserExport) error {
	orders, err := s.History.Export(ctx, v)
	if err != nil {
		return err
	}
	for _, m := range orders {
		localized := orderwire.ForOrder(v, m.Order)
		shown := localized.Order(m.Order)
		shown.Payment = localized.Payment(m.Payment, m.Order.ToCollect())
		to.Orders = append(to.Orders, shown)
		to.Payments = append(to.Payments, exportedPayments(m.Payment)...)
	}
	presents, err := s.Customers.Presents(ctx, v.Site.Alias, v.CustomerID)
	if err != nil {
		return err
	}
	for _, p := range presents {
		shown := wire.ExportedPresent{Name: giftName(v, p.GiftID), Count: p.Count}
		if !p.ExpiresAt.IsZero() {
			shown.ExpiresAt = &p.ExpiresAt
		}
		to.Presents = append(to.Presents, shown)
	}
	return nil
}

// anyShop is the shop of a menu for which none is chosen.
const anyShop = 0

// giftName returns the name of a gift of the brand; empty for a gift that is not in the content any more.
func giftName(v visit.Context, id int64) string {
	for _, city := range v.Site.Cities {
		for _, orderType := range site.OrderTypes() {
			if gift, ok := v.Snapshot.Menu(v.Site, city, orderType, anyShop, v.Now).Gift(id); ok {
				return localizerOf(v).Text(gift.Name)
			}
		}
	}
	return ""
}

// exportCarts adds the customer's saved carts of all cities.
func (s *Server) exportCarts(ctx context.Context, v visit.Context, to *wire.UserExport) error {
	carts, err := s.Carts.ListSaved(ctx, v)
	if err != nil {
		return err
	}
	for _, c := range carts {
		to.Carts = append(to.Carts, exportedCart(v, c))
	}
	return nil
}

// exportedCart converts a saved cart, without prices: a cart stores none.
func exportedCart(v visit.Context, c carts.Saved) wire.ExportedCart {
	w := wire.ExportedCart{
		CityID: c.CityID, OrderType: wire.OrderType(c.OrderType), ShopID: convert.OrNil(c.ShopID), IntervalID: convert.OrNil(c.IntervalID),
		Phone: convert.OrNil(c.Phone), Promocode: convert.OrNil(c.Promocode), Bonuses: convert.OrNil(c.Bonuses), WithoutBag: c.WithoutBag, ChangedAt: c.ChangedAt,
		Products: []wire.ExportedCartProduct{}, Gifts: []wire.ExportedPresent{},
	}
	if c.Address != nil {
		a := *c.Address
		w.DeliveryAddress = &wire.ExportedAddress{
			Address: a.Address, FullAddress: a.FullAddress, Room: convert.OrNil(a.Room), Entrance: convert.OrNil(a.Entrance), Floor: convert.OrNil(a.Floor),
			Intercom: convert.OrNil(a.Intercom), PrivateHouse: convert.OrNil(a.IsPrivateHouse), Building: convert.OrNil(a.Building),
			RearBuilding: convert.OrNil(a.RearBuilding), BellName: convert.OrNil(a.BellName), Landmark: convert.OrNil(a.Landmark), Description: convert.OrNil(a.Description), Coordinates: convert.Coordinates(a.Point),
		}
	}
	for _, l := range c.Lines {
		line := wire.ExportedCartProduct{ID: l.ProductID, Name: productName(v, c.Cart, l.ProductID), Count: l.Count, Modifiers: []int64{}, AddedAt: l.AddedAt}
		for _, m := range l.Modifiers {
			line.Modifiers = append(line.Modifiers, m.ID)
		}
		w.Products = append(w.Products, line)
	}
	for _, g := range c.Gifts {
		w.Gifts = append(w.Gifts, wire.ExportedPresent{Name: giftName(v, g.ID), Count: g.Count})
	}
	return w
}

// productName returns the name of a product in the city of a cart; empty when it is not sold there any
// more.
func productName(v visit.Context, c cart.Cart, id int64) string {
	city, ok := v.Site.City(c.CityID)
	if !ok {
		return ""
	}
	product, ok := v.Snapshot.Menu(v.Site, city, c.OrderType, anyShop, v.Now).Product(id)
	if !ok {
		return ""
	}
	return localizerOf(v).Text(product.Name)
}
