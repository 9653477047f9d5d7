package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// hostileValues are values that no page sends as a parameter, escaped as in an address.
var hostileValues = []string{
	"%00", "a%00b", "%ff", "%ed%a0%80", "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
	"%27%20OR%201%3D1%20--", strings.Repeat("a", 5000),
}

// allows reports whether the contract allows the escaped value of a parameter, and a database can store it.
func allows(p *openapi3.Parameter, escaped string) bool {
	text, err := url.QueryUnescape(escaped)
	if err != nil || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return false
	}
	var value any = text
	if p.Schema.Value.Type.Is("integer") {
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return false
		}
		value = float64(number)
	}
	return p.Schema.Value.VisitJSON(value) == nil
}

// withParameter returns the address of a call with another value for one of its parameters.
func withParameter(pattern, target string, p *openapi3.Parameter, value string) string {
	path, query, _ := strings.Cut(target, "?")
	if p.In == openapi3.ParameterInPath {
		names, parts := strings.Split(pattern, "/"), strings.Split(path, "/")
		for i, name := range names {
			if name == "{"+p.Name+"}" {
				parts[i] = value
			}
		}
		path = strings.Join(parts, "/")
	} else {
		var rest []string
		for part := range strings.SplitSeq(query, "&") {
			if name, _, _ := strings.Cut(part, "="); part != "" && name != p.Name {
				rest = append(rest, part)
			}
		}
		query = strings.Join(append(rest, p.Name+"="+value), "&")
	}
	return strings.TrimSuffix(path+"?"+query, "?")
}

func TestParameters_valuesOutsideTheContractAreRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		rows := map[string]row{}
		for _, r := range rightsTable(w.belongings, callersPhone) {
			rows[r.route] = r
		}
		swept := 0
		for path, item := range contractDoc.Paths.Map() {
			for method, op := range item.Operations() {
				r := rows[method+" /api"+path]
				for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
					if ref.Value.In == openapi3.ParameterInHeader || ref.Value.Schema.Value.Type.Is("object") {
						continue // TestText_thatNoDatabaseCanStoreIsTheCallersFault; what only an acquirer can read
					}
					swept++
					for _, value := range hostileValues {
						if strings.HasSuffix(path, "/events") && allows(ref.Value, value) {
							continue // a stream does not end
						}
						w.tryValue(r, withParameter("/api"+path, r.target(), ref.Value, value), ref.Value, allows(ref.Value, value))
					}
				}
			}
		}
		if swept < 15 {
			t.Errorf("only %d parameters", swept)
		}
		if log := w.edge.log.String(); strings.Contains(log, "level=ERROR") {
			_, first, _ := strings.Cut(log, "level=ERROR")
			first, _, _ = strings.Cut(first, "\n")
			t.Errorf("an error is logged: %s", first)
		}
	})
}

// tryValue makes a call with a value of the parameter as guest, customer and operator. A value that is not
// allowed must be refused at the parameter's name. Only the operator may make operator calls.
func (w *world) tryValue(r row, target string, p *openapi3.Parameter, isAllowed bool) {
	w.t.Helper()
	isOperators := strings.Contains(r.route, "/api/operator/")
	for name, try := range map[string]struct {
		as     *browser
		header []string
	}{
		"guest": {w.callers[guest], nil}, "customer": {w.callers[other], nil}, "operator": {w.callers[guest], asOperator},
	} {
		w.edge.Clock.Advance(time.Second) // too many calls are refused for that reason
		a := try.as.call(r.method(), target, r.body, try.header...)
		shown := fmt.Sprintf("%s as %s: %d %.200s", r.route+" "+shorten(target), name, a.status, a.text)
		switch refusals, _ := a.json["errors"].(map[string]any); {
		case a.status >= http.StatusInternalServerError:
			w.t.Error(shown)
		case isOperators && name != "operator":
			if a.status != http.StatusUnauthorized {
				w.t.Error(shown)
			}
		case !isAllowed && (a.status != http.StatusUnprocessableEntity || refusals[p.Name] == nil):
			w.t.Error(shown)
		}
	}
}

// shorten returns the text, cut after 80 bytes.
func shorten(text string) string {
	if len(text) > 80 {
		return text[:80] + "…"
	}
	return text
}

func TestParameters_queryThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	for _, query := range []string{"city_id=1&x=%zz", "city_id=1&city_id=2", "city_id=", "", "city_id=1&x=%00", "city_id=1&%ff=x", "city_id=1.5"} {
		a := b.call("GET", "/api/shops?"+query, nil)
		if a.status != http.StatusUnprocessableEntity {
			t.Errorf("%q: %d %s", query, a.status, a.text)
		}
	}
	b.ok("GET", "/api/shops?city_id=1&utm_source=letter", nil)
}
