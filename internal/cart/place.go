package cart

import (
	"time"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// PlaceRequest is the place and the order type that a request names. ShopID and ZoneID are 0 where
// the request names none.
type PlaceRequest struct {
	CityID    int64          `json:"city_id"`
	OrderType site.OrderType `json:"order_type"`
	ShopID    int64          `json:"shop_id,omitempty"`
	ZoneID    int64          `json:"zone_id,omitempty"`
}

// Place is the place of a cart, resolved in the content.
type Place struct {
	City      *site.City
	OrderType site.OrderType
	// Shop cooks the order: the chosen one, or the zone's. Nil while there is neither.
	Shop *geo.Shop
	// Zone is where the order goes; nil for takeaway and while none is found.
	Zone *geo.Zone
	// LastHourUntil is when the last work hour ends, while it is that hour; else zero. In the last hour
	// products have other steps.
	LastHourUntil time.Time
}

// MoveTo returns a cart of the visitor moved to a place of its city. The shop is used only for takeaway,
// the zone only for delivery and while the cart has no address. Faults, all Invalid: cart.order_type at
// order_type, cart.unknown_shop at shop_id, cart.unknown_zone at delivery_address.
func MoveTo(v visit.Context, c Cart, p PlaceRequest, city *site.City) (Cart, error) {
	atlas := v.Snapshot.Atlas(v.Site)
	if !city.Sells(p.OrderType) {
		return c, fault.New(fault.Invalid, "cart.order_type", fault.Field("order_type", "cart.order_type"))
	}
	c.OrderType = p.OrderType
	if p.OrderType == site.Takeaway && p.ShopID != 0 {
		if shop, ok := atlas.Shop(p.ShopID); !ok || shop.CityID != c.CityID || !shop.Takeaway {
			return c, fault.New(fault.Invalid, "cart.unknown_shop", fault.Field("shop_id", "cart.unknown_shop"))
		}
		c.ShopID = p.ShopID
	}
	if p.OrderType == site.Delivery && p.ZoneID != 0 && c.Address == nil {
		if zone, ok := atlas.Zone(p.ZoneID); !ok || zone.CityID != c.CityID {
			return c, fault.New(fault.Invalid, "cart.unknown_zone", fault.Field("delivery_address", "cart.unknown_zone"))
		}
		c.ZoneID = p.ZoneID
	}
	return c, nil
}

// FindPlace returns the place that a request names, without a cart. Faults: cart.unknown_city
// (NotFound); cart.order_type, cart.unknown_shop, cart.unknown_zone (Invalid).
func FindPlace(v visit.Context, p PlaceRequest) (Place, error) {
	city, err := v.City(p.CityID)
	if err != nil {
		return Place{}, err
	}
	c, err := MoveTo(v, Cart{CityID: p.CityID}, p, city)
	if err != nil {
		return Place{}, err
	}
	return PlaceOf(v, c, city), nil
}

// PlaceOf returns the place of a cart in the current content. A shop or zone that content no longer
// has is nil. An address decides the zone, and the zone decides the shop. LastHourUntil is set only for
// takeaway, where the brand has a last hour.
func PlaceOf(v visit.Context, c Cart, city *site.City) Place {
	atlas := v.Snapshot.Atlas(v.Site)
	place := Place{City: city, OrderType: c.OrderType}
	switch {
	case c.OrderType == site.Takeaway:
		if shop, ok := atlas.Shop(c.ShopID); ok && shop.CityID == c.CityID && shop.Takeaway {
			place.Shop = shop
		}
	case c.Address != nil:
		if zone, ok := atlas.FindZone(c.CityID, c.Address.Point); ok {
			place.Zone = zone
		}
	default:
		if zone, ok := atlas.Zone(c.ZoneID); ok && zone.CityID == c.CityID {
			place.Zone = zone
		}
	}
	if place.Zone != nil {
		place.Shop, _ = atlas.Shop(place.Zone.ShopID)
	}
	// Cities of Turkey have no last work hour.
	if place.Shop != nil && c.OrderType == site.Takeaway && v.Site.Settings.LastHour && city.CountryCode != "TR" {
		place.LastHourUntil = place.Plan().LastHourUntil(v.Now)
	}
	return place
}

// CheckOrderable returns why nothing can be ordered at the place: cart.no_shop at shop_id or
// cart.no_address at delivery_address, both Invalid. It returns nil when there is a shop.
func (p Place) CheckOrderable() error {
	switch {
	case p.Shop != nil:
		return nil
	case p.OrderType == site.Takeaway:
		return fault.New(fault.Invalid, "cart.no_shop", fault.Field("shop_id", "cart.no_shop"))
	}
	return fault.New(fault.Invalid, "cart.no_address", fault.Field("delivery_address", "cart.no_address"))
}

// IsStopped reports whether the shop of the place takes no orders of the type; false without a shop.
func (p Place) IsStopped() bool {
	return p.Shop != nil && (p.Shop.Stopped || !p.Shop.Serves(p.OrderType))
}

// IsLastHour reports whether it is the last work hour of the shop, in which products have other steps.
func (p Place) IsLastHour() bool { return !p.LastHourUntil.IsZero() }

// Step returns the step in which portions of the product are sold here and now: a count must be a
// multiple of it.
func (p Place) Step(product *catalog.Product) int {
	if p.IsLastHour() {
		return max(product.SaleMultiplicityLastHour, 1)
	}
	return max(product.SaleMultiplicity, 1)
}

// RoundUp returns the least count from the given one on in which the product is sold here and now; where that is above
// MaxCount, the greatest one below.
func (p Place) RoundUp(product *catalog.Product, count int) int {
	step := p.Step(product)
	return min((count+step-1)/step, MaxCount/step) * step
}

// Plan returns the plan of the intervals of the place. Without a shop it has no hours, and so no
// intervals.
func (p Place) Plan() schedule.Plan {
	plan := schedule.Plan{Zone: p.City.Location, Length: p.City.Interval, Days: p.City.DaysAhead}
	if p.Shop != nil {
		plan.Hours, plan.Cooking, plan.Kitchen = p.Shop.Hours, p.Shop.CookingMinutes, p.Shop.Kitchens[p.OrderType]
	}
	if p.Zone != nil {
		plan.Road = p.Zone.DeliveryMinutes
	}
	return plan
}

// Ceilings returns how many minutes of work an interval of the place's shop takes, by group; empty
// without a shop.
func (p Place) Ceilings() schedule.Minutes {
	if p.Shop == nil {
		return schedule.Minutes{}
	}
	return p.Shop.IntervalCeilings(p.OrderType)
}

// QuoteFor returns a cart with its prices at its place, by facts that the caller has. Lines that
// content no longer has are left out.
func QuoteFor(v visit.Context, c Cart, city *site.City, facts Facts) Quoted {
	place := PlaceOf(v, c, city)
	menu := MenuAt(v, place)
	return Quote(c.WithoutUnknownLines(menu), place, menu, facts, v.Lang, v.Now)
}

// MenuOf returns the menu of the cart's place.
func MenuOf(v visit.Context, c Cart, city *site.City) *catalog.Menu {
	return MenuAt(v, PlaceOf(v, c, city))
}

// WithKnownLines returns the cart without lines of products that are not in the menu of its
// place any more.
func WithKnownLines(v visit.Context, c Cart, city *site.City) Cart {
	return c.WithoutUnknownLines(MenuAt(v, PlaceOf(v, c, city)))
}

// MenuAt returns the menu of a place at the instant of the visit.
func MenuAt(v visit.Context, s Place) *catalog.Menu {
	var shopID int64
	if s.Shop != nil {
		shopID = s.Shop.ID
	}
	return v.Snapshot.Menu(v.Site, s.City, s.OrderType, shopID, v.Now)
}
