package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"servery/internal/db"
)

// The proportions of the past: sessionsPerOrder sessions for ofOrders orders, one customer for ordersOfCustomer
// orders, and pastSeconds (two years) for all orders.
const (
	sessionsPerOrder, ofOrders = 3, 10
	ordersOfCustomer           = 10
	pastSeconds                = 62_000_000
	firstID                    = 10_000_000
	chunkOrders                = 50_000
)

// dialect has the SQL expressions that differ between the engines. rows and ago are formats.
type dialect struct {
	rows    string // the source g of the numbers n from %d to %d, for FROM
	ago     string // the instant %s seconds ago
	text    string // a random text
	bytes   string // random bytes
	blob    string // the type of bytes
	forceID string // allows an INSERT to set the id
}

// dialectOf returns the expressions of an engine.
func dialectOf(isPostgres bool) dialect {
	if isPostgres {
		return dialect{
			rows: "generate_series(CAST(%d AS bigint), %d) AS g(n)",
			ago:  "date_trunc('second', now()) - interval '1 second' * (%s)", text: "md5(random()::text || g.n)",
			bytes: "sha256((g.n::text || random()::text)::bytea)", blob: "bytea", forceID: "OVERRIDING SYSTEM VALUE",
		}
	}
	return dialect{
		rows: "(WITH RECURSIVE r(n) AS (SELECT %d UNION ALL SELECT n + 1 FROM r WHERE n < %d) SELECT n FROM r) AS g",
		ago:  "strftime('%%Y-%%m-%%d %%H:%%M:%%S', 'now', (-(%s)) || ' seconds') || '+00:00'", text: "lower(hex(randomblob(16)))",
		bytes: "randomblob(32)", blob: "blob",
	}
}

// past writes the rows of n orders.
type past struct {
	dialect

	conn     *sql.Conn
	n        int
	order    int64 // the order that all others copy
	customer int64 // the customer who makes the journeys
	site     string
}

// fillPast writes n orders of the past, with their customers, sessions and carts, into the database of an
// environment. The database must have an order of a guest and the customer of the journeys.
func fillPast(ctx context.Context, g *environment, n int) (err error) {
	d, err := db.Open(ctx, db.Config{URL: g.url, Dir: g.data, Connections: 2})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	isPostgres := d.Engine() == db.Postgres
	return withConnection(ctx, d.Writer(), isPostgres, func(c *sql.Conn) error {
		p := past{dialect: dialectOf(isPostgres), conn: c, n: n}
		// The first order of a guest is the one to copy.
		err := c.QueryRowContext(ctx, "SELECT id, site FROM orders WHERE customer_id = 0 ORDER BY created_at LIMIT 1").Scan(&p.order, &p.site)
		if err == nil {
			err = c.QueryRowContext(ctx, "SELECT id FROM customer WHERE phone = $1", journeyPhone).Scan(&p.customer)
		}
		if err != nil {
			return err
		}
		if err := p.fillAll(ctx); err != nil {
			return err
		}
		if isPostgres { // autovacuum would have done it over the years
			_, err = c.ExecContext(ctx, "VACUUM ANALYZE")
		}
		return err
	})
}

// secondsAgo returns the SQL expression for the age of order g.n in seconds: from an hour to two years.
func (p past) secondsAgo() string {
	return fmt.Sprintf("3600 + g.n * CAST(%d AS bigint) / %d", pastSeconds, p.n)
}

// orderID returns the SQL expression for the number of order g.n. Like real numbers, they are not in the order of
// time. 1000003 is a prime above the largest past, so that no number occurs twice.
func (past) orderID() string { return "100000000 + (g.n * 611953) % 1000003" }

// sessions returns how many sessions the past has.
func (p past) sessions() int { return max(p.n*sessionsPerOrder/ofOrders, 100) }

// customers returns how many customers the past has.
func (p past) customers() int { return max(p.n/ordersOfCustomer, 10) }

// instantAgo returns the SQL expression for the instant age seconds ago; age is an expression too.
func (p past) instantAgo(age string) string { return fmt.Sprintf(p.ago, age) }

// fillAll writes all rows, in chunks.
func (p past) fillAll(ctx context.Context) error {
	for _, part := range []func(ctx context.Context, from, to int) error{p.fillCustomers, p.fillVisitors, p.fillOrders} {
		for from := 1; from <= p.n; from += chunkOrders {
			if err := part(ctx, from, min(from+chunkOrders-1, p.n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// columns returns the columns of a table.
func (p past) columns(ctx context.Context, table string) ([]string, error) {
	rows, err := p.conn.QueryContext(ctx, "SELECT * FROM "+table+" LIMIT 0") //nolint:gosec // one of the names written here
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	return names, errors.Join(err, rows.Err())
}

// byDatabase is the value for insertCopies of a column that the database sets.
const byDatabase = ""

// insertCopies inserts copies of the rows of the table that meet the condition sample: one copy of each for every
// number g.n between from and to. values has SQL expressions for the columns that differ from the sample.
func (p past) insertCopies(ctx context.Context, from, to int, table, sample string, values map[string]string) error {
	columns, err := p.columns(ctx, table)
	if err != nil {
		return err
	}
	var names, exprs []string
	for _, c := range columns {
		value, isGiven := values[c]
		switch {
		case !isGiven:
			value = "t." + c
		case value == byDatabase:
			continue
		}
		names, exprs = append(names, c), append(exprs, value)
	}
	force := ""
	if values["id"] != byDatabase {
		force = p.forceID
	}
	//nolint:gosec // all parts are written here
	query := fmt.Sprintf("INSERT INTO %s (%s) %s SELECT %s FROM %s t, %s WHERE %s",
		table, strings.Join(names, ", "), force, strings.Join(exprs, ", "), table, fmt.Sprintf(p.rows, from, to), sample)
	if _, err := p.conn.ExecContext(ctx, query); err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	return nil
}

// share spreads n rows of another table evenly over the orders. It returns the first and the last number of those
// that are written together with the orders between from and to.
func (p past) share(from, to, n int) (first, last int) { return (from-1)*n/p.n + 1, to * n / p.n }

// fillCustomers writes the customers that belong to the orders between from and to.
func (p past) fillCustomers(ctx context.Context, from, to int) error {
	first, last := p.share(from, to, p.customers())
	return p.insertCopies(ctx, first, last, "customer", "t.id = (SELECT MIN(id) FROM customer)", map[string]string{
		"id": fmt.Sprint(firstID, " + g.n"), "phone": "'79' || (100000000 + g.n)", "created_at": p.instantAgo("g.n % 50000000"), "seen_at": p.instantAgo("g.n % 20000000"),
	})
}

// fillVisitors writes the sessions that belong to the orders between from and to, and a cart for each guest's
// session and for each customer. All were seen within the last month, because the sweep removes older ones of
// guests.
func (p past) fillVisitors(ctx context.Context, from, to int) error {
	first, last := p.share(from, to, p.sessions())
	const aGuest = "g.n % 3 > 0"
	ofCustomer := fmt.Sprintf("%d + 1 + g.n %% %d", firstID, p.customers())
	lastMonth := p.instantAgo("g.n % 2400000")
	if err := p.insertCopies(ctx, first, last, "session", "t.id = (SELECT MIN(id) FROM session WHERE customer_id IS NULL)", map[string]string{
		"id": fmt.Sprint(firstID, " + g.n"), "token_hash": p.bytes, "seen_at": lastMonth, "created_at": lastMonth, "expires_at": p.instantAgo("-10000000 - g.n % 5000000"),
		"customer_id": fmt.Sprintf("CASE WHEN %s THEN NULL ELSE %s END", aGuest, ofCustomer), "is_kept": aGuest,
	}); err != nil {
		return err
	}
	sampleCart := "t.session_id = (SELECT MIN(session_id) FROM cart WHERE session_id IS NOT NULL)"
	if err := p.insertCopies(ctx, first, last, "cart", sampleCart+" AND "+aGuest, map[string]string{
		"session_id": fmt.Sprint(firstID, " + g.n"), "owner": byDatabase, "updated_at": lastMonth, "seen_at": lastMonth,
	}); err != nil {
		return err
	}
	first, last = p.share(from, to, p.customers())
	return p.insertCopies(ctx, first, last, "cart", sampleCart, map[string]string{
		"session_id": "NULL", "customer_id": fmt.Sprint(firstID, " + g.n"), "owner": byDatabase, "updated_at": lastMonth, "seen_at": lastMonth,
	})
}

// fillOrders writes the orders between from and to, with lines, states, payments, origins and stock holds. Seven
// of ten are orders of customers, two of five were paid online. Some rows exist only for recent orders.
func (p past) fillOrders(ctx context.Context, from, to int) error {
	at, isOnline := p.instantAgo(p.secondsAgo()), "g.n % 5 < 2"
	one := fmt.Sprintf("t.id = %d", p.order)
	own := fmt.Sprintf("g.n %% %d = 0", max(p.n/200, 1)) // two hundred orders of the customer who makes the journeys
	customer := fmt.Sprintf("1 + g.n %% %d", p.customers())
	err := p.insertCopies(ctx, from, to, "orders", one, map[string]string{
		"id": p.orderID(), "session_id": fmt.Sprintf("%d + 1 + g.n %% %d", firstID, p.sessions()), "cache_key": p.text, "link": p.text, "state": "'done'",
		"changed_at": at, "created_at": at, "promised_from": at, "promised_to": at, "request_hash": p.bytes,
		"customer_id":  fmt.Sprintf("CASE WHEN %s THEN %d WHEN g.n %% 10 < 7 THEN %d + %s ELSE 0 END", own, p.customer, firstID, customer),
		"phone":        fmt.Sprintf("CASE WHEN "+strings.ReplaceAll(own, "%", "%%")+" THEN '"+journeyPhone+"' WHEN g.n %% 10 < 7 THEN '79' || (100000000 + %s) ELSE '79' || (500000000 + g.n %% %d) END", customer, max(p.n/4, 1)),
		"payment_type": "CASE WHEN " + isOnline + " THEN 'card_online' ELSE 'cash' END",
		"paid_by":      "CASE WHEN " + isOnline + " THEN 'past-' || g.n ELSE '' END",
	})
	if err != nil {
		return err
	}
	if err := p.insertCopies(ctx, from, to, "order_line", fmt.Sprintf("t.order_id = %d", p.order), map[string]string{"order_id": p.orderID()}); err != nil {
		return err
	}
	numbers := fmt.Sprintf(p.rows, from, to)
	const week, quarter, halfYear = 7 * 86400, 90 * 86400, 180 * 86400
	blob := "CAST('{}' AS " + p.blob + ")"
	for _, query := range []string{
		fmt.Sprintf(`INSERT INTO order_status (order_id, state, actor, at)
			SELECT %s, s.state, 'kitchen', %s FROM %s, (SELECT 'accepted' AS state UNION ALL SELECT 'cooking' UNION ALL SELECT 'sent' UNION ALL SELECT 'done') s`, p.orderID(), at, numbers),
		fmt.Sprintf(`INSERT INTO payment (id, order_id, site, acquirer, method, amount, currency, state, ref, reason, code, refunded,
				asked, next, proof, call_key, started_at, deadline, checks, finished_at)
			SELECT 'past-' || g.n, %[1]s, '%[2]s', 'sandbox', 'card_online', 100, 'RUB', 'paid', 'ref-' || g.n, '', '', 0, %[3]s, %[3]s, '', '', %[4]s, %[4]s, 0, %[4]s
			FROM %[5]s WHERE %[6]s`, p.orderID(), p.site, blob, at, numbers, isOnline),
		fmt.Sprintf(`INSERT INTO payment_event (payment_id, key, at) SELECT 'past-' || g.n, e.key, %s FROM %s, (SELECT 'a' AS key UNION ALL SELECT 'b') e
			WHERE %s AND %s < %d`, at, numbers, isOnline, p.secondsAgo(), halfYear),
		fmt.Sprintf(`INSERT INTO order_origin (order_id, site, address, is_counted, created_at) SELECT %s, '%s', 'network ' || g.n %% 5000, %s, %s FROM %s
			WHERE %s < %d`, p.orderID(), p.site, "g.n % 2 = 0", at, numbers, p.secondsAgo(), week),
		fmt.Sprintf(`INSERT INTO stock_hold (holder, things, confirmed_at) SELECT 'order:' || (%s), '[]', %s FROM %s WHERE g.n %% 10 = 0 AND %s < %d`,
			p.orderID(), at, numbers, p.secondsAgo(), quarter),
	} {
		if _, err := p.conn.ExecContext(ctx, query); err != nil {
			return fmt.Errorf("%.40s: %w", query, err)
		}
	}
	return nil
}
