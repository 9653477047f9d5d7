package geo

import (
	"maps"
	"slices"
	"time"

	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Point is a place on the Earth, WGS 84 in degrees.
type Point struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// Polygon are the corners of an area; the last joins the first.
type Polygon []Point

// Shop is a restaurant that cooks.
type Shop struct {
	ID          int64          `json:"id"`
	CityID      int64          `json:"city_id"`
	Alias       string         `json:"alias"`
	Name        lang.Text      `json:"name"`
	Street      lang.Text      `json:"street"`
	Description lang.Text      `json:"description,omitempty"`
	Point       Point          `json:"point"`
	Hours       schedule.Hours `json:"hours"`
	// CookingMinutes is how long an order takes in the kitchen.
	CookingMinutes int  `json:"cooking_minutes"`
	Delivery       bool `json:"delivery"`
	Takeaway       bool `json:"takeaway"`
	// Ceilings are the minutes of work per interval; a type that is absent has no
	// ceiling.
	Ceilings map[site.OrderType]int `json:"ceilings,omitempty"`
	// GroupCeilings are the minutes of work per interval on products of a group, by the
	// group's id, for each order type by itself.
	GroupCeilings map[int64]int `json:"group_ceilings,omitempty"`
	// Stopped says that no orders are taken; Alert is the reason shown to customers.
	Stopped     bool      `json:"stopped,omitempty"`
	Alert       lang.Text `json:"alert,omitempty"`
	Tags        []string  `json:"tags,omitempty"`
	CompanyName string    `json:"company_name,omitempty"`
	INN         string    `json:"inn,omitempty"`
	OGRN        string    `json:"ogrn,omitempty"`
	// Kitchens are what the kitchen has said about the hours ahead, by order type; it is no content. A
	// type that is absent works as content says.
	Kitchens map[site.OrderType]schedule.Kitchen `json:"-"`
}

// StateAt returns the state of the shop for orders of the type, by its hours and pauses.
func (s *Shop) StateAt(t site.OrderType, now time.Time, loc *time.Location) schedule.State {
	return s.Kitchens[t].StateAt(s.Hours, now, loc)
}

// IsPausedAt reports whether the shop is paused for orders of the type at a time when it is open by its hours.
func (s *Shop) IsPausedAt(t site.OrderType, now time.Time, loc *time.Location) bool {
	return s.Kitchens[t].IsPaused(now) && s.Hours.StateAt(now, loc).Open
}

// IntervalCeilings returns how many minutes of work an interval takes for orders of the type, by
// the id of a product group; [schedule.AllGroups] is for all together. A group without an entry is
// not limited.
func (s *Shop) IntervalCeilings(t site.OrderType) schedule.Minutes {
	limits := schedule.Minutes{}
	maps.Copy(limits, s.GroupCeilings)
	if minutes, limited := s.Ceilings[t]; limited {
		limits[schedule.AllGroups] = minutes
	}
	return limits
}

// Serves reports whether content lets the shop take orders of the type. It does not look at
// Stopped.
func (s *Shop) Serves(t site.OrderType) bool {
	return t == site.Delivery && s.Delivery || t == site.Takeaway && s.Takeaway
}

// Zone is an area that a shop delivers to.
type Zone struct {
	ID     int64     `json:"id"`
	CityID int64     `json:"city_id"`
	ShopID int64     `json:"shop_id"`
	Name   lang.Text `json:"name"`
	// Priority decides where zones overlap: the higher wins, then the lower id.
	Priority int `json:"priority"`
	// Tint names a colour of the theme.
	Tint     string       `json:"tint"`
	Area     Polygon      `json:"area"`
	Delivery money.Amount `json:"delivery"`
	// With HasFreeDelivery any sum is taken, and delivery costs nothing from
	// MinimumOrder. Without it MinimumOrder must be reached, and delivery costs nothing
	// from FreeFrom, where that is set.
	MinimumOrder    money.Amount  `json:"minimum_order"`
	HasFreeDelivery bool          `json:"has_free_delivery,omitempty"`
	FreeFrom        *money.Amount `json:"free_from,omitempty"`
	// DeliveryMinutes is the time on the road.
	DeliveryMinutes int `json:"delivery_minutes"`
}

// Street is a street of the local index. Its houses lie evenly along the line, from
// the first number at its beginning to the last at its end; a street that is numbered
// up one side and down the other has a line there and back.
type Street struct {
	Name     lang.Text `json:"name"`
	District lang.Text `json:"district,omitempty"`
	Line     []Point   `json:"line"`
	// Houses are the first and the last number.
	Houses [2]int `json:"houses"`

	// block has the houses of a street of a register, each with its place. Such a street has no line.
	block *houseBlock
}

// Atlas has the shops, zones and streets of one brand. It is never changed.
type Atlas struct {
	shops  map[int64]*Shop
	zones  map[int64]*Zone
	byCity map[int64]*cityMap
}

// cityMap is the part of the atlas of a city.
type cityMap struct {
	shops   []*Shop
	zones   []*Zone
	areas   []area // of zones, in the same order
	streets []Street
	bounds  Bounds
}

// NewAtlas returns an atlas of shops, zones and, by city id, streets. The caller must not use the
// slices afterwards. Shops and zones keep their order.
func NewAtlas(shops []Shop, zones []Zone, streets map[int64][]Street) *Atlas {
	a := &Atlas{shops: map[int64]*Shop{}, zones: map[int64]*Zone{}, byCity: map[int64]*cityMap{}}
	for i := range shops {
		s := &shops[i]
		a.shops[s.ID] = s
		a.cityOf(s.CityID).shops = append(a.cityOf(s.CityID).shops, s)
	}
	for i := range zones {
		z := &zones[i]
		a.zones[z.ID] = z
		city := a.cityOf(z.CityID)
		city.zones, city.areas = append(city.zones, z), append(city.areas, newArea(z.Area))
	}
	for id, list := range streets {
		a.cityOf(id).streets = list
	}
	for _, city := range a.byCity {
		city.bounds = city.findBounds()
	}
	return a
}

// WithShops returns a copy of the atlas with the given shops in place of those with the same ids. All
// else is shared.
func (a *Atlas) WithShops(replaced map[int64]*Shop) *Atlas {
	other := &Atlas{shops: maps.Clone(a.shops), zones: a.zones, byCity: maps.Clone(a.byCity)}
	for id, shop := range replaced {
		old, ok := a.shops[id]
		if !ok {
			continue
		}
		other.shops[id] = shop
		city := *other.byCity[old.CityID]
		city.shops = slices.Clone(city.shops)
		city.shops[slices.Index(city.shops, old)] = shop
		other.byCity[old.CityID] = &city
	}
	return other
}

// cityOf returns the part of the atlas for a city, and creates it when there is none.
func (a *Atlas) cityOf(id int64) *cityMap {
	if a.byCity[id] == nil {
		a.byCity[id] = &cityMap{}
	}
	return a.byCity[id]
}

// Shops returns the shops of a city in the order of content, nil for an unknown city. The caller
// must not change the list.
func (a *Atlas) Shops(cityID int64) []*Shop {
	if city, ok := a.byCity[cityID]; ok {
		return city.shops
	}
	return nil
}

// Shop returns the shop with the id, false when the brand has none.
func (a *Atlas) Shop(id int64) (*Shop, bool) {
	s, ok := a.shops[id]
	return s, ok
}

// Zones returns the zones of a city in the order of content, nil for an unknown city. The caller
// must not change the list.
func (a *Atlas) Zones(cityID int64) []*Zone {
	if city, ok := a.byCity[cityID]; ok {
		return city.zones
	}
	return nil
}

// Zone returns the zone with the id, false when the brand has none.
func (a *Atlas) Zone(id int64) (*Zone, bool) {
	z, ok := a.zones[id]
	return z, ok
}

// FindZone returns the zone of the city that contains the point; false when there is none. Where
// zones overlap, the highest priority wins, then the lowest id.
func (a *Atlas) FindZone(cityID int64, point Point) (*Zone, bool) {
	city, ok := a.byCity[cityID]
	if !ok {
		return nil, false
	}
	var best *Zone
	for i, z := range city.zones {
		better := best == nil || z.Priority > best.Priority || z.Priority == best.Priority && z.ID < best.ID
		if better && city.areas[i].containsPoint(point) {
			best = z
		}
	}
	return best, best != nil
}

// NearestShop returns the nearest shop of the city for which passes returns true, and its
// distance from the point in metres. It reports false when there is none.
func (a *Atlas) NearestShop(cityID int64, point Point, passes func(*Shop) bool) (*Shop, float64, bool) {
	return Nearest(a.Shops(cityID), point, func(s *Shop) Point { return s.Point }, passes)
}

// Streets returns the streets of a city in the order of content, nil for an unknown city. The
// caller must not change the list.
func (a *Atlas) Streets(cityID int64) []Street {
	if city, ok := a.byCity[cityID]; ok {
		return city.streets
	}
	return nil
}
