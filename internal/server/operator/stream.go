package operator

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/fault"
	"servery/internal/order/feed"
	"servery/internal/server/stream"
)

const (
	// lookEvery is how often a stream looks for new changes.
	lookEvery = 500 * time.Millisecond
	// lookTimeout bounds one look.
	lookTimeout = 5 * time.Second
	// maxStreams bounds the streams of a process: each asks the database twice a second. maxOfOne bounds those of one
	// token or account, so that none takes the places of all.
	maxStreams = 100
	maxOfOne   = 50
	// changesAtOnce is how many changes a stream reads at once.
	changesAtOnce = 500
)

// streams counts the streams that are open in a process. It is safe for concurrent use.
type streams struct {
	mu       sync.Mutex
	count    int
	byReader map[streamReader]int
}

// streamReader is a token or an account.
type streamReader struct {
	kind audit.Kind
	id   int64
}

// enter counts a stream. It reports false, and counts nothing, when the reader or the process has too many.
func (s *streams) enter(p access.Principal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	reader := streamReader{p.Kind, p.ID}
	if s.count >= maxStreams || s.byReader[reader] >= maxOfOne {
		return false
	}
	if s.byReader == nil {
		s.byReader = map[streamReader]int{}
	}
	s.count++
	s.byReader[reader]++
	return true
}

// leave ends the count of a stream that has entered.
func (s *streams) leave(p access.Principal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	reader := streamReader{p.Kind, p.ID}
	s.count--
	if s.byReader[reader]--; s.byReader[reader] == 0 {
		delete(s.byReader, reader)
	}
}

// StreamChanges is GET /operator/changes/events: it sends the changes of [Calls.OperatorListChanges] as
// server-sent events, each when it becomes visible. The stream ends when the reader goes, the server drains,
// the database does not answer or the reader's token ends. A reader that comes back with the number of the
// last event continues after it. Beyond maxStreams and maxOfOne it returns common.unavailable (Unavailable).
func (c *Calls) StreamChanges(w http.ResponseWriter, r *http.Request) {
	query, err := streamedQuery(r)
	if err != nil {
		c.problem(w, r, err)
		return
	}
	reader := access.From(r.Context())
	if !c.streams.enter(reader) {
		c.problem(w, r, fault.New(fault.Unavailable, "common.unavailable", fault.RetryAfter(30*time.Second)))
		return
	}
	defer c.streams.leave(reader)
	beats, stop := c.beats()
	defer stop()
	looks := time.NewTicker(lookEvery)
	defer looks.Stop()
	ctx := access.With(c.streamContext(r), reader)
	to := stream.Begin(w)
	for {
		page, err := c.readNext(ctx, query) //nolint:contextcheck // a stream outlives the deadline of its request
		if err == nil {
			err = c.sendChanges(ctx, to, page) //nolint:contextcheck // likewise
			query.After = page.Last
		}
		if err != nil {
			return // the reader is gone, the database is away or the token is over: the reader comes back
		}
		if page.HasMore {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-c.drained:
			return
		case <-beats:
			if to.Beat() != nil {
				return
			}
		case <-looks.C:
		}
	}
}

// readNext reads the next changes. It returns an error when the database does not answer in time, and
// common.unauthenticated (Unauthenticated) once the reader's token is over.
func (c *Calls) readNext(ctx context.Context, query feed.Query) (feed.Page, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	isValid, err := c.isValid(ctx, access.From(ctx))
	if err != nil {
		return feed.Page{}, err
	}
	if !isValid {
		return feed.Page{}, fault.New(fault.Unauthenticated, "common.unauthenticated")
	}
	return c.feed.List(ctx, query)
}

// isValid reports whether the principal of a stream could still begin it.
func (c *Calls) isValid(ctx context.Context, p access.Principal) (bool, error) {
	if p.Kind == audit.Staff || p.Kind == audit.Device {
		return c.staff.IsValid(ctx, p)
	}
	return c.tokens.IsValid(ctx, p)
}

// sendChanges sends the changes of a page. It returns an error when the reader is gone.
func (c *Calls) sendChanges(ctx context.Context, to stream.Writer, page feed.Page) error {
	for _, e := range page.Entries {
		if err := to.SendNumbered(e.ID, "change", c.showEntry(ctx, e)); err != nil {
			return err
		}
	}
	return nil
}

// streamedQuery returns the query of a stream's request. The header Last-Event-ID, with which a reader
// reconnects, takes precedence over the parameter after. It returns common.invalid (Invalid) for a
// parameter or a header that is not a number.
func streamedQuery(r *http.Request) (feed.Query, error) {
	params := r.URL.Query()
	query, shopID := feed.Query{Limit: changesAtOnce}, int64(0)
	for name, to := range map[string]*int64{"after": &query.After, "shop_id": &shopID} {
		if params.Get(name) == "" {
			continue
		}
		number, err := strconv.ParseInt(params.Get(name), 10, 64)
		if err != nil {
			return feed.Query{}, fault.New(fault.Invalid, "common.invalid", fault.Field(name, "common.invalid"))
		}
		*to = number
	}
	scope := scopeOf(r.Context(), params.Get("site"), shopID)
	query.Site, query.Shops = scope.Site, scope.Shops
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		number, err := strconv.ParseInt(last, 10, 64)
		if err != nil {
			return feed.Query{}, fault.New(fault.Invalid, "common.invalid", fault.Field("after", "common.invalid"))
		}
		query.After = number
	}
	return query, nil
}
