package races_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What an order asks of PostgreSQL, from the first dish to the order's number. The budgets are a fifth
// above what was measured last: a change that needs more raises them here and in docs/production.md.
const (
	statementsOfAnOrder = 43 * 1.2
	walOfAnOrder        = 5_900 * 1.2 // bytes
)

// Each statement is a round trip to the database, and what is written ahead decides how many orders a
// disk and a standby can take.
func TestOrderCost_staysWithinItsBudgetOnPostgreSQL(t *testing.T) {
	t.Parallel()
	requirePage(t)
	c := newCluster(t)
	c.options = []string{"-c", "log_statement=all"}
	c.create(t)
	h := &house{servers: []*process{start(t, settings{Content: newContent(t, 1), DatabaseURL: c.url("servery")})}}
	s := &shift{house: h, answers: map[int]int{}}
	s.client = &http.Client{Timeout: answeredWithin, Transport: stopwatch{http.DefaultTransport, s}}
	order := func(count int) {
		for range count {
			(&diner{shift: s, number: s.phones.Add(1)}).dine(t.Context())
		}
		for _, err := range s.faults {
			t.Fatal(err)
		}
	}
	order(10) // what is read once and prepared once
	const count = 100
	statements, wal := c.countStatements(t), c.writtenAhead(t)
	order(count)
	// What the process does at the same time without any order is little in so short a time.
	perOrder := float64(c.countStatements(t)-statements) / count
	bytes := float64(c.writtenAhead(t)-wal) / count
	t.Logf("an order takes %.1f statements and %.0f bytes of WAL", perOrder, bytes)
	if perOrder > statementsOfAnOrder || perOrder < statementsOfAnOrder/2 {
		t.Errorf("an order takes %.1f statements, its budget is %.1f", perOrder, statementsOfAnOrder)
	}
	if bytes > walOfAnOrder || bytes < walOfAnOrder/2 {
		t.Errorf("an order writes %.0f bytes ahead, its budget is %.0f", bytes, walOfAnOrder)
	}
}

// countStatements returns how many statements the server has logged.
func (c *cluster) countStatements(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), " LOG:  execute ") + strings.Count(string(text), " LOG:  statement: ")
}

// writtenAhead returns how many bytes the server has written ahead since it was made.
func (c *cluster) writtenAhead(t *testing.T) (bytes int64) {
	t.Helper()
	d, err := c.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Reader().QueryRowContext(t.Context(), "SELECT CAST(pg_current_wal_insert_lsn() - '0/0' AS bigint)").Scan(&bytes); err != nil {
		t.Fatal(err)
	}
	return bytes
}
