package db

import (
	"context"
	"fmt"
	"time"
)

// analyzeEvery is how often tables without statistics are looked for.
const analyzeEvery = 5 * time.Second

// withoutStatistics returns the tables of more than sixteen pages of which PostgreSQL has no
// statistics. Those of a smaller one would make it read the whole table for one row, and go on so
// while the table grows, because each connection keeps its plans.
const withoutStatistics = `
SELECT format('%I', c.relname)
FROM pg_class c
WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(current_schema())
    AND pg_relation_size(c.oid) > 16 * current_setting('block_size')::bigint
    AND NOT EXISTS (SELECT 1 FROM pg_stats s WHERE s.schemaname = current_schema() AND s.tablename = c.relname)
ORDER BY c.relname`

// WatchStatistics makes PostgreSQL analyze each table soon after its first pages, until ctx ends. In a
// new database and after an upgrade of the server there are no statistics. Then every index looks
// alike to the planner, which reads all orders of a brand to find those of one visitor; autovacuum
// comes after a minute, or after a tenth of the rows has changed. WatchStatistics tries each table
// once, and calls report with each error. On SQLite it returns at once.
func (d *DB) WatchStatistics(ctx context.Context, report func(error)) {
	if d.engine != Postgres {
		return
	}
	ticker := time.NewTicker(analyzeEvery)
	defer ticker.Stop()
	tried := map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := d.analyzeNew(ctx, tried); err != nil && ctx.Err() == nil {
			report(err)
		}
	}
}

// analyzeNew analyzes the tables that have no statistics and are not in tried, and adds them to it.
func (d *DB) analyzeNew(ctx context.Context, tried map[string]bool) error {
	tables, err := d.listWithoutStatistics(ctx)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if tried[table] {
			continue
		}
		tried[table] = true // also one that is skipped because it is locked: autovacuum comes to it
		if _, err := d.write.ExecContext(ctx, "ANALYZE (SKIP_LOCKED) "+table); err != nil {
			return fmt.Errorf("analyze %s: %w", table, err)
		}
	}
	return nil
}

// listWithoutStatistics returns the quoted names of the tables that PostgreSQL has no statistics of.
func (d *DB) listWithoutStatistics(ctx context.Context) ([]string, error) {
	rows, err := d.read.QueryContext(ctx, withoutStatistics)
	if err != nil {
		return nil, fmt.Errorf("list tables without statistics: %w", err)
	}
	defer rows.Close()
	var tables []string
	for rows.Next() {
		var table string
		if err := rows.Scan(&table); err != nil {
			return nil, fmt.Errorf("list tables without statistics: %w", err)
		}
		tables = append(tables, table)
	}
	return tables, rows.Err()
}
