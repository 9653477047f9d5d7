package catalog

import (
	"context"
	"time"

	"github.com/maypok86/otter/v2"

	"servery/internal/site"
)

const (
	// maxPopular is how many often ordered products are shown.
	maxPopular = 12
	// PopularFor is how long the most ordered products of a city are taken as known.
	PopularFor = 10 * time.Minute
)

// MostOrdered gives the ids of the products that were ordered most in a city of a
// brand during the last 30 days, the most ordered first.
type MostOrdered func(ctx context.Context, siteAlias string, cityID int64) ([]int64, error)

type popularKey struct {
	site string
	city int64
}

func newPopularCache() (*otter.Cache[popularKey, []int64], error) {
	return otter.New(&otter.Options[popularKey, []int64]{
		MaximumSize:      10_000,
		ExpiryCalculator: otter.ExpiryWriting[popularKey, []int64](PopularFor),
	})
}

// Popular gives the often ordered products of a menu that can be had, at most twelve:
// those that content lists for the city, else the most ordered ones, else the brand's
// hits. It never fails: what cannot be asked is logged, and the hits are given.
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

func (c *Catalog) mostOrdered(ctx context.Context, brand *site.Site, city *site.City) []int64 {
	if c.ordered == nil {
		return nil
	}
	ask := otter.LoaderFunc[popularKey, []int64](func(ctx context.Context, key popularKey) ([]int64, error) {
		return c.ordered(ctx, key.site, key.city)
	})
	ids, err := c.popular.Get(context.WithoutCancel(ctx), popularKey{brand.Alias, city.ID}, ask)
	if err != nil {
		c.log.ErrorContext(ctx, "what is often ordered is not known", "site", brand.Alias, "city", city.Alias, "error", err)
	}
	return ids
}
