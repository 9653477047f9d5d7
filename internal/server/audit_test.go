package server_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"servery/internal/access"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// operatorChanges are calls of the operator that each change something, in an order in which they can.
// Every call of the contract that is no GET has to be among them.
func operatorChanges(w *world) []row {
	of := func(id int64, call string) string { return fmt.Sprintf("/api/operator/orders/%d/%s", id, call) }
	other, _ := w.order()
	collected, _ := w.order() // paid on receipt, and owed
	for _, status := range []string{"cooking", "sent", "done"} {
		w.owner.ok("POST", of(collected, "status"), object{"status": status}, asOperator...)
	}
	w.owner.ok("POST", of(collected, "refund"), object{"key": "owed", "all": true, "owed": true}, asOperator...)
	named := object{"site": "sushi", "phone": othersPhone}
	promised := w.edge.Clock.Now().Add(3 * time.Hour)
	rows := []row{
		{route: "POST /api/operator/orders/{id}/take", path: of(w.open, "take"), body: object{}},
		{route: "POST /api/operator/orders/{id}/correct", path: of(w.open, "correct"), body: object{"key": "c", "comment": ownersComment + "!"}},
		{route: "POST /api/operator/orders/{id}/courier", path: of(w.open, "courier"), body: object{"id": "c7", "name": "Ivan"}},
		{route: "POST /api/operator/orders/{id}/courier/remove", path: of(w.open, "courier/remove"), body: object{}},
		{route: "POST /api/operator/orders/{id}/delay", path: of(w.open, "delay"), body: object{"promised_at": promised, "note": ownersComment}},
		{route: "POST /api/operator/orders/{id}/status", path: of(w.open, "status"), body: object{"status": "cooking"}},
		{route: "POST /api/operator/orders/{id}/step-back", path: of(w.open, "step-back"), body: object{}},
		{route: "POST /api/operator/orders/{id}/cancel", path: of(other, "cancel"), body: object{"outcome": "refused", "reason": "sold_out"}},
		{route: "POST /api/operator/orders/{id}/refund", path: of(w.done, "refund"), body: object{"key": "cold", "all": true, "reason": ownersComment}},
		{route: "POST /api/operator/orders/{id}/refund/handed-back", path: of(collected, "refund/handed-back"), body: object{"key": "owed"}},
		{route: "POST /api/operator/customers/sign-in-link", body: named},
		{route: "POST /api/operator/customers/bonuses", body: with(named, object{"key": "sorry", "bonuses": 150})},
		{route: "POST /api/operator/customers/presents", body: with(named, object{"key": "cake for all", "gift": "cake-on-us"})},
		{route: "POST /api/operator/orders", body: object{
			"key": "call", "cart": phoneCart(), "username": "Vera", "payment_type": "cash", "interval_id": "asap",
		}},
		{route: "POST /api/operator/devices", body: object{"site": "sushi", "shop_id": carttest.Arbat, "name": "tablet"}},
		{route: "DELETE /api/operator/devices/{id}", path: "/api/operator/devices/1"},
		{route: "POST /api/operator/changes/webhook", body: object{"site": "sushi"}},
		{route: "POST /api/operator/stops", body: object{"site": "sushi", "kind": "product", "alias": "soy"}},
		{route: "POST /api/operator/kitchen/pause", body: object{"site": "sushi", "shop_id": carttest.Pokrovka, "until": promised, "reason": "staff"}},
		{route: "POST /api/operator/kitchen/busy", body: object{"site": "sushi", "shop_id": carttest.Pokrovka, "minutes": 10, "until": promised, "reason": "staff"}},
		{route: "POST /api/operator/prices", body: object{"site": "sushi", "product": "soy", "shop_id": carttest.Pokrovka, "price": 35}},
		{route: "POST /api/operator/alerts", body: object{"site": "sushi", "shop_id": carttest.Pokrovka, "texts": []object{{"language": "ru", "text": "Ремонт"}}}},
	}
	return append(
		rows,
		row{route: "POST /api/operator/orders/{id}/status", path: of(w.open, "status"), body: object{"status": "cooking"}},
		row{route: "POST /api/operator/orders/{id}/hand-over", path: of(w.open, "hand-over"), body: object{}},
		row{
			route: "POST /api/operator/orders/{id}/courier-location", path: of(w.open, "courier-location"),
			body: object{"coordinates": object{"latitude": 55.75, "longitude": 37.6}},
		},
	)
}

// changeNothing are calls that change nothing of the restaurant's: a quote, whose question needs a body, and
// requests for a browser to sign.
var changeNothing = []string{
	"POST /api/operator/orders/quote", "POST /api/operator/sign-in/passkey/begin", "POST /api/operator/sign-in/passkeys/begin",
}

// madeByPersons are calls that no token makes; TestAudit_callsOfPersonsLeaveTheirRows looks for their
// rows.
var madeByPersons = []string{
	"POST /api/operator/sign-in", "POST /api/operator/sign-in/invitation", "POST /api/operator/sign-in/invitation/accept",
	"DELETE /api/operator/sign-in/sessions/{id}", "POST /api/operator/sign-in/pin", "POST /api/operator/sign-in/device",
	"POST /api/operator/sign-in/device/shift", "DELETE /api/operator/sign-in/device/shift",
	"POST /api/operator/sign-in/passkey", "POST /api/operator/sign-in/passkeys", "DELETE /api/operator/sign-in/passkeys/{id}",
}

// newestAudit returns the newest change of the audit log.
func newestAudit(b *browser) map[string]any {
	changes := b.ok("GET", "/api/operator/audit?limit=1", nil, asOperator...)["changes"].([]any)
	return changes[0].(map[string]any)
}

// auditedBy is a caller as the audit log names them.
type auditedBy struct{ kind, name, person string }

// namedInAudit are the secrets of the test's customer that the audit log may name: the changes are about them.
var namedInAudit = []string{"order", "other order", "bonuses", "present"}

// Each change by the operator's token leaves a row, and every call of the contract that changes something is
// tried. The audit log names nothing personal of the customer.
func TestAudit_everyChangeOfTheOperatorLeavesARow(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		tried := w.makeChanges(operatorChanges(w), asOperator, auditedBy{"token", "SERVERY_OPERATOR_TOKEN", "till 1"})
		operatorOperations(func(route string, _ *openapi3.Operation) {
			if !strings.HasPrefix(route, "GET ") && !tried[route] && !slices.Contains(slices.Concat(changeNothing, madeByPersons), route) {
				t.Errorf("%s is not among operatorChanges: say there how it changes something", route)
			}
		})
		log := w.edge.browser(t).call("GET", "/api/operator/audit?limit=200", nil, asOperator...).text
		for what, secret := range w.secrets {
			if !slices.Contains(namedInAudit, what) && secret.MatchString(log) {
				t.Errorf("the log names the customer's %s", what)
			}
		}
	})
}

// The log has the name of a signed-in person, whatever actor the body of a call names.
func TestAudit_everyChangeOfAPersonIsUnderTheirName(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		rows := slices.DeleteFunc(operatorChanges(w), func(r row) bool { return strings.HasSuffix(r.route, "/sign-in-link") }) // no person may
		owner := w.edge.employ(t, access.Owner, access.Scope{})
		w.makeChanges(rows, owner.header, auditedBy{"staff", owner.login, "Olga " + owner.login})
	})
}

// makeChanges makes each call, with the actor "till 1" in its body, and checks that it leaves a row of the
// caller in the audit log. Then it repeats the call, and checks that a repetition without effect leaves no
// row. It returns the routes that it has called.
func (w *world) makeChanges(rows []row, header []string, by auditedBy) (tried map[string]bool) {
	w.t.Helper()
	t, desk := w.t, w.edge.browser(w.t)
	tried = map[string]bool{}
	for _, r := range rows {
		tried[r.route] = true
		want := by
		if r.body == nil {
			want.person = strings.TrimPrefix(by.person, "till 1") // there is no body to name it in
		} else {
			r.body = with(r.body.(object), object{"actor": "till 1"})
		}
		before := newestAudit(desk)
		a := desk.call(r.method(), r.target(), r.body, header...)
		if a.status != http.StatusOK {
			t.Errorf("%s: %d %s", r.route, a.status, a.text)
			continue
		}
		after := newestAudit(desk)
		person, _ := after["person"].(string)
		switch {
		case idOf(after["id"]) <= idOf(before["id"]):
			t.Errorf("%s has left no row", r.route)
		case after["call"] != r.route || after["kind"] != want.kind || after["name"] != want.name || after["site"] != "sushi":
			t.Errorf("%s has left %v", r.route, after)
		case person != want.person:
			t.Errorf("%s of %q has left the person %q", r.route, want.person, person)
		case fmt.Sprint(after["before"]) == fmt.Sprint(after["after"]):
			t.Errorf("%s has left a row that names no change: %v", r.route, after)
		}
		if again := desk.call(r.method(), r.target(), r.body, header...); again.status == http.StatusOK && isRepeatable(r) {
			if id := newestAudit(desk)["id"]; id != after["id"] {
				t.Errorf("%s has changed nothing and left a row", r.route)
			}
		}
	}
	return tried
}

// isRepeatable reports whether the call changes nothing when it is repeated.
func isRepeatable(r row) bool {
	return !strings.HasSuffix(r.route, "/sign-in-link") && r.route != "POST /api/operator/devices" && !strings.HasSuffix(r.route, "/webhook")
}

func TestAudit_isReadBySubjectWhoAndTimeInPages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk := e.browser(t)
		stop := func(alias string) {
			desk.ok("POST", "/api/operator/stops", object{"site": "sushi", "kind": "product", "alias": alias}, asOperator...)
		}
		start := e.Clock.Now()
		stop("soy")
		e.Clock.Advance(time.Hour)
		stop("rice-roll")
		list := func(query string) (ids []string, next int64) {
			answer := desk.ok("GET", "/api/operator/audit?"+query, nil, asOperator...)
			for _, c := range answer["changes"].([]any) {
				ids = append(ids, fmt.Sprint(dig(c, "subject_id")))
			}
			return ids, idOf(answer["next"])
		}
		for query, want := range map[string]string{
			"site=sushi":                        "[rice-roll soy]",
			"site=pizza":                        "[]",
			"subject=product&subject_id=soy":    "[soy]",
			"subject=product&shop_id=1":         "[]",
			"who=SERVERY_OPERATOR_TOKEN":        "[rice-roll soy]",
			"who=nobody":                        "[]",
			"since=2026-11-20T00:00:00Z&site=x": "[]",
			"site=sushi&until=" + start.Add(time.Minute).UTC().Format(time.RFC3339): "[soy]",
			"site=sushi&since=" + start.Add(time.Minute).UTC().Format(time.RFC3339): "[rice-roll]",
		} {
			if got, _ := list(query); fmt.Sprint(got) != want {
				t.Errorf("%s: %v, want %s", query, got, want)
			}
		}
		first, next := list("site=sushi&limit=1")
		rest, last := list(fmt.Sprintf("site=sushi&limit=1&before=%d", next))
		if fmt.Sprint(first, rest) != "[rice-roll] [soy]" || last != 0 {
			t.Errorf("pages: %v, then %v, next %d", first, rest, last)
		}
	})
}
