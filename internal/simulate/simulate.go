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

// ahead is how long before its promised time an order is cooked at the earliest. What is
// ordered as soon as possible is promised within it; what is ordered for later waits, and
// can be canceled meanwhile.
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
	// Rests reports whether the orders of now are none of the kitchen's; nil means that all
	// are.
	Rests func() bool
	// Clock is the server's; nil means the machine's.
	Clock clock.Clock
}

// defaultPace lets a visitor see each state without waiting for a real dinner.
const defaultPace = 20 * time.Second

// Kitchen moves the open orders along.
type Kitchen struct {
	calls   client
	pace    time.Duration
	rests   func() bool
	resting bool
	clock   clock.Clock
	log     *slog.Logger
}

// New makes a kitchen.
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
	if o.Rests == nil {
		o.Rests = func() bool { return false }
	}
	return &Kitchen{calls: newClient(o.BaseURL, o.Token), pace: o.Pace, rests: o.Rests, clock: o.Clock, log: o.Logger}
}

// Run works until ctx ends. What goes wrong is logged and tried again at the next
// look.
func (k *Kitchen) Run(ctx context.Context) {
	ticker := time.NewTicker(max(k.pace/stretches, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		k.Look(ctx)
	}
}

// Look looks at the open orders once and moves those whose time has come, unless the
// kitchen rests.
func (k *Kitchen) Look(ctx context.Context) {
	rested := k.resting
	if k.resting = k.rests(); k.resting {
		if !rested {
			k.log.WarnContext(ctx, "the simulated kitchen rests: the content in use is not the demo")
		}
		return
	}
	orders, err := k.calls.openOrders(ctx)
	if err != nil {
		k.complain(ctx, "the kitchen cannot see the orders", err)
		return
	}
	for _, o := range orders {
		if err := k.serve(ctx, o); err != nil {
			k.complain(ctx, "the kitchen cannot go on with an order", err)
		}
	}
}

// serve does what is due for one order: the next state, or the next stretch of road.
func (k *Kitchen) serve(ctx context.Context, o order) error {
	now := k.clock.Now()
	if o.Status == "accepted" && o.PromisedFrom.Sub(now) > ahead {
		return nil
	}
	progress := float64(now.Sub(o.ChangedAt)) / float64(k.pace)
	if next, ok := o.next(); ok && progress >= 1 {
		return k.calls.setStatus(ctx, o.ID, next)
	}
	if o.Status == "sent" && o.From != nil && o.To != nil && progress >= 0 {
		stretch := float64(int(progress * stretches))
		return k.calls.setCourier(ctx, o.ID, along(*o.From, *o.To, min(stretch/stretches, 1)))
	}
	return nil
}

func (k *Kitchen) complain(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		k.log.WarnContext(ctx, what, "error", err)
	}
}
