package app

import "context"

// examineMaps reads the maps of cities that content names, so that the first customer does not wait for it and
// a missing file is logged at the start.
func (a *App) examineMaps(ctx context.Context) {
	for _, brand := range a.areas.Catalog.Current().Sites.All() {
		for _, city := range brand.Cities {
			if file := city.Map.File; file != nil && brand.Settings.MapTiles == "" {
				a.areas.Maps.Has(ctx, *file)
			}
		}
	}
}
