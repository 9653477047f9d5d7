package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"servery/internal/app"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/db/move"
)

// backUp writes a copy of the database into the new file args[0]; processes may use the database meanwhile. On
// PostgreSQL it writes nothing: it prints the command of the server's own tool and returns an error.
func backUp(ctx context.Context, cfg config.Config, args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("backup takes the name of a new file, after the settings")
	}
	d, err := app.OpenAsItIs(ctx, cfg)
	if err != nil {
		return err
	}
	size, err := d.BackUp(ctx, args[0])
	if err = errors.Join(err, d.Close()); errors.Is(err, db.ErrByHand) {
		return printByHand(out, fmt.Sprintf("pg_dump --format=custom --file=%s --dbname=%q", args[0], app.DatabaseAddress(cfg)))
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d bytes, checked, a copy of %s\n", args[0], size, app.DatabaseName(cfg))
	return err
}

// restoreFile puts a copy into the data folder, which must have no database yet. It holds the new database and
// prints what the program would send from it. On PostgreSQL it prints the command to run and returns an error.
func restoreFile(ctx context.Context, cfg config.Config, file string, out io.Writer) error {
	size, err := app.RestoreDatabase(ctx, cfg, file)
	if errors.Is(err, db.ErrByHand) {
		return printByHand(out, fmt.Sprintf("pg_restore --exit-on-error --no-owner --dbname=%q %s", app.DatabaseAddress(cfg), file))
	}
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%s: %d bytes, checked, a copy of %s\n", app.DatabaseName(cfg), size, file); err != nil {
		return err
	}
	return restore(ctx, cfg, restoreRequest{hold: true, because: "it was restored from a copy"}, out)
}

// printByHand prints the command that a person has to run, and returns [db.ErrByHand] with an explanation.
func printByHand(out io.Writer, command string) error {
	if _, err := fmt.Fprintln(out, command); err != nil {
		return err
	}
	return fmt.Errorf("%w: nothing was done, run the line above; it asks for the password, or takes it from PGPASSWORD or a .pgpass file", db.ErrByHand)
}

// moveDatabase copies all rows from the database args[0] into the empty database args[1], holds the first, and
// prints the rows and totals of both. Each argument is a data folder, an address of PostgreSQL, or - for the
// database of the settings. No process may use either database.
func moveDatabase(ctx context.Context, cfg config.Config, args []string, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("move takes from where and to where, after the settings: a data folder, postgres://… or - for the database of the settings")
	}
	from, to := withDatabaseAt(cfg, args[0]), withDatabaseAt(cfg, args[1])
	if from.DatabaseURL == to.DatabaseURL && from.Data == to.Data {
		return errors.New("move takes two databases, not one twice")
	}
	source, err := app.OpenAlone(ctx, from, false)
	if err != nil {
		return explainInUse(err)
	}
	target, err := app.OpenAlone(ctx, to, true)
	if err != nil {
		return errors.Join(explainInUse(err), source.Close())
	}
	moved, err := move.Move(ctx, source, target, clock.System{}.Now())
	if err = errors.Join(err, source.Close(), target.Close()); err != nil {
		return explainInUse(err)
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "table\trows\tin the copy\ttotal\tin the copy\t\n") //nolint:errcheck // Flush returns the error
	for _, m := range moved {
		if m.From.Rows > 0 {
			fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t\n", m.Table, m.From.Rows, m.To.Rows, formatTotal(m, m.From), formatTotal(m, m.To)) //nolint:errcheck // Flush returns the error
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: moved to %s, and held; start the service with the new one\n", app.DatabaseName(from), app.DatabaseName(to))
	return err
}

// withDatabaseAt returns the settings with the database that an argument names.
func withDatabaseAt(cfg config.Config, place string) config.Config {
	switch {
	case strings.HasPrefix(place, "postgres://"), strings.HasPrefix(place, "postgresql://"):
		cfg.DatabaseURL, cfg.Data = place, ""
	case place == "-" && cfg.DatabaseURL != "":
		cfg.Data = "" // with PostgreSQL the data folder has no database
	case place != "-":
		cfg.DatabaseURL, cfg.Data = "", place
	}
	return cfg
}

// formatTotal returns the name of the summed column of a table and its sum on one side; empty when no column was
// summed.
func formatTotal(m move.Moved, of move.Side) string {
	if m.Summed == "" {
		return ""
	}
	return fmt.Sprint(m.Summed, " ", of.Sum)
}

// explainInUse adds the remedy to [db.ErrInUse]. Any other error is returned as it is.
func explainInUse(err error) error {
	if errors.Is(err, db.ErrInUse) {
		return fmt.Errorf("%w; stop all processes that use it", err)
	}
	return err
}
