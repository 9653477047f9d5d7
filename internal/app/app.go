// Package app puts the program together: settings, database, areas, server and jobs.
// The main program and the end-to-end tests run the same App.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"servery/internal/access"
	"servery/internal/asset"
	"servery/internal/audit"
	"servery/internal/bonus"
	"servery/internal/cart/carts"
	"servery/internal/catalog"
	"servery/internal/citymap"
	"servery/internal/clock"
	"servery/internal/config"
	contents "servery/internal/content"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/geo"
	"servery/internal/kitchen"
	"servery/internal/order/message"
	"servery/internal/queue"
	"servery/internal/report"
	"servery/internal/server"
	"servery/internal/server/request"
	"servery/internal/staff"
	"servery/web"
)

const (
	sweepEvery = time.Minute
	// releaseEvery is how long a time can look taken after its hold has expired.
	releaseEvery = 5 * time.Second
	// The headers of a request must arrive in this time, which even a slow phone keeps.
	headTimeout = 5 * time.Second
	// A body is at most 64 KiB: even a slow phone sends that in time.
	bodyTimeout = 30 * time.Second
	// An answer is a few hundred kilobytes at most; a client that takes longer to read it only
	// occupies the connection. Streams bound each event by themselves.
	answerTimeout = 2 * time.Minute
	idleTimeout   = 2 * time.Minute
	maxHead       = 32 << 10
	// Reports of errors that wait at a stop are sent for this long.
	reportsTimeout = 2 * time.Second
)

// App is the running program. Make it with [Start], end it with Close.
type App struct {
	cfg   config.Config
	log   *slog.Logger
	clock clock.Clock
	db    *db.DB
	// held says that the database is a copy: no jobs run and no provider is called.
	held  db.Held
	queue *queue.Queue
	areas server.Areas
	// development answers below /dev/; nil in a release.
	development http.Handler
	// developmentOpen are its patterns that pages of other sites may post to.
	developmentOpen []string
	// sandbox does the work of the test bank; nil in a release.
	sandbox func(ctx context.Context)
	// measurements are what the metrics say of the installation.
	measurements *measurements
	// reports sends errors to where the settings say.
	reports  *report.Reporter
	edge     *server.Server
	http     *http.Server
	startup  *startupHandler
	listener net.Listener
	// ops serves metrics and readiness on an address of their own; nil where there is none.
	ops         *http.Server
	opsStartup  *startupHandler
	opsListener net.Listener
	stop        context.CancelFunc
	work        sync.WaitGroup
	failed      chan error
}

// Start opens the database, brings its tables up to date, fills an empty one with content,
// and serves until Close. Every error is one clear line about what to set right.
func Start(ctx context.Context, cfg config.Config, log *slog.Logger, c clock.Clock) (*App, error) {
	a := &App{cfg: cfg, clock: c, failed: make(chan error, 3)} // two servers and the queue can fail
	a.measurements = &measurements{app: a}
	var err error
	if a.reports, err = report.New(report.Options{DSN: cfg.ErrorReports, Release: config.Version, Environment: environment(), Clock: c, Log: log}); err != nil {
		return nil, fmt.Errorf("SERVERY_ERROR_REPORTS: %w", err)
	}
	a.log = slog.New(a.reports.Handler(log.Handler()))
	// The addresses are taken first: a busy port must not touch a database.
	if err := a.listen(ctx); err != nil {
		return nil, errors.Join(err, a.closeListeners())
	}
	a.serveStartup()
	if err := a.open(ctx); err != nil {
		return nil, errors.Join(err, a.closeStartup())
	}
	a.run(ctx)
	return a, nil
}

// Addr is where the program listens, also when the system chose the port.
func (a *App) Addr() net.Addr { return a.listener.Addr() }

// OpsAddr is where the program serves metrics, readiness and profiles. It is nil where metrics and readiness are
// served at Addr, and profiles nowhere.
func (a *App) OpsAddr() net.Addr {
	if a.opsListener == nil {
		return nil
	}
	return a.opsListener.Addr()
}

// Catalog returns the catalog of the content in use.
func (a *App) Catalog() *catalog.Catalog { return a.areas.Catalog }

// Failed returns a channel that receives the error of a server or of the queue that ended before Close.
func (a *App) Failed() <-chan error { return a.failed }

// open opens the database, prepares the content, wires the areas and makes the server, which serves
// nothing yet. It fails with [web.ErrNotBuilt] in a program without a page, and when a new token of the
// operator is too short. The database is closed when it fails.
func (a *App) open(ctx context.Context) (err error) {
	page, err := server.BuiltPage()
	if err != nil {
		return err
	}
	if a.db, err = a.awaitDatabase(ctx); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.db.Close())
		}
	}()
	if a.held, err = a.db.Occupy(ctx, a.clock.Now()); err != nil {
		return err
	}
	if err = a.prepareContent(ctx); err != nil {
		return err
	}
	if a.queue, err = queue.New(a.db, queue.Options{Logger: a.log}); err != nil {
		return err
	}
	if err = a.wire(ctx); err != nil {
		return err
	}
	if err = a.checkOperatorToken(ctx); err != nil {
		return err
	}
	a.prepareKitchen()
	a.edge, err = server.New(a.areas, server.Options{
		Development: a.development, DevelopmentOpen: a.developmentOpen,
		Log: a.log, Clock: a.clock, Probe: func(ctx context.Context) error { return a.db.Probe(ctx, a.clock.Now()) }, OperatorToken: a.cfg.OperatorToken, PublicURL: a.cfg.PublicURL,
		IsHeld: a.held.IsHeld(), TrustedProxies: a.cfg.TrustedProxies, CallsPerSecond: a.cfg.CallsPerSecond, CallsAtWork: cmp.Or(a.cfg.CallsAtWork, a.db.Connections()),
		Limits: a.cfg.Limits, HasOps: a.opsListener != nil, Page: page, Reports: a.reports, Collectors: a.collectors(),
	})
	return err
}

// wire makes the areas, each after those that it uses.
func (a *App) wire(ctx context.Context) (err error) {
	// The catalogue reads from the history of orders what is often ordered. The history is made later, so
	// it is looked up at each call.
	var ordered catalog.MostOrdered = func(ctx context.Context, site string, city int64) ([]int64, error) {
		return a.areas.History.MostOrdered(ctx, site, city)
	}
	if a.areas.Assets, err = asset.New(a.db, a.clock, web.Assets()); err != nil {
		return err
	}
	if err = a.areas.Assets.Publish(ctx); err != nil {
		return err
	}
	a.areas.Audit, a.areas.Tokens, a.areas.Staff = audit.NewLog(a.db), access.NewTokens(a.db, a.clock), staff.New(a.db, a.clock)
	a.areas.Carts = carts.New(a.db)
	a.areas.Addresses = geo.NewAddresses(a.db, a.clock)
	a.areas.Customers = customer.NewCustomers(a.db, a.clock)
	a.areas.Bonuses = bonus.New(a.db, a.clock)
	a.areas.Sessions = customer.NewSessions(a.db, a.clock)
	if a.areas.Catalog, err = catalog.Open(ctx, a.db, a.clock, a.log, ordered); err != nil {
		return err
	}
	a.areas.Maps = citymap.NewFiles(a.cfg.Maps, a.clock, a.log)
	a.examineMaps(ctx)
	a.areas.Kitchen = kitchen.New(a.db, a.clock, a.areas.Catalog)
	if err = a.openProviders(ctx); err != nil {
		return err
	}
	if err = a.openPush(ctx); err != nil {
		return err
	}
	addresses, err := request.NewSiteAddresses(a.cfg.PublicURL)
	if err != nil {
		return err
	}
	a.areas.Messages = message.New(message.Options{
		DB: a.db, Queue: a.queue, Clock: a.clock, Log: a.log, Senders: a.areas.Providers, Site: a.findSite, Address: addresses.Canonical,
	})
	a.makePayments(ctx)
	a.openFeedback(addresses)
	return a.makeLogin(ctx)
}

// run lets both addresses answer and starts the goroutines that end with Close. With a held database it
// starts none that run jobs or call a provider.
func (a *App) run(ctx context.Context) {
	ctx, a.stop = context.WithCancel(ctx)
	a.http.RegisterOnShutdown(a.edge.Drain)
	a.startup.begin(a.edge)
	if a.ops != nil {
		a.opsStartup.begin(a.edge.Ops())
	}
	a.log.InfoContext(ctx, "started", "version", config.Version, "database", string(a.db.Engine()),
		"revision", a.areas.Catalog.Current().Revision, "address", a.Addr().String())
	a.work.Go(func() { a.areas.Catalog.Watch(ctx) })
	a.work.Go(func() { a.edge.WatchDatabase(ctx) })
	a.work.Go(func() { a.measurements.run(ctx) })
	a.work.Go(func() { a.releaseStartMemory(ctx) })
	a.work.Go(func() {
		a.db.WatchStatistics(ctx, func(err error) { a.log.WarnContext(ctx, "a table could not be analyzed", "error", err) })
	})
	a.work.Go(func() {
		a.areas.Follow.Run(ctx, func(err error) { a.log.ErrorContext(ctx, "orders could not be looked at", "error", err) })
	})
	if a.held.IsHeld() {
		a.log.WarnContext(ctx, "no jobs are run and nothing is sent: the database was restored from a copy; see servery restore", "because", a.held.Because)
		return
	}
	a.measurements.sweptAt.Store(a.clock.Now().UnixNano())
	a.work.Go(func() { a.sweep(ctx) })
	a.work.Go(func() { a.releaseExpired(ctx) })
	a.work.Go(func() { a.areas.Delivery.Run(ctx) })
	if a.sandbox != nil {
		a.work.Go(func() { a.sandbox(ctx) })
	}
	a.work.Go(func() {
		if err := a.queue.Start(ctx); err != nil && ctx.Err() == nil {
			a.failed <- err
		}
	})
	a.runKitchen(ctx)
}

// newHTTP returns a server of the handler with the limits of time and size that all addresses have.
func (a *App) newHTTP(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: headTimeout, ReadTimeout: bodyTimeout, WriteTimeout: answerTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHead,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
	}
}

// serve starts a goroutine that serves until the server is closed. Any other end is sent to failed.
func (a *App) serve(s *http.Server, listener net.Listener) {
	a.work.Go(func() {
		if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- err
		}
	})
}

// sweep calls Sweep each minute, until ctx ends. It logs failures and stores when a sweep last succeeded.
func (a *App) sweep(ctx context.Context) {
	repeat(ctx, sweepEvery, func() {
		sweep, cancel := context.WithTimeout(ctx, sweepEvery)
		defer cancel()
		if err := a.Sweep(sweep); err != nil && ctx.Err() == nil {
			a.log.ErrorContext(ctx, "the sweep failed, the next one tries again", "error", err)
		} else if err == nil {
			a.measurements.sweptAt.Store(a.clock.Now().UnixNano())
		}
	})
}

// repeat calls do after each interval, until ctx ends.
func repeat(ctx context.Context, interval time.Duration, do func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			do()
		}
	}
}

// releaseExpired releases every few seconds what checkouts hold no longer, until ctx ends. It logs
// failures.
func (a *App) releaseExpired(ctx context.Context) {
	repeat(ctx, releaseEvery, func() {
		if err := a.areas.Orders.ReleaseExpired(ctx, a.clock.Now()); err != nil && ctx.Err() == nil {
			a.log.ErrorContext(ctx, "expired holds could not be released, the next attempt follows", "error", err)
		}
	})
}

// Sweep sweeps all areas, see [server.Areas.Sweep], and deletes old revisions of the content. The program
// does so each minute by itself.
func (a *App) Sweep(ctx context.Context) error {
	return errors.Join(a.areas.Sweep(ctx, a.db, a.clock), contents.Prune(ctx, a.db, a.areas.History.RetainPictures))
}

// Close stops the program. First readiness fails while requests are still answered, for the lame-duck
// time of the settings. Then it accepts no more requests; requests and jobs under way may end within the
// drain time. At last it closes the database. What takes longer is cut off, which is no error: a request
// is repeated by its sender, a job by the next start. Close does all this although ctx has ended: the end
// of ctx is the signal to stop.
func (a *App) Close(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	a.edge.Leave()
	a.waitAsLameDuck(ctx)
	ctx, cancel := context.WithTimeout(ctx, a.cfg.Drain)
	defer cancel()
	a.edge.Drain()
	queueStopped := make(chan error, 1)
	go func() { queueStopped <- a.stopQueue(ctx) }()
	err := a.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = a.http.Close()
	}
	if queueErr := <-queueStopped; errors.Is(queueErr, context.DeadlineExceeded) {
		a.log.WarnContext(ctx, "jobs cut off at the stop", "error", queueErr)
	} else {
		err = errors.Join(err, queueErr)
	}
	if a.ops != nil {
		err = errors.Join(err, a.ops.Close()) // last, so that balancers see until here that it is not ready
	}
	a.stop()
	a.work.Wait()
	err = errors.Join(err, a.db.Close())
	a.closeReports(ctx)
	return err
}

// closeReports sends the waiting reports. It has a short time of its own, after the drain time.
func (a *App) closeReports(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportsTimeout)
	defer cancel()
	a.reports.Close(ctx)
}

// environment returns the kind of the build, by which reports are grouped.
func environment() string {
	if config.Release {
		return "release"
	}
	return "development"
}

// stopQueue stops the queue, if it was started, and waits for jobs at work until ctx ends.
func (a *App) stopQueue(ctx context.Context) error {
	if a.held.IsHeld() {
		return nil // it was never started
	}
	return a.queue.Stop(ctx)
}

// waitAsLameDuck waits for the time in which balancers notice that the program is not ready any more.
func (a *App) waitAsLameDuck(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, a.cfg.LameDuck)
	defer cancel()
	<-ctx.Done()
}

// LocalAddress returns the address by which a program on the same machine reaches a server that listens
// at the given address: the same one, or the loopback address with its port when the server listens on
// all interfaces.
func LocalAddress(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
