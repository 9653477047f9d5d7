package content

import (
	"context"
	"fmt"

	"servery/internal/catalog"
	"servery/internal/db"
)

// Counts is how much content holds.
type Counts struct{ Brands, Shops, Products, Zones int }

// Count counts what a document holds, over all its brands.
func Count(d *catalog.Document) Counts {
	c := Counts{Brands: len(d.Brands)}
	for i := range d.Brands {
		c.Shops += len(d.Brands[i].Shops)
		c.Products += len(d.Brands[i].Products)
		c.Zones += len(d.Brands[i].Zones)
	}
	return c
}

// String returns the counts as text: "1 brand, 3 shops, 32 products, 3 zones".
func (c Counts) String() string {
	return fmt.Sprintf("%s, %s, %s, %s",
		countNoun(c.Brands, "brand"), countNoun(c.Shops, "shop"), countNoun(c.Products, "product"), countNoun(c.Zones, "zone"))
}

func countNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// countRevision counts what a stored revision holds.
func countRevision(ctx context.Context, d *db.DB, id int64) (Counts, error) {
	r, err := readRevision(ctx, d.Read(), id)
	if err != nil {
		return Counts{}, err
	}
	document, err := r.toCatalog().Document()
	if err != nil {
		return Counts{}, fmt.Errorf("revision %d: %w", id, err)
	}
	return Count(document), nil
}

// brandsOf returns the aliases of the brands.
func brandsOf(d *catalog.Document) []string {
	aliases := make([]string, len(d.Brands))
	for i := range d.Brands {
		aliases[i] = d.Brands[i].Site.Alias
	}
	return aliases
}
