// Package simulate is the demo's kitchen and courier. It is a client of the operator
// calls like any other, so it shows what a real kitchen would do, and can do nothing
// that a real one could not.
//
// It remembers nothing: how far an order has come follows from when it last changed.
// So it goes on where it was after a restart, and two of them do no harm.
package simulate

import (
	"context"
	"log/slog"
	"time"

	"servery/internal/clock"
)

// stretches is how many times the courier reports between the shop and the door.
const stretches = 12

// ahead is how long before its promised time an order is cooked at the earliest. An order for as
// soon as possible is promised within that time. One for later waits, and can be canceled until
// then.
const ahead = time.Hour

// Options say where the calls are and how fast the kitchen is.
type Options struct {
	// BaseURL is the address of the server, "http://localhost:8080".
	BaseURL string
	// Token is the operator's token.
	Token string
	// Pace is how long an order stays in each state; 0 means twenty seconds.
	Pace time.Duration
	// Logger gets what goes wrong; nil means slog.Default.
	Logger *slog.Logger
	// IsPaused reports whether the kitchen must leave the orders alone, because other content than
	// the demo is sold; nil means never.
	IsPaused func() bool
	// Clock is the server's; nil means the machine's.
	Clock clock.Clock
}

// defaultPace lets a visitor see each state without waiting for a real dinner.
const defaultPace = 20 * time.Second

// Kitchen moves the open orders along.
type Kitchen struct {
	calls    client
	pace     time.Duration
	isPaused func() bool
	paused   bool
	clock    clock.Clock
	log      *slog.Logger
}

// New returns a kitchen that does nothing until Run or MoveOrders is called.
func New(o Options) *Kitchen {
	if o.Pace <= 0 {
		o.Pace = defaultPace
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	if o.IsPaused == nil {
		o.IsPaused = func() bool { return false }
	}
	return &Kitchen{calls: newClient(o.BaseURL, o.Token), pace: o.Pace, isPaused: o.IsPaused, clock: o.Clock, log: o.Logger}
}

// Run calls MoveOrders again and again until ctx ends.
func (k *Kitchen) Run(ctx context.Context) {
	ticker := time.NewTicker(max(k.pace/stretches, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		k.MoveOrders(ctx)
	}
}

// MoveOrders reads the open orders once and moves those that are due. It does nothing while the
// kitchen is paused. Failures are logged, and the next call tries again.
func (k *Kitchen) MoveOrders(ctx context.Context) {
	wasPaused := k.paused
	if k.paused = k.isPaused(); k.paused {
		if !wasPaused {
			k.log.WarnContext(ctx, "the simulated kitchen rests: the content in use is not the demo")
		}
		return
	}
	orders, err := k.calls.listOpenOrders(ctx)
	if err != nil {
		k.logFailure(ctx, "the kitchen cannot see the orders", err)
		return
	}
	for _, o := range orders {
		if err := k.moveOrder(ctx, o); err != nil {
			k.logFailure(ctx, "the kitchen cannot go on with an order", err)
		}
	}
}

// moveOrder does what is due for one order: it moves the order to the next state, or reports the
// courier's next position.
func (k *Kitchen) moveOrder(ctx context.Context, o order) error {
	now := k.clock.Now()
	if o.Status == "accepted" && o.PromisedFrom.Sub(now) > ahead {
		return nil // it is for later, and not cooked yet
	}
	progress := float64(now.Sub(o.ChangedAt)) / float64(k.pace)
	if next, ok := o.nextState(); ok && progress >= 1 {
		return k.calls.setStatus(ctx, o.ID, next)
	}
	if o.Status == "sent" && o.From != nil && o.To != nil && progress >= 0 {
		completed := float64(int(progress * stretches)) // whole stretches: within one the position stays
		return k.calls.setCourier(ctx, o.ID, positionOnRoad(*o.From, *o.To, min(completed/stretches, 1)))
	}
	return nil
}

// logFailure logs an error, unless it comes from the end of ctx.
func (k *Kitchen) logFailure(ctx context.Context, message string, err error) {
	if ctx.Err() == nil {
		k.log.WarnContext(ctx, message, "error", err)
	}
}
