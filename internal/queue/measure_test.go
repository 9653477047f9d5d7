package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/queue"
)

func TestMeasure_countsJobsByStateAndHowLongTheOldestHasWaited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := newQueue(t, d)
		queue.Handle(q, func(context.Context, remind) error { return errors.New("not started") })
		now := time.Now()
		load, err := queue.Measure(t.Context(), d, now)
		if err != nil || len(load.Jobs) != 0 || load.Behind != 0 {
			t.Fatalf("an empty queue: %+v, %v", load, err)
		}
		enqueue(t, d, q, 1, queue.At(now.Add(time.Hour)))
		enqueue(t, d, q, 2, queue.At(now.Add(2*time.Hour)))
		if load, err = queue.Measure(t.Context(), d, now); err != nil || load.Jobs["scheduled"] != 2 || load.Behind != 0 {
			t.Errorf("before they are due: %+v, %v", load, err)
		}
		later := now.Add(90 * time.Minute)
		if load, err = queue.Measure(t.Context(), d, later); err != nil || load.Behind.Round(time.Second) != 30*time.Minute {
			t.Errorf("half an hour after the first was due: %+v, %v", load, err)
		}
		enqueue(t, d, q, 3)
		if load, err = queue.Measure(t.Context(), d, later); err != nil || load.Jobs["available"] != 1 || load.Behind < 89*time.Minute {
			t.Errorf("with one that is due at once: %+v, %v", load, err)
		}
	})
}
