package feedback

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"servery/internal/db/gen"
	"servery/internal/lang"
)

// storedForm is a form with what is stored beside it.
type storedForm struct {
	Form

	site         string
	fields, hash string
	state        State
}

// insertForm stores a form and returns its id.
func insertForm(ctx context.Context, q *gen.Queries, v Visitor, f storedForm) (int64, error) {
	id, err := q.InsertFeedbackForm(ctx, gen.InsertFeedbackFormParams{
		Site: f.site, Kind: string(f.Kind), CityID: f.CityID, CustomerID: v.CustomerID, SessionID: v.SessionID, IdempotencyKey: v.Key,
		ContentHash: f.hash, Name: f.Name, Phone: f.Phone, Fields: f.fields, Language: string(v.Lang), Agreement: Agreement,
		State: string(f.state), Now: v.Now,
	})
	if err != nil {
		return 0, fmt.Errorf("store a form: %w", err)
	}
	return id, nil
}

// hasKey reports whether the session has sent a form with the visitor's key.
func hasKey(ctx context.Context, q *gen.Queries, v Visitor) (bool, error) {
	if v.Key == "" {
		return false, nil
	}
	count, err := q.HasFeedbackKey(ctx, gen.HasFeedbackKeyParams{SessionID: v.SessionID, IdempotencyKey: v.Key})
	if err != nil {
		return false, fmt.Errorf("find the key of a form: %w", err)
	}
	return count > 0, nil
}

// countOfSession returns how many forms a session has sent since the instant.
func countOfSession(ctx context.Context, q *gen.Queries, sessionID int64, after time.Time) (int, error) {
	count, err := q.CountFeedbackOfSession(ctx, gen.CountFeedbackOfSessionParams{SessionID: sessionID, After: after})
	if err != nil {
		return 0, fmt.Errorf("count forms: %w", err)
	}
	return int(count), nil
}

// listHashes returns the hashes of the forms that a phone has sent since the instant.
func listHashes(ctx context.Context, q *gen.Queries, siteAlias, phone string, after time.Time) ([]string, error) {
	hashes, err := q.ListFeedbackHashes(ctx, gen.ListFeedbackHashesParams{Site: siteAlias, Phone: phone, After: after})
	if err != nil {
		return nil, fmt.Errorf("list forms of a phone: %w", err)
	}
	return hashes, nil
}

// pageForms returns the forms of the filter, the newest first. It returns one more than the limit
// when there is another page.
func pageForms(ctx context.Context, q *gen.Queries, f Filter) ([]Stored, error) {
	before := f.Before
	if before == 0 {
		before = math.MaxInt64
	}
	rows, err := q.PageFeedbackForms(ctx, gen.PageFeedbackFormsParams{Before: before, Site: f.Site, Kind: string(f.Kind), Most: int32(f.Limit + 1)})
	if err != nil {
		return nil, fmt.Errorf("list forms: %w", err)
	}
	page := make([]Stored, len(rows))
	for i, r := range rows {
		page[i] = Stored{
			ID: r.ID, Site: r.Site, CustomerID: r.CustomerID, Lang: lang.Lang(r.Language), State: State(r.State), CreatedAt: r.CreatedAt,
			Form: Form{Kind: Kind(r.Kind), CityID: r.CityID, Name: r.Name, Phone: r.Phone, IsAgreed: true},
		}
		if page[i].Fields, err = readFields(r.Fields); err != nil {
			return nil, err
		}
	}
	return page, nil
}

// listForms returns the forms of a phone, then those of a customer with another phone. Only ID,
// CreatedAt, Kind, Name and Fields of each are set.
func listForms(ctx context.Context, q *gen.Queries, siteAlias string, customerID int64, phone string) ([]Stored, error) {
	ofPhone, err := q.ListFeedbackOfPhone(ctx, gen.ListFeedbackOfPhoneParams{Site: siteAlias, Phone: phone})
	if err != nil {
		return nil, fmt.Errorf("list forms of a phone: %w", err)
	}
	ofCustomer, err := q.ListFeedbackOfCustomer(ctx, gen.ListFeedbackOfCustomerParams{CustomerID: customerID, Phone: phone})
	if err != nil {
		return nil, fmt.Errorf("list forms of a customer: %w", err)
	}
	for _, r := range ofCustomer {
		ofPhone = append(ofPhone, gen.ListFeedbackOfPhoneRow(r))
	}
	forms := make([]Stored, len(ofPhone))
	for i, r := range ofPhone {
		forms[i] = Stored{ID: r.ID, CreatedAt: r.CreatedAt, Form: Form{Kind: Kind(r.Kind), Name: r.Name}}
		if forms[i].Fields, err = readFields(r.Fields); err != nil {
			return nil, err
		}
	}
	return forms, nil
}

// readFields reads fields as they are stored.
func readFields(text string) (f Fields, err error) {
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return f, fmt.Errorf("read the fields of a form: %w", err)
	}
	return f, nil
}

// deleteForms deletes the forms of a phone at a brand and those of a customer.
func deleteForms(ctx context.Context, q *gen.Queries, siteAlias string, customerID int64, phone string) error {
	if err := q.DeleteFeedbackOfPhone(ctx, gen.DeleteFeedbackOfPhoneParams{Site: siteAlias, Phone: phone}); err != nil {
		return fmt.Errorf("delete forms of a phone: %w", err)
	}
	if err := q.DeleteFeedbackOfCustomer(ctx, customerID); err != nil {
		return fmt.Errorf("delete forms of a customer: %w", err)
	}
	return nil
}

// leaseForm leases a due form to this caller and returns it with its number of attempts, this one
// included. It returns [db.ErrNotFound] when there is nothing to do now.
func leaseForm(ctx context.Context, q *gen.Queries, id int64, now, until time.Time) (Stored, int64, error) {
	r, err := q.LeaseFeedbackForm(ctx, gen.LeaseFeedbackFormParams{LeaseUntil: until, ID: id, Now: now})
	if err != nil {
		return Stored{}, 0, fmt.Errorf("lease a form: %w", err)
	}
	fields, err := readFields(r.Fields)
	return Stored{
		ID: r.ID, Site: r.Site, CustomerID: r.CustomerID, Lang: lang.Lang(r.Language), State: stateWaiting, CreatedAt: r.CreatedAt,
		Form: Form{Kind: Kind(r.Kind), CityID: r.CityID, Name: r.Name, Phone: r.Phone, Fields: fields, IsAgreed: true},
	}, r.Attempts, err
}

// finishForm stores what became of the delivery of a form.
func finishForm(ctx context.Context, q *gen.Queries, id int64, state State) error {
	if err := q.FinishFeedbackForm(ctx, gen.FinishFeedbackFormParams{State: string(state), ID: id}); err != nil {
		return fmt.Errorf("finish a form: %w", err)
	}
	return nil
}

// postponeForm stores when the next attempt to deliver a form begins.
func postponeForm(ctx context.Context, q *gen.Queries, id int64, due time.Time) error {
	if err := q.PostponeFeedbackForm(ctx, gen.PostponeFeedbackFormParams{DueAt: due, ID: id}); err != nil {
		return fmt.Errorf("postpone a form: %w", err)
	}
	return nil
}

// listDue lists ids that were due at an instant.
type listDue func(ctx context.Context, q *gen.Queries, now time.Time) ([]int64, error)

// listDueForms lists the forms that were due at an instant, the oldest first.
func listDueForms(ctx context.Context, q *gen.Queries, now time.Time) ([]int64, error) {
	ids, err := q.ListDueFeedbackForms(ctx, now)
	if err != nil {
		return nil, fmt.Errorf("list due forms: %w", err)
	}
	return ids, nil
}
