package races_test

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order/audittest"
)

// movedVariable is how many orders are moved; without it a hundred.
const movedVariable = "SERVERY_MOVE_ORDERS"

// Orders with customers, bonuses and payments, a fifth of them archived, are moved by the command from SQLite to
// PostgreSQL and back. After each move cookies, carts, balances, an open order, a repeated key and archived orders are
// as before, and new orders have new numbers.
func TestMove_keepsCookiesOpenOrdersAndKeys(t *testing.T) {
	t.Parallel()
	requirePage(t)
	orders := 100
	if text := os.Getenv(movedVariable); text != "" {
		var err error
		if orders, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	m := newMoving(t)
	m.fill(t, orders/5)
	w := m.newWitness(t)
	m.archiveAll(t)
	m.fill(t, orders-orders/5)
	w.begin(t)
	for i := range m.places[1:] {
		open := m.orderUnpaid(t)
		m.move(t, i)
		w.check(t)
		open.finish(t)
		m.checkNumbers(t)
	}
	m.checkBooks(t)
}

// moving is a shop whose database is moved, and its customers.
type moving struct {
	*house

	program string // the command
	// places are the databases: the first one is filled, each is moved to the next one.
	places []db.Config
	where  db.Config // the one in use
	payers []*payer
	began  time.Time // of the clock
}

// newMoving starts a server on a new SQLite database. Its clock stands fourteen months ago, so that its jobs, which
// follow the machine's clock, are due at once.
func newMoving(t *testing.T) *moving {
	t.Helper()
	m := &moving{
		house: &house{now: clock.System{}.Now().UTC().Truncate(time.Hour).Add(-2*time.Hour).AddDate(0, -14, 0)}, program: buildProgram(t),
		places: []db.Config{dbtest.Config(t, db.SQLite), dbtest.Config(t, db.Postgres), dbtest.Config(t, db.SQLite)},
	}
	m.where, m.began = m.places[0], m.now
	content := newPayingContent(t)
	editFile(t, filepath.Join(content, "races", "brand.yaml"), "settings: {", "settings: {terms: {archive_months: 12}, ")
	m.servers = []*process{start(t, settings{Data: m.where.Dir, Content: content, Addr: freeAddress(t), Now: m.now})}
	return m
}

// buildProgram builds the program of customers and staff, and returns its path.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "servery")
	if text, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, "../cmd/servery").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return program
}

// advance moves the clock of the server on in steps and lets it sweep after each.
func (m *moving) advance(t *testing.T, steps int, step time.Duration) {
	t.Helper()
	for range steps {
		m.now = m.now.Add(step)
		m.servers[0].setClock(t, m.now)
	}
}

// unsettled counts the payments, refunds and receipts that are under way.
const unsettled = `SELECT (SELECT COUNT(*) FROM payment WHERE state = 'pending') + (SELECT COUNT(*) FROM refund WHERE state NOT IN ('done', 'failed'))
	+ (SELECT COUNT(*) FROM closing_receipt WHERE state IN ('waiting', 'running'))`

// settle advances the clock until no payment, refund or receipt is under way.
func (m *moving) settle(t *testing.T) {
	t.Helper()
	m.withDatabase(t, func(h *house) {
		for range 300 {
			m.advance(t, 1, time.Minute)
			for limit := now().Add(time.Second); now().Before(limit); time.Sleep(20 * time.Millisecond) {
				if h.number(t, unsettled) == 0 {
					return
				}
			}
		}
		t.Fatalf("%d payments, refunds and receipts are never settled", h.number(t, unsettled))
	})
}

// archiveAll moves the clock on to the present, which is more than the term of the archive later, and sweeps until all
// orders are archived.
func (m *moving) archiveAll(t *testing.T) {
	t.Helper()
	m.settle(t)
	m.advance(t, 1, clock.System{}.Now().Add(-2*time.Hour).Sub(m.now))
	m.fill(t, 1) // the order of the newest change is never archived
	for range 200 {
		if m.count(t, "SELECT COUNT(*) FROM orders") <= ordersOfPair {
			return
		}
		m.advance(t, 1, time.Second)
	}
	t.Fatalf("%d orders are never archived", m.count(t, "SELECT COUNT(*) FROM orders"))
}

// withDatabase calls do with the database in use.
func (m *moving) withDatabase(t *testing.T, do func(h *house)) {
	t.Helper()
	d, err := db.Open(t.Context(), m.where)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	do(&house{db: d})
}

// count runs a query that selects one number in the database in use, and returns the number.
func (m *moving) count(t *testing.T, query string) (n int64) {
	t.Helper()
	m.withDatabase(t, func(h *house) { n = h.number(t, query) })
	return n
}

// readTotals returns rows and sums of the tables that orders, customers and money are in.
func (m *moving) readTotals(t *testing.T) (totals []string) {
	t.Helper()
	var parts []string
	for _, part := range [][2]string{
		{"orders", "total"},
		{"order_line", "total"},
		{"payment", "amount"},
		{"refund", "amount"},
		{"bonus_account", "balance"},
		{"bonus_entry", "amount"},
		{"order_archive", "id"},
		{"order_status", "id"},
		{"session", "id"},
		{"customer", "id"},
		{"sandbox_payment", "amount"},
		{"slot", "used_minutes"},
	} {
		parts = append(parts, fmt.Sprintf("SELECT '%[1]s' AS name, COUNT(*), CAST(COALESCE(SUM(%[2]s), 0) AS bigint) FROM %[1]s", part[0], part[1]))
	}
	m.withDatabase(t, func(h *house) { totals = h.texts(t, strings.Join(parts, " UNION ALL ")+" ORDER BY name") })
	return totals
}

// move stops the server, moves its database from place i to the next one by the command, checks that the totals are
// the same, and starts the server on the copy.
func (m *moving) move(t *testing.T, i int) {
	t.Helper()
	server := m.servers[0]
	server.stop(t)
	before := m.readTotals(t)
	from, to := m.places[i], m.places[i+1]
	begun := now()
	text, err := exec.CommandContext(t.Context(), m.program, "move", cmp.Or(from.URL, from.Dir), cmp.Or(to.URL, to.Dir)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	took := now().Sub(begun)
	m.where = to
	if after := m.readTotals(t); !slices.Equal(before, after) {
		t.Errorf("before the move there are\n%v\nafter it\n%v", before, after)
	}
	t.Logf("moved in %s: %v", took.Round(time.Millisecond), before)
	server.with.Data, server.with.DatabaseURL, server.with.Now = to.Dir, to.URL, m.now
	server.begin(t)
}

// checkNumbers places orders and checks that none has a number that was used before.
func (m *moving) checkNumbers(t *testing.T) {
	t.Helper()
	used := map[string]bool{}
	m.withDatabase(t, func(h *house) {
		for _, id := range h.texts(t, "SELECT id FROM orders UNION ALL SELECT id FROM order_archive") {
			used[id] = true
		}
	})
	known := len(m.payers)
	m.fill(t, 2*ordersOfPair)
	for _, p := range m.payers[known:] {
		for _, c := range p.confirmed {
			if id := fmt.Sprint(c.ID); used[id] {
				t.Errorf("order %s is there twice", id)
			}
		}
	}
}

// checkBooks finishes what is under way, recalls the archived orders by listing their day, and audits the books of the
// database and of the test bank.
func (m *moving) checkBooks(t *testing.T) {
	t.Helper()
	m.settle(t)
	for day := range 2 { // some may be promised for after midnight
		m.listDay(t, m.began.In(moscow).AddDate(0, 0, day).Format(time.DateOnly))
	}
	if left := m.count(t, "SELECT COUNT(*) FROM order_archive"); left > 0 {
		t.Errorf("%d orders are still archived after their day was listed", left)
	}
	m.withDatabase(t, func(h *house) {
		books := audittest.Books{Now: m.now, Settled: true, Bank: (&killing{db: h.db}).bank(t)}
		for _, p := range m.payers {
			books.Confirmed = append(books.Confirmed, p.confirmed...)
		}
		audittest.Check(t, h.db, books)
		t.Logf("%d orders were confirmed, the bank has %d payments", len(books.Confirmed), len(books.Bank))
	})
}

// listDay lists all orders that were promised for a day, as staff do.
func (m *moving) listDay(t *testing.T, day string) {
	t.Helper()
	for before := ""; ; {
		var page struct{ Next string }
		m.callJSON(t, http.MethodGet, fmt.Sprintf("/operator/orders/search?site=races&limit=200&day=%s&before=%s", day, before), nil, &page)
		if before = page.Next; before == "" {
			return
		}
	}
}
