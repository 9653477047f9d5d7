package server

import (
	"servery/internal/catalog"
	"servery/internal/geo"
)

// newGeocoder makes the local geocoder over the streets of the current content. A city
// has the same id and streets in every brand, so the first brand that has it serves.
func newGeocoder(c *catalog.Catalog) geo.Geocoder {
	return geo.NewLocal(func(cityID int64) (geo.Place, bool) {
		snapshot := c.Current()
		for _, brand := range snapshot.Sites.All() {
			if city, ok := brand.City(cityID); ok {
				return geo.Place{Name: city.Name, Streets: snapshot.Atlas(brand).Streets(cityID)}, true
			}
		}
		return geo.Place{}, false
	})
}
