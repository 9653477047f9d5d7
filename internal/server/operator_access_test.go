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
	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/server"
)

// holder is one who makes the operator's calls with a token of their own.
type holder struct {
	name   string
	scope  access.Scope
	rights func(call access.Right) access.Rights
}

// only returns the call's own right.
func only(call access.Right) access.Rights { return access.Rights{call} }

// allBut returns all rights but the call's own.
func allBut(call access.Right) access.Rights {
	return slices.DeleteFunc(access.AllRights(), func(r access.Right) bool { return r == call })
}

// addToken stores a token and returns the header that it is sent in.
func (e *edge) addToken(t *testing.T, name string, scope access.Scope, rights ...access.Right) []string {
	t.Helper()
	secret, err := access.NewTokens(e.DB, e.Clock).Add(t.Context(), access.Token{
		Name: name, Scope: scope, Rights: rights, ExpiresAt: e.Clock.Now().Add(30 * 24 * time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	return []string{"Authorization", "Bearer " + secret}
}

// extensions returns the right and the bound that the contract names for a call.
func extensions(op *openapi3.Operation) (right access.Right, within string) {
	named, _ := op.Extensions["x-right"].(string)
	within, _ = op.Extensions["x-within"].(string)
	return access.Right(named), within
}

// The holders: the order of the world is the Arbat's of the brand sushi.
var (
	unentitled  = holder{"one with every right but the call's", access.Scope{}, allBut}
	otherBrands = holder{"one of the other brand", access.Scope{Site: "pizza"}, only}
	otherShops  = holder{"one of another shop", access.Scope{Site: "sushi", Shops: []int64{carttest.Pokrovka, carttest.Kizilay}}, only}
	shopsOwn    = holder{"one of the shop", access.Scope{Site: "sushi", Shops: []int64{carttest.Arbat}}, only}
	brandsOwn   = holder{"one of the brand", access.Scope{Site: "sushi"}, only}
)

// furtherRights are those that the bodies and parameters of operatorRows need beside the call's own.
var furtherRights = map[string]access.Rights{
	"POST /api/operator/orders/{id}/status":  {access.MoveOrders},
	"POST /api/operator/orders/{id}/courier": {access.AssignCouriers},
	"GET /api/operator/orders/search":        {access.ReadCustomers},
}

// wantRefusal returns the status with which a call of the holder is refused, 0 for a call that is allowed.
func wantRefusal(h holder, within string, r row) int {
	if h.name == unentitled.name {
		return http.StatusForbidden
	}
	isOutside := h.name == otherBrands.name || h.name == otherShops.name
	isOfShops := h.name == otherShops.name || h.name == shopsOwn.name
	namesShop := strings.Contains(r.path, "shop_id=") || strings.Contains(fmt.Sprint(r.body), "shop_id:")
	namesBrand := strings.Contains(r.path, "site=") || strings.Contains(fmt.Sprint(r.body), "site:")
	switch {
	case r.method() == http.MethodDelete && isOutside:
		return http.StatusNotFound // one of the Arbat, where there is any
	case within == "order" && isOutside:
		return http.StatusNotFound
	case within != "order" && h.name == otherBrands.name && namesBrand:
		return http.StatusForbidden
	case within == "brand" && isOfShops, within == "shop" && isOfShops && !namesShop:
		return http.StatusForbidden
	case within == "shop" && h.name == otherShops.name:
		return http.StatusForbidden
	case h.name == otherShops.name && strings.Contains(r.route, "POST /api/operator/orders"):
		return http.StatusForbidden // the Arbat would cook it
	}
	return 0
}

// Each kind of holder makes each call of the contract: a holder without the right, the brand or the shop is
// refused, and any other is not.
func TestOperatorAccess_boundsEachCallByRightBrandAndShop(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		rows := map[string]row{}
		for _, r := range operatorRows(w.belongings, ownersPhone) {
			rows[r.route] = r
		}
		desk, tokens := w.edge.browser(t), map[string][]string{}
		for i, h := range []holder{unentitled, otherBrands, otherShops, shopsOwn, brandsOwn} {
			operatorOperations(func(route string, op *openapi3.Operation) {
				r, found := rows[route]
				right, within := extensions(op)
				if right == "public" || right == "self" {
					return // concerns nobody but the caller
				}
				if !found || right == "" {
					t.Errorf("%s has no row among operatorRows or no right in the contract", route)
					return
				}
				want := wantRefusal(h, within, r)
				if strings.HasSuffix(route, "/events") && want == 0 {
					return // a stream does not end; see TestOperatorAccess_endsTheStreamOfARevokedToken
				}
				rights := h.rights(right)
				if h.name != unentitled.name {
					rights = append(rights, furtherRights[route]...)
				}
				key := fmt.Sprint(i, "-", access.JoinRights(rights))
				if tokens[key] == nil {
					tokens[key] = w.edge.addToken(t, fmt.Sprint("holder-", len(tokens)), h.scope, rights...)
				}
				a := desk.call(r.method(), r.target(), r.body, tokens[key]...)
				isRefused := a.status == http.StatusUnauthorized || a.status == http.StatusForbidden || a.status == http.StatusNotFound && strings.Contains(a.text, `"order_id"`)
				if want != 0 && a.status != want || want == 0 && isRefused {
					t.Errorf("%s: %s is answered with %d, want %d: %.300s", h.name, route, a.status, want, a.text)
				}
				secret := []string{"phone", "e-mail", "door", "link", "checkout"}
				if want != 0 || h.name == otherBrands.name || h.name == otherShops.name {
					secret = append(secret, "name", "comment", "order", "other order")
				}
				for _, what := range secret {
					if !rights.Has(access.ReadCustomers) && w.secrets[what].MatchString(strings.ReplaceAll(a.text, `"customer_id"`, "")) {
						t.Errorf("%s: %s shows the customer's %s: %.600s", h.name, route, what, a.text)
					}
				}
			})
		}
	})
}

// A token that another process has revoked, or that has expired, is refused with the next call.
func TestOperatorAccess_endsInEveryProcessAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first := newEdge(t, d)
		second := newEdgeOver(t, first.Restaurant, func(*clock.Fake) acquiring.Accounts { return nil }, func(*server.Options) {})
		desk := second.browser(t)
		till, screen := second.addToken(t, "till", access.Scope{}, access.ReadOrders), second.addToken(t, "screen", access.Scope{}, access.ReadOrders)
		for _, token := range [][]string{till, screen} {
			desk.ok("GET", "/api/operator/orders", nil, token...)
		}
		if err := access.NewTokens(d, first.Clock).Revoke(t.Context(), "till"); err != nil {
			t.Fatal(err)
		}
		desk.refused(http.StatusUnauthorized, "", "GET", "/api/operator/orders", nil, till...)
		desk.ok("GET", "/api/operator/orders", nil, screen...)
		first.Clock.Advance(30 * 24 * time.Hour)
		desk.refused(http.StatusUnauthorized, "", "GET", "/api/operator/orders", nil, screen...)
	})
}

// A stream that is open already ends within half a second of the revocation.
func TestOperatorAccess_endsTheStreamOfARevokedToken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.browser(t).order() // so that the stream begins with something
		till := e.addToken(t, "till", access.Scope{Site: "sushi"}, access.ReadOrders)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.http.URL+"/api/operator/changes/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(till[0], till[1])
		stream, err := http.DefaultClient.Do(req)
		if err != nil || stream.StatusCode != http.StatusOK {
			t.Fatal(stream, err)
		}
		defer stream.Body.Close()
		if err := access.NewTokens(d, e.Clock).Revoke(t.Context(), "till"); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() {
			_, err := stream.Body.Read(make([]byte, 1<<10))
			for err == nil {
				_, err = stream.Body.Read(make([]byte, 1<<10))
			}
			ended <- err
		}()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Error("the stream goes on")
		}
	})
}

// A call that can do several things needs the right for the thing that its body asks for.
func TestOperatorAccess_ofACallDependsOnItsBody(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		id, _ := e.browser(t).order()
		desk := e.browser(t)
		kitchen := e.addToken(t, "kitchen", access.Scope{Site: "sushi"}, access.ReadOrders, access.DeliverOrders, access.RefuseOrders)
		of := func(call string) string { return fmt.Sprintf("/api/operator/orders/%d/%s", id, call) }
		for _, c := range []struct {
			field, call string
			body        object
		}{
			{"status", "status", object{"status": "cooking"}},
			{"status", "status", object{"status": "canceled"}},
			{"outcome", "cancel", object{"outcome": "canceled"}},
			{"refund", "cancel", object{"outcome": "refused", "refund": object{"none": true}}},
			{"own", "courier", object{"id": "c7", "name": "Ivan"}},
		} {
			desk.refused(http.StatusForbidden, c.field, "POST", of(c.call), c.body, kitchen...)
		}
		desk.refused(http.StatusForbidden, "phone", "GET", "/api/operator/orders/search?site=sushi&phone=79161234567", nil, kitchen...)
		desk.ok("POST", of("courier"), object{"id": "c7", "name": "Ivan", "own": true}, kitchen...)
		desk.ok("POST", of("cancel"), object{"outcome": "refused"}, kitchen...)
	})
}

// Lists, search, feed and audit log show a holder the orders of their own shops and no others.
func TestOperatorAccess_filtersListsByShop(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		delivered, _ := e.browser(t).order() // cooked at the Arbat
		desk := e.browser(t)
		day := dig(desk.readOrder(delivered), "promised_from").(string)[:len("2026-01-02")]
		desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/take", delivered), object{}, asOperator...)
		desk.ok("POST", "/api/operator/stops", object{"site": "sushi", "kind": "product", "alias": "soy", "shop_id": carttest.Arbat}, asOperator...)
		here := e.addToken(t, "arbat", access.Scope{Site: "sushi", Shops: []int64{carttest.Arbat}}, access.UsualRights()...)
		there := e.addToken(t, "pokrovka", access.Scope{Site: "sushi", Shops: []int64{carttest.Pokrovka}}, access.UsualRights()...)
		for path, list := range map[string]string{
			"orders": "orders", "orders/search?site=sushi&day=" + day: "orders", "orders/search?site=sushi&phone=79161234567": "orders",
			"changes": "changes", "audit": "changes", "stops?site=sushi": "stops",
		} {
			if found := desk.ok("GET", "/api/operator/"+path, nil, here...)[list].([]any); len(found) == 0 {
				t.Errorf("%s shows nothing of the own shop", path)
			}
			if found := desk.ok("GET", "/api/operator/"+path, nil, there...)[list].([]any); len(found) != 0 {
				t.Errorf("%s shows another shop's %v", path, found)
			}
		}
		for _, path := range []string{"orders/search?site=sushi&shop_id=11&day=" + day, "changes?shop_id=11", "audit?shop_id=11", "kitchen?site=sushi&shop_id=11"} {
			desk.refused(http.StatusForbidden, "shop_id", "GET", "/api/operator/"+path, nil, there...)
		}
	})
}

// A kitchen that may not read customers sees the name on an order, but no address, phone or e-mail.
func TestOperatorAccess_showsCustomersOnlyToCallersWhoMayReadThem(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		desk := w.edge.browser(t)
		path := fmt.Sprintf("/api/operator/orders/%d", w.open)
		cook := w.edge.addToken(t, "cook", access.Scope{Site: "sushi"}, access.ReadOrders)
		courier := w.edge.addToken(t, "courier", access.Scope{Site: "sushi"}, access.ReadOrders, access.ReadCustomers)
		o := desk.ok("GET", path, nil, cook...)["order"]
		for _, hidden := range []string{"address", "to", "promocode"} {
			if got := dig(o, hidden); got != nil {
				t.Errorf("a cook reads %s: %v", hidden, got)
			}
		}
		if name, phone, email := dig(o, "customer", "name"), dig(o, "customer", "phone"), dig(o, "customer", "email"); name != ownersName || phone != nil || email != nil {
			t.Errorf("a cook reads the customer %v, %v, %v", name, phone, email)
		}
		o = desk.ok("GET", path, nil, courier...)["order"]
		if phone, door := dig(o, "customer", "phone"), dig(o, "address", "intercom"); phone != ownersPhone || door != ownersDoor {
			t.Errorf("a courier reads the phone %v and the intercom %v", phone, door)
		}
	})
}

// The audit log names the token of a change, and the token's own beginning and end.
func TestOperatorAccess_isInTheAuditLog(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk := e.browser(t)
		till := e.addToken(t, "till-1", access.Scope{Site: "sushi"}, access.SetStops)
		desk.ok("POST", "/api/operator/stops", object{"site": "sushi", "kind": "product", "alias": "soy"}, till...)
		if last := newestAudit(desk); last["name"] != "till-1" || last["kind"] != "token" {
			t.Errorf("the stop was set by %v", last)
		}
		if err := access.NewTokens(d, e.Clock).Revoke(t.Context(), "till-1"); err != nil {
			t.Fatal(err)
		}
		log := desk.ok("GET", "/api/operator/audit?subject=token&subject_id=till-1", nil, asOperator...)["changes"].([]any)
		if len(log) != 2 || dig(log[0], "after", "revoked") != true || dig(log[1], "after", "rights") != "stops.set" {
			t.Errorf("of the token the log says %v", log)
		}
	})
}
