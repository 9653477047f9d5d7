// Command load measures the program under load, each work beside its limit in the
// same run: reading beside a bare net/http handler that sends the same bytes, writing
// beside bare transactions on the same database.
//
//	go run ./bench/load [-seconds 6] [-connections 16] [-json FILE] [-only menu,page,cart,offers,order,journey,overload]
//	go run ./bench/load -only journey -former BINARY -former-content DIR # beside another release
//	go run ./bench/load -past 100000   # each call with a past beside an empty database
//	go run ./bench/load -documents     # documents after a cold start and after a stop
//	go run ./bench/load -limits        # each call with limits on guests beside none
//
// It starts the binary itself, on SQLite and, when DATABASE_URL is set, on a database
// of its own on that PostgreSQL. The load comes from this process, so on a small
// machine both share the cores; that is as true of the limits as of the program.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

// settle is the pause without requests before the program's idle memory is read: 15 s after its start the
// program returns what only the start has needed.
const settle = 30 * time.Second

// bareCommand is the argument that makes this command the bare handler.
const bareCommand = "bare-handler"

type options struct {
	binary, content string
	// former is another release of the program, which whole journeys are compared with; none when empty.
	former, formerContent string
	commandPrefix         []string // the command that starts the program
	connections           int
	seconds               time.Duration // of each work and of each limit
	only                  map[string]bool
	engine                string    // the only engine to measure; all when empty
	direct                bool      // whether each visitor of the overload has a connection of their own
	times                 []float64 // multiples of the capacity at which visitors of the overload arrive
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		stop()
		os.Exit(1)
	}
}

// run parses the arguments and runs the measurement that they name: documents, a comparison of two programs, or
// by default works beside their limits. It prints the figures. With bareCommand it serves as the bare handler.
func run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == bareCommand {
		return serveBare(ctx, args[1:])
	}
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	var o options
	flags.StringVar(&o.binary, "binary", "bin/servery", "the program")
	before := flags.String("before", "", "command that the program is started by, such as: taskset -c 0")
	flags.StringVar(&o.content, "content", "content/demo", "content folder; its ceilings of work are raised for the run")
	flags.StringVar(&o.former, "former", "", "journey: another release of the program to compare with")
	flags.StringVar(&o.formerContent, "former-content", "content/demo", "content folder of the other release")
	flags.IntVar(&o.connections, "connections", 16, "connections at once")
	seconds := flags.Float64("seconds", 6, "how long each work is measured")
	only := flags.String("only", "", "works with commas between: menu, page, cart, offers, order, journey, overload; all but overload when empty")
	past := flags.Int("past", 0, "measure the calls of a journey with so many orders in the past, at most 1000000, beside an empty database, and nothing else")
	documents := flags.Bool("documents", false, "measure documents after a cold start and after a stop, and nothing else")
	limits := flags.Bool("limits", false, "measure the calls of a journey with limits on guests beside none, and nothing else")
	flags.StringVar(&o.engine, "engine", "", "SQLite or PostgreSQL; both when empty")
	flags.BoolVar(&o.direct, "direct", false, "overload: a connection for each visitor, not those that a proxy keeps")
	times := flags.String("times", "1,3,10", "overload: multiples of the capacity at which visitors arrive, with commas between")
	jsonFile := flags.String("json", "", "file for the figures as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.commandPrefix = strings.Fields(*before)
	o.seconds = time.Duration(*seconds * float64(time.Second))
	if *only != "" {
		o.only = map[string]bool{}
		for name := range strings.SplitSeq(*only, ",") {
			o.only[name] = true
		}
	}
	for name := range strings.SplitSeq(*times, ",") {
		multiple, err := strconv.ParseFloat(name, 64)
		if err != nil || multiple <= 0 {
			return fmt.Errorf("-times takes multiples of the capacity, not %q", name)
		}
		o.times = append(o.times, multiple)
	}
	switch {
	case *past < 0 || *past > 1_000_000:
		return errors.New("-past takes up to 1000000 orders")
	case *documents:
		return measureDocuments(ctx, o)
	case *past > 0 || *limits:
		return compareOnEngines(ctx, o, *past)
	}
	report := newReport(o)
	for _, e := range engines() {
		if o.engine != "" && !strings.EqualFold(o.engine, e.name) {
			continue
		}
		if err := measureEngine(ctx, o, e, report); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", e.name, err), report.print(os.Stdout))
		}
	}
	if err := report.print(os.Stdout); err != nil {
		return err
	}
	if *jsonFile == "" {
		return nil
	}
	return report.save(*jsonFile)
}

// measureEngine measures the works that the options name on one engine, all but overload when they name none. It
// adds the figures to the report.
func measureEngine(ctx context.Context, o options, e engine, report *report) (err error) {
	g, err := newEnvironment(ctx, o, e)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.close()) }()

	p, err := g.startImported(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	report.addTime(e, "start to ready", p.ready)
	report.addTime(e, "start to first home page", p.first)
	b := bench{options: o, engine: e, environment: g, program: p, report: report, proxy: newKeptConnections(p.addr)}
	defer b.proxy.close()
	if b.menu, err = readMenu(ctx, p.addr); err != nil {
		return err
	}
	time.Sleep(settle)
	report.addMemory(e, "memory idle", p.resident())
	watch := p.watchMemory()
	for _, work := range []struct {
		name string
		do   func(context.Context) error
	}{{"menu", b.measureMenu}, {"page", b.measureHomePage}, {"cart", b.measureCarts}, {"offers", b.measureOffers}, {"order", b.measureOrders}, {"journey", b.measureJourneys}, {"overload", b.measureOverload}} {
		if o.only != nil && !o.only[work.name] || o.only == nil && work.name == "overload" {
			continue
		}
		if err := work.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", work.name, err)
		}
	}
	report.addMemory(e, "memory under load", watch())
	return nil
}
