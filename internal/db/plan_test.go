package db_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// growing are the tables that get a row for each visitor, order or thing given, and lose
// none or few of them.
var growing = []string{
	"audit_log", "bonus_account", "bonus_entry", "bonus_posting", "cart", "closing_receipt", "consent_answer", "courier_position", "customer", "customer_export", "delivery_address", "delivery_notice", "feedback_form",
	"idempotency", "login_budget", "login_challenge", "login_device", "login_traffic", "order_archive", "order_archive_payment", "order_cache", "order_line", "order_origin", "order_status", "orders", "payment", "payment_event", "present", "refund", "sandbox_callback", "sandbox_payment", "sandbox_refund", "session", "sign_in_link",
	"slot", "slot_hold", "stock_count", "stock_hold", "undelivered_place", "vk_account", "vk_pending", "vk_sign_in",
}

var (
	oneQuery  = regexp.MustCompile(`(?s)-- name: (\w+) :\w+\n(.*?);\n`)
	remark    = regexp.MustCompile(`(?m)^\s*--.*\n?`)
	parameter = regexp.MustCompile(`sqlc\.narg\((\w+)\)|@(\w+)`)
	embedded  = regexp.MustCompile(`sqlc\.embed\((\w+)\)`)
	named     = regexp.MustCompile(`\b(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?`)
	scanned   = regexp.MustCompile(`^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?`)
	// A search as SQLite and as PostgreSQL describe it: the table, the index, and what is asked of it.
	searched       = regexp.MustCompile(`^SEARCH (\w+) USING (?:COVERING )?INDEX (\w+) \((.*)\)$`)
	searchedByPG   = regexp.MustCompile(`^(?:Index Scan|Index Only Scan)(?: Backward)? using (\w+) on (\w+)(?: \w+)?$`)
	indexCondition = regexp.MustCompile(`^Index Cond: \((.*)\)$`)
	// What all rows of a small shop have in common.
	shared = regexp.MustCompile(`^\(*(?:site|city_id|kind|shop_id)\s*=[^<>]*$`)
)

// query is one of db/query, with its parameters as $1, $2 and so on.
type query struct {
	name, text string
	parameters int
}

// readQueries returns all queries of the folder.
func readQueries(t *testing.T) []query {
	t.Helper()
	files, err := filepath.Glob("query/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var queries []query
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range oneQuery.FindAllStringSubmatch(string(text), -1) {
			var names []string
			text := embedded.ReplaceAllString(remark.ReplaceAllString(found[2], ""), "$1.*")
			body := parameter.ReplaceAllStringFunc(text, func(p string) string {
				at := slices.Index(names, p)
				if at < 0 {
					at, names = len(names), append(names, p)
				}
				return fmt.Sprintf("$%d", at+1)
			})
			queries = append(queries, query{found[1], body, len(names)})
		}
	}
	return queries
}

// table returns the table that a name in the query's text stands for.
func (q query) table(name string) string {
	for _, found := range named.FindAllStringSubmatch(q.text, -1) {
		if found[2] == name {
			return found[1]
		}
	}
	return name
}

// queryTexts runs a statement and returns the last column of each row. For EXPLAIN these are the steps
// of the plan.
func queryTexts(t *testing.T, conn *sql.Conn, statement string, args ...any) []string {
	t.Helper()
	rows, err := conn.QueryContext(t.Context(), statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for rows.Next() {
		var text string
		into := make([]any, len(columns))
		for i := range into {
			into[i] = new(any)
		}
		into[len(into)-1] = &text
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.TrimSpace(text))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// partialIndices returns the indices that hold some rows of their table only.
func partialIndices(t *testing.T, d *db.DB, conn *sql.Conn) []string {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'"
	if d.Engine() == db.Postgres {
		query = "SELECT indexname FROM pg_indexes WHERE indexdef LIKE '% WHERE %'"
	}
	return queryTexts(t, conn, query)
}

// search is a step that reads the rows of an index which meet the conditions.
type search struct {
	table, index string
	conditions   []string
}

// parseSearches returns the searches of indices among the steps of a plan, each with its conditions.
func parseSearches(steps []string) []search {
	var found []search
	for i, step := range steps {
		if m := searched.FindStringSubmatch(step); m != nil {
			found = append(found, search{m[1], m[2], strings.Split(m[3], " AND ")})
			continue
		}
		m := searchedByPG.FindStringSubmatch(strings.TrimPrefix(step, "->  "))
		if m == nil {
			continue
		}
		s := search{table: m[2], index: m[1]}
		if i+1 < len(steps) {
			if condition := indexCondition.FindStringSubmatch(steps[i+1]); condition != nil {
				s.conditions = strings.Split(condition[1], " AND ")
			}
		}
		found = append(found, s)
	}
	return found
}

// fillTables puts 3000 rows into each of the tables of PostgreSQL, which plans by what a table holds.
// The rows have the shop and the state in common, and nothing else. It drops the constraints that such
// rows would break, and analyzes the tables as the program does.
func fillTables(t *testing.T, d *db.DB, conn *sql.Conn, tables ...string) {
	t.Helper()
	queryTexts(t, conn, "SET session_replication_role = replica") // no foreign keys
	for _, table := range tables {
		checks := queryTexts(t, conn, "SELECT conname FROM pg_constraint WHERE contype = 'c' AND conrelid = to_regclass('"+table+"')")
		for _, check := range checks {
			queryTexts(t, conn, "ALTER TABLE "+table+" DROP CONSTRAINT "+check)
		}
		of := " FROM information_schema.columns WHERE table_name = '" + table + "' AND is_generated = 'NEVER'"
		columns := queryTexts(t, conn, "SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position)"+of)
		values := queryTexts(t, conn, `SELECT string_agg(CASE
				WHEN column_name IN ('site', 'state', 'currency') THEN $$'x'$$
				WHEN column_name IN ('city_id', 'shop_id') THEN '1'
				WHEN data_type LIKE 'timestamp%' THEN $$timestamptz '2026-01-01' + n * interval '1 minute'$$
				WHEN data_type = 'boolean' THEN 'false'
				WHEN data_type LIKE 'json%' THEN $$'{}'$$
				WHEN data_type = 'bytea' THEN 'int8send(n)'
				WHEN data_type = 'text' THEN $$'v' || n$$
				ELSE 'n' END, ', ' ORDER BY ordinal_position)`+of)
		queryTexts(t, conn, fmt.Sprintf("INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM generate_series(1::bigint, 3000) n",
			table, columns[0], values[0]))
	}
	if err := d.AnalyzeNew(t.Context()); err != nil { // as the program does
		t.Fatal(err)
	}
}

// isShared reports whether all rows of a shop may meet the conditions.
func (s search) isShared() bool {
	return !slices.ContainsFunc(s.conditions, func(c string) bool { return !shared.MatchString(c) })
}

// No query reads the whole of a table that grows with the age of a shop: it would become slower each
// year. SQLite plans an empty database by the same rules. PostgreSQL is forbidden to read whole tables,
// and does so only where there is no other way.
func TestQueries_readNoGrowingTableWhole(t *testing.T) {
	t.Parallel()
	allowedIndex := map[string]string{ // by query
		"ListOpenOrders":      "orders_open",             // an index of the open ones alone
		"ListSandboxPayments": "sandbox_payment_created", // the latest, not all
		// PostgreSQL takes a third of all rows for those of a span of time that it does not know yet.
		"DeleteCartsOfErased":     "cart_customer_id",
		"DeleteAddressesOfErased": "delivery_address_customer_id",
		"MostOrdered":             "order_line_pkey",
		// A batch is a sixth of the rows that stand here, so PostgreSQL reads the key in its order.
		"DeleteOldLoginChallenges":   "login_challenge_pkey",
		"DeleteExpiredSignInLinks":   "sign_in_link_pkey",
		"DeleteOldExports":           "customer_export_pkey",
		"DeleteOldDeliveryNotices":   "delivery_notice_pkey",
		"DeleteOldFeedbackForms":     "feedback_form_pkey",
		"DeleteExpiredVkPending":     "vk_pending_pkey",
		"DeleteExpiredVkSignIns":     "vk_sign_in_pkey",
		"DeleteOldLoginBudgets":      "login_budget_pkey",
		"DeleteOldLoginTraffic":      "login_traffic_hour",
		"DeleteOldPaymentEvents":     "payment_event_pkey",
		"DeleteOldUndeliveredPlaces": "undelivered_place_pkey",
		"DeletePastSlotHolds":        "slot_hold_pkey",
		"DeletePastSlots":            "slot_starts_at",
		"DeleteOldLoginDevices":      "login_device_pkey",
		"DeleteOldOrderCaches":       "order_cache_pkey",
		"DeleteOldOrderGrants":       "order_grant_pkey",
		"DeleteOldOrderOrigins":      "order_origin_pkey",
		"DeleteOldCourierPositions":  "courier_position_pkey",
		"DeleteOldIdempotency":       "idempotency_pkey",
		"DeleteExpiredSessions":      "session_pkey",
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		conn, err := d.Reader().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if d.Engine() == db.Postgres {
			queryTexts(t, conn, "SET enable_seqscan = off")
			fillTables(t, d, conn, growing...)
		}
		partial := partialIndices(t, d, conn)
		for _, q := range readQueries(t) {
			var steps []string
			if d.Engine() == db.Postgres {
				if !strings.Contains(q.text, "WHERE") {
					continue
				}
				queryTexts(t, conn, "PREPARE "+q.name+" AS "+q.text)
				nulls := strings.TrimSuffix(strings.Repeat("NULL,", q.parameters), ",")
				if nulls != "" {
					nulls = "(" + nulls + ")"
				}
				steps = queryTexts(t, conn, "EXPLAIN (COSTS OFF) EXECUTE "+q.name+nulls)
			} else {
				steps = queryTexts(t, conn, "EXPLAIN QUERY PLAN "+q.text, make([]any, q.parameters)...)
			}
			for _, step := range steps {
				step = strings.Replace(strings.TrimPrefix(step, "->  "), "Seq Scan on ", "SCAN ", 1)
				found := scanned.FindStringSubmatch(step)
				if found == nil || !slices.Contains(growing, q.table(found[1])) || allowedIndex[q.name] != "" && allowedIndex[q.name] == found[2] {
					continue
				}
				t.Errorf("%s: %s", q.name, step)
			}
			for _, s := range parseSearches(steps) {
				if slices.Contains(growing, q.table(s.table)) && s.isShared() && !slices.Contains(partial, s.index) && allowedIndex[q.name] != s.index {
					t.Errorf("%s: searches %s by %v of %s, which all its rows may have in common", q.name, s.table, s.conditions, s.index)
				}
			}
		}
	})
}
