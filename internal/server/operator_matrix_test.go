package server_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"servery/internal/access"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/retention"
	"servery/internal/staff"
)

// place is a shop of a brand with an order of its own customer.
type place struct {
	site    string
	shop    int64
	secrets map[string]*regexp.Regexp
	// filled are the values of the placeholders in rules.
	filled map[string]string
}

// maker is one who makes the calls.
type maker struct {
	name   string
	header []string
	// kind, login and person are as the audit log names them.
	kind, login, person string
	role                string
	rights              []string
	// site and isOfShop say what the caller is bounded by: nothing, a brand or the own shop of it.
	site     string
	isOfShop bool
}

// holdsSite reports whether the brand of the place is in the scope of the caller.
func (m maker) holdsSite(p *place) bool { return m.site == "" || m.site == p.site }

// holds reports whether the place is in the scope of the caller.
func (m maker) holds(p *place) bool {
	return m.holdsSite(p) && (!m.isOfShop || p.shop == carttest.Arbat)
}

// has reports whether the caller has the right.
func (m maker) has(right string) bool { return slices.Contains(m.rights, right) }

// isCourier reports whether the caller is a courier with an account, who learns of no customers but their
// own: in the matrix they have none.
func (m maker) isCourier() bool { return m.kind == "staff" && m.role == "courier" }

// wantStatus returns the status with which the caller must be answered by the rules.
func (m maker) wantStatus(r rule, p *place) int {
	switch own := r.rights()[0]; {
	case own == "public":
		return r.allowedStatus(p)
	case m.kind == "":
		return http.StatusUnauthorized
	case own == "self":
		if r.of == "" || r.of == m.kind {
			return r.allowedStatus(p)
		}
		return http.StatusForbidden
	case !m.has(own):
		return http.StatusForbidden
	}
	if refused := m.refusalOutside(r, p); refused != 0 {
		return refused
	}
	for _, further := range r.rights() {
		if !m.has(further) {
			return http.StatusForbidden
		}
	}
	if r.notOfCouriers && m.isCourier() {
		return http.StatusForbidden
	}
	return r.allowedStatus(p)
}

// refusalOutside returns the status of a call that leaves the scope of the caller, 0 for a call that does
// not.
func (m maker) refusalOutside(r rule, p *place) int {
	isOut := r.namesSite() && !m.holdsSite(p) || r.namesShop() && !m.holds(p)
	switch r.within {
	case "order", "device":
		if !m.holds(p) {
			return hidden
		}
		return 0
	case "brand":
		isOut = isOut || m.isOfShop
	case "shop":
		isOut = isOut || m.isOfShop && !r.namesShop()
	}
	if isOut {
		return http.StatusForbidden
	}
	return 0
}

// matrix is a restaurant with three places and all who call.
type matrix struct {
	*edge

	t *testing.T
	// places are the callers' own shop, another one of their brand, and one of another brand.
	places []*place
	makers []maker
	// seen are the secrets that somebody has read, by place and name.
	seen map[string]bool
}

// Every role, device and token makes every call of the contract, for their own shop, another shop of their
// brand and another brand. Calls that the rules do not allow are refused and change nothing. No answer shows
// a customer to a caller who may not read them.
func TestOperatorMatrix_refusesWhatTheRulesDoNotAllow(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		x := newMatrix(t, d)
		before := x.readTables()
		x.makeCalls(false)
		for table, after := range x.readTables() {
			if after != before[table] {
				t.Errorf("refused calls have changed %s from\n%.2000s\nto\n%.2000s", table, before[table], after)
			}
		}
		x.makeCalls(true)
		for _, p := range x.places {
			for what := range p.secrets {
				if key := p.site + fmt.Sprint(" ", p.shop, " ", what); !x.seen[key] && what != "link" {
					t.Errorf("no caller has read %s: the test proves nothing about it", key)
				}
			}
		}
		x.expectAudit()
	})
}

// Each call of the contract has a rule, and each role has its rights in the tables: a new call or role needs
// an entry there.
func TestOperatorMatrix_hasARuleForEachCallRoleAndRight(t *testing.T) {
	t.Parallel()
	ruled, called := map[string]bool{}, map[string]bool{}
	needed := map[string]bool{}
	for _, r := range matrixRules() {
		ruled[r.call] = true
		for _, right := range r.rights() {
			needed[right] = true
		}
	}
	operatorOperations(func(route string, _ *openapi3.Operation) {
		call := strings.Replace(route, " /api", " ", 1)
		called[call] = true
		if !ruled[call] {
			t.Errorf("%s has no rule: say in operator_matrix_table_test.go who may make it", call)
		}
	})
	for call := range ruled {
		if !called[call] {
			t.Errorf("the rule of %s has no call", call)
		}
	}
	for _, role := range access.Roles() {
		if rightsOfRoles[string(role)] == "" || rightsOfDevices[string(role)] == "" {
			t.Errorf("what may a %s, and what at a device?", role)
		}
	}
	for _, right := range access.AllRights() {
		if !needed[string(right)] {
			t.Errorf("no rule needs %s", right)
		}
	}
}

// matrixRules returns all rules; those that end a shift stand last.
func matrixRules() []rule { return slices.Concat(orderMatrix, listMatrix, eveningMatrix, selfMatrix) }

// makeCalls makes the calls of all callers, either those that are allowed or those that are refused, and
// checks the answers.
func (x *matrix) makeCalls(areAllowed bool) {
	x.t.Helper()
	for _, r := range matrixRules() {
		for _, m := range x.makers {
			if r.needs == "public" && (m.kind == "token" || m.role == "support") {
				continue // it looks at no caller, and counts failures
			}
			for i, p := range x.places {
				// One who lacks the right of a call is refused before the place is looked at.
				if i > 0 && (r.within == "" || m.kind == "token" && !m.has(r.rights()[0])) {
					continue
				}
				want := m.wantStatus(r, p)
				if isAllowed := want == r.allowedStatus(p); isAllowed == areAllowed && want != endless {
					x.expectAnswer(m, r, p, want)
				}
			}
		}
	}
}

// expectAnswer makes a call and fails the test unless the answer has the status and shows nothing that the
// caller may not read. It records the secrets that the answer shows.
func (x *matrix) expectAnswer(m maker, r rule, p *place, want int) {
	x.t.Helper()
	status, text := x.makeCall(m, r, p)
	what := fmt.Sprintf("%s: %s %s %s of %s %d", m.name, r.call, r.query, r.body, p.site, p.shop)
	if status == http.StatusNotFound && (strings.Contains(text, `"order_id":`) || r.within == "device") {
		status = hidden
	}
	if status != want {
		x.t.Errorf("%s is answered with %d, want %d: %.300s", what, status, want, text)
	}
	for _, of := range x.places {
		for name, secret := range of.secrets {
			if !secret.MatchString(text) {
				continue
			}
			if x.seen[of.site+fmt.Sprint(" ", of.shop, " ", name)] = true; want != r.allowedStatus(p) || !m.mayRead(name, of) {
				x.t.Errorf("%s shows the %s of %s %d: %.600s", what, name, of.site, of.shop, text)
			}
		}
	}
}

// mayRead reports whether the caller may read the secret with the name of the place.
func (m maker) mayRead(name string, of *place) bool {
	switch name {
	case "name", "comment", "order":
		return m.holds(of)
	case "form":
		return m.holdsSite(of) && !m.isOfShop && m.has("feedback.read")
	}
	return m.holds(of) && m.has("customers.read") && !m.isCourier()
}

// makeCall makes the call of a rule at a place, and returns its answer. A call that ends a device ends a new
// one.
func (x *matrix) makeCall(m maker, r rule, p *place) (status int, text string) {
	x.t.Helper()
	if r.id == "{device}" && m.wantStatus(r, p) == r.want {
		p.filled["{device}"] = x.addDevice(p) // the call ends it
	}
	login := m.login
	if login == "" {
		login = "nobody"
	}
	fill := func(s string) string {
		for name, value := range p.filled {
			s = strings.ReplaceAll(s, name, value)
		}
		return strings.ReplaceAll(s, "{login}", login)
	}
	method, path, _ := strings.Cut(r.call, " ")
	id := r.id
	if id == "" {
		id = "{closed}"
	}
	path = "/api" + fill(strings.Replace(path, "{id}", id, 1)+"?"+r.query)
	req := httptest.NewRequestWithContext(x.t.Context(), method, strings.TrimSuffix(path, "?"), bytes.NewReader([]byte(fill(r.body))))
	req.Host = "localhost"
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if len(m.header) > 0 {
		req.Header.Set(m.header[0], m.header[1])
	}
	w := httptest.NewRecorder()
	x.server.ServeHTTP(w, req)
	return w.Code, w.Body.String()
}

// addDevice adds a device of the place, which is not enrolled, and returns its number.
func (x *matrix) addDevice(p *place) string {
	x.t.Helper()
	_, device, err := staff.New(x.DB, x.Clock).AddDevice(x.t.Context(), staff.Device{Name: "spare", Site: p.site, ShopID: p.shop})
	if err != nil {
		x.t.Fatal(err)
	}
	return fmt.Sprint(device.ID)
}

// readTables returns the sorted rows of each table of the program.
func (x *matrix) readTables() map[string]string {
	x.t.Helper()
	all := map[string]string{}
	for _, table := range retention.Tables() {
		var rows []string
		found, err := x.DB.Reader().QueryContext(x.t.Context(), "SELECT * FROM "+table.Name)
		if err != nil {
			x.t.Fatal(err)
		}
		columns, err := found.Columns()
		if err != nil {
			x.t.Fatal(err)
		}
		for found.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := found.Scan(into...); err != nil {
				x.t.Fatal(err)
			}
			rows = append(rows, fmt.Sprint(values))
		}
		if err := found.Err(); err != nil {
			x.t.Fatal(err)
		}
		slices.Sort(rows)
		all[table.Name] = strings.Join(rows, "\n")
	}
	return all
}

// expectAudit fails the test unless each row of the audit log that a call of the matrix has left is of a
// caller who has the right of the call, under their own name.
func (x *matrix) expectAudit() {
	x.t.Helper()
	rows, err := x.DB.Reader().QueryContext(x.t.Context(), "SELECT kind, name, person, call FROM audit_log WHERE at >= $1", x.Clock.Now())
	if err != nil {
		x.t.Fatal(err)
	}
	defer rows.Close()
	needs, left := map[string]string{}, 0
	for _, r := range matrixRules() {
		needs[strings.Replace(r.call, " ", " /api", 1)] = r.rights()[0]
	}
	for rows.Next() {
		var kind, login, person, call string
		if err := rows.Scan(&kind, &login, &person, &call); err != nil {
			x.t.Fatal(err)
		}
		right := needs[call]
		if right == "" || right == "self" {
			continue // made by the test, or of the callers' own
		}
		left++
		isOf := func(m maker) bool { return m.kind == kind && m.login == login && m.person == person && m.has(right) }
		if !slices.ContainsFunc(x.makers, isOf) {
			x.t.Errorf("%s %s, %q has left a row of %s", kind, login, person, call)
		}
	}
	if err := rows.Err(); err != nil || left == 0 {
		x.t.Errorf("%d rows were left, %v", left, err)
	}
}

// sortedKeys returns the keys of a map in their order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
