package queue

import (
	"context"
	"fmt"

	"servery/internal/db"
)

// Waiting is how many jobs of a kind are yet to be run.
type Waiting struct {
	Kind  string
	Count int64
}

// ListWaiting returns how many jobs are yet to be run, by kind.
func ListWaiting(ctx context.Context, d *db.DB) ([]Waiting, error) {
	rows, err := d.Reader().QueryContext(ctx, `SELECT kind, COUNT(*) FROM river_job
		WHERE state IN ('available', 'pending', 'retryable', 'running', 'scheduled') GROUP BY kind ORDER BY kind`)
	if err != nil {
		return nil, fmt.Errorf("list the jobs that wait: %w", err)
	}
	defer rows.Close()
	var waiting []Waiting
	for rows.Next() {
		var w Waiting
		if err := rows.Scan(&w.Kind, &w.Count); err != nil {
			return nil, fmt.Errorf("list the jobs that wait: %w", err)
		}
		waiting = append(waiting, w)
	}
	return waiting, rows.Err()
}
