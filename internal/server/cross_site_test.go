package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// readTables returns every row of every table of an SQLite database, to find what a call has changed.
func readTables(t *testing.T, d *db.DB) map[string]string {
	t.Helper()
	names, err := d.Reader().QueryContext(t.Context(), "SELECT name FROM sqlite_master WHERE type = 'table'")
	if err != nil {
		t.Fatal(err)
	}
	defer names.Close()
	tables := map[string]string{}
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables[name] = tableRows(t, d, name)
	}
	if err := names.Err(); err != nil || len(tables) == 0 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	return tables
}

// tableRows returns all rows of a table as text.
func tableRows(t *testing.T, d *db.DB, table string) string {
	t.Helper()
	rows, err := d.Reader().QueryContext(t.Context(), fmt.Sprintf("SELECT * FROM %q", table))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&all, values...)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// expectSameTables fails the test for each table whose rows have changed, except two that readiness and
// exports may change.
func expectSameTables(t *testing.T, before, after map[string]string) {
	t.Helper()
	for table, rows := range after {
		if rows != before[table] && table != "write_probe" && table != "customer_export" { // readiness writes there; exports are counted
			t.Errorf("the table %s has changed from\n%s\nto\n%s", table, before[table], rows)
		}
	}
}

// The headers of a browser in which another site makes a call.
var foreign = [][]string{
	{"Sec-Fetch-Site", "cross-site"},
	{"Sec-Fetch-Site", "same-site"},
	{"Sec-Fetch-Site", "cross-site", "Origin", "null", "Content-Type", "text/plain"},
	{"Origin", "https://evil.example"},
	{"Origin", "null"},
	{"Origin", "http://pizza.localhost"},
}

func TestCrossSite_requestsChangeNothingByAnyRoute(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.Open(t, db.SQLite))
	before := readTables(t, w.edge.DB)
	tried := 0
	for _, r := range rightsTable(w.belongings, callersPhone) {
		if r.method() == http.MethodGet {
			continue
		}
		tried++
		for _, header := range foreign {
			a := w.owner.call(r.method(), r.target(), r.body, append(header, "Authorization", "Bearer "+operatorToken)...)
			// A refusal of ours has words; what a bank is answered has none of them.
			isRefused := a.status == http.StatusForbidden && a.json["message"] != nil
			if isRefused == isOfBanks(r.route) || a.header.Get("Set-Cookie") != "" {
				t.Errorf("%s with %v is answered with %d %s, cookie %q", r.route, header, a.status, a.text, a.header.Get("Set-Cookie"))
			}
		}
	}
	if tried < 40 {
		t.Errorf("only %d routes were tried", tried)
	}
	expectSameTables(t, before, readTables(t, w.edge.DB))
}

func TestGet_changesNothingByAnyRoute(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.Open(t, db.SQLite))
	before := readTables(t, w.edge.DB)
	for _, r := range rightsTable(w.belongings, callersPhone) {
		for _, c := range append(strangers, theOwner) {
			if r.method() == http.MethodGet {
				w.tryCall(c, r)
			}
		}
	}
	expectSameTables(t, before, readTables(t, w.edge.DB))
}

func TestCrossSite_requestsReadNoAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, dbtest.Open(t, db.SQLite))
	for _, r := range rightsTable(w.belongings, callersPhone) {
		if r.ends {
			continue
		}
		a := w.owner.call(r.method(), r.target(), r.body, "Origin", "https://evil.example")
		for name := range a.header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s answers %s: %s", r.route, name, a.header.Get(name))
			}
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s answers %s: %q, want %q", r.route, name, got, want)
			}
		}
		framer := "'none'"
		if r.route == returnOfABank {
			framer = "'self'" // it stands where the bank's page stood
		}
		if policy := a.header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors "+framer) && !strings.Contains(policy, "sandbox") {
			t.Errorf("%s may be framed: %q", r.route, policy)
		}
	}
}

func TestRedirects_leadToNoOtherSite(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	redirected := 0
	for _, path := range []string{
		"//evil.example", "//evil.example/", "//evil.example/moscow/", "/moscow//evil.example", "/moscow/", "/moscow/?next=//evil.example",
		"/%2f%2fevil.example/", "/%5cevil.example/", "/moscow/%2f%2fevil.example", "/moscow/..//evil.example", "/auth/link/..//evil.example",
		"/auth/link?to=https://evil.example", "/auth/vk/callback?redirect_uri=https://evil.example", "/https://evil.example",
	} {
		a := b.call(http.MethodGet, path, nil)
		to := a.header.Get("Location")
		if to == "" {
			continue
		}
		redirected++
		u, err := url.Parse(to)
		if err != nil || u.Host != "" || u.Scheme != "" || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`) {
			t.Errorf("%s sends to %s", path, to)
		}
	}
	if redirected == 0 {
		t.Error("no path was sent anywhere")
	}
}
