package queue_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/queue"
)

// longest is how long a test waits for a job before it fails.
const longest = 30 * time.Second

// remind is a job with a number.
type remind struct {
	ID int64 `json:"id"`
}

func (remind) Kind() string { return "test.remind" }

func newQueue(t *testing.T, d *db.DB) *queue.Queue {
	t.Helper()
	q, err := queue.New(d, queue.Options{Poll: 10 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// startQueue runs the queue until the end of the test.
func startQueue(t *testing.T, q *queue.Queue) {
	t.Helper()
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), longest)
		defer cancel()
		if err := q.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
}

// enqueue stores a job with the id.
func enqueue(t *testing.T, d *db.DB, q *queue.Queue, id int64, options ...queue.Option) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		return q.Enqueue(t.Context(), tx, remind{ID: id}, options...)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// awaitNext returns the id of the next job that runs. It fails the test when none does in time.
func awaitNext(t *testing.T, ran <-chan int64) int64 {
	t.Helper()
	select {
	case id := <-ran:
		return id
	case <-time.After(longest):
		t.Fatal("the job did not run")
		return 0
	}
}

// askJob is a job that waits for the server of another company.
type askJob struct{}

func (askJob) Kind() string { return "test.ask" }

func TestHandleAside_leavesWorkersToOtherJobs(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := newQueue(t, d)
		asked, answered := make(chan int64, 100), make(chan struct{})
		queue.HandleAside(q, func(context.Context, askJob) error {
			asked <- 0
			<-answered
			return nil
		})
		ran := make(chan int64, 1)
		queue.Handle(q, func(_ context.Context, r remind) error { ran <- r.ID; return nil })
		startQueue(t, q)
		defer close(answered)
		const many = 20 // more than run at a time
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			for range many {
				if err := q.Enqueue(t.Context(), tx, askJob{}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			awaitNext(t, asked)
		}
		enqueue(t, d, q, 1)
		awaitNext(t, ran)
	})
}

func TestEnqueue_runsNoJobOfARolledBackTransaction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := newQueue(t, d)
		ran := make(chan int64, 10)
		queue.Handle(q, func(_ context.Context, r remind) error { ran <- r.ID; return nil })

		changedMind := errors.New("changed my mind")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if err := q.Enqueue(t.Context(), tx, remind{ID: 1}); err != nil {
				return err
			}
			return changedMind
		})
		if !errors.Is(err, changedMind) {
			t.Fatal(err)
		}
		enqueue(t, d, q, 2) // stored before the start
		startQueue(t, q)
		if got := awaitNext(t, ran); got != 2 {
			t.Errorf("job %d ran, want the committed one only", got)
		}
		enqueue(t, d, q, 3)
		if got := awaitNext(t, ran); got != 3 {
			t.Errorf("job %d ran, want the committed one only", got)
		}
	})
}

func TestAt_runsAJobNotBeforeItsTime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := newQueue(t, d)
		ran := make(chan time.Time, 1)
		queue.Handle(q, func(context.Context, remind) error { ran <- time.Now(); return nil })
		startQueue(t, q)
		at := time.Now().Add(time.Second)
		enqueue(t, d, q, 1, queue.At(at))
		select {
		case got := <-ran:
			if got.Before(at.Truncate(time.Millisecond)) {
				t.Errorf("ran %v too early", at.Sub(got))
			}
		case <-time.After(longest):
			t.Fatal("the job did not run")
		}
	})
}

// River looks only every five seconds for jobs that have become due, so a job of now must not be among them.
func TestAt_runsAJobOfNowAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := newQueue(t, d)
		queue.Handle(q, func(context.Context, remind) error { return nil })
		now := time.Now()
		for id, c := range []struct {
			at   time.Time
			want string
		}{{now.Add(-time.Hour), "available"}, {now, "available"}, {now.Add(time.Hour), "scheduled"}} {
			enqueue(t, d, q, int64(id), queue.At(c.at))
			var state string
			if err := d.Reader().QueryRowContext(t.Context(), "SELECT state FROM river_job ORDER BY id DESC LIMIT 1").Scan(&state); err != nil {
				t.Fatal(err)
			}
			if state != c.want {
				t.Errorf("a job of %s from now is %s, not %s", c.at.Sub(now), state, c.want)
			}
		}
	})
}

func TestHandle_runsAFailedJobAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := newQueue(t, d)
		ran := make(chan int64, 10)
		var tries atomic.Int64
		queue.Handle(q, func(_ context.Context, r remind) error {
			if tries.Add(1) == 1 {
				return errors.New("not now")
			}
			ran <- r.ID
			return nil
		})
		startQueue(t, q)
		enqueue(t, d, q, 7)
		if got := awaitNext(t, ran); got != 7 || tries.Load() != 2 {
			t.Errorf("job %d after %d tries, want 7 after 2", got, tries.Load())
		}
	})
}

func TestEnqueue_refusesAJobWithoutHandler(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := newQueue(t, d)
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return q.Enqueue(t.Context(), tx, remind{ID: 1})
		})
		if err == nil {
			t.Error("a job that no one runs is stored")
		}
	})
}

func TestStop_waitsForTheRunningJob(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := newQueue(t, d)
		begun, finish := make(chan struct{}), make(chan struct{})
		var finished atomic.Bool
		queue.Handle(q, func(context.Context, remind) error {
			close(begun)
			<-finish
			finished.Store(true)
			return nil
		})
		if err := q.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		enqueue(t, d, q, 1)
		<-begun
		stopped := make(chan error)
		go func() { stopped <- q.Stop(t.Context()) }()
		close(finish)
		if err := <-stopped; err != nil || !finished.Load() {
			t.Errorf("Stop = %v, job finished: %v", err, finished.Load())
		}
	})
}
