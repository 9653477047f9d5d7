package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"servery/internal/app"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/content"
	"servery/internal/db"
)

// importFolder imports the content folder args[0] and prints the database, the revision and its counts; warnings
// and faults go to errs. It creates a missing database only with create, because a wrong setting is the more
// likely cause.
func importFolder(ctx context.Context, cfg config.Config, args []string, create bool, out, errs io.Writer) error {
	if len(args) != 1 {
		return errors.New("import takes one content folder, after the settings")
	}
	open := app.OpenExisting
	if create {
		open = app.OpenDatabase
	}
	d, err := open(ctx, cfg)
	if errors.Is(err, app.ErrNoDatabase) {
		return fmt.Errorf("%w; servery import -create %s makes it", err, args[0])
	}
	if err != nil {
		return err
	}
	result, err := app.ImportFolder(ctx, cfg, d, args[0], cfg.NewLogger(errs), clock.System{})
	if err = errors.Join(printFaultsOf(err, errs), d.Close()); err != nil {
		return err
	}
	if err := printFaults(result.Warnings, errs); err != nil {
		return err
	}
	outcome := "imported from " + args[0]
	if !result.New {
		outcome = "the same as " + args[0] + ", nothing to do"
	}
	_, err = fmt.Fprintf(out, "%s: revision %d, %s, %s\n", app.DatabaseName(cfg), result.RevisionID, result.Counts, outcome)
	return err
}

// listRevisions prints the stored revisions, the newest first.
func listRevisions(ctx context.Context, cfg config.Config, out io.Writer) error {
	var list []content.Revision
	err := withDatabase(ctx, cfg, func(d *db.DB) (err error) {
		list, err = content.Revisions(ctx, d)
		return err
	})
	if err != nil {
		return err
	}
	rows := &strings.Builder{}
	fmt.Fprintf(rows, "%s\nREVISION\tMADE\tBRANDS\tHASH\tFROM\n", app.DatabaseName(cfg))
	for i, r := range list {
		from := cmp.Or(r.Source, "unknown")
		if r.CopyOf != 0 {
			from += fmt.Sprintf(", revision %d again", r.CopyOf)
		}
		if i == 0 {
			from += ", in use"
		}
		const short = 12
		fmt.Fprintf(rows, "%d\t%s\t%s\t%s\t%s\n", r.ID, r.CreatedAt.UTC().Format("2006-01-02 15:04 UTC"),
			cmp.Or(strings.Join(r.Brands, " "), "unknown"), r.Hash[:min(short, len(r.Hash))], from)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := io.WriteString(table, rows.String()); err != nil {
		return err
	}
	return table.Flush()
}

// rollBack stores the content of revision args[0] as the newest revision, and prints that; faults go to errs. It
// does nothing when that content is in use already.
func rollBack(ctx context.Context, cfg config.Config, args []string, out, errs io.Writer) error {
	if len(args) != 1 {
		return errors.New("rollback takes the number of one revision, after the settings")
	}
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return fmt.Errorf("rollback takes the number of a revision, not %q", args[0])
	}
	var newest content.Revision
	var changed bool
	err = withDatabase(ctx, cfg, func(d *db.DB) (err error) {
		newest, changed, err = app.RollBack(ctx, cfg, d, id, cfg.NewLogger(errs), clock.System{})
		return err
	})
	if err := printFaultsOf(err, errs); err != nil {
		return err
	}
	outcome := fmt.Sprintf("revision %d is in use, with the content of revision %d", newest.ID, id)
	if !changed {
		outcome += " already, nothing to do"
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", app.DatabaseName(cfg), outcome)
	return err
}

// withDatabase calls do with the database of the settings, which must exist, and closes it.
func withDatabase(ctx context.Context, cfg config.Config, do func(d *db.DB) error) error {
	d, err := app.OpenExisting(ctx, cfg)
	if err != nil {
		return err
	}
	return errors.Join(do(d), d.Close())
}
