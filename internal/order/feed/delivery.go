package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/forward"
	"servery/internal/order/orders"
)

const (
	// deliverEvery is how often a process looks for changes to post.
	deliverEvery = time.Second
	// lease is how long a process may take to post one message.
	lease = time.Minute
	// changesPerMessage is how many changes are posted in one message.
	changesPerMessage = 100
	// changesPerRead is how many changes of all brands are read at once.
	changesPerRead = 500
)

// pauses are how long after a failed attempt the next one begins: as many as there are repeats, over
// some sixteen hours.
var pauses = []time.Duration{
	time.Second, 5 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
}

// DeliveryOptions are the parts of a [Delivery].
type DeliveryOptions struct {
	DB    *db.DB
	Clock clock.Clock
	Log   *slog.Logger
	// Sites returns the aliases of all brands in the content in use.
	Sites func() []string
	// Hook returns the webhook of a brand; false when it has none.
	Hook func(site string) (forward.Sender, bool)
	// Encode returns a change as the contract shows it.
	Encode func(Entry) (json.RawMessage, error)
}

// Delivery posts the changes of a brand's orders to its webhook, in order and at least once each. Of the
// processes on a database one posts for a brand at a time. It is safe for concurrent use.
type Delivery struct {
	DeliveryOptions

	feed *Service
	sent *prometheus.CounterVec
	mu   sync.Mutex
	// searched is, by brand, the span of changes in which nothing is left to post.
	searched map[string]span
}

// span says that there are no changes of a brand after the number last and up to the number upTo.
type span struct{ last, upTo int64 }

// NewDelivery returns a delivery on a migrated database. [Delivery.Run] makes it work.
func NewDelivery(o DeliveryOptions) *Delivery {
	return &Delivery{
		DeliveryOptions: o, feed: New(o.DB), searched: map[string]span{},
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "servery_change_messages_total", Help: "Messages to webhooks with changes of orders, by what became of them.",
		}, []string{"site", "outcome"}),
	}
}

// Collectors returns the metrics of the messages.
func (d *Delivery) Collectors() []prometheus.Collector { return []prometheus.Collector{d.sent} }

// Run posts changes until ctx is over. It logs what fails.
func (d *Delivery) Run(ctx context.Context) {
	ticker := time.NewTicker(deliverEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := d.Deliver(ctx); err != nil && ctx.Err() == nil {
				d.Log.ErrorContext(ctx, "changes of orders could not be posted", "error", err)
			}
		}
	}
}

// Deliver posts all changes that are due, brand by brand. An attempt that fails ends the work for its
// brand only; Deliver returns all errors joined.
func (d *Delivery) Deliver(ctx context.Context) error {
	var failed []error
	for _, site := range d.Sites() {
		hook, ok := d.Hook(site)
		if !ok {
			continue
		}
		hasMore := true
		for hasMore && ctx.Err() == nil {
			var err error
			if hasMore, err = d.deliverNext(ctx, site, hook); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", site, err))
				break
			}
		}
	}
	return errors.Join(failed...)
}

// message is what a webhook gets.
type message struct {
	Site    string            `json:"site"`
	Changes []json.RawMessage `json:"changes"`
	// Last is the number of the last of the changes.
	Last int64 `json:"last"`
}

// deliverNext posts the next changes of a brand, and reports whether there may be more. It posts
// nothing when the next post is not due, an earlier one has failed for good, or another process posts
// for the brand. After a failed post it stores when the next attempt is due, and reports false.
func (d *Delivery) deliverNext(ctx context.Context, site string, hook forward.Sender) (hasMore bool, err error) {
	state, err := d.readState(ctx, site)
	now := d.Clock.Now()
	if err != nil || state.HasFailed() || state.DueAt.After(now) || state.leasedUntil.After(now) {
		return false, err
	}
	page, err := d.feed.List(ctx, Query{After: d.searchedUpTo(site, state.Last), Site: site, Limit: changesPerRead})
	if err != nil {
		return false, err
	}
	if len(page.Entries) == 0 {
		d.storeSearched(site, span{state.Last, page.Last})
		return page.HasMore, nil
	}
	entries := page.Entries[:min(len(page.Entries), changesPerMessage)]
	m, err := d.messageOf(site, entries, now)
	if err != nil {
		return false, err
	}
	attempts, isLeased, err := leaseDelivery(ctx, d.DB, site, state.Last, now, now.Add(lease))
	if err != nil || !isLeased {
		return false, err
	}
	sendErr := hook.Send(ctx, m)
	ctx = context.WithoutCancel(ctx) // the outcome must be stored even when the program stops
	if sendErr != nil {
		return false, d.postpone(ctx, site, state.Last, attempts, sendErr)
	}
	d.sent.WithLabelValues(site, "sent").Inc()
	return true, finishDelivery(ctx, d.DB, site, entries[len(entries)-1].ID, d.Clock.Now())
}

// messageOf returns the message with the changes.
func (d *Delivery) messageOf(site string, entries []Entry, now time.Time) (forward.Message, error) {
	last := entries[len(entries)-1].ID
	m := message{Site: site, Changes: make([]json.RawMessage, len(entries)), Last: last}
	for i, e := range entries {
		var err error
		if m.Changes[i], err = d.Encode(e); err != nil {
			return forward.Message{}, err
		}
	}
	body, err := json.Marshal(m)
	if err != nil {
		return forward.Message{}, fmt.Errorf("write changes: %w", err)
	}
	key := "changes-" + strconv.FormatInt(entries[0].ID, 10) + "-" + strconv.FormatInt(last, 10)
	return forward.Message{Key: key, Body: body, At: now}, nil
}

// postpone stores that an attempt has failed, when the next one is due, and why it failed. After the last
// attempt it stores that the brand's webhook is given up, and logs an error with alert=true.
func (d *Delivery) postpone(ctx context.Context, site string, last, attempts int64, sendErr error) error {
	now := d.Clock.Now()
	attrs := []slog.Attr{slog.String("site", site), slog.Int64("last_change", last), slog.Int64("attempts", attempts), slog.Any("error", sendErr)}
	if attempts > int64(len(pauses)) {
		d.sent.WithLabelValues(site, "given_up").Inc()
		d.Log.LogAttrs(ctx, slog.LevelError, "changes of orders not posted, attempts are over: mend the webhook, then resume it", append(attrs, slog.Bool("alert", true))...)
		return postponeDelivery(ctx, d.DB, site, outcome{last: last, now: now, due: now, givenUp: now, why: sendErr.Error()})
	}
	d.sent.WithLabelValues(site, "failed").Inc()
	d.Log.LogAttrs(ctx, slog.LevelWarn, "changes of orders not posted", attrs...)
	return postponeDelivery(ctx, d.DB, site, outcome{last: last, now: now, due: now.Add(pauses[attempts-1]), why: sendErr.Error()})
}

// State is how far the changes of a brand were posted.
type State struct {
	// Last is the number of the last change that was posted.
	Last int64
	// Attempts is how many attempts have failed since then, Error why the last of them did.
	Attempts int64
	Error    string
	// DueAt is when the next attempt is due. FailedAt is when the webhook was given up, zero while it was
	// not.
	DueAt, FailedAt time.Time

	leasedUntil time.Time
}

// HasFailed reports whether the webhook was given up.
func (s State) HasFailed() bool { return !s.FailedAt.IsZero() }

// State returns how far the changes of a brand were posted. It returns order.no_change_hook (NotFound) for a
// brand without a webhook.
func (d *Delivery) State(ctx context.Context, site string) (State, error) {
	if _, ok := d.Hook(site); !ok {
		return State{}, fault.New(fault.NotFound, "order.no_change_hook")
	}
	return d.readState(ctx, site)
}

// Resume makes the next attempt for a brand's webhook due at once. It posts the changes after the number
// in after; nil continues where it stopped, and a number above the last change counts as the last one.
// It returns order.no_change_hook (NotFound) for a brand without a webhook.
func (d *Delivery) Resume(ctx context.Context, site string, after *int64) (State, error) {
	state, err := d.State(ctx, site)
	if err != nil {
		return State{}, err
	}
	before := state.Last
	if after != nil {
		last, err := orders.LastVisibleChange(ctx, d.DB)
		if err != nil {
			return State{}, err
		}
		state.Last = min(max(*after, 0), last)
	}
	if err := resumeDelivery(ctx, d.DB, site, before, state.Last, d.Clock.Now()); err != nil {
		return State{}, err
	}
	return d.readState(ctx, site)
}

// readState returns the stored state of a brand. For a brand without a state it first stores one, with
// which only later changes are posted.
func (d *Delivery) readState(ctx context.Context, site string) (State, error) {
	state, exists, err := findDelivery(ctx, d.DB.Read(), site)
	if err != nil || exists {
		return state, err
	}
	last, err := orders.LastVisibleChange(ctx, d.DB)
	if err != nil {
		return State{}, err
	}
	if err := insertDelivery(ctx, d.DB, site, last, d.Clock.Now()); err != nil {
		return State{}, err
	}
	state, _, err = findDelivery(ctx, d.DB.Read(), site)
	return state, err
}

// searchedUpTo returns the number up to which a brand has nothing left to post, when last is the last
// change that was posted.
func (d *Delivery) searchedUpTo(site string, last int64) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.searched[site]; known.last == last {
		return max(last, known.upTo)
	}
	return last
}

// storeSearched remembers, in memory, the span in which a brand has no changes.
func (d *Delivery) storeSearched(site string, s span) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.searched[site] = s
}
