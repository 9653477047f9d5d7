package feedback

import (
	"context"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/geo"
	"servery/internal/lang"
)

func keep(ctx context.Context, q *gen.Queries, w Wish) error {
	err := q.InsertUndeliveredPlace(ctx, gen.InsertUndeliveredPlaceParams{
		Site: w.Site.Alias, CityID: w.CityID, Latitude: w.At.Latitude, Longitude: w.At.Longitude,
		Phone: w.Phone, Language: string(w.Lang), Now: w.Now,
	})
	if err != nil {
		return fmt.Errorf("keep the wish: %w", err)
	}
	return nil
}

func forget(ctx context.Context, q *gen.Queries, siteAlias, phone string) error {
	if err := q.DeleteUndeliveredPlaces(ctx, gen.DeleteUndeliveredPlacesParams{Site: siteAlias, Phone: phone}); err != nil {
		return fmt.Errorf("forget wishes: %w", err)
	}
	return nil
}

func list(ctx context.Context, q *gen.Queries, siteAlias, phone string) ([]Kept, error) {
	rows, err := q.ListUndeliveredPlaces(ctx, gen.ListUndeliveredPlacesParams{Site: siteAlias, Phone: phone})
	if err != nil {
		return nil, fmt.Errorf("list wishes: %w", err)
	}
	kept := make([]Kept, len(rows))
	for i, row := range rows {
		kept[i] = Kept{row.CityID, geo.Point{Latitude: row.Latitude, Longitude: row.Longitude}, lang.Lang(row.Language), row.CreatedAt}
	}
	return kept, nil
}

// Sweep removes wishes that were left before the instant.
func (s *Service) Sweep(ctx context.Context, before time.Time) error {
	err := s.db.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeleteOldUndeliveredPlaces(ctx, before) })
	if err != nil {
		return fmt.Errorf("remove old wishes: %w", err)
	}
	return nil
}
