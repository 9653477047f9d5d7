package feedback

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/geo"
	"servery/internal/lang"
)

// notice is a notice that is leased to a caller.
type notice struct {
	id       int64
	site     string
	cityID   int64
	phone    string
	lang     lang.Lang
	attempts int64
}

// pageRequests returns the next waiting requests after an id; none after the last one.
func pageRequests(ctx context.Context, q *gen.Queries, after int64) ([]waitingRequest, error) {
	rows, err := q.PageUndeliveredPlaces(ctx, after)
	if err != nil {
		return nil, fmt.Errorf("list waiting requests: %w", err)
	}
	page := make([]waitingRequest, len(rows))
	for i, r := range rows {
		page[i] = waitingRequest{r.ID, r.Site, r.CityID, geo.Point{Latitude: r.Latitude, Longitude: r.Longitude}, r.Phone, lang.Lang(r.Language)}
	}
	return page, nil
}

// removeRequest removes a waiting request and reports whether it was there.
func removeRequest(ctx context.Context, q *gen.Queries, id int64) (bool, error) {
	rows, err := q.TakeUndeliveredPlace(ctx, id)
	if err != nil {
		return false, fmt.Errorf("take a waiting request: %w", err)
	}
	return rows == 1, nil
}

// insertNotice stores a notice for the phone of a request, unless there is one for that phone and city.
// isNew reports whether it was stored.
func insertNotice(ctx context.Context, q *gen.Queries, r waitingRequest, due, now time.Time) (id int64, isNew bool, err error) {
	_, err = q.FindDeliveryNotice(ctx, gen.FindDeliveryNoticeParams{Site: r.site, Phone: r.phone, CityID: r.cityID})
	if err == nil {
		return 0, false, nil
	}
	if !errors.Is(err, db.ErrNotFound) {
		return 0, false, fmt.Errorf("find a notice: %w", err)
	}
	id, err = q.InsertDeliveryNotice(ctx, gen.InsertDeliveryNoticeParams{
		Site: r.site, CityID: r.cityID, Phone: r.phone, Language: string(r.lang), DueAt: due, Now: now,
	})
	if err != nil {
		return 0, false, fmt.Errorf("store a notice: %w", err)
	}
	return id, true, nil
}

// leaseNotice leases a due notice to this caller. It returns [db.ErrNotFound] when there is nothing
// to do now.
func leaseNotice(ctx context.Context, q *gen.Queries, id int64, now, until time.Time) (notice, error) {
	r, err := q.LeaseDeliveryNotice(ctx, gen.LeaseDeliveryNoticeParams{LeaseUntil: until, ID: id, Now: now})
	if err != nil {
		return notice{}, fmt.Errorf("lease a notice: %w", err)
	}
	return notice{r.ID, r.Site, r.CityID, r.Phone, lang.Lang(r.Language), r.Attempts}, nil
}

// postponeNotice stores when the next attempt to send a notice begins.
func postponeNotice(ctx context.Context, q *gen.Queries, id int64, due time.Time) error {
	if err := q.PostponeDeliveryNotice(ctx, gen.PostponeDeliveryNoticeParams{DueAt: due, ID: id}); err != nil {
		return fmt.Errorf("postpone a notice: %w", err)
	}
	return nil
}

// deleteNotice deletes a notice.
func deleteNotice(ctx context.Context, q *gen.Queries, id int64) error {
	if err := q.DeleteDeliveryNotice(ctx, id); err != nil {
		return fmt.Errorf("delete a notice: %w", err)
	}
	return nil
}

// listDueNotices lists the notices that were due at an instant, the oldest first.
func listDueNotices(ctx context.Context, q *gen.Queries, now time.Time) ([]int64, error) {
	ids, err := q.ListDueDeliveryNotices(ctx, now)
	if err != nil {
		return nil, fmt.Errorf("list due notices: %w", err)
	}
	return ids, nil
}
