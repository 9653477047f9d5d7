package order

import (
	"time"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/visit"
)

// Details are the parts of an order that are stored together, as one document.
type Details struct {
	Username string `json:"username"`
	Email    string `json:"email,omitempty"`
	// Cash is the sum that the customer hands over; nil when no change is needed.
	Cash    *money.Amount `json:"cash,omitempty"`
	Comment string        `json:"comment,omitempty"`
	// Address is nil for takeaway.
	Address *geo.Address `json:"address,omitempty"`
	Shop    Shop         `json:"shop"`
	// WithoutBag says that the refusable packages were refused.
	WithoutBag bool      `json:"without_bag,omitempty"`
	Packages   []Package `json:"packages,omitempty"`
	// DeliveryBonuses is what bonuses pay of the delivery.
	DeliveryBonuses money.Amount `json:"delivery_bonuses,omitempty"`
	// Gifts are what was given and not sold: gifts, presents, and what the promocode brings.
	Gifts []Gift `json:"gifts,omitempty"`
	// Allergens are what the customer does not eat.
	Allergens []catalog.Allergen `json:"allergens,omitempty"`
	// Consents are what the customer agreed to with the order.
	Consents []Consent `json:"consents,omitempty"`
	// Lang is the language in which it was placed; empty in orders of older releases.
	Lang lang.Lang `json:"lang,omitempty"`
}

// Anonymized returns the details with only shop, packages, gifts and bonuses, which say nothing
// about the customer.
func (d Details) Anonymized() Details {
	return Details{
		Shop: d.Shop, WithoutBag: d.WithoutBag, Packages: d.Packages, DeliveryBonuses: d.DeliveryBonuses, Gifts: d.Gifts,
	}
}

// Shop is the shop that cooks and sells, as it was.
type Shop struct {
	Name   lang.Text `json:"name"`
	Street lang.Text `json:"street"`
	Point  geo.Point `json:"point"`
	Seller Seller    `json:"seller,omitzero"`
}

// Seller is the company of a shop. It is empty in orders of older releases and where content names none.
type Seller struct {
	CompanyName string `json:"company_name,omitempty"`
	INN         string `json:"inn,omitempty"`
	OGRN        string `json:"ogrn,omitempty"`
}

// NewShop returns what an order stores of a shop.
func NewShop(s *geo.Shop) Shop {
	return Shop{Name: s.Name, Street: s.Street, Point: s.Point, Seller: Seller{CompanyName: s.CompanyName, INN: s.INN, OGRN: s.OGRN}}
}

// Package is a package as it was sold.
type Package struct {
	ID        int64        `json:"id"`
	Alias     string       `json:"alias"`
	Name      lang.Text    `json:"name"`
	Price     money.Amount `json:"price"`
	Count     int          `json:"count"`
	CanRefuse bool         `json:"can_refuse,omitempty"`
	// Bonuses is what bonuses pay of all of them.
	Bonuses money.Amount `json:"bonuses,omitempty"`
}

// Gift is a gift as it was given.
type Gift struct {
	// ID is the gift's, or the present's where the kind is personal.
	ID          int64         `json:"id"`
	Kind        cart.GiftKind `json:"kind"`
	Name        lang.Text     `json:"name"`
	Description lang.Text     `json:"description,omitempty"`
	// Product is what the kitchen calls it. ProductKey, ProductID and Alias are those of the product; orders
	// from before they were stored have none.
	Product    lang.Text `json:"product"`
	ProductKey string    `json:"product_key,omitempty"`
	ProductID  int64     `json:"product_id,omitempty"`
	Alias      string    `json:"alias,omitempty"`
	Count      int       `json:"count"`
	// BasicPrice is what a portion of it is sold for.
	BasicPrice money.Amount `json:"basic_price"`
	// Modifiers are those that it comes with; they cost nothing either.
	Modifiers []Modifier         `json:"modifiers,omitempty"`
	Picture   *catalog.Picture   `json:"picture,omitempty"`
	Weight    *catalog.Weight    `json:"weight,omitempty"`
	Quantity  int                `json:"quantity,omitempty"`
	Allergens []catalog.Allergen `json:"allergens,omitempty"`
}

// Line is a line as it was sold.
type Line struct {
	Key        string `json:"key"`
	ProductKey string `json:"product_key"`
	ProductID  int64  `json:"product_id"`
	GroupID    int64  `json:"group_id"`
	// Alias is what content called the product.
	Alias string    `json:"alias,omitempty"`
	Name  lang.Text `json:"name"`
	Count int       `json:"count"`
	// Price and BasicPrice are of a portion without modifiers, WithModifiers with them,
	// Total is of all portions, Discount what a promocode takes off it, and Bonuses what
	// bonuses pay of it.
	Price         money.Amount     `json:"price"`
	BasicPrice    money.Amount     `json:"basic_price"`
	WithModifiers money.Amount     `json:"with_modifiers"`
	Total         money.Amount     `json:"total"`
	Discount      money.Amount     `json:"discount,omitempty"`
	Bonuses       money.Amount     `json:"bonuses,omitempty"`
	Modifiers     []Modifier       `json:"modifiers,omitempty"`
	Picture       *catalog.Picture `json:"picture,omitempty"`
	Weight        *catalog.Weight  `json:"weight,omitempty"`
	Quantity      int              `json:"quantity,omitempty"`
	Step          int              `json:"step"`
	AddedAt       time.Time        `json:"added_at"`
	// Allergens are those of the product and the chosen modifiers.
	Allergens []catalog.Allergen `json:"allergens,omitempty"`
}

// Modifier is a chosen modifier as it was sold. GroupID is 0 for one that stands alone.
type Modifier struct {
	ID      int64        `json:"id"`
	GroupID int64        `json:"group_id,omitempty"`
	Name    lang.Text    `json:"name"`
	Count   int          `json:"count"`
	Price   money.Amount `json:"price"`
}

// FromCart returns the order of a priced cart in the state Accepted. The caller has to set its
// number, hash, checkout key and promised time.
func FromCart(q cart.Quoted, v visit.Context, r Request, contact Form) Order {
	o := Order{
		Site: v.Site.Alias, CityID: q.Spot.City.ID, ShopID: q.Spot.Shop.ID, Type: q.Spot.OrderType,
		State: Accepted, ChangedAt: v.Now, CreatedAt: v.Now, Link: NewSecret(),
		Phone: contact.Phone, PaymentType: r.PaymentType, IntervalID: r.IntervalID,
		Currency: q.Spot.City.Currency, Prices: q.Prices, Revision: q.Menu.Revision,
		Details: Details{
			Username: contact.username, Email: contact.email, Cash: contact.cash, Comment: contact.comment,
			Shop:       NewShop(q.Spot.Shop),
			WithoutBag: q.Cart.WithoutBag, DeliveryBonuses: q.DeliveryBonuses, Gifts: newGifts(q), Allergens: contact.allergens, Consents: contact.consents,
			Lang: v.Lang,
		},
		SessionID: v.SessionID, CustomerID: v.CustomerID,
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
			Key: l.Key, ProductKey: l.Product.Key, ProductID: l.ProductID, GroupID: l.Product.GroupID, Alias: l.Product.Alias,
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

// newGifts returns the gifts that are chosen in a priced cart, as the order stores them.
func newGifts(q cart.Quoted) []Gift {
	var gifts []Gift
	for _, g := range q.ChosenGifts() {
		gifts = append(gifts, Gift{
			ID: g.ID, Kind: g.Kind, Name: g.Gift.Name, Description: g.Gift.Description, Product: g.Gift.Product.Name,
			ProductKey: g.Gift.Product.Key, ProductID: g.Gift.Product.ID, Alias: g.Gift.Product.Alias, Count: g.Count,
			BasicPrice: g.Gift.Product.Price, Picture: g.Gift.Picture, Weight: g.Gift.Product.Weight,
			Quantity: g.Gift.Product.Quantity, Modifiers: defaultModifiers(g.Gift.Product), Allergens: g.Allergens(),
		})
	}
	return gifts
}

// defaultModifiers returns the modifiers that a product has when the customer chooses none.
func defaultModifiers(p *catalog.Product) []Modifier {
	var usual []Modifier
	add := func(m *catalog.Modifier, groupID int64) {
		if m.Count > 0 {
			usual = append(usual, Modifier{ID: m.ID, GroupID: groupID, Name: m.Name, Count: m.Count})
		}
	}
	const noGroup = 0
	for _, m := range p.Modifiers.Singles {
		add(m, noGroup)
	}
	for _, g := range p.Modifiers.Groups {
		for _, m := range g.Modifiers {
			add(m, g.ID)
		}
	}
	return usual
}
