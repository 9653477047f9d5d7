package catalog

import (
	"fmt"
	"maps"
	"sync"
	"time"

	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/live"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Snapshot is one content revision together with all that is set over it. It is never changed, so a
// request may use one from beginning to end.
type Snapshot struct {
	// Revision and LiveVersion identify the content and what is set over it.
	Revision, LiveVersion int64
	// Source is the folder that the revision was imported from, Hash names all that it held.
	Source, Hash string
	// ImportedAt is when the revision was made.
	ImportedAt time.Time
	// Sites are the brands of the revision, with the alerts that were in force when the snapshot was made.
	Sites *site.Sites

	content *content
	stops   map[string]stops      // by site alias
	live    map[string]live.State // by site alias
	atlases map[string]*geo.Atlas // by site alias, of brands whose shops differ from content
	madeAt  time.Time
	// alertsUntil is when the first of the alerts ends, zero when none does.
	alertsUntil time.Time
	menus       sync.Map // menuKey to *Menu; there are as many as places
}

// content is a revision with its references resolved; snapshots that differ only in what is set over it
// share it.
type content struct {
	sites       *site.Sites
	assortments map[string]*assortment // by site alias
	atlases     map[string]*geo.Atlas  // by site alias
	// searched are the streets that the local index searches, by city id.
	searched map[int64][]geo.Street
	// until is when hours that name the special date today must be read again.
	until time.Time
}

type menuKey struct {
	site      string
	city      int64
	orderType site.OrderType
	shop      int64
}

// Atlas returns the shops, zones and streets of a brand; a brand that content no longer has gets an
// empty one.
func (s *Snapshot) Atlas(brand *site.Site) *geo.Atlas {
	if a, ok := s.atlases[brand.Alias]; ok {
		return a
	}
	if a, ok := s.content.atlases[brand.Alias]; ok {
		return a
	}
	return geo.NewAtlas(nil, nil, nil)
}

// SearchedStreets returns the streets in which addresses of the city are searched: the streets of its
// register, then the drawn ones. It returns the same list until the content changes.
func (s *Snapshot) SearchedStreets(cityID int64) []geo.Street { return s.content.searched[cityID] }

// Promotions returns the promotions that the city lists, in the order of that list. It returns
// nil for a brand that content no longer has.
func (s *Snapshot) Promotions(brand *site.Site, city *site.City) []*Promotion {
	if a, ok := s.content.assortments[brand.Alias]; ok {
		return a.promotionsOf(city)
	}
	return nil
}

// Allergens returns all allergens of the brand's products and modifiers, in the order in which
// allergens are shown. It returns nil for a brand that content no longer has.
func (s *Snapshot) Allergens(brand *site.Site) []Allergen {
	if a, ok := s.content.assortments[brand.Alias]; ok {
		return a.allergens
	}
	return nil
}

// Menu returns the menu of a place at now. shopID is the shop that cooks, 0 while none is chosen:
// then a product is stopped only when it is stopped in all shops. The menu of a brand that content no
// longer has is empty. A menu is made once, and cached until the next stop or price ends.
func (s *Snapshot) Menu(brand *site.Site, city *site.City, orderType site.OrderType, shopID int64, now time.Time) *Menu {
	a, ok := s.content.assortments[brand.Alias]
	if !ok {
		a = &assortment{site: brand, brand: &Brand{}}
	}
	if _, exists := s.Atlas(brand).Shop(shopID); !exists {
		shopID = 0 // so that no caller fills the memory with menus of shops that do not exist
	}
	key := menuKey{brand.Alias, city.ID, orderType, shopID}
	if cached, ok := s.menus.Load(key); ok {
		if m := cached.(*Menu); m.isValidAt(now) {
			return m
		}
	}
	if ofRevision, ok := a.site.City(city.ID); ok {
		city = ofRevision // the caller's may be of an older revision
	}
	openFrom := func(t time.Time) time.Time { return s.openFrom(brand, city, shopID, t) }
	m := a.newMenu(Place{City: city, OrderType: orderType, ShopID: shopID}, s.stops[brand.Alias], s.live[brand.Alias], now, openFrom)
	m.Revision, m.LiveVersion = s.Revision, s.LiveVersion
	s.menus.Store(key, m)
	return m
}

// openFrom returns the first instant from t on at which the shop works; for shop 0 any shop of the
// city counts. It is zero when none works within 60 days.
func (s *Snapshot) openFrom(brand *site.Site, city *site.City, shopID int64, t time.Time) time.Time {
	var first time.Time
	for _, shop := range s.Atlas(brand).Shops(city.ID) {
		if shopID != 0 && shop.ID != shopID {
			continue
		}
		first = firstOf(first, shop.Hours.OpenFrom(t, city.Location))
	}
	return first
}

// isValidAt reports whether the stops and prices of the menu are those in force at now.
func (m *Menu) isValidAt(now time.Time) bool {
	return !now.Before(m.madeAt) && (m.ValidUntil.IsZero() || now.Before(m.ValidUntil))
}

// resolveContent returns the content of a document with its references resolved. Opening hours
// named "today" are those of the date of now. It returns an error when a reference leads
// nowhere.
func resolveContent(d *Document, now time.Time) (*content, error) {
	brands := make([]*site.Site, len(d.Brands))
	for i := range d.Brands {
		brands[i] = d.Brands[i].Site
	}
	sites, err := site.New(brands, d.Countries)
	if err != nil {
		return nil, err
	}
	never := now.AddDate(1, 0, 0) // newAtlas sets an earlier end where there is one
	c := &content{sites: sites, assortments: map[string]*assortment{}, atlases: map[string]*geo.Atlas{}, searched: map[int64][]geo.Street{}, until: never}
	maps.Copy(c.searched, d.Streets)
	for id, register := range d.Registers {
		streets, err := geo.DecodeRegister(register)
		if err != nil {
			return nil, fmt.Errorf("city %d: %w", id, err)
		}
		c.searched[id] = append(streets, d.Streets[id]...)
	}
	for i := range d.Brands {
		b := &d.Brands[i]
		if c.assortments[b.Site.Alias], err = newAssortment(b); err != nil {
			return nil, fmt.Errorf("site %s: %w", b.Site.Alias, err)
		}
		c.atlases[b.Site.Alias] = c.newAtlas(b, d.Streets, now)
	}
	return c, nil
}

// newAtlas returns the atlas of a brand. A shop's hours of "today" replace those of the date of
// now, and c.until becomes the midnight at which they have to be resolved again.
func (c *content) newAtlas(b *Brand, streets map[int64][]geo.Street, now time.Time) *geo.Atlas {
	shops := make([]geo.Shop, len(b.Shops))
	for i, e := range b.Shops {
		shops[i] = e.Shop
		city, ok := b.Site.City(e.Shop.CityID)
		if e.Today == nil || !ok {
			continue
		}
		today := clock.DayOf(now, city.Location)
		hours := maps.Clone(e.Shop.Hours.Custom)
		if hours == nil {
			hours = map[clock.Day][]schedule.Span{}
		}
		hours[today] = *e.Today
		shops[i].Hours.Custom = hours
		if midnight := clock.At(today.Add(1), 0, city.Location); midnight.Before(c.until) {
			c.until = midnight
		}
	}
	return geo.NewAtlas(shops, b.Zones, streets)
}
