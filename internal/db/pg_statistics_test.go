package db_test

import (
	"slices"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestAnalyzeNew_analyzesWhatHasGrownWithoutStatistics(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres)
	conn, err := d.Reader().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const fill = "INSERT INTO session (token_hash, site, created_at, seen_at, expires_at) SELECT int8send(n), 'x', now(), now(), now() FROM generate_series($1::bigint, $2::bigint) n"
	queryTexts(t, conn, fill, 1, 50)
	// analyze analyzes new tables, and reports whether the session's table has statistics then.
	analyze := func() bool {
		if err := d.AnalyzeNew(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(queryTexts(t, conn, "SELECT 'known' FROM pg_stats WHERE schemaname = current_schema() AND tablename = 'session' LIMIT 1")) > 0
	}
	if analyze() {
		t.Error("a table of few pages was analyzed: a plan that reads the whole of it stays while it grows")
	}
	queryTexts(t, conn, fill, 51, 3000)
	if !analyze() {
		t.Error("a table without statistics was not analyzed")
	}
	if left := d.WithoutStatistics(t); slices.Contains(left, "session") {
		t.Errorf("%v are still without statistics", left)
	}
}

// A guest who has given no phone has no order by phone. Where many orders have one phone, the
// statistics say that the first row will do, and PostgreSQL would read all orders to find none.
func TestReadUses_readsNoOrdersOfAPhoneThatIsNotKnown(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres)
	conn, err := d.Reader().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fillTables(t, d, conn, "orders")
	queryTexts(t, conn, "UPDATE orders SET phone = '79161234567'")
	queryTexts(t, conn, "ANALYZE orders")
	all := readQueries(t)
	q := all[slices.IndexFunc(all, func(q query) bool { return q.name == "ReadUses" })]
	queryTexts(t, conn, "SET plan_cache_mode = force_generic_plan")
	queryTexts(t, conn, "PREPARE uses AS "+q.text)
	steps := queryTexts(t, conn, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE uses (1, 0, 'x', 1, 0, '', '', '', '', 0)")
	for _, step := range steps {
		if strings.Contains(step, "Seq Scan on orders") && !strings.Contains(step, "never executed") {
			t.Errorf("all orders are read: %s", strings.Join(steps, "\n"))
		}
	}
}
