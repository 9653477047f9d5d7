package order

import (
	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/visit"
)

// place makes the order of a quoted cart, all but its number, hash and promise.
func place(q cart.Quoted, v visit.Context, r Request, contact contact) Order {
	o := Order{
		Site: v.Site.Alias, CityID: q.Spot.City.ID, ShopID: q.Spot.Shop.ID, Type: q.Spot.OrderType,
		State: Accepted, ChangedAt: v.Now, CreatedAt: v.Now, Link: newSecret(),
		Phone: contact.phone, PaymentType: r.PaymentType, IntervalID: r.IntervalID,
		Currency: q.Spot.City.Currency, Prices: q.Prices, Revision: q.Menu.Revision,
		Details: Details{
			Username: contact.username, Email: contact.email, Cash: contact.cash, Comment: contact.comment,
			Shop:       Shop{Name: q.Spot.Shop.Name, Street: q.Spot.Shop.Street, Point: q.Spot.Shop.Point},
			WithoutBag: q.Cart.WithoutBag, DeliveryBonuses: q.DeliveryBonuses, Gifts: giftsOf(q), Allergens: contact.allergens, Consents: contact.consents,
		},
		sessionID: v.SessionID, customerID: v.CustomerID,
	}
	if q.Promocode != nil && q.Promocode.IsActive {
		o.Promocode = q.Promocode.Code
	}
	if q.Spot.Zone != nil {
		o.ZoneID, o.Details.Address = q.Spot.Zone.ID, q.Cart.Address
	}
	for _, p := range q.Packages {
		if p.Count > 0 {
			o.Details.Packages = append(o.Details.Packages, Package{
				ID: p.ID, Alias: p.Alias, Name: p.Name, Price: p.Price, Count: p.Count, CanRefuse: p.CanRefuse, Bonuses: p.Bonuses,
			})
		}
	}
	for _, l := range q.Lines {
		line := Line{
			Key: l.Key, ProductKey: l.Product.Key, ProductID: l.ProductID, GroupID: l.Product.GroupID,
			Name: l.Product.Name, Count: l.Count, Price: l.Product.Price, BasicPrice: l.Product.BasicPrice,
			WithModifiers: l.WithModifiers, Total: l.Total, Picture: l.Product.Picture, Weight: l.Product.Weight,
			Quantity: l.Product.Quantity, Step: l.Step, AddedAt: l.AddedAt, Discount: l.Discount, Bonuses: l.Bonuses, Allergens: l.Allergens(),
		}
		for _, m := range l.Modifiers {
			line.Modifiers = append(line.Modifiers, Modifier{
				ID: m.ID, GroupID: m.GroupID, Name: m.Name, Count: m.Count, Price: m.Price,
			})
		}
		o.Lines = append(o.Lines, line)
	}
	return o
}

// giftsOf gives what a quoted cart gives for nothing.
func giftsOf(q cart.Quoted) []Gift {
	var gifts []Gift
	for _, g := range q.ChosenGifts() {
		gifts = append(gifts, Gift{
			ID: g.ID, Kind: g.Kind, Name: g.Gift.Name, Description: g.Gift.Description, Product: g.Gift.Product.Name, Count: g.Count,
			BasicPrice: g.Gift.Product.Price, Picture: g.Gift.Picture, Weight: g.Gift.Product.Weight,
			Quantity: g.Gift.Product.Quantity, Modifiers: usualOf(g.Gift.Product), Allergens: g.Allergens(),
		})
	}
	return gifts
}

// usualOf gives the modifiers that come with a product when nobody chooses any.
func usualOf(p *catalog.Product) []Modifier {
	var usual []Modifier
	add := func(m *catalog.Modifier, groupID int64) {
		if m.Count > 0 {
			usual = append(usual, Modifier{ID: m.ID, GroupID: groupID, Name: m.Name, Count: m.Count})
		}
	}
	for _, m := range p.Modifiers.Singles {
		add(m, 0)
	}
	for _, g := range p.Modifiers.Groups {
		for _, m := range g.Modifiers {
			add(m, g.ID)
		}
	}
	return usual
}
