package cart

import (
	"time"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/limit"
	"servery/internal/phone"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Visitor is who asks, of which brand, from which content, and when. One visitor
// holds on to one snapshot for the whole request.
type Visitor struct {
	Snapshot *catalog.Snapshot
	Site     *site.Site
	// SessionID is 0 for a visitor of whom nothing is remembered yet: his cart is empty
	// and nothing is saved.
	SessionID int64
	// CustomerID is 0 for a guest, whose CustomerPhone is empty.
	CustomerID    int64
	CustomerPhone string
	// Caller is what bounds are counted by.
	Caller limit.Caller
	// Marks stand for phones in what each phone gets once.
	Marks phone.Marks
	Lang  lang.Lang
	Now   time.Time
	// IdempotencyKey, when there is one, makes a change happen once however often it is
	// asked for.
	IdempotencyKey string
}

// Place is where and how a request wants to order. ShopID and ZoneID are 0 where the
// request says nothing.
type Place struct {
	CityID    int64          `json:"city_id"`
	OrderType site.OrderType `json:"order_type"`
	ShopID    int64          `json:"shop_id,omitempty"`
	ZoneID    int64          `json:"zone_id,omitempty"`
}

// Spot is a cart's place found in the content.
type Spot struct {
	City      *site.City
	OrderType site.OrderType
	// Shop cooks the order: the chosen one, or the zone's. Nil while it is not known.
	Shop *geo.Shop
	// Zone is where the order goes; nil for takeaway and while it is not known.
	Zone *geo.Zone
	// LastHour says that the multiplicity of the last work hour holds.
	LastHour bool
}

// City finds a city of the visitor's brand. Fault: cart.unknown_city (NotFound).
func (v Visitor) City(id int64) (*site.City, error) {
	if c, ok := v.Site.City(id); ok {
		return c, nil
	}
	return nil, fault.New(fault.NotFound, "cart.unknown_city")
}

// at gives the cart moved to a place; see [Visitor.Move].
func (c Cart) at(p Place, city *site.City, atlas *geo.Atlas) (Cart, error) {
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

// Move gives a cart of the visitor moved to a place of its city. Faults, all Invalid:
// cart.order_type at order_type, cart.unknown_shop at shop_id, cart.unknown_zone at
// delivery_address.
func (v Visitor) Move(c Cart, p Place, city *site.City) (Cart, error) {
	return c.at(p, city, v.Snapshot.Atlas(v.Site))
}

// At finds a place in the content, without a cart. Faults: those of Move, and
// cart.unknown_city (NotFound).
func (v Visitor) At(p Place) (Spot, error) {
	city, err := v.City(p.CityID)
	if err != nil {
		return Spot{}, err
	}
	c, err := v.Move(Cart{CityID: p.CityID}, p, city)
	if err != nil {
		return Spot{}, err
	}
	return v.spotOf(c, city), nil
}

// spotOf finds the place of a cart as content knows it now. What content no longer
// has is left out.
func (v Visitor) spotOf(c Cart, city *site.City) Spot {
	atlas := v.Snapshot.Atlas(v.Site)
	spot := Spot{City: city, OrderType: c.OrderType}
	switch {
	case c.OrderType == site.Takeaway:
		if shop, ok := atlas.Shop(c.ShopID); ok && shop.CityID == c.CityID && shop.Takeaway {
			spot.Shop = shop
		}
	case c.Address != nil:
		if zone, ok := atlas.FindZone(c.CityID, c.Address.Point); ok {
			spot.Zone = zone
		}
	default:
		if zone, ok := atlas.Zone(c.ZoneID); ok && zone.CityID == c.CityID {
			spot.Zone = zone
		}
	}
	if spot.Zone != nil {
		spot.Shop, _ = atlas.Shop(spot.Zone.ShopID)
	}
	// Cities of Turkey have no last work hour.
	spot.LastHour = spot.Shop != nil && c.OrderType == site.Takeaway && v.Site.Settings.LastHour && city.CountryCode != "TR" &&
		spot.Plan().LastHour(v.Now)
	return spot
}

// check refuses a spot that nothing can be ordered at: cart.no_shop at shop_id,
// cart.no_address at delivery_address (Invalid).
func (s Spot) check() error {
	switch {
	case s.Shop != nil:
		return nil
	case s.OrderType == site.Takeaway:
		return fault.New(fault.Invalid, "cart.no_shop", fault.Field("shop_id", "cart.no_shop"))
	}
	return fault.New(fault.Invalid, "cart.no_address", fault.Field("delivery_address", "cart.no_address"))
}

// Step gives in which step portions of the product are sold here and now.
func (s Spot) Step(p *catalog.Product) int {
	if s.LastHour {
		return max(p.SaleMultiplicityLastHour, 1)
	}
	return max(p.SaleMultiplicity, 1)
}

// Plan gives what the intervals of the spot follow from. It has none while the shop
// is not known.
func (s Spot) Plan() schedule.Plan {
	plan := schedule.Plan{Zone: s.City.Location, Length: s.City.Interval, Days: s.City.DaysAhead}
	if s.Shop != nil {
		plan.Hours, plan.Cooking = s.Shop.Hours, s.Shop.CookingMinutes
	}
	if s.Zone != nil {
		plan.Road = s.Zone.DeliveryMinutes
	}
	return plan
}

// Ceilings gives how much work an interval of the spot's shop takes.
func (s Spot) Ceilings() schedule.Minutes {
	if s.Shop == nil {
		return schedule.Minutes{}
	}
	return s.Shop.IntervalCeilings(s.OrderType)
}
