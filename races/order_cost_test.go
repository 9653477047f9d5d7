package races_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The budgets of an order on PostgreSQL, from the first dish to the order's number. They are a fifth above the last
// measurement. A change that needs more must raise them here and in docs/production.md.
const (
	statementsOfAnOrder = 22 * 1.2
	walOfAnOrder        = 6_000 * 1.2 // bytes
)

// Statements take time of the server, and most of them a round trip to it; the bytes of write-ahead log limit how many
// orders a disk and a standby can take.
func TestOrderCost_staysWithinItsBudgetOnPostgreSQL(t *testing.T) {
	t.Parallel()
	requirePage(t)
	c := newCluster(t)
	c.options = []string{"-c", "log_statement=all"}
	c.create(t)
	h := &house{servers: []*process{start(t, settings{Content: newContent(t, 1), DatabaseURL: c.url("servery")})}}
	s := &shift{house: h, answers: map[int]int{}}
	s.client = &http.Client{Timeout: answeredWithin, Transport: stopwatch{http.DefaultTransport, s}}
	placeOrders := func(count int) {
		for range count {
			(&diner{shift: s, number: s.phones.Add(1)}).dine(t.Context())
		}
		for _, err := range s.faults {
			t.Fatal(err)
		}
	}
	placeOrders(10) // so that reads and statements which happen once do not count
	const count = 100
	statements, wal := c.countStatements(t), c.writtenAhead(t)
	placeOrders(count)
	// The process also makes statements without an order, but few in so short a time.
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

// writtenAhead returns the bytes of write-ahead log that the server has written since it was made.
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
