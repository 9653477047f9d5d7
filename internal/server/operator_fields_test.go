package server_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/lang"
	"servery/internal/order"
)

// operatorOperations calls f for each operator call of the contract.
func operatorOperations(f func(route string, op *openapi3.Operation)) {
	for path, item := range contractDoc.Paths.Map() {
		for method, op := range item.Operations() {
			if strings.HasPrefix(path, "/operator/") {
				f(method+" /api"+path, op)
			}
		}
	}
}

func TestOperatorCalls_contractNamesEveryFieldOfTheirBodies(t *testing.T) {
	t.Parallel()
	bodies := 0
	operatorOperations(func(route string, op *openapi3.Operation) {
		if right, _ := extensions(op); right != "public" && (op.Security == nil || len(*op.Security) != 1 || (*op.Security)[0]["operator"] == nil) {
			t.Errorf("%s does not ask for the operator's token", route)
		}
		if op.RequestBody == nil {
			return
		}
		bodies++
		if !op.RequestBody.Value.Required {
			t.Errorf("%s may be called without a body", route)
		}
		expectClosed(t, route, op.RequestBody.Value.Content.Get("application/json").Schema.Value)
	})
	if bodies < 6 {
		t.Errorf("only %d bodies", bodies)
	}
}

// expectClosed fails the test for a schema, or one within it, that allows fields which it does not name.
func expectClosed(t *testing.T, at string, schema *openapi3.Schema) {
	t.Helper()
	if schema.Type.Is("object") && (schema.AdditionalProperties.Has == nil || *schema.AdditionalProperties.Has) {
		t.Errorf("%s takes fields that it does not name", at)
	}
	if len(schema.AllOf)+len(schema.AnyOf)+len(schema.OneOf) > 0 {
		t.Errorf("%s is put together of several schemas, which cannot refuse fields", at)
	}
	for name, property := range schema.Properties {
		expectClosed(t, at+"."+name, property.Value)
	}
	if schema.Items != nil {
		expectClosed(t, at+"[]", schema.Items.Value)
	}
}

func TestOperatorCalls_sayWhatASumMayBe(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	a := b.call("POST", "/api/operator/prices", `{"site":"sushi","product":"soy","price":2.555}`, append([]string{"Accept-Language", "en"}, asOperator...)...)
	if a.status != http.StatusUnprocessableEntity || !strings.Contains(a.text, "A sum is a number with at most two decimals") {
		t.Errorf("%d: %s", a.status, a.text)
	}
}

func TestOperatorCalls_unknownFieldsAreRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		rows := map[string]row{}
		for _, r := range operatorRows(w.belongings, ownersPhone) {
			rows[r.route] = r
		}
		desk, before := w.edge.browser(t), w.readState()
		operatorOperations(func(route string, op *openapi3.Operation) {
			r := rows[route]
			query := "?"
			if strings.Contains(r.target(), "?") {
				query = "&"
			}
			desk.refused(http.StatusUnprocessableEntity, "amuont", r.method(), r.target()+query+"amuont=200", r.body, asOperator...)
			if op.RequestBody == nil {
				return
			}
			body := r.body.(object)
			desk.refused(http.StatusUnprocessableEntity, "amuont", r.method(), r.target(), with(body, object{"amuont": 200}), asOperator...)
			for name, value := range body {
				misspelt := strings.ToUpper(name[:1]) + name[1:]
				reason := desk.refused(http.StatusUnprocessableEntity, misspelt, r.method(), r.target(), with(body, object{misspelt: value}), asOperator...)
				if !strings.Contains(reason, "“"+name+"”") {
					t.Errorf("%s: of %s it is said %q", route, misspelt, reason)
				}
			}
		})
		position := fmt.Sprintf("/api/operator/orders/%d/courier-location", w.open)
		desk.refused(http.StatusUnprocessableEntity, "coordinates.heading", "POST", position,
			object{"coordinates": object{"latitude": 55.75, "longitude": 37.6, "heading": 90}}, asOperator...)
		refund := fmt.Sprintf("/api/operator/orders/%d/refund", w.open)
		desk.refused(http.StatusUnprocessableEntity, "lines.0.amount", "POST", refund,
			object{"key": "k", "lines": []object{{"key": "delivery", "count": 1, "amount": 20}}}, asOperator...)
		for what, after := range w.readState() {
			if after != before[what] {
				t.Errorf("refused calls have changed the %s from\n%s\nto\n%s", what, before[what], after)
			}
		}
	})
}

func TestOperatorCalls_refundSaysOneOfAllLinesAndAmount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		desk := w.edge.browser(t)
		refund := fmt.Sprintf("/api/operator/orders/%d/refund", w.done)
		lines := []object{{"key": "delivery", "count": 1}}
		for field, body := range map[string]object{
			"sum": {"key": "k", "sum": 200}, "bearer": {"key": "k", "all": true, "bearer": "nobody"}, "All": {"key": "k", "All": true}, "key": {"all": true}, "lines": {"key": "k", "lines": []object{}},
		} {
			desk.refused(http.StatusUnprocessableEntity, field, "POST", refund, body, asOperator...)
		}
		for _, body := range []object{{"key": "k"}, {"key": "k", "all": false}, {"key": "k", "all": true, "lines": lines}, {"key": "k", "amount": 1, "lines": lines}, {"key": "k", "amount": 0}} {
			desk.refused(http.StatusUnprocessableEntity, "all", "POST", refund, body, asOperator...)
		}
		desk.refused(http.StatusUnprocessableEntity, "", "POST", refund, nil, asOperator...)
		payments := desk.ok("GET", fmt.Sprintf("/api/operator/orders/%d/payments", w.done), nil, asOperator...)
		if given := payments["refunds"].([]any); len(given) != 0 {
			t.Fatalf("refused calls have given back %v", given)
		}
		desk.ok("POST", refund, object{"key": "k", "all": true}, asOperator...)
	})
}

// Customers' pages may be older or newer than the server: what it does not know is left out.
func TestCustomerCalls_unknownFieldsAreLeftOut(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	b.ok("PUT", "/api/cart?utm_source=letter", moscow(object{"amount": 200}))
}

// The JSON decoder accepts COUNT as the field count, whose value the contract has not checked then.
func TestEveryCall_refusesAFieldInOtherLetters(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	calls := 0
	for path, item := range contractDoc.Paths.Map() {
		for method, op := range item.Operations() {
			if op.RequestBody == nil || op.RequestBody.Value.Content.Get("application/json") == nil {
				continue
			}
			schema := op.RequestBody.Value.Content.Get("application/json").Schema.Value
			names := slices.Collect(maps.Keys(schema.Properties))
			for _, part := range schema.AllOf {
				names = append(names, slices.Collect(maps.Keys(part.Value.Properties))...)
			}
			for _, name := range names {
				calls++
				field := strings.ToUpper(name)
				at := "/api" + regexp.MustCompile(`{\w+}`).ReplaceAllString(path, "1")
				b.refused(http.StatusUnprocessableEntity, field, method, at, object{field: 1}, asOperator...)
			}
		}
	}
	if calls < 100 {
		t.Errorf("only %d fields were tried", calls)
	}
	inner := moscow(object{"product_key": "1-1001", "modifiers": []object{{"id": 3, "count": 1, "Count": 99}}})
	b.refused(http.StatusUnprocessableEntity, "modifiers.0.Count", "PUT", "/api/cart/add", inner)
}

// The contract lists exactly the reasons, outcomes and kinds of food that orders accept. Each reason but
// "other" has a sentence for the customer.
func TestContract_listsWhatOrdersTake(t *testing.T) {
	t.Parallel()
	expectEnum(t, "CancelReason", order.CancelReasons())
	expectEnum(t, "OrderOutcome", order.Outcomes())
	expectEnum(t, "OrderFood", order.Foods())
	for _, reason := range order.CancelReasons() {
		if key := "order.reason_" + string(reason); lang.Has(key) == (reason == "other") {
			t.Errorf("there is a message %s: %v", key, lang.Has(key))
		}
	}
}

// expectEnum fails the test unless a schema of the contract lists the values, in any order.
func expectEnum[T ~string](t *testing.T, schema string, values []T) {
	t.Helper()
	var listed, want []string
	for _, value := range contractDoc.Components.Schemas[schema].Value.Enum {
		listed = append(listed, value.(string))
	}
	for _, value := range values {
		want = append(want, string(value))
	}
	slices.Sort(listed)
	slices.Sort(want)
	if !slices.Equal(listed, want) {
		t.Errorf("%s is one of %v, orders take %v", schema, listed, want)
	}
}
