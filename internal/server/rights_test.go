package server_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// caller is one who tries a route.
type caller string

// The callers. Each has every id and key of the owner's but the cookies.
const (
	nobody     caller = "nobody"
	guest      caller = "a guest with a session"
	theOwner   caller = "the owner"
	other      caller = "another customer"
	elsewhere  caller = "the customer with the same phone at another brand"
	ended      caller = "an ended session of the owner's"
	rotated    caller = "the token from before the owner's sign-in"
	erased     caller = "a deleted customer"
	otherBrand        = "pizza.localhost"
)

// strangers are all callers but the owner.
var strangers = []caller{nobody, guest, other, elsewhere, ended, rotated, erased}

// right says what a route answers to each caller.
type right map[caller]int

// everybody returns the right of a route that all may use: what a caller gets is their own or everybody's.
func everybody(status int) right {
	r := right{theOwner: status}
	for _, c := range strangers {
		r[c] = status
	}
	return r
}

// ownerOnly returns the right of a route that only the owner may use. Others are refused with the status.
func ownerOnly(refused int) right { return everybody(refused).except(http.StatusOK, theOwner) }

// customers returns the right of a route that customers may use, each for themselves. Others have to sign
// in.
func customers() right {
	return everybody(http.StatusUnauthorized).except(http.StatusOK, theOwner, other, elsewhere)
}

// except returns the right with another status for some callers.
func (r right) except(status int, callers ...caller) right {
	changed := right{}
	for c, s := range r {
		changed[c] = s
	}
	for _, c := range callers {
		changed[c] = status
	}
	return changed
}

// row is a call of a route and the status with which each caller is answered.
type row struct {
	route string
	right right
	// path stands for the route's own where it has ids or a query.
	path string
	body any
	// shows is one of the owner's secrets that the owner reads here: without it the row
	// would prove nothing.
	shows string
	// ends is set where the call takes the caller's session or account: it is made in a
	// browser of its own.
	ends bool
}

// method returns the method of the route, GET for a route of all methods.
func (r row) method() string {
	if method, _, ok := strings.Cut(r.route, " "); ok {
		return method
	}
	return http.MethodGet
}

// target returns the path and query of the call.
func (r row) target() string {
	if r.path != "" {
		return r.path
	}
	_, path, _ := strings.Cut(r.route, " ")
	return path
}

// operations returns every operation of the contract, as it is routed.
func operations() []string {
	var all []string
	for path, item := range contractDoc.Paths.Map() {
		for method := range item.Operations() {
			all = append(all, method+" /api"+path)
		}
	}
	slices.Sort(all)
	return all
}

func TestRights_haveARowForEveryRoute(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	routes := e.server.Patterns()
	var rows []string
	for _, r := range rightsTable(&belongings{}, "") {
		rows = append(rows, r.route)
	}
	for _, route := range routes {
		if !slices.Contains(rows, route) {
			t.Errorf("%s has no row: say in rights_table_test.go who may use it", route)
		}
	}
	for _, route := range rows {
		if !slices.Contains(routes, route) {
			t.Errorf("the row %s has no route", route)
		}
	}
	for _, operation := range operations() {
		if !slices.Contains(routes, operation) {
			t.Errorf("the contract's %s is not routed", operation)
		}
	}
}

func TestRights_letNobodyGetWhatBelongsToAnother(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		before := w.readState()
		for i, c := range strangers {
			w.edge.Clock.Advance(2 * time.Second) // links that do not work are counted for all callers
			if _, err := w.edge.Catalog.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, r := range rightsTable(w.belongings, fmt.Sprint("7916444557", i)) {
				w.tryCall(c, r)
			}
		}
		for what, after := range w.readState() {
			if after != before[what] {
				t.Errorf("strangers have changed the owner's %s from\n%s\nto\n%s", what, before[what], after)
			}
		}
		for _, r := range rightsTable(w.belongings, ownersPhone) {
			if r.ends {
				w.finishOrders() // while one is under way the account stays
			}
			w.tryCall(theOwner, r)
		}
	})
}

func TestIdempotencyKey_replaysItsAnswerOnlyToItsCaller(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		rows := append(cartRows(w.belongings), orderRows(w.belongings)...)
		for _, r := range rows {
			w.tryCall(theOwner, r)
		}
		for _, c := range strangers {
			for _, r := range rows {
				w.tryCall(c, r)
			}
		}
	})
}

// tryCall makes the row's call and checks that its status is right, that caches may not store it, and that
// it shows nothing of the owner's to another caller.
func (w *world) tryCall(c caller, r row) {
	w.t.Helper()
	b := w.browserOf(c, r.ends)
	header := []string{"Idempotency-Key", keyOfRow(r)}
	if c == elsewhere {
		header = append(header, "Host", otherBrand)
	}
	a := b.call(r.method(), r.target(), r.body, header...)
	if want := r.right[c]; a.status != want {
		w.t.Errorf("%s: %s %s is answered with %d, want %d: %.300s", c, r.method(), r.target(), a.status, want, a.text)
	}
	if strings.HasPrefix(r.target(), "/api/") && !isSameForAll(r.route) && a.header.Get("Cache-Control") != "no-store" {
		w.t.Errorf("%s: %s may be kept on the way: Cache-Control %q", c, r.route, a.header.Get("Cache-Control"))
	}
	if c == theOwner {
		if r.shows != "" && !strings.Contains(a.text, r.shows) {
			w.t.Errorf("the owner's %s does not show %q: %.600s", r.route, r.shows, a.text)
		}
		return
	}
	for name, marker := range w.secrets {
		if c == elsewhere && name == "phone" { // is their own as well
			continue
		}
		if marker.MatchString(a.text) || marker.MatchString(fmt.Sprint(a.header)) {
			w.t.Errorf("%s: %s %s shows the owner's %s: %.600s", c, r.method(), r.target(), name, a.text)
		}
	}
}

// keyOfRow returns the Idempotency-Key of a row. All callers send the same key, and must not get each
// other's answers.
func keyOfRow(r row) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(r.route)))[:32] }

// isSameForAll reports whether a call answers the same to all, so that caches may store it.
func isSameForAll(route string) bool { return strings.HasSuffix(route, " /api/products") }

// wholeWord returns a pattern for the text where it is not part of a longer word or number.
func wholeWord(text string) *regexp.Regexp {
	return regexp.MustCompile(`(^|[^0-9A-Za-z])` + regexp.QuoteMeta(text) + `($|[^0-9A-Za-z])`)
}
