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

// defaultLimits are the limits on guests as they are by default, but so high that no guest reaches
// one: everything is counted, as with real limits.
const defaultLimits = "orders-per-phone=1000000,orders-per-session=1000000,orders-per-address=1000000,holds-per-address=1000000,holds-per-network=1000000"

// side is one of two programs that are compared.
type side struct {
	ground  *environment
	program *program
	visitor *visitor
	times   map[string][]time.Duration
}

// compareSides measures each call of the journey with n orders in the past beside an empty
// database; when n is 0, with limits on guests beside none. Both programs run and take turns
// with each journey, so that a busy moment of the machine hits both.
func compareSides(ctx context.Context, o options, e engine, n int, out io.Writer) (err error) {
	sides := [2]*side{{}, {}}
	defer func() {
		for _, s := range sides {
			err = errors.Join(err, s.close())
		}
	}()
	for i, s := range sides {
		s.times = map[string][]time.Duration{}
		if s.ground, err = newEnvironment(ctx, o, e); err != nil {
			return err
		}
		s.ground.limits = defaultLimits
		if n == 0 && i == 0 {
			s.ground.limits = "off"
		}
		if s.program, err = s.ground.startImported(ctx); err != nil {
			return err
		}
		if i == 1 && n > 0 {
			if err := s.fillSide(ctx, n, out); err != nil {
				return err
			}
		}
	}
	for _, s := range sides { // after the filling, which is longer than a connection may be idle
		if s.visitor, err = newVisitor(ctx, s.program.addr); err != nil {
			return err
		}
	}
	const warmUpTurns, times = 5, 10 // it takes so many times as long as a single work
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

// close stops the program and removes its environment.
func (s *side) close() error {
	var err error
	if s.program != nil {
		err = s.program.stop()
	}
	if s.ground != nil {
		err = errors.Join(err, s.ground.close())
	}
	return err
}

// fillSide writes n orders of the past into the database while the program is stopped.
func (s *side) fillSide(ctx context.Context, n int, out io.Writer) error {
	v, err := newVisitor(ctx, s.program.addr)
	if err != nil {
		return err
	}
	if err := v.runJourney(map[string][]time.Duration{}, true); err != nil { // the order that all others are copies of
		return err
	}
	if err := s.program.stop(); err != nil {
		return err
	}
	s.program = nil
	start := time.Now()
	if err := fillPast(ctx, s.ground, n); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	fmt.Fprintf(out, "%d orders of the past in %.0f s\n", n, time.Since(start).Seconds()) //nolint:errcheck // a note
	s.program, err = s.ground.startOnce(ctx)
	return err
}

// printGrowth prints how much longer each call takes on the second side than on the first. With
// n > 0, where the second has a past, it returns an error when that is too much.
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

// median returns the median of the times.
func median(times []time.Duration) time.Duration {
	s := sample{times: slices.Clone(times)}
	return s.percentile(50)
}

// compareOnEngines measures how much a past of n orders slows the calls of the journey down, or, when
// n is 0, limits on guests. It does so on each engine or on the one that the options name. An engine
// that fails does not stop the others.
func compareOnEngines(ctx context.Context, o options, n int) error {
	var all error
	for _, e := range engines() {
		if o.engine != "" && !strings.EqualFold(o.engine, e.name) {
			continue
		}
		if err := compareSides(ctx, o, e, n, os.Stdout); err != nil {
			all = errors.Join(all, fmt.Errorf("%s: %w", e.name, err))
		}
	}
	return all
}

// oneConnection runs do on a connection whose statements have no time limit and, on PostgreSQL, do
// not wait for the disk.
func oneConnection(ctx context.Context, d *sql.DB, isPostgres bool, do func(c *sql.Conn) error) error {
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
