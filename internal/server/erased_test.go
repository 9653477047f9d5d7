package server_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

const leaversPhone = "79165556677"

// leaver is a customer who does everything that a customer can, and then leaves. entered has a pattern for
// each thing that they enter.
type leaver struct {
	t       *testing.T
	edge    *edge
	desk    *browser
	entered map[string]*regexp.Regexp
	done    int64 // an order
	link    string
	unused  string // the token of a sign-in link
}

// inLeaversYard is where no other customer lives.
const inLeaversYard = "55.7513579"

// newLeaver returns a customer who has not done anything yet, with the patterns of what they will enter.
func newLeaver(t *testing.T, d *db.DB) *leaver {
	t.Helper()
	e := newEdge(t, d)
	settings := "settings: {is_auth_enabled: true, guest_orders: true, notification_channels: [sms], order_messages: [accepted, delayed, sent, canceled, refunded], "
	e.Import(t, map[string]string{
		"sushi/brand.yaml": strings.Replace(carttest.Texts["sushi/brand.yaml"], "settings: {", settings, 1) +
			"bonus_programme: {percent: \"5\", accrual_until: \"2026-12-31\", spend_until: \"2027-01-31\"}\n",
		"countries.yaml":        strings.Replace(carttest.Texts["countries.yaml"], "cash_limit: 5000}", "cash_limit: 5000, address_form: "+everyAddressField+"}", 1),
		"sushi/gifts.yaml":      "- {id: 2, alias: cake-on-us, product: rice-roll, name: {ru: Торт, en: Cake on us}, personal: true, max_count: 3}\n",
		"sushi/promocodes.yaml": "- {id: 1, code: FIRST, percent: 10, first_order: true}\n- {id: 2, code: ONCE, percent: 10, limit_per_phone: 1}\n",
	})
	if err := e.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.queue.Stop(context.WithoutCancel(t.Context())) })
	return &leaver{t: t, edge: e, desk: e.browser(t), entered: map[string]*regexp.Regexp{
		"phone": regexp.MustCompile(`916\D{0,3}555\D?66\D?77`), "name": regexp.MustCompile("Leonora"),
		"checkout name": regexp.MustCompile("Ferdinand"), "e-mail": regexp.MustCompile(`(?i)leonora@|bills@`),
		"room": regexp.MustCompile("R8841"), "intercom": regexp.MustCompile("K8842"), "way": regexp.MustCompile("behind-the-fig-tree"),
		"bell": regexp.MustCompile("Bellamy"), "building": regexp.MustCompile("House-of-Usher"), "rear building": regexp.MustCompile("left-wing"),
		"landmark": regexp.MustCompile("opposite-the-mill"),
		"place":    regexp.MustCompile(regexp.QuoteMeta(inLeaversYard)), "comment": regexp.MustCompile("the-parrot-bites"),
		"birthday": regexp.MustCompile(`1991-03-0?8|08\.03\.1991`), "not eaten": regexp.MustCompile(`"allergens":\["nuts"`),
		"VK account": regexp.MustCompile("998877665544"), "device": regexp.MustCompile("Vivaldi"),
	}}
}

// order places an order of the leaver with every field filled, by the browser. change may change the
// request; nil for no change.
func (l *leaver) order(b *browser, change func(request object)) (id int64, link string) {
	l.t.Helper()
	at := object{
		"city_id": 1, "latitude": 55.7513579, "longitude": 37.6013579, "room": "R8841", "intercom": "K8842", "description": "behind-the-fig-tree",
		"bell_name": "Bellamy", "building": "House-of-Usher", "rear_building": "left-wing", "landmark": "opposite-the-mill",
	}
	b.fill()
	b.ok("POST", "/api/user/addresses/set-by-coordinates", at)
	b.ok("PUT", "/api/cart/set-interval", object{"city_id": 1, "interval": "asap"})
	total := dig(b.ok("PUT", "/api/cart", moscow(nil)), "cart", "prices", "total")
	request := b.checkout(total)
	request["phone"], request["username"], request["email"] = leaversPhone, "Ferdinand", "bills@example.org"
	request["order_comment"], request["allergens"] = "the-parrot-bites", []string{"nuts"}
	request["delivery_address"] = object{"id": dig(request["delivery_address"], "id"), "room": "R8841"}
	if change != nil {
		change(request)
	}
	created := b.ok("POST", "/api/order/create", request)
	return idOf(created["order_id"]), created["link"].(string)
}

// move moves an order to each of the states.
func (l *leaver) move(id int64, states ...string) {
	l.t.Helper()
	for _, state := range states {
		l.desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", id), object{"status": state}, asOperator...)
	}
}

// doEverything does all that a customer can, and returns an order that is still under way.
func (l *leaver) doEverything() (underWay int64) {
	l.t.Helper()
	t, desk := l.t, l.desk
	desk.header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36 Vivaldi/7.5")
	desk.ok("POST", "/api/feedback/unavailable-delivery-address", object{
		"city_id": 1, "phone": "+7 916 555-66-77", "coordinates": object{"latitude": 55.9, "longitude": 37.6013579}, "consent": true,
	})
	asGuest, _ := l.order(desk, nil)
	l.move(asGuest, "cooking", "sent")
	desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/courier-location", asGuest),
		object{"coordinates": object{"latitude": 55.7513579, "longitude": 37.6013579}}, asOperator...)
	desk.fill()
	l.edge.signInByCode(desk, leaversPhone)
	l.move(asGuest, "done")
	user := desk.ok("GET", "/api/user/get", nil)
	versions := object{}
	for _, c := range dig(user, "user", "consents").([]any) {
		versions[dig(c, "kind").(string)] = dig(c, "version")
	}
	desk.ok("PUT", "/api/user/update", object{
		"name": "Leonora", "sex": "female", "birthday": "08.03.1991", "email": "leonora@example.org",
		"is_subscribed": true, "is_print_fiscal_receipt": false, "consent_versions": versions,
	})
	named := object{"site": "sushi", "phone": leaversPhone}
	desk.ok("POST", "/api/operator/customers/bonuses", with(named, object{"key": "start", "bonuses": 500}), asOperator...)
	present := desk.ok("POST", "/api/operator/customers/presents", with(named, object{"key": "cake", "gift": "cake-on-us", "count": 3}), asOperator...)
	execSQL(t, l.edge.DB, "INSERT INTO vk_account (site, vk_user_id, customer_id, created_at) VALUES ('sushi', 998877665544, $1, $2)",
		idOf(dig(user, "user", "id")), l.edge.Clock.Now())

	desk.fill()
	desk.ok("PUT", "/api/cart/gift/add-present", moscow(object{"id": idOf(present["id"])}))
	desk.ok("PUT", "/api/cart/gift/apply-promocode", moscow(object{"promocode": "ONCE"}))
	l.done, l.link = l.order(desk, nil)
	l.move(l.done, "cooking", "sent", "done")
	l.payOnline(l.done)
	desk.fill()
	desk.ok("PUT", "/api/cart/gift/apply-bonuses", moscow(object{"bonuses": 40}))
	canceled, _ := l.order(desk, nil)
	desk.ok("POST", "/api/order/cancel", object{"order_id": canceled})

	friend := l.edge.browser(t)
	friend.ok("POST", "/api/order/status", object{"order_id": l.done, "phone": leaversPhone})
	phone := l.edge.browser(t)
	phone.signIn(leaversPhone)
	underWay, _ = l.order(phone, nil)
	l.unused = phone.signInToken("sushi", leaversPhone)
	desk.ok("POST", "/api/order/repeat", object{"order_id": l.done})
	desk.checkout(desk.fill())
	desk.ok("POST", "/api/user/addresses/set-by-coordinates",
		object{"city_id": 1, "latitude": 55.7513579, "longitude": 37.6013579, "room": "R8841", "intercom": "K8842"}, "Idempotency-Key", "kept-answers-too")
	return underWay
}

// payOnline pays with all that a customer can enter, and has a part of it refunded.
func (l *leaver) payOnline(id int64) {
	l.t.Helper()
	payment := l.edge.markPaidOnline(l.t, id, `{"email":"bills@example.org","phone":"`+leaversPhone+`","name":"Ferdinand","user_agent":"Vivaldi","address":"127.0.0.1"}`)
	execSQL(l.t, l.edge.DB, "UPDATE payment SET refunded = 100, next = $1 WHERE id = $2", []byte(`{"url":"https://bank.example/?mail=bills@example.org"}`), payment)
	execSQL(l.t, l.edge.DB, `INSERT INTO refund (id, payment_id, order_id, amount, state, cause, reason, lines, call_key, call_hash, ref, code, tries, attempt, created_at, finished_at)
		VALUES ('refund-1', $1, $2, 100, 'done', 'operator', $3, $4, 'key', $4, 'ref-2', '', 1, 1, $5, $5)`,
		payment, id, "Ferdinand called from +7 916 555-66-77", []byte("[]"), l.edge.Clock.Now())
}

// execSQL runs a statement that writes.
func execSQL(t *testing.T, d *db.DB, query string, args ...any) {
	t.Helper()
	if _, err := d.Writer().ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// listTables returns every table of the database. It asks the database, so that a table of a later
// migration is scanned too.
func listTables(t *testing.T, d *db.DB) []string {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if d.Engine() == db.Postgres {
		query = "SELECT quote_ident(table_name) FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"
	}
	rows, err := d.Reader().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil || len(names) < 25 {
		t.Fatalf("only %d tables, %v", len(names), err)
	}
	return names
}

// formatValue returns a value of a column as text in which a person would recognize what was entered.
func formatValue(value any) string {
	switch v := value.(type) {
	case []byte:
		return string(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// findEntered returns the columns of the database in which something that was entered stands, by the name
// of its pattern.
func (l *leaver) findEntered() map[string][]string {
	l.t.Helper()
	places := map[string][]string{}
	for _, table := range listTables(l.t, l.edge.DB) {
		rows, err := l.edge.DB.Reader().QueryContext(l.t.Context(), "SELECT * FROM "+table)
		if err != nil {
			l.t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			l.t.Fatal(err)
		}
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				l.t.Fatal(err)
			}
			for i, value := range values {
				for what, pattern := range l.entered {
					if pattern.MatchString(formatValue(value)) {
						places[what] = append(places[what], table+"."+columns[i])
					}
				}
			}
		}
		if err := rows.Err(); err != nil {
			l.t.Fatal(err)
		}
		rows.Close()
	}
	return places
}

func TestDeletedCustomer_leavesNoPersonalData(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLeaver(t, d)
		underWay := l.doEverything()
		before := l.findEntered()
		for what := range l.entered {
			if len(before[what]) == 0 {
				t.Errorf("%s was never kept: the test proves nothing about it", what)
			}
		}
		if got := l.desk.refused(http.StatusConflict, "", "DELETE", "/api/user/remove", nil); got == "" {
			t.Error("an account with an order on its way was deleted")
		}
		if after := l.findEntered(); len(after["phone"]) != len(before["phone"]) {
			t.Error("a refused deletion has deleted something")
		}
		l.move(underWay, "cooking", "sent", "done")
		l.desk.ok("DELETE", "/api/user/remove", nil)
		for what, places := range l.findEntered() {
			t.Errorf("%s still stands in %v", what, places)
		}
		for _, found := range l.edge.secretsIn(l.entered) {
			t.Errorf("in the log stands %s", found)
		}
	})
}

func TestDeletedCustomer_leavesAnonymizedOrdersInTheBooks(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLeaver(t, d)
		l.move(l.doEverything(), "cooking", "sent", "done")
		books := func() string {
			return queryRow(t, d, `SELECT COUNT(*), SUM(total), SUM(subtotal), MIN(payment_type), MIN(city_id), MIN(shop_id) FROM orders`) +
				queryRow(t, d, `SELECT COUNT(*), SUM(total) FROM order_line`) + queryRow(t, d, `SELECT COUNT(*) FROM order_status`) +
				queryRow(t, d, `SELECT amount, refunded, ref, state FROM payment`) + queryRow(t, d, `SELECT amount, ref, cause FROM refund`)
		}
		before := books()
		l.desk.ok("DELETE", "/api/user/remove", nil)
		if after := books(); after != before {
			t.Errorf("the books were %s, are %s", before, after)
		}
		if got := queryRow(t, d, `SELECT COALESCE(SUM(balance), 0) FROM bonus_account WHERE kind = 'customer'`); got != "0 " {
			t.Errorf("bonuses are still there: %s", got)
		}
		if got := queryRow(t, d, `SELECT COUNT(*) FROM (SELECT posting_id FROM bonus_entry GROUP BY posting_id HAVING SUM(amount) <> 0) broken`); got != "0 " {
			t.Errorf("%s postings do not sum to zero", got)
		}
		b := l.edge.browser(t)
		for _, look := range []object{{"order_id": l.done, "phone": leaversPhone}, {"order_id": l.done, "link": l.link}} {
			b.refused(http.StatusNotFound, "", "POST", "/api/order/status", look)
		}
		b.refused(http.StatusUnprocessableEntity, "token", "POST", "/api/user/sign-in", object{"token": l.unused})
	})
}

func TestDeletion_restoresNothingThatAPhoneGetsOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLeaver(t, d)
		l.move(l.doEverything(), "cooking", "sent", "done")
		l.desk.ok("DELETE", "/api/user/remove", nil)
		again, stranger := l.edge.browser(t), l.edge.browser(t)
		user := dig(again.signIn(leaversPhone), "user")
		if dig(user, "name") != "" {
			t.Errorf("who comes back is known: %v", user)
		}
		if orders := again.ok("GET", "/api/user/orders", nil); orders["total"] != 0.0 {
			t.Errorf("who comes back has orders: %v", orders)
		}
		stranger.signIn("79165556678")
		again.fill()
		stranger.fill()
		for _, code := range []string{"FIRST", "ONCE"} {
			again.refused(http.StatusUnprocessableEntity, "promocode", "PUT", "/api/cart/gift/apply-promocode", moscow(object{"promocode": code}))
			stranger.ok("PUT", "/api/cart/gift/apply-promocode", moscow(object{"promocode": code}))
		}
	})
}

// queryRow returns the columns of the first row, each followed by a space.
func queryRow(t *testing.T, d *db.DB, sql string) string {
	t.Helper()
	rows, err := d.Reader().QueryContext(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil || !rows.Next() {
		t.Fatal(sql, err)
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	if err := rows.Scan(into...); err != nil {
		t.Fatal(err)
	}
	var row strings.Builder
	for _, v := range values {
		row.WriteString(formatValue(v) + " ")
	}
	return row.String()
}

func TestDeletion_concurrentWithAnOrderComesBeforeOrAfterIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLeaver(t, d)
		for range 4 {
			desk, handset := l.edge.browser(t), l.edge.browser(t)
			desk.signIn(leaversPhone)
			handset.signIn(leaversPhone)
			request := desk.checkout(desk.fill())
			var ordered, removed answer
			var both sync.WaitGroup
			both.Go(func() { ordered = desk.call("POST", "/api/order/create", request) })
			both.Go(func() { removed = handset.call("DELETE", "/api/user/remove", nil) })
			both.Wait()
			switch {
			case ordered.status == http.StatusOK && removed.status == http.StatusConflict:
				l.move(idOf(ordered.json["order_id"]), "canceled")
				handset.ok("DELETE", "/api/user/remove", nil)
			case removed.status == http.StatusOK && ordered.status == http.StatusUnauthorized:
			case removed.status == http.StatusOK && ordered.status == http.StatusConflict: // it came later, without a session
			default:
				t.Fatalf("ordered: %d %s, removed: %d %s", ordered.status, ordered.text, removed.status, removed.text)
			}
			if places := l.findEntered()["phone"]; len(places) > 0 {
				t.Fatalf("the phone still stands in %v", places)
			}
		}
	})
}
