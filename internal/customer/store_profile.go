package customer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
)

// findProfile returns the profile of a customer of the site, or [ErrSignInFirst].
func findProfile(ctx context.Context, q *gen.Queries, site string, id int64) (Profile, error) {
	row, err := q.GetProfile(ctx, gen.GetProfileParams{ID: id, Site: site}) // toProfile handles err too
	return toProfile(ctx, q, row, err)
}

// lockProfile returns the profile and locks its row until the transaction ends, or returns
// [ErrSignInFirst].
func lockProfile(ctx context.Context, q *gen.Queries, site string, id int64) (Profile, error) {
	row, err := q.LockProfile(ctx, gen.LockProfileParams{ID: id, Site: site}) // toProfile handles err too
	return toProfile(ctx, q, gen.GetProfileRow(row), err)
}

// toProfile returns the profile of a row with the answers to consents, which it reads. err is the
// error of the query for the row; for db.ErrNotFound toProfile returns ErrSignInFirst.
func toProfile(ctx context.Context, q *gen.Queries, row gen.GetProfileRow, err error) (Profile, error) {
	if errors.Is(err, db.ErrNotFound) {
		return Profile{}, ErrSignInFirst
	}
	if err != nil {
		return Profile{}, fmt.Errorf("read profile: %w", err)
	}
	p := Profile{Customer: Customer{ID: row.ID, Phone: row.Phone, Name: row.Name}, Sex: Sex(row.Sex), Email: row.Email}
	if row.Birthday != "" {
		if p.Birthday, err = clock.ParseDay(row.Birthday); err != nil {
			return Profile{}, errors.New("read profile: the birthday is no date") // the date itself is personal
		}
	}
	answers, err := q.ListConsentAnswers(ctx, row.ID)
	if err != nil {
		return Profile{}, fmt.Errorf("read consents: %w", err)
	}
	for _, a := range answers {
		p.Consents = append(p.Consents, Answer{Kind: Kind(a.Kind), Version: a.Version, IsGiven: a.IsGiven, Address: a.Address, At: a.At})
	}
	return p, nil
}

// claimExport stores an export of the customer now. It reports false, and stores nothing, when
// there was one within the pause.
func claimExport(ctx context.Context, q *gen.Queries, id int64, now time.Time, pause time.Duration) (bool, error) {
	rows, err := q.ClaimExport(ctx, gen.ClaimExportParams{CustomerID: id, Now: now, Before: now.Add(-pause)})
	if err != nil {
		return false, fmt.Errorf("claim export: %w", err)
	}
	return rows > 0, nil
}

// lastExport returns when the customer last had an export.
func lastExport(ctx context.Context, q *gen.Queries, id int64) (time.Time, error) {
	at, err := q.GetExportedAt(ctx, id)
	if err != nil {
		return time.Time{}, fmt.Errorf("read export: %w", err)
	}
	return at, nil
}

// saveProfile stores the profile and adds the answers to consents.
func saveProfile(ctx context.Context, q *gen.Queries, p Profile, answers []Answer) error {
	birthday := ""
	if !p.Birthday.IsZero() {
		birthday = p.Birthday.String()
	}
	err := q.SaveProfile(ctx, gen.SaveProfileParams{ID: p.ID, Name: p.Name, Sex: string(p.Sex), Birthday: birthday, Email: p.Email})
	if err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	for _, a := range answers {
		err := q.InsertConsentAnswer(ctx, gen.InsertConsentAnswerParams{
			CustomerID: p.ID, Kind: string(a.Kind), Version: a.Version, IsGiven: a.IsGiven, Address: a.Address, Now: a.At,
		})
		if err != nil {
			return fmt.Errorf("keep consent: %w", err)
		}
	}
	return nil
}

// setNameIfEmpty stores the name of a customer who has none yet.
func setNameIfEmpty(ctx context.Context, q *gen.Queries, id int64, name string) error {
	if err := q.NameCustomer(ctx, gen.NameCustomerParams{ID: id, Name: name}); err != nil {
		return fmt.Errorf("name customer: %w", err)
	}
	return nil
}

// listPresents returns the presents of a customer, newest first.
func listPresents(ctx context.Context, q *gen.Queries, site string, id int64) ([]Present, error) {
	rows, err := q.ListAllPresents(ctx, gen.ListAllPresentsParams{CustomerID: id, Site: site})
	if err != nil {
		return nil, fmt.Errorf("list presents: %w", err)
	}
	list := make([]Present, len(rows))
	for i, row := range rows {
		list[i] = Present{ID: row.ID, GiftID: row.GiftID, Count: int(row.Count), ExpiresAt: row.ExpiresAt.Time}
	}
	return list, nil
}

// deleteSessions deletes the sessions of a customer and returns their ids.
func deleteSessions(ctx context.Context, q *gen.Queries, customerID int64) ([]int64, error) {
	ids, err := q.DeleteSessionsOf(ctx, customerID)
	if err != nil {
		return nil, fmt.Errorf("end sessions: %w", err)
	}
	return ids, nil
}

// eraseCustomer deletes the rows that belong to a customer. In the customer's own row it empties the
// personal data, and replaces the phone by the given tombstone.
func eraseCustomer(ctx context.Context, q *gen.Queries, id int64, phone string, now time.Time) error {
	for _, erase := range []func() error{
		func() error { return q.DeleteConsentAnswers(ctx, id) },
		func() error { return q.DeleteSignInLinks(ctx, id) },
		func() error { return q.DeletePresents(ctx, id) },
		func() error {
			return q.EraseCustomer(ctx, gen.EraseCustomerParams{ID: id, Phone: phone, Now: sql.NullTime{Time: now, Valid: true}})
		},
	} {
		if err := erase(); err != nil {
			return fmt.Errorf("erase customer: %w", err)
		}
	}
	return nil
}
