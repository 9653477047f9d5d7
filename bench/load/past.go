package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// maxGrowth is how much longer a call may take with a past than on an empty database.
const maxGrowth = 1.3

// defaultLimits are the limits on guests that are on by default, but too high to be reached. The program counts
// for them as it does for real ones.
const defaultLimits = "orders-per-phone=1000000,orders-per-session=1000000,orders-per-address=1000000,holds-per-address=1000000,holds-per-network=1000000"

// side is one of the two programs that are compared.
type side struct {
	environment *environment
	program     *program
	visitor     *visitor
	times       map[string][]time.Duration
}

// compareSides measures the calls of the journey on two programs and prints the comparison. The second program
// has n orders in the past, the first an empty database, and both limit guests; when n is 0, both are empty,
// the second limits guests and the first does not. The programs take turns with each journey, so that a busy moment of the machine slows both.
func compareSides(ctx context.Context, o options, e engine, n int, out io.Writer) (err error) {
	sides := [2]*side{{}, {}}
	defer func() {
		for _, s := range sides {
			err = errors.Join(err, s.close())
		}
	}()
	for i, s := range sides {
		s.times = map[string][]time.Duration{}
		if s.environment, err = newEnvironment(ctx, o, e); err != nil {
			return err
		}
		s.environment.limits = defaultLimits
		if n == 0 && i == 0 {
			s.environment.limits = "off"
		}
		if s.program, err = s.environment.startImported(ctx); err != nil {
			return err
		}
		if i == 1 && n > 0 {
			if err := s.fillSide(ctx, n, out); err != nil {
				return err
			}
		}
	}
	for _, s := range sides { // only now, because a connection may not be idle as long as the filling takes
		if s.visitor, err = newVisitor(ctx, s.program.addr); err != nil {
			return err
		}
	}
	const warmUpTurns, times = 5, 10 // the comparison takes 10 times as long as a single work
	until := time.Now().Add(o.seconds * times)
	for turn := 0; time.Now().Before(until); turn++ {
		for i := range sides {
			s := sides[(i+turn)%2]
			if err := s.visitor.runJourney(s.times, turn < warmUpTurns); err != nil {
				return err
			}
		}
	}
	return printGrowth(out, e, n, sides)
}

// close stops the program, if it runs, and removes its environment.
func (s *side) close() error {
	var err error
	if s.program != nil {
		err = s.program.stop()
	}
	if s.environment != nil {
		err = errors.Join(err, s.environment.close())
	}
	return err
}

// fillSide writes n orders of the past into the database. It makes a journey first, whose order they copy, and
// stops the program while it writes.
func (s *side) fillSide(ctx context.Context, n int, out io.Writer) error {
	v, err := newVisitor(ctx, s.program.addr)
	if err != nil {
		return err
	}
	if err := v.runJourney(map[string][]time.Duration{}, true); err != nil { // its order is the one to copy
		return err
	}
	if err := s.program.stop(); err != nil {
		return err
	}
	s.program = nil
	start := time.Now()
	if err := fillPast(ctx, s.environment, n); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	fmt.Fprintf(out, "%d orders of the past in %.0f s\n", n, time.Since(start).Seconds()) //nolint:errcheck // a note
	s.program, err = s.environment.startOnce(ctx)
	return err
}

// printGrowth prints the ratio of the median times of each call on the second side and on the first. When n > 0,
// it returns an error that names the calls above maxGrowth.
func printGrowth(out io.Writer, e engine, n int, sides [2]*side) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")) } //nolint:errcheck // Flush returns it
	names := [2]string{"empty p50", "with a past p50"}
	if n == 0 {
		names = [2]string{"no limits p50", "limits p50"}
	}
	line("engine", "call", "calls", names[0], names[1], "ratio")
	var slow []string
	for _, call := range sides[0].visitor.callNames {
		before, after := median(sides[0].times[call]), median(sides[1].times[call])
		ratio := float64(after) / float64(before)
		line(e.name, call, strconv.Itoa(len(sides[1].times[call])), milliseconds(before), milliseconds(after), fmt.Sprintf("%.2f", ratio))
		if n > 0 && ratio > maxGrowth {
			slow = append(slow, call)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(slow) > 0 {
		return fmt.Errorf("these take more than %.1f times as long with a past: %s", maxGrowth, strings.Join(slow, ", "))
	}
	return nil
}

// median returns the median of the times and leaves their order unchanged.
func median(times []time.Duration) time.Duration {
	s := sample{times: slices.Clone(times)}
	return s.percentile(50)
}

// compareOnEngines runs compareSides on each engine, or on the one that the options name. An engine that fails
// does not stop the others.
func compareOnEngines(ctx context.Context, o options, n int) error {
	var errs error
	for _, e := range engines() {
		if o.engine != "" && !strings.EqualFold(o.engine, e.name) {
			continue
		}
		if err := compareSides(ctx, o, e, n, os.Stdout); err != nil {
			errs = errors.Join(errs, fmt.Errorf("%s: %w", e.name, err))
		}
	}
	return errs
}

// withConnection calls do with one connection. On PostgreSQL its statements have no time limit, and its commits
// do not wait for the disk.
func withConnection(ctx context.Context, d *sql.DB, isPostgres bool, do func(c *sql.Conn) error) error {
	c, err := d.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // nothing is lost
	if isPostgres {
		if _, err := c.ExecContext(ctx, "SET statement_timeout = 0; SET synchronous_commit = off"); err != nil {
			return err
		}
	}
	return do(c)
}
