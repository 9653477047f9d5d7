package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// keepArchived returns those of the orders that are in the archive.
func keepArchived(ctx context.Context, q *gen.Queries, ids []int64) ([]int64, error) {
	var archived []int64
	for _, id := range ids {
		found, err := isArchived(ctx, q, id)
		if err != nil {
			return nil, err
		}
		if found {
			archived = append(archived, id)
		}
	}
	return archived, nil
}

// isArchived reports whether an order is in the archive.
func isArchived(ctx context.Context, q *gen.Queries, id int64) (bool, error) {
	count, err := q.IsOrderArchived(ctx, id)
	if err != nil {
		return false, fmt.Errorf("look an order up in the archive: %w", err)
	}
	return count > 0, nil
}

// Owner is whose an archived order is: the session that placed it, and the customer, 0 for a guest.
type Owner struct {
	Site                  string
	SessionID, CustomerID int64
}

// FindOwner returns whose an archived order is; false when the order is not in the archive.
func FindOwner(ctx context.Context, q *gen.Queries, id int64) (Owner, bool, error) {
	row, err := q.GetArchivedOrderOwner(ctx, id)
	if errors.Is(err, db.ErrNotFound) {
		return Owner{}, false, nil
	}
	if err != nil {
		return Owner{}, false, fmt.Errorf("find the owner of an archived order: %w", err)
	}
	return Owner(row), true, nil
}

// FindByKey returns the archived order of a site with the key of a checkout; false when there is none.
func FindByKey(ctx context.Context, q *gen.Queries, site, key string) (int64, bool, error) {
	id, err := q.FindArchivedOrderByCacheKey(ctx, gen.FindArchivedOrderByCacheKeyParams{CacheKey: key, Site: site})
	if errors.Is(err, db.ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("find archived order by its key: %w", err)
	}
	return id, true, nil
}

// CountOfCustomer returns how many orders of a customer are archived.
func CountOfCustomer(ctx context.Context, q *gen.Queries, site string, customerID int64) (int, error) {
	count, err := q.CountArchivedOrdersOfCustomer(ctx, gen.CountArchivedOrdersOfCustomerParams{Site: site, CustomerID: customerID})
	if err != nil {
		return 0, fmt.Errorf("count archived orders: %w", err)
	}
	return int(count), nil
}

// Search says which archived orders are looked for: those promised for a time from Since on and earlier
// than Before, and of those promised for exactly Before the ones with a number below BeforeID. Shops is a
// list as of [db.ListOf]; an empty Phone, Shops or State matches any.
type Search struct {
	Site, Phone, Shops, State string
	Since, Before             time.Time
	BeforeID                  int64
	Count                     int
}

// RecallFound recalls the orders that match the search: at most Count, those with the latest promise.
func RecallFound(ctx context.Context, d *db.DB, s Search, now time.Time) error {
	days := gen.SearchArchivedOrdersOfDaysParams{
		Site: s.Site, Since: s.Since, Before: s.Before, BeforeID: s.BeforeID, Shops: s.Shops, State: s.State, MaxCount: int32(s.Count),
	}
	var ids []int64
	var err error
	if s.Phone == "" {
		ids, err = d.Read().SearchArchivedOrdersOfDays(ctx, days)
	} else {
		ids, err = d.Read().SearchArchivedOrdersOfPhone(ctx, gen.SearchArchivedOrdersOfPhoneParams{
			Site: s.Site, Phone: s.Phone, Since: s.Since, Before: s.Before, BeforeID: s.BeforeID, Shops: s.Shops, State: s.State, MaxCount: int32(s.Count),
		})
	}
	if err != nil {
		return fmt.Errorf("search archived orders: %w", err)
	}
	return Recall(ctx, d, now, ids...)
}

// ListPictures reads the next count archived orders, by number, beginning above the number after. It
// returns the hashes of the pictures that they show, and the number of the last one; 0 when there are no
// more orders.
func ListPictures(ctx context.Context, q *gen.Queries, after int64, count int32) (hashes []string, last int64, err error) {
	rows, err := q.ListArchivedPictures(ctx, gen.ListArchivedPicturesParams{ID: after, Count: count})
	if err != nil {
		return nil, 0, fmt.Errorf("read pictures of archived orders: %w", err)
	}
	for _, row := range rows {
		hashes, last = append(hashes, strings.Fields(row.Pictures)...), row.ID
	}
	return hashes, last, nil
}

// MoveSession makes the archived orders of one session those of another.
func MoveSession(ctx context.Context, q *gen.Queries, from, to int64) error {
	if err := q.MoveArchivedOrders(ctx, gen.MoveArchivedOrdersParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move archived orders: %w", err)
	}
	return nil
}

// AssignToCustomer makes a customer the owner of the archived orders that a guest has placed in the
// session with the customer's phone.
func AssignToCustomer(ctx context.Context, q *gen.Queries, site string, session, customerID int64, phone string) error {
	err := q.GiveArchivedOrdersToCustomer(ctx, gen.GiveArchivedOrdersToCustomerParams{
		CustomerID: customerID, SessionID: session, Site: site, Phone: phone,
	})
	if err != nil {
		return fmt.Errorf("assign archived orders to the customer: %w", err)
	}
	return nil
}

// listIdle returns up to a hundred archived orders of guests who were last seen before the instant.
func listIdle(ctx context.Context, q *gen.Queries, site string, seenBefore time.Time) ([]int64, error) {
	ids, err := q.ListArchivedIdleGuestOrders(ctx, gen.ListArchivedIdleGuestOrdersParams{Site: site, Before: nullTime(seenBefore)})
	if err != nil {
		return nil, fmt.Errorf("list idle archived orders: %w", err)
	}
	return ids, nil
}

// listOfCustomer returns all archived orders of a customer.
func listOfCustomer(ctx context.Context, q *gen.Queries, site string, customerID int64) ([]int64, error) {
	ids, err := q.ListArchivedOrdersOfCustomer(ctx, gen.ListArchivedOrdersOfCustomerParams{Site: site, CustomerID: customerID})
	if err != nil {
		return nil, fmt.Errorf("list archived orders of a customer: %w", err)
	}
	return ids, nil
}

// listOf returns the archived orders of a customer, of guests with the phone, and of guests in the
// sessions, each once.
func listOf(ctx context.Context, q *gen.Queries, site string, customerID int64, phone string, sessions []int64) ([]int64, error) {
	ids, err := listOfCustomer(ctx, q, site, customerID)
	if err != nil {
		return nil, err
	}
	ofPhone, err := q.ListArchivedGuestOrdersOfPhone(ctx, gen.ListArchivedGuestOrdersOfPhoneParams{Site: site, Phone: phone})
	if err != nil {
		return nil, fmt.Errorf("list archived orders of a phone: %w", err)
	}
	ids = append(ids, ofPhone...)
	for _, session := range sessions {
		inSession, err := q.ListArchivedGuestOrdersOfSession(ctx, gen.ListArchivedGuestOrdersOfSessionParams{SessionID: session, Site: site})
		if err != nil {
			return nil, fmt.Errorf("list archived orders of a session: %w", err)
		}
		ids = append(ids, inSession...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// listNewest returns those of the newest count orders of a customer that are archived.
func listNewest(ctx context.Context, q *gen.Queries, site string, customerID int64, count int) ([]int64, error) {
	ids, err := q.ListArchivedOrdersOfPage(ctx, gen.ListArchivedOrdersOfPageParams{Site: site, CustomerID: customerID, MaxCount: int32(count)})
	if err != nil {
		return nil, fmt.Errorf("list archived orders of a page: %w", err)
	}
	return ids, nil
}

// findOfPayment returns the archived order of a payment; false when there is none.
func findOfPayment(ctx context.Context, q *gen.Queries, paymentID string) (int64, bool, error) {
	id, err := q.FindArchivedPayment(ctx, paymentID)
	if errors.Is(err, db.ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("find the archived order of a payment: %w", err)
	}
	return id, true, nil
}
