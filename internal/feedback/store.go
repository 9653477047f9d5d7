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

// insertRequest stores a delivery request, unless the same one is stored.
func insertRequest(ctx context.Context, q *gen.Queries, w DeliveryRequest) error {
	err := q.InsertUndeliveredPlace(ctx, gen.InsertUndeliveredPlaceParams{
		Site: w.Site.Alias, CityID: w.CityID, Latitude: w.At.Latitude, Longitude: w.At.Longitude,
		Phone: w.Phone, Language: string(w.Lang), Now: w.Now,
	})
	if err != nil {
		return fmt.Errorf("store the delivery request: %w", err)
	}
	return nil
}

// deleteRequests deletes the delivery requests of a phone at a brand.
func deleteRequests(ctx context.Context, q *gen.Queries, siteAlias, phone string) error {
	if err := q.DeleteUndeliveredPlaces(ctx, gen.DeleteUndeliveredPlacesParams{Site: siteAlias, Phone: phone}); err != nil {
		return fmt.Errorf("delete delivery requests: %w", err)
	}
	return nil
}

// listRequests returns the delivery requests of a phone at a brand.
func listRequests(ctx context.Context, q *gen.Queries, siteAlias, phone string) ([]StoredRequest, error) {
	rows, err := q.ListUndeliveredPlaces(ctx, gen.ListUndeliveredPlacesParams{Site: siteAlias, Phone: phone})
	if err != nil {
		return nil, fmt.Errorf("list delivery requests: %w", err)
	}
	kept := make([]StoredRequest, len(rows))
	for i, row := range rows {
		kept[i] = StoredRequest{row.CityID, geo.Point{Latitude: row.Latitude, Longitude: row.Longitude}, lang.Lang(row.Language), row.CreatedAt}
	}
	return kept, nil
}

// Sweep removes delivery requests that were made before the instant.
func (s *Service) Sweep(ctx context.Context, before time.Time) error {
	err := s.db.InBatches(ctx, func(tx *db.Tx) (int64, error) { return tx.Q.DeleteOldUndeliveredPlaces(ctx, before) })
	if err != nil {
		return fmt.Errorf("delete old delivery requests: %w", err)
	}
	return nil
}
