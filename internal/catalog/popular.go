package catalog

import (
	"context"
	"sync"
	"time"

	"servery/internal/site"
)

const (
	// maxPopular is how many often ordered products are shown.
	maxPopular = 12
	// PopularFor is how long the most ordered products of a city are cached.
	PopularFor = 10 * time.Minute
	// popularUnknownFor is how long the popular products of a menu are cached while the most ordered ones
	// are not known.
	popularUnknownFor = 5 * time.Second
	// loadPopularTimeout bounds the query for them.
	loadPopularTimeout = 30 * time.Second
)

// MostOrdered returns the ids of the products that were ordered most in a city of a brand during
// the last 30 days, the most ordered first.
type MostOrdered func(ctx context.Context, siteAlias string, cityID int64) ([]int64, error)

type popularKey struct {
	site string
	city int64
}

// popularEntry is the cached list of a city. There are as many as content has cities.
type popularEntry struct {
	ids []int64
	// until is when it is read again; zero before the first answer.
	until time.Time
	// loading is closed when the running query is answered; nil when there is none.
	loading chan struct{}
}

// popularProducts caches what was most ordered. It is safe for concurrent use.
type popularProducts struct {
	mu     sync.Mutex
	cities map[popularKey]*popularEntry
}

// Popular returns the often ordered products of a menu that can be ordered, at most twelve: those
// that content lists for the city, else the most ordered ones, else those that content marks as
// hits. It never fails: until a query for the most ordered ones has succeeded, it returns the hits.
func (c *Catalog) Popular(ctx context.Context, m *Menu) []*Product {
	popular := []*Product{}
	add := func(p *Product, ok bool) {
		if ok && p.Type == Default && len(popular) < maxPopular {
			popular = append(popular, p)
		}
	}
	for _, alias := range m.Place.City.Popular {
		add(m.ProductByAlias(alias))
	}
	if len(m.Place.City.Popular) > 0 {
		return popular
	}
	for _, id := range c.mostOrdered(ctx, m.Site, m.Place.City) {
		add(m.Product(id))
	}
	if len(popular) == 0 {
		for _, g := range m.Groups {
			for _, p := range g.Products {
				add(p, p.Accent == accentHit)
			}
		}
	}
	return popular
}

// mostOrdered returns the cached ids of the most ordered products of a city; nil before the first
// answer, and where [Open] got no function to query them. When the list is out of date, it starts a
// query in the background, so that no visitor waits for it.
func (c *Catalog) mostOrdered(ctx context.Context, brand *site.Site, city *site.City) []int64 {
	if c.ordered == nil {
		return nil
	}
	key := popularKey{brand.Alias, city.ID}
	c.popular.mu.Lock()
	defer c.popular.mu.Unlock()
	entry := c.popular.cities[key]
	if entry == nil {
		entry = &popularEntry{}
		c.popular.cities[key] = entry
	}
	if entry.loading == nil && !c.clock.Now().Before(entry.until) {
		entry.loading = make(chan struct{})
		go c.loadMostOrdered(context.WithoutCancel(ctx), key, entry)
	}
	return entry.ids
}

// loadMostOrdered queries the most ordered products of a city, stores them in the entry and
// closes its channel loading. When the query fails, the error is logged and the old list stays for
// another [PopularFor].
func (c *Catalog) loadMostOrdered(ctx context.Context, key popularKey, entry *popularEntry) {
	ctx, cancel := context.WithTimeout(ctx, loadPopularTimeout)
	defer cancel()
	ids, err := c.ordered(ctx, key.site, key.city)
	if err != nil {
		c.log.ErrorContext(ctx, "most ordered products not read", "site", key.site, "city_id", key.city, "error", err)
	}
	c.popular.mu.Lock()
	defer c.popular.mu.Unlock()
	if err == nil {
		entry.ids = ids
	}
	entry.until = c.clock.Now().Add(PopularFor)
	close(entry.loading)
	entry.loading = nil
}

// PopularUntil returns until when the result of [Catalog.Popular] for a menu may be cached: until the
// list of the most ordered products is read again. While that list is unknown or out of date, it is
// five seconds from now; where the list is not used, ten minutes.
func (c *Catalog) PopularUntil(m *Menu, now time.Time) time.Time {
	if c.ordered == nil || len(m.Place.City.Popular) > 0 { // the most ordered products are not used
		return now.Add(PopularFor)
	}
	c.popular.mu.Lock()
	defer c.popular.mu.Unlock()
	if entry := c.popular.cities[popularKey{m.Site.Alias, m.Place.City.ID}]; entry != nil && now.Before(entry.until) {
		return entry.until
	}
	return now.Add(popularUnknownFor)
}
