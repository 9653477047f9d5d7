package queue

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"servery/internal/db"
)

// Load is how much the queue has to do.
type Load struct {
	// Jobs is how many jobs there are, by River's names of their states. Jobs that have ended are not
	// counted, except discarded ones: given up after many attempts. States without a job are left out.
	Jobs map[string]int64
	// Behind is for how long the oldest job that is due has waited; 0 when none is due.
	Behind time.Duration
}

// Measure returns how much the queue of the database has to do.
func Measure(ctx context.Context, d *db.DB, now time.Time) (Load, error) {
	seconds := "CAST(unixepoch(MIN(scheduled_at), 'subsec') AS real)"
	if d.Engine() == db.Postgres {
		seconds = "CAST(EXTRACT(EPOCH FROM MIN(scheduled_at)) AS double precision)"
	}
	rows, err := d.Reader().QueryContext(ctx, "SELECT CAST(state AS text), COUNT(*), "+seconds+` FROM river_job
		WHERE state IN ('available', 'discarded', 'pending', 'retryable', 'running', 'scheduled') GROUP BY state`)
	if err != nil {
		return Load{}, fmt.Errorf("measure the jobs: %w", err)
	}
	defer rows.Close()
	load := Load{Jobs: map[string]int64{}}
	for rows.Next() {
		var state string
		var count int64
		var oldest sql.NullFloat64
		if err := rows.Scan(&state, &count, &oldest); err != nil {
			return Load{}, fmt.Errorf("measure the jobs: %w", err)
		}
		load.Jobs[state] = count
		switch state {
		case "available", "retryable", "scheduled":
			behind := now.Sub(time.UnixMilli(int64(oldest.Float64 * 1000)))
			load.Behind = max(load.Behind, behind)
		}
	}
	return load, rows.Err()
}
