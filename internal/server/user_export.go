package server

import (
	"context"

	"servery/internal/cart"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// exportName is what a browser saves the export as.
const exportName = `attachment; filename="personal-data.json"`

// ExportUser is GET /user/export.
func (s *Server) ExportUser(ctx context.Context, _ wire.ExportUserRequestObject) (wire.ExportUserResponseObject, error) {
	v, err := s.customer(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.Customers.Profile(ctx, v.Site.Alias, v.CustomerID)
	if err != nil {
		return nil, err //nolint:wrapcheck // a fault of the area
	}
	disposition := exportName
	answer := wire.ExportUser200JSONResponse{Headers: wire.ExportUser200ResponseHeaders{ContentDisposition: &disposition}}
	answer.Body = wire.UserExport{
		ExportedAt: v.Now, Site: v.Site.Alias, User: words(v).user(p), DeliveryAddresses: []wire.DeliveryAddress{},
		Orders: []wire.Order{}, Presents: []wire.ExportedPresent{}, Consents: []wire.ConsentAnswer{},
	}
	for _, a := range p.Consents {
		answer.Body.Consents = append(answer.Body.Consents, wire.ConsentAnswer{
			Kind: wire.ConsentKind(a.Kind), Version: a.Version, IsGiven: a.IsGiven, At: a.At, Address: orNil(a.Address),
		})
	}
	if answer.Body.Balances, err = s.balances(ctx, v); err != nil {
		return nil, err
	}
	if answer.Body.Sessions, err = s.browsers(ctx, v); err != nil {
		return nil, err
	}
	if err := s.exportPlaces(ctx, v, &answer.Body); err != nil {
		return nil, err
	}
	return answer, s.exportOrders(ctx, v, &answer.Body)
}

func (s *Server) exportPlaces(ctx context.Context, v cart.Visitor, to *wire.UserExport) error {
	addresses, err := s.Addresses.List(ctx, owner(v))
	if err != nil {
		return err //nolint:wrapcheck // the area named the operation
	}
	for _, a := range addresses {
		if city, ok := v.Site.City(a.CityID); ok {
			to.DeliveryAddresses = append(to.DeliveryAddresses, words(v).address(v, a, city))
		}
	}
	return nil
}

func (s *Server) exportOrders(ctx context.Context, v cart.Visitor, to *wire.UserExport) error {
	orders, err := s.Orders.All(ctx, v)
	if err != nil {
		return err //nolint:wrapcheck // the area named the operation
	}
	for _, o := range orders {
		if _, ok := v.Site.City(o.CityID); !ok {
			continue // a city that the brand has left
		}
		shown, err := toWireOrder(v, o)
		if err != nil {
			return err
		}
		to.Orders = append(to.Orders, shown)
	}
	presents, err := s.Customers.Presents(ctx, v.Site.Alias, v.CustomerID)
	if err != nil {
		return err //nolint:wrapcheck // the area named the operation
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

// giftName names a gift of the brand; empty for one that is in the content no longer.
func giftName(v cart.Visitor, id int64) string {
	for _, city := range v.Site.Cities {
		for _, orderType := range site.OrderTypes() {
			if gift, ok := v.Snapshot.Menu(v.Site, city, orderType, 0, v.Now).Gift(id); ok {
				return words(v).text(gift.Name)
			}
		}
	}
	return ""
}
