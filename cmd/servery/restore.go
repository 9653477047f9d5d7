package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/payment/payments"
	"servery/internal/queue"
)

// restoreRequest has the arguments of `servery restore`.
type restoreRequest struct {
	hold, release bool
	// because is the reason that is stored with a hold.
	because string
}

// restore holds the database when that is requested, and prints whether it is held and what the program would
// send. It releases the database last, so that the list is printed before.
func restore(ctx context.Context, cfg config.Config, requested restoreRequest, out io.Writer) error {
	if requested.hold && requested.release {
		return errors.New("restore takes -hold or -go")
	}
	return withDatabase(ctx, cfg, func(d *db.DB) error {
		if requested.hold {
			if err := d.Hold(ctx, clock.System{}.Now(), requested.because); err != nil {
				return err
			}
		}
		if err := printHeld(ctx, d, out); err != nil {
			return err
		}
		if !requested.release {
			return nil
		}
		if err := d.Release(ctx); err != nil {
			return err
		}
		_, err := fmt.Fprintln(out, "released: start the service again")
		return err
	})
}

// printHeld prints whether the database is held, or will be by the next start. It lists the payments, refunds and
// jobs that wait in it.
func printHeld(ctx context.Context, d *db.DB, out io.Writer) error {
	held, err := d.Held(ctx)
	if err != nil {
		return err
	}
	moved, err := d.FindMove(ctx)
	if err != nil {
		return err
	}
	state := "not held: jobs run, acquirers and senders are called"
	switch {
	case held.IsHeld():
		state = fmt.Sprintf("held since %s: %s", held.Since.Format(time.RFC3339), held.Because)
	case moved != "":
		state = "held from the next start on: " + moved
	}
	if _, err := fmt.Fprintln(out, state); err != nil {
		return err
	}
	unsettled, err := payments.ListUnsettled(ctx, d, time.Now())
	if err != nil {
		return err
	}
	waiting, err := queue.ListWaiting(ctx, d)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, u := range unsettled {
		what := "payments to be asked for"
		if u.IsRefund {
			what = "refunds to be sent"
		}
		fmt.Fprintf(t, "%s\t%d\t%s %s\t%s\n", what, u.Count, u.Amount, u.Currency, u.Site+", account "+u.Account) //nolint:errcheck // Flush returns the error
	}
	for _, w := range waiting {
		fmt.Fprintf(t, "jobs to be run\t%d\t\t%s\n", w.Count, w.Kind) //nolint:errcheck // Flush returns the error
	}
	return t.Flush()
}
