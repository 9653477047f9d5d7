package catalog

import (
	"time"

	"servery/internal/geo"
	"servery/internal/live"
	"servery/internal/site"
)

// Live returns what is set over the content of a brand; some of it may have ended.
func (s *Snapshot) Live(brand *site.Site) live.State { return s.live[brand.Alias] }

// Product returns a product of the brand as content wrote it, false when there is none.
func (s *Snapshot) Product(brand *site.Site, alias string) (*ProductEntry, bool) {
	if a, ok := s.content.assortments[brand.Alias]; ok {
		for i := range a.brand.Products {
			if a.brand.Products[i].Alias == alias {
				return &a.brand.Products[i], true
			}
		}
	}
	return nil, false
}

// Groups returns the groups of the menu of a brand as content wrote them. The caller must not change
// the list.
func (s *Snapshot) Groups(brand *site.Site) []GroupEntry {
	if a, ok := s.content.assortments[brand.Alias]; ok {
		return a.brand.Groups
	}
	return nil
}

// AlertsUntil returns when the first of the set alerts ends; zero when none of them has an end.
func (s *Snapshot) AlertsUntil() time.Time { return s.alertsUntil }

// applyLive sets Sites, atlases and alertsUntil: Sites and atlases are those of content, with the
// alerts that are in force at madeAt and the states of the kitchens. Brands, cities and shops for
// which nothing is set are shared with content.
func (s *Snapshot) applyLive() {
	brands := map[string]*site.Site{}
	s.atlases = map[string]*geo.Atlas{}
	for alias, set := range s.live {
		brand, ok := s.content.sites.ByAlias(alias)
		if !ok {
			continue
		}
		if cities := s.alertedCities(brand, set); len(cities) > 0 {
			brands[alias] = brand.WithCities(cities)
		}
		if shops := s.changedShops(brand, set); len(shops) > 0 {
			s.atlases[alias] = s.content.atlases[alias].WithShops(shops)
		}
		s.alertsUntil = firstOf(s.alertsUntil, set.NextAlertEnd(s.madeAt))
	}
	s.Sites = s.content.sites
	if len(brands) > 0 {
		s.Sites = s.content.sites.WithBrands(brands)
	}
}

// alertedCities returns copies of the cities that an alert is set for, with the alert.
func (s *Snapshot) alertedCities(brand *site.Site, set live.State) map[int64]*site.City {
	cities := map[int64]*site.City{}
	for _, alert := range set.Alerts {
		city, ok := brand.City(alert.CityID) // the alert of a shop has city 0, which no brand has
		if !ok || !live.IsInForce(alert.Until, s.madeAt) {
			continue
		}
		alerted := *city
		alerted.Alert, alerted.Stopped = alert.Text, city.Stopped || alert.Stops
		cities[city.ID] = &alerted
	}
	return cities
}

// changedShops returns copies of the shops for which an alert or a state of a kitchen is set, with
// both.
func (s *Snapshot) changedShops(brand *site.Site, set live.State) map[int64]*geo.Shop {
	atlas, shops := s.content.atlases[brand.Alias], map[int64]*geo.Shop{}
	change := func(id int64, apply func(shop *geo.Shop)) {
		shop, ok := shops[id]
		if !ok {
			original, isKnown := atlas.Shop(id)
			if !isKnown {
				return
			}
			copied := *original
			shop, shops[id] = &copied, &copied
		}
		apply(shop)
	}
	for _, e := range set.Kitchens {
		change(e.ShopID, func(shop *geo.Shop) { shop.Kitchens = set.Kitchen(e.ShopID) })
	}
	for _, alert := range set.Alerts {
		if live.IsInForce(alert.Until, s.madeAt) { // the alert of a city has shop 0, which no brand has
			change(alert.ShopID, func(shop *geo.Shop) { shop.Alert, shop.Stopped = alert.Text, shop.Stopped || alert.Stops })
		}
	}
	return shops
}
