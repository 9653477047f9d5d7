package server_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/pquerna/otp/totp"

	"servery/internal/access"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/staff"
)

// member is a person who works at the restaurant, with a session.
type member struct {
	login, secret string
	header        []string
	session       int64
}

// employ adds an account, accepts its invitation by the calls of the contract, and signs in.
func (e *edge) employ(t *testing.T, role access.Role, scope access.Scope) member {
	t.Helper()
	desk, m := e.browser(t), member{login: string(role) + scope.Site + fmt.Sprint(len(scope.Shops))}
	invitation, err := staff.New(e.DB, e.Clock).Add(t.Context(), staff.Account{Scope: scope, Login: m.login, Name: "Olga " + m.login, Role: role})
	if err != nil {
		t.Fatal(err)
	}
	offer := desk.ok("POST", "/api/operator/sign-in/invitation", object{"invitation": invitation})
	m.secret = offer["totp_secret"].(string)
	desk.ok("POST", "/api/operator/sign-in/invitation/accept", object{"invitation": invitation, "password": "salmon-on-tuesdays", "code": e.codeOf(t, m)})
	e.Clock.Advance(30 * time.Second)
	begun := desk.ok("POST", "/api/operator/sign-in", object{"login": m.login, "password": "salmon-on-tuesdays", "code": e.codeOf(t, m)})
	m.header, m.session = []string{"Authorization", "Bearer " + begun["token"].(string)}, idOf(begun["session_id"])
	return m
}

// codeOf returns the one-time code that the person's app shows now.
func (e *edge) codeOf(t *testing.T, m member) string {
	t.Helper()
	code, err := totp.GenerateCode(m.secret, e.Clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestOperatorStaff_signInAndActUnderTheirName(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		id, _ := e.browser(t).order()
		desk := e.browser(t)
		olga := e.employ(t, access.Manager, access.Scope{Site: "sushi", Shops: []int64{carttest.Arbat}})
		if last := newestAudit(desk); last["kind"] != "staff" || last["name"] != olga.login || last["call"] != "POST /api/operator/sign-in" {
			t.Errorf("of the sign-in the log says %v", last)
		}
		self := desk.ok("GET", "/api/operator/sign-in/self", nil, olga.header...)
		if self["role"] != "manager" || self["person"] != "Olga "+olga.login || self["site"] != "sushi" || fmt.Sprint(self["shops"]) != "[11]" {
			t.Errorf("she is %v", self)
		}
		desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/take", id), object{"actor": "Boris"}, olga.header...)
		if by := dig(desk.readOrder(id), "taken_by"); by != "operator:Olga "+olga.login {
			t.Errorf("the order was taken by %v", by)
		}
		if last := newestAudit(desk); last["person"] != "Olga "+olga.login || last["kind"] != "staff" {
			t.Errorf("of the order the log says %v", last)
		}
		sessions := desk.ok("GET", "/api/operator/sign-in/sessions", nil, olga.header...)["sessions"].([]any)
		if len(sessions) != 1 || dig(sessions[0], "is_current") != true {
			t.Errorf("the sessions are %v", sessions)
		}
		if of := desk.ok("GET", "/api/operator/sign-in/sessions", nil, asOperator...)["sessions"].([]any); len(of) != 0 {
			t.Errorf("a token has the sessions %v", of)
		}
		path := fmt.Sprintf("/api/operator/sign-in/sessions/%d", olga.session)
		desk.refused(http.StatusNotFound, "id", "DELETE", path, nil, asOperator...)
		desk.ok("DELETE", path, nil, olga.header...)
		desk.refused(http.StatusUnauthorized, "", "GET", "/api/operator/sign-in/self", nil, olga.header...)
		if last := newestAudit(desk); last["call"] != "DELETE /api/operator/sign-in/sessions/{id}" {
			t.Errorf("of the end the log says %v", last)
		}
	})
}

// enrol makes a device of the Arbat by the calls of the contract, and returns its number and its header.
func (e *edge) enrol(t *testing.T, by []string) (id int64, header []string) {
	t.Helper()
	desk := e.browser(t)
	code := desk.ok("POST", "/api/operator/devices", object{"site": "sushi", "shop_id": carttest.Arbat, "name": "wok tablet"}, by...)["code"]
	device := desk.ok("POST", "/api/operator/sign-in/device", object{"code": code})
	return idOf(device["device_id"]), []string{"Authorization", "Bearer " + device["token"].(string)}
}

func TestOperatorDevice_isWorkedAtByAPersonWithAPIN(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		id, _ := e.browser(t).order()
		desk := e.browser(t)
		arbat := access.Scope{Site: "sushi", Shops: []int64{carttest.Arbat}}
		manager, cook := e.employ(t, access.Manager, arbat), e.employ(t, access.Kitchen, arbat)
		device, tablet := e.enrol(t, manager.header)
		desk.ok("POST", "/api/operator/sign-in/pin", object{"pin": "7391"}, cook.header...)
		take := fmt.Sprintf("/api/operator/orders/%d/take", id)
		desk.refused(http.StatusForbidden, "", "POST", take, object{"actor": "anybody"}, tablet...)
		people := desk.ok("GET", "/api/operator/sign-in/device/people", nil, tablet...)["people"].([]any)
		if len(people) != 1 || dig(people[0], "name") != "Olga "+cook.login {
			t.Fatalf("there may work %v", people)
		}
		desk.refused(http.StatusUnprocessableEntity, "pin", "POST", "/api/operator/sign-in/device/shift", object{"id": dig(people[0], "id"), "pin": "0001"}, tablet...)
		desk.ok("POST", "/api/operator/sign-in/device/shift", object{"id": dig(people[0], "id"), "pin": "7391"}, tablet...)
		if last := newestAudit(desk); last["kind"] != "device" || last["name"] != "wok tablet" || last["person"] != "Olga "+cook.login {
			t.Errorf("of the shift the log says %v", last)
		}
		desk.ok("POST", take, object{"actor": "anybody"}, tablet...)
		if by := dig(desk.readOrder(id), "taken_by"); by != "operator:Olga "+cook.login {
			t.Errorf("the order was taken by %v", by)
		}
		o := desk.ok("GET", fmt.Sprintf("/api/operator/orders/%d", id), nil, tablet...)["order"]
		if phone, address := dig(o, "customer", "phone"), dig(o, "address"); phone != nil || address != nil {
			t.Errorf("the tablet shows %v, %v", phone, address)
		}
		desk.refused(http.StatusForbidden, "", "POST", fmt.Sprintf("/api/operator/orders/%d/refund", id), object{"key": "k", "all": true}, tablet...)
		desk.refused(http.StatusForbidden, "", "POST", "/api/operator/customers/sign-in-link", object{"site": "sushi", "phone": ownersPhone}, tablet...)
		desk.ok("DELETE", "/api/operator/sign-in/device/shift", nil, tablet...)
		desk.refused(http.StatusForbidden, "", "POST", fmt.Sprintf("/api/operator/orders/%d/step-back", id), object{}, tablet...)
		list := desk.ok("GET", "/api/operator/devices?site=sushi", nil, manager.header...)["devices"].([]any)
		if len(list) != 1 || dig(list[0], "created_by") != "Olga "+manager.login {
			t.Errorf("the devices are %v", list)
		}
		path := fmt.Sprintf("/api/operator/devices/%d", device)
		other := e.addToken(t, "other", access.Scope{Site: "sushi", Shops: []int64{carttest.Pokrovka}}, access.ManageDevices)
		desk.refused(http.StatusNotFound, "id", "DELETE", path, nil, other...)
		desk.refused(http.StatusForbidden, "shop_id", "POST", "/api/operator/devices", object{"site": "sushi", "shop_id": carttest.Arbat, "name": "mine"}, other...)
		desk.ok("DELETE", path, nil, manager.header...)
		desk.refused(http.StatusUnauthorized, "", "GET", "/api/operator/orders", nil, tablet...)
	})
}

// Changes by calls that only people make, and no token, are in the audit log too.
func TestAudit_callsOfPersonsLeaveTheirRows(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk, arbat := e.browser(t), access.Scope{Site: "sushi", Shops: []int64{carttest.Arbat}}
		invitation, err := staff.New(e.DB, e.Clock).Add(t.Context(), staff.Account{Scope: arbat, Login: "olga", Name: "Olga", Role: access.Kitchen})
		if err != nil {
			t.Fatal(err)
		}
		logged := map[string]bool{}
		call := func(method, path string, body object, header ...string) map[string]any {
			t.Helper()
			answer := desk.ok(method, path, body, header...)
			last := newestAudit(desk)
			if last["call"] != method+" "+path {
				t.Errorf("after %s %s the newest row of the log is of %v", method, path, last["call"])
			}
			logged[method+" "+path] = true
			return answer
		}
		m := member{login: "olga"}
		m.secret = call("POST", "/api/operator/sign-in/invitation", object{"invitation": invitation})["totp_secret"].(string)
		call("POST", "/api/operator/sign-in/invitation/accept", object{"invitation": invitation, "password": "salmon-on-tuesdays", "code": e.codeOf(t, m)})
		e.Clock.Advance(30 * time.Second)
		begun := call("POST", "/api/operator/sign-in", object{"login": "olga", "password": "salmon-on-tuesdays", "code": e.codeOf(t, m)})
		olga := []string{"Authorization", "Bearer " + begun["token"].(string)}
		call("POST", "/api/operator/sign-in/pin", object{"pin": "7391"}, olga...)
		code := desk.ok("POST", "/api/operator/devices", object{"site": "sushi", "shop_id": carttest.Arbat, "name": "wok tablet"}, asOperator...)["code"]
		tablet := []string{"Authorization", "Bearer " + call("POST", "/api/operator/sign-in/device", object{"code": code})["token"].(string)}
		people := desk.ok("GET", "/api/operator/sign-in/device/people", nil, tablet...)["people"].([]any)
		call("POST", "/api/operator/sign-in/device/shift", object{"id": dig(people[0], "id"), "pin": "7391"}, tablet...)
		call("DELETE", "/api/operator/sign-in/device/shift", nil, tablet...)
		byPasskey := useNewPasskey(t, e, call, olga)
		const removal = "DELETE /api/operator/sign-in/passkeys/{id}"
		desk.ok("DELETE", fmt.Sprintf("/api/operator/sign-in/passkeys/%d", byPasskey.id), nil, byPasskey.header...)
		if last := newestAudit(desk); last["call"] != removal || last["name"] != "olga" {
			t.Errorf("after the removal of a passkey the newest row of the log is %v", last)
		}
		logged[removal] = true
		desk.ok("DELETE", fmt.Sprintf("/api/operator/sign-in/sessions/%d", idOf(begun["session_id"])), nil, olga...)
		const end = "DELETE /api/operator/sign-in/sessions/{id}"
		if last := newestAudit(desk); last["call"] != end {
			t.Errorf("after the end of the session the newest row of the log is of %v", last["call"])
		}
		logged[end] = true
		for _, route := range madeByPersons {
			if !logged[route] {
				t.Errorf("%s was not tried", route)
			}
		}
	})
}

// A courier who reads the orders of a shop sees only the customers of the orders that they bring.
func TestOperatorCourier_readsOnlyTheCustomersTheyGoTo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		desk, courier := w.edge.browser(t), w.edge.employ(t, access.Courier, access.Scope{Site: "sushi"})
		path := fmt.Sprintf("/api/operator/orders/%d", w.open)
		expect := func(when string, phone any) {
			t.Helper()
			o := desk.ok("GET", path, nil, courier.header...)["order"]
			if got := dig(o, "customer", "phone"); got != phone {
				t.Errorf("%s the courier reads the phone %v, want %v", when, got, phone)
			}
			if hasAddress := dig(o, "address") != nil; hasAddress != (phone != nil) {
				t.Errorf("%s the courier reads the address: %t", when, hasAddress)
			}
		}
		expect("before it is theirs", nil)
		desk.refused(http.StatusForbidden, "", "GET", path+"/corrections", nil, courier.header...)
		desk.refused(http.StatusForbidden, "phone", "GET", "/api/operator/orders/search?site=sushi&phone="+ownersPhone, nil, courier.header...)
		desk.refused(http.StatusForbidden, "id", "POST", path+"/courier", object{"id": "another", "name": "Ivan", "own": true}, courier.header...)
		desk.refused(http.StatusForbidden, "courier", "POST", path+"/hand-over", object{"courier": object{"id": "another", "name": "Boris"}}, courier.header...)
		desk.ok("POST", path+"/courier", object{"id": "another", "name": "Boris"}, asOperator...)
		desk.ok("POST", path+"/status", object{"status": "cooking"}, asOperator...)
		for call, body := range map[string]object{
			"/courier":          {"id": courier.login, "name": "Ivan", "own": true},
			"/hand-over":        {"courier": object{"id": courier.login, "name": "Ivan"}},
			"/status":           {"status": "sent"},
			"/courier-location": {"coordinates": object{"latitude": 55.75, "longitude": 37.6}},
		} {
			if a := desk.call("POST", path+call, body, courier.header...); a.status != http.StatusConflict {
				t.Errorf("%s of a courier changes an order that another brings: %d", call, a.status)
			}
		}
		expect("when it is another's", nil)
		desk.ok("POST", path+"/courier/remove", object{}, asOperator...)
		desk.ok("POST", path+"/courier", object{"id": courier.login, "name": "Ivan", "own": true}, courier.header...)
		expect("when it is theirs", ownersPhone)
		desk.ok("GET", path+"/corrections", nil, courier.header...)
		w.finishOrders()
		expect("after it was delivered", nil)
	})
}

// Each role makes each call of the contract whose right it lacks, and is refused. No role may sign in as a
// customer.
func TestOperatorStaff_mayDoWhatTheirRoleSays(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		rows := map[string]row{}
		for _, r := range operatorRows(w.belongings, ownersPhone) {
			rows[r.route] = r
		}
		desk, arbat := w.edge.browser(t), access.Scope{Site: "sushi", Shops: []int64{carttest.Arbat}}
		for _, role := range access.Roles() {
			m := w.edge.employ(t, role, arbat)
			operatorOperations(func(route string, op *openapi3.Operation) {
				right, _ := extensions(op)
				if role.Rights().Has(right) || right == "public" || right == "self" {
					return
				}
				r := rows[route]
				desk.refused(http.StatusForbidden, "", r.method(), r.target(), r.body, m.header...)
			})
		}
	})
}

// The roles of sensitive rights are repeated here, so that a right added to a role by mistake fails the test.
func TestRole_rightsOfCustomersAndMoney(t *testing.T) {
	t.Parallel()
	for right, want := range map[access.Right][]access.Role{
		access.SignInCustomers: nil,
		access.MakeRefunds:     {access.Owner, access.Manager, access.Support},
		access.CancelOrders:    {access.Owner, access.Manager, access.Support},
		access.ReadCustomers:   {access.Owner, access.Manager, access.Courier, access.Support},
		access.RewardCustomers: {access.Owner, access.Support},
		access.ReadAudit:       {access.Owner, access.Manager},
		access.SetPrices:       {access.Owner, access.Manager},
		access.ManageWebhooks:  {access.Owner},
	} {
		var got []access.Role
		for _, role := range access.Roles() {
			if role.Rights().Has(right) {
				got = append(got, role)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is of %v, want %v", right, got, want)
		}
	}
}
