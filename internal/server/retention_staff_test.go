package server_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"servery/internal/access"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/retention"
	"servery/internal/staff"
)

// haveStaffWork adds Olga, a manager of the Arbat with an account and a PIN, who takes the order at a device.
// Then it removes the account and ends the device. Another account stays, and a device whose code is never
// used.
func (l *leaver) haveStaffWork(orderID int64) {
	l.t.Helper()
	t, e, desk := l.t, l.edge, l.desk
	l.entered["colleague"] = regexp.MustCompile("Olga manager|manager1")
	arbat := access.Scope{Site: "sushi", Shops: []int64{carttest.Arbat}}
	e.addToken(t, "till-1", arbat, access.ReadOrders)
	olga := e.employ(t, access.Manager, arbat)
	device, tablet := e.enrol(t, olga.header)
	desk.ok("POST", "/api/operator/devices", object{"site": "sushi", "shop_id": carttest.Arbat, "name": "never used"}, olga.header...)
	desk.ok("POST", "/api/operator/sign-in/pin", object{"pin": "7391"}, olga.header...)
	people := desk.ok("GET", "/api/operator/sign-in/device/people", nil, tablet...)["people"].([]any)
	desk.ok("POST", "/api/operator/sign-in/device/shift", object{"id": dig(people[0], "id"), "pin": "7391"}, tablet...)
	desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/take", orderID), object{}, tablet...)
	desk.ok("POST", "/api/operator/sign-in/passkey/begin", nil) // never answered
	desk.refused(http.StatusUnprocessableEntity, "", "POST", "/api/operator/sign-in", object{"login": olga.login, "password": "a wrong one", "code": "000000"})
	if err := staff.New(e.DB, e.Clock).Remove(t.Context(), olga.login); err != nil {
		t.Fatal(err)
	}
	desk.ok("DELETE", fmt.Sprintf("/api/operator/devices/%d", device), nil, asOperator...)
	e.employ(t, access.Kitchen, arbat)
}

// leaveTraces stores rows that the program usually removes at once, such as the position of a courier, and
// that stay when a process ends before it removes them.
func (l *leaver) leaveTraces() {
	l.t.Helper()
	t, d, now := l.t, l.edge.DB, l.edge.Clock.Now()
	l.desk.ok("GET", "/api/user/export", nil)
	l.desk.ok("PUT", "/api/cart/gift/forget", moscow(object{"gift_id": 2}), "Idempotency-Key", "stored-for-a-day")
	l.desk.ok("POST", "/api/feedback/questions", object{
		"city_id": 1, "name": "Leonora", "phone": leaversPhone, "email": "leonora@example.org", "message": "the-parrot-bites", "is_agreed": true,
	})
	var sessionID int64
	if err := d.Reader().QueryRowContext(t.Context(), "SELECT MAX(id) FROM session").Scan(&sessionID); err != nil {
		t.Fatal(err)
	}
	execSQL(t, d, "INSERT INTO courier_position (order_id, latitude, longitude, reported_at) VALUES ($1, 55.7513579, 37.6013579, $2)", l.done, now)
	execSQL(t, d, `INSERT INTO push_subscription (order_id, session_id, endpoint, p256dh, auth, language, last_change, created_at)
		VALUES ($1, $2, 'https://push.example.com/1', '', '', 'en', 0, $3)`, l.done, sessionID, now)
	execSQL(t, d, "INSERT INTO delivery_notice (site, city_id, phone, language, attempts, due_at, created_at) VALUES ('sushi', 1, $1, 'en', 0, $2, $2)", leaversPhone, now)
	execSQL(t, d, "INSERT INTO payment_event (payment_id, key, at) SELECT id, 'event-1', $1 FROM payment", now)
	execSQL(t, d, "INSERT INTO vk_sign_in (session_id, state_hash, verifier, redirect, expires_at) VALUES ($1, $2, '', '', $3)", sessionID, []byte{1}, now)
	execSQL(t, d, "INSERT INTO vk_pending (session_id, site, vk_user_id, expires_at) VALUES ($1, 'sushi', 998877665544, $2)", sessionID, now)
}

// tablesWithATerm returns the tables whose rows have a term that is counted from a column.
func tablesWithATerm() []string {
	var names []string
	for _, table := range retention.Tables() {
		if table.Column != "" {
			names = append(names, table.Name)
		}
	}
	return names
}

// expectRowsOfEachTerm fails the test unless each table whose rows have a term has a row.
func expectRowsOfEachTerm(t *testing.T, d *db.DB) {
	t.Helper()
	for _, table := range tablesWithATerm() {
		if queryRow(t, d, "SELECT COUNT(*) FROM "+table) == "0 " {
			t.Errorf("%s has no row, so that nothing is proved of its term", table)
		}
	}
}

// expectNoRowsWithATerm fails the test unless all rows that have a term are gone. The account that was not
// removed stays.
func expectNoRowsWithATerm(t *testing.T, d *db.DB) {
	t.Helper()
	for _, table := range tablesWithATerm() {
		want := "0 "
		if table == "staff_account" {
			want = "1 "
		}
		if n := queryRow(t, d, "SELECT COUNT(*) FROM "+table); n != want {
			t.Errorf("%s has %srows, want %s", table, n, want)
		}
	}
}

// isOfStaff reports whether a column is of a table of people or devices.
func isOfStaff(column string) bool { return strings.HasPrefix(column, "staff_") }
