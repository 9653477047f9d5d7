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

// deleteRequests deletes the delivery requests and notices of a phone at a brand.
func deleteRequests(ctx context.Context, q *gen.Queries, siteAlias, phone string) error {
	if err := q.DeleteUndeliveredPlaces(ctx, gen.DeleteUndeliveredPlacesParams{Site: siteAlias, Phone: phone}); err != nil {
		return fmt.Errorf("delete delivery requests: %w", err)
	}
	if err := q.DeleteDeliveryNotices(ctx, gen.DeleteDeliveryNoticesParams{Site: siteAlias, Phone: phone}); err != nil {
		return fmt.Errorf("delete delivery notices: %w", err)
	}
	return nil
}

// countRequests returns how many places a phone waits for at a brand.
func countRequests(ctx context.Context, q *gen.Queries, siteAlias, phone string) (int, error) {
	count, err := q.CountUndeliveredPlaces(ctx, gen.CountUndeliveredPlacesParams{Site: siteAlias, Phone: phone})
	if err != nil {
		return 0, fmt.Errorf("count delivery requests: %w", err)
	}
	return int(count), nil
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

// noticeLife is how long a notice is stored at most; its last attempt is before that.
const noticeLife = 7 * 24 * time.Hour

// Sweep removes what is over its term: forms and delivery requests that were made before the
// instant, and notices after a week.
func (s *Service) Sweep(ctx context.Context, before time.Time) error {
	noticesBefore := s.Clock.Now().Add(-noticeLife)
	for _, remove := range []func(*gen.Queries) (int64, error){
		func(q *gen.Queries) (int64, error) { return q.DeleteOldUndeliveredPlaces(ctx, before) },
		func(q *gen.Queries) (int64, error) { return q.DeleteOldFeedbackForms(ctx, before) },
		func(q *gen.Queries) (int64, error) { return q.DeleteOldDeliveryNotices(ctx, noticesBefore) },
	} {
		if err := s.DB.InBatches(ctx, func(tx *db.Tx) (int64, error) { return remove(tx.Q) }); err != nil {
			return fmt.Errorf("delete old feedback: %w", err)
		}
	}
	return nil
}
