package server

import (
	"context"
	"errors"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/retention"
	"servery/internal/site"
)

// Sweep completes in all areas what a lost job left behind, and deletes data whose term has ended. After the
// failure of one area it sweeps the others, and it returns all errors. It may run in several processes at
// once.
func (a Areas) Sweep(ctx context.Context, d *db.DB, c clock.Clock) error {
	terms := retention.Job{Rooms: a.Rooms(), DB: d, Clock: c, Sites: func() *site.Sites { return a.Catalog.Current().Sites }}
	return errors.Join(
		a.Orders.Sweep(ctx, c.Now()), a.Addresses.Sweep(ctx), a.Sessions.Sweep(ctx), a.Login.Sweep(ctx), a.VK.Sweep(ctx),
		a.Assets.Sweep(ctx), a.Feedback.Deliver(ctx), a.Push.Sweep(ctx), a.Audit.Sweep(ctx, c.Now()), a.Tokens.Sweep(ctx),
		a.Staff.Sweep(ctx), a.Messages.Sweep(ctx), terms.Sweep(ctx),
	)
}
