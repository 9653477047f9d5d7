// Package queue runs work later: a deadline, a message to send, a status to ask for.
//
// A job is stored in the caller's transaction, so it exists exactly when the change that needs it
// does. It runs at least once, on any of the processes that share the database, and again after a
// fault with growing pauses; a handler must therefore be idempotent. Each deadline that must not be
// lost has a sweep besides.
//
// No other package imports River.
package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"servery/internal/db"
)

// Args are the arguments of a job. They are stored as JSON, so they contain ids and no personal
// data.
type Args interface {
	// Kind names the job, such as "order.expire": stable over versions of the program, since stored
	// jobs have it.
	Kind() string
}

// Options tune a queue; the zero value is right for the program.
type Options struct {
	// Logger logs failures; nil means slog.Default.
	Logger *slog.Logger
	// Poll is how often jobs are polled for; 0 means a quarter of a second.
	Poll time.Duration
}

// Queue stores jobs and, once started, runs them.
type Queue struct {
	client  *river.Client[*sql.Tx]
	workers *river.Workers
	// separate are the kinds of [HandleAside], which have workers of their own.
	separate map[string]bool
}

const (
	defaultPoll = 250 * time.Millisecond
	concurrency = 8 // jobs at a time in one process, and as many aside
	// aside is the name that the jobs of HandleAside are stored under.
	aside = "aside"
)

// New returns a queue on the database, whose tables [Migrate] has made. Jobs can be stored at once.
// They run after Start.
func New(d *db.DB, o Options) (*Queue, error) {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Poll == 0 {
		o.Poll = defaultPoll
	}
	workers := river.NewWorkers()
	client, err := river.NewClient(newDriver(d), &river.Config{
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: concurrency}, aside: {MaxWorkers: concurrency}},
		Workers:           workers,
		FetchPollInterval: o.Poll,
		FetchCooldown:     min(o.Poll, river.FetchCooldownDefault),
		Logger:            slog.New(newRateLimited(o.Logger.Handler())),
	})
	if err != nil {
		return nil, fmt.Errorf("set up the job queue: %w", err)
	}
	return &Queue{client: client, workers: workers, separate: map[string]bool{}}, nil
}

// newDriver returns River's driver for the engine of the database.
func newDriver(d *db.DB) riverdriver.Driver[*sql.Tx] {
	if d.Engine() == db.Postgres {
		return riverdatabasesql.New(d.Writer())
	}
	return riversqlite.New(d.Writer())
}

// Migrate creates or updates the queue's own tables, and returns how many migrations it has made.
// It is passed to [db.Migrate].
func Migrate(ctx context.Context, d *db.DB) (int, error) {
	migrator, err := rivermigrate.New(newDriver(d), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return 0, fmt.Errorf("read the job queue's migrations: %w", err)
	}
	result, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	if err != nil {
		return 0, fmt.Errorf("migrate the job queue: %w", err)
	}
	return len(result.Versions), nil
}

// envelope is how a job is stored. River calls Kind on a value of its own, so the kind is a field.
type envelope struct {
	Args json.RawMessage `json:"args"`
	kind string
}

// Kind returns the kind of the arguments inside.
func (e envelope) Kind() string { return e.kind }

// Option says when a job runs.
type Option func(*river.InsertOpts)

// At makes the job run at that instant and not before; a past one means now.
func At(t time.Time) Option {
	return func(o *river.InsertOpts) { o.ScheduledAt = t }
}

// Enqueue stores a job in the transaction. The handler of its kind must be set before.
func (q *Queue) Enqueue(ctx context.Context, tx *db.Tx, args Args, options ...Option) error {
	body, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("enqueue %s: %w", args.Kind(), err)
	}
	o := river.InsertOpts{}
	for _, option := range options {
		option(&o)
	}
	if !o.ScheduledAt.After(time.Now()) { //nolint:forbidigo // River runs jobs by the machine's clock
		o.ScheduledAt = time.Time{} // with a time, also a past one, it would wait until River looks for due jobs
	}
	if q.separate[args.Kind()] {
		o.Queue = aside
	}
	std, err := tx.Std(ctx)
	if err != nil {
		return fmt.Errorf("enqueue %s: %w", args.Kind(), err)
	}
	if _, err := q.client.InsertTx(ctx, std, envelope{Args: body, kind: args.Kind()}, &o); err != nil {
		return fmt.Errorf("enqueue %s: %w", args.Kind(), err)
	}
	return nil
}

// Handle sets the function that runs the jobs of kind T. It must be called once for each kind,
// before Start; a second call for a kind is a bug and panics. When do returns an error or panics,
// that is logged and the job is run again later. do may take a minute.
func Handle[T Args](q *Queue, do func(ctx context.Context, args T) error) {
	var zero T
	river.AddWorkerArgs(q.workers, envelope{kind: zero.Kind()}, river.WorkFunc(
		func(ctx context.Context, job *river.Job[envelope]) error {
			var args T
			if err := json.Unmarshal(job.Args.Args, &args); err != nil {
				return fmt.Errorf("read the job: %w", err)
			}
			return do(ctx, args)
		}))
}

// HandleAside sets the function that runs the jobs of kind T, under the conditions of [Handle]. It is
// for jobs that call the server of another company: they have workers of their own, so that no other
// job waits when that server does not answer.
func HandleAside[T Args](q *Queue, do func(ctx context.Context, args T) error) {
	var zero T
	q.separate[zero.Kind()] = true
	Handle(q, do)
}

// Start begins to run jobs, until Stop. The jobs do not end with ctx.
func (q *Queue) Start(ctx context.Context) error {
	if err := q.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	return nil
}

// Stop takes no new jobs and waits for the running ones. When ctx ends first, they are canceled and
// have two seconds to end; another process or the next start runs them again.
func (q *Queue) Stop(ctx context.Context) error {
	err := q.client.Stop(ctx)
	if err == nil || ctx.Err() == nil {
		return err
	}
	const grace = 2 * time.Second
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return errors.Join(err, q.client.StopAndCancel(last))
}
