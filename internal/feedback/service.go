package feedback

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/forward"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/limit"
	"servery/internal/notify"
	"servery/internal/queue"
	"servery/internal/site"
)

// Options are the parts of a [Service].
type Options struct {
	DB    *db.DB
	Queue *queue.Queue
	Clock clock.Clock
	Log   *slog.Logger
	// Forwarders deliver forms to the brand, and Senders notices to phones.
	Forwarders forward.Senders
	Senders    notify.Senders
	// Limits bound the forms of a session and of a phone.
	Limits limit.Limits
	// Site finds a site by its alias.
	Site func(alias string) (*site.Site, bool)
	// Coverage returns which points customers can order a delivery to, by the content in use.
	Coverage func() Coverage
	// Address returns the address of a site, without a slash at its end; empty where it is unknown.
	Address func(*site.Site) string
}

// Coverage is which points customers can order a delivery to, by one revision of the content.
type Coverage struct {
	Revision int64
	// Covers reports whether the site takes orders to the point.
	Covers func(siteAlias string, cityID int64, at geo.Point) bool
}

// Service stores what visitors send and delivers it. It is safe for concurrent use.
type Service struct {
	Options

	metrics *metrics
	checked checkedRevision
}

// New returns the service on a migrated database and registers its jobs; it must be called before
// the queue starts.
func New(o Options) *Service {
	s := &Service{Options: o, metrics: newMetrics()}
	queue.HandleAside(o.Queue, s.runForward)
	queue.HandleAside(o.Queue, s.runNotice)
	return s
}

// Visitor is who sends a form.
type Visitor struct {
	Site                  *site.Site
	SessionID, CustomerID int64
	Lang                  lang.Lang
	// Key is the idempotency key of the call; empty when it has none.
	Key string
	Now time.Time
}

const (
	// countedFor is the time in which forms are counted.
	countedFor = time.Hour
	// sameFor is how long a form with the same contents counts as one that arrived twice.
	sameFor = 10 * time.Minute
)

// Submit stores a form that [Form.Check] has returned, and enqueues its delivery where the brand has
// one. A form that arrives twice is stored once: with the same key in the same session, or with the
// same contents from the same phone within ten minutes. It returns feedback.too_many (TooMany) for a
// session or phone that sends too many.
func (s *Service) Submit(ctx context.Context, v Visitor, f Form) error {
	fields, err := json.Marshal(f.Fields)
	if err != nil {
		return fmt.Errorf("write the fields of a form: %w", err)
	}
	row := storedForm{Form: f, site: v.Site.Alias, fields: string(fields), hash: hashOf(f, string(fields)), state: stateNone}
	if _, ok := s.Forwarders.Forwarder(v.Site.Alias); ok {
		row.state = stateWaiting
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, db.LockedSession, strconv.FormatInt(v.SessionID, 10)); err != nil {
			return err
		}
		if err := tx.Lock(ctx, db.LockedPhone, v.Site.Alias+" "+f.Phone); err != nil {
			return err
		}
		isRepeated, err := s.checkRepeats(ctx, tx, v, row)
		if err != nil || isRepeated {
			return err
		}
		id, err := insertForm(ctx, tx.Q, v, row)
		if err != nil || row.state != stateWaiting {
			return err
		}
		return s.Queue.Enqueue(ctx, tx, forwardJob{ID: id})
	})
}

// checkRepeats reports whether the form is stored already. It returns feedback.too_many (TooMany)
// when the session or the phone has sent too many.
func (s *Service) checkRepeats(ctx context.Context, tx *db.Tx, v Visitor, row storedForm) (bool, error) {
	isRepeated, err := hasKey(ctx, tx.Q, v)
	if err != nil || isRepeated {
		return isRepeated, err
	}
	recent, err := listHashes(ctx, tx.Q, v.Site.Alias, row.Phone, v.Now.Add(-sameFor))
	if err != nil {
		return false, err
	}
	if slices.Contains(recent, row.hash) {
		return true, nil
	}
	ofPhone, err := listHashes(ctx, tx.Q, v.Site.Alias, row.Phone, v.Now.Add(-countedFor))
	if err != nil {
		return false, err
	}
	ofSession, err := countOfSession(ctx, tx.Q, v.SessionID, v.Now.Add(-countedFor))
	if err != nil {
		return false, err
	}
	isOver := func(count, limit int) bool { return limit > 0 && count >= limit }
	if isOver(len(ofPhone), s.Limits.FormsPerPhone) || isOver(ofSession, s.Limits.FormsPerSession) {
		return false, fault.New(fault.TooMany, "feedback.too_many", fault.RetryAfter(countedFor))
	}
	return false, nil
}

// hashOf returns a hash of kind, name, phone and fields of a form. fields is their stored text.
func hashOf(f Form, fields string) string {
	h := sha256.New()
	for _, part := range []string{string(f.Kind), f.Name, f.Phone, fields} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part) // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}

// State is what became of the delivery of a form. The set is closed; the values are stored.
type State string

// The states.
const (
	stateNone    State = "none"    // the brand had no way of delivery
	stateWaiting State = "waiting" // it is attempted
	stateSent    State = "sent"
	stateFailed  State = "failed" // all attempts failed
)

// Stored is a form as it is stored.
type Stored struct {
	Form

	ID         int64
	Site       string
	CustomerID int64
	Lang       lang.Lang
	State      State
	CreatedAt  time.Time
}

// Filter says which forms are listed.
type Filter struct {
	// Site and Kind are empty for all.
	Site string
	Kind Kind
	// Before is the id that all forms are below; 0 for the newest.
	Before int64
	Limit  int
}

// List returns one page of forms, the newest first, and the Before of the next page; 0 on the last
// page.
func (s *Service) List(ctx context.Context, f Filter) (page []Stored, next int64, err error) {
	page, err = pageForms(ctx, s.DB.Read(), f)
	if err != nil {
		return nil, 0, err
	}
	if len(page) > f.Limit {
		page = page[:f.Limit]
		next = page[len(page)-1].ID
	}
	return page, next, nil
}

// ListForms returns the forms of a phone and those of a customer of a brand. Only ID, CreatedAt, Kind,
// Name and Fields of each are set.
func (s *Service) ListForms(ctx context.Context, siteAlias string, customerID int64, phone string) ([]Stored, error) {
	return listForms(ctx, s.DB.Read(), siteAlias, customerID, phone)
}
