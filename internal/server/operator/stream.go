package operator

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"servery/internal/fault"
	"servery/internal/order/feed"
	"servery/internal/server/stream"
)

const (
	// lookEvery is how often a stream looks for new changes.
	lookEvery = 500 * time.Millisecond
	// lookTimeout bounds one look.
	lookTimeout = 5 * time.Second
	// maxStreams bounds the streams of a process: each asks the database twice a second.
	maxStreams = 100
	// changesAtOnce is how many changes a stream reads at once.
	changesAtOnce = 500
)

// StreamChanges is GET /operator/changes/events: the changes of [Calls.OperatorListChanges], each sent as
// it becomes visible. It ends when the reader goes or the server drains; a reader that comes back
// with the number of the last event goes on from there.
func (c *Calls) StreamChanges(w http.ResponseWriter, r *http.Request) {
	query, err := streamedQuery(r)
	if err != nil {
		c.problem(w, r, err)
		return
	}
	if c.streams.Add(1) > maxStreams {
		c.streams.Add(-1)
		c.problem(w, r, fault.New(fault.Unavailable, "common.unavailable", fault.RetryAfter(30*time.Second)))
		return
	}
	defer c.streams.Add(-1)
	beats, stop := c.beats()
	defer stop()
	looks := time.NewTicker(lookEvery)
	defer looks.Stop()
	ctx := c.streamContext(r)
	to := stream.Begin(w)
	for {
		page, err := c.readNext(ctx, query) //nolint:contextcheck // a stream outlives the deadline of its request
		if err == nil {
			err = c.sendChanges(to, page)
			query.After = page.Last
		}
		if err != nil {
			return // the reader is gone or the database is away: the reader comes back
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

// readNext reads the next changes. It returns an error when the database does not answer in time.
func (c *Calls) readNext(ctx context.Context, query feed.Query) (feed.Page, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	return c.feed.List(ctx, query)
}

// sendChanges sends the changes of a page. It returns an error when the reader is gone.
func (c *Calls) sendChanges(to stream.Writer, page feed.Page) error {
	for _, e := range page.Entries {
		if err := to.SendNumbered(e.ID, "change", toWireEntry(e, c.clockOf(e.Site))); err != nil {
			return err
		}
	}
	return nil
}

// streamedQuery returns what the reader of a stream asks for. The number of the last event that it
// has got counts more than after. It returns common.invalid (Invalid) for one that is no number.
func streamedQuery(r *http.Request) (feed.Query, error) {
	asked := r.URL.Query()
	query := feed.Query{Site: asked.Get("site"), Limit: changesAtOnce}
	for text, to := range map[string]*int64{"after": &query.After, "shop_id": &query.ShopID} {
		if asked.Get(text) == "" {
			continue
		}
		number, err := strconv.ParseInt(asked.Get(text), 10, 64)
		if err != nil {
			return feed.Query{}, fault.New(fault.Invalid, "common.invalid", fault.Field(text, "common.invalid"))
		}
		*to = number
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		number, err := strconv.ParseInt(last, 10, 64)
		if err != nil {
			return feed.Query{}, fault.New(fault.Invalid, "common.invalid", fault.Field("after", "common.invalid"))
		}
		query.After = number
	}
	return query, nil
}
