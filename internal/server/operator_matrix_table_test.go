package server_test

import "strings"

// rule is what docs/operator-api.md says of a call, or of a call with one of its bodies. Query, id and body
// are of a place, by the names of [place.fill].
type rule struct {
	call string
	// needs are the right of the call and those that the query or the body needs further; "self" or "public"
	// in their place.
	needs  string
	within string
	// id stands for the {id} of the call.
	id, query, body string
	// want is the status for a caller who may make the call. Most bodies ask for something that is refused
	// for another reason, so that little changes. wantForeign replaces want at the other brand, which has
	// no webhook.
	want, wantForeign int
	// notOfCouriers is set where a courier with an account is refused: it concerns customers or couriers other
	// than their own. of is the only kind of caller that a call of oneself is for.
	notOfCouriers bool
	of            string
}

// rights returns the rights that the rule needs, the call's own first.
func (r rule) rights() []string { return strings.Fields(r.needs) }

// namesSite and namesShop report whether the call names a brand or a shop.
func (r rule) namesSite() bool { return r.names("{site}") }
func (r rule) namesShop() bool { return r.names("{shop}") }

// names reports whether query or body have the placeholder. A cart names brand and shop.
func (r rule) names(placeholder string) bool {
	return strings.Contains(r.query+r.body, placeholder) || strings.Contains(r.body, "{cart}")
}

// allowedStatus returns the status for a caller who may make the call.
func (r rule) allowedStatus(p *place) int {
	if r.wantForeign != 0 && p.site == "pizza" {
		return r.wantForeign
	}
	return r.want
}

// rightsOfRoles are the rules of docs/operations.md: no role may sign in as a customer.
var rightsOfRoles = map[string]string{
	"owner": `orders.read orders.move orders.deliver orders.refuse orders.cancel orders.correct orders.place couriers.assign refunds.make payments.read
		customers.read customers.reward feedback.read kitchen.read kitchen.set stops.set prices.set alerts.set webhooks.manage audit.read devices.manage`,
	"manager": `orders.read orders.move orders.deliver orders.refuse orders.cancel orders.correct orders.place couriers.assign refunds.make payments.read
		customers.read kitchen.read kitchen.set stops.set prices.set alerts.set audit.read devices.manage`,
	"kitchen": "orders.read orders.move orders.deliver orders.refuse kitchen.read kitchen.set stops.set",
	"courier": "orders.read orders.deliver customers.read",
	"support": `orders.read orders.refuse orders.cancel orders.correct orders.place refunds.make payments.read customers.read customers.reward
		feedback.read kitchen.read`,
}

// rightsOfDevices are those of a device by the role of who works at it, "" where no one does: those of a kitchen that
// the role has too.
var rightsOfDevices = map[string]string{
	"":        "orders.read kitchen.read",
	"owner":   "orders.read orders.move orders.deliver orders.refuse kitchen.read kitchen.set stops.set",
	"manager": "orders.read orders.move orders.deliver orders.refuse kitchen.read kitchen.set stops.set",
	"kitchen": "orders.read orders.move orders.deliver orders.refuse kitchen.read kitchen.set stops.set",
	"courier": "orders.read orders.deliver",
	"support": "orders.read orders.refuse kitchen.read",
}

// orderMatrix are the rules of calls about one order. Those that move it concern one that is canceled.
var orderMatrix = []rule{
	{call: "GET /operator/orders/{id}", needs: "orders.read", within: "order", id: "{open}", want: 200},
	{call: "GET /operator/orders/{id}/corrections", needs: "customers.read", within: "order", id: "{open}", want: 200, notOfCouriers: true},
	{call: "GET /operator/orders/{id}/payments", needs: "payments.read", within: "order", id: "{open}", want: 200},
	{call: "POST /operator/orders/{id}/status", needs: "orders.deliver", within: "order", body: `{"status":"sent"}`, want: 409},
	{call: "POST /operator/orders/{id}/status", needs: "orders.deliver", within: "order", body: `{"status":"done"}`, want: 409},
	{call: "POST /operator/orders/{id}/status", needs: "orders.deliver orders.move", within: "order", body: `{"status":"cooking"}`, want: 409},
	{call: "POST /operator/orders/{id}/status", needs: "orders.deliver orders.cancel", within: "order", body: `{"status":"canceled"}`, want: 200},
	{call: "POST /operator/orders/{id}/take", needs: "orders.move", within: "order", body: `{}`, want: 409},
	{call: "POST /operator/orders/{id}/delay", needs: "orders.move", within: "order", body: `{"promised_at":"{later}"}`, want: 409},
	{call: "POST /operator/orders/{id}/step-back", needs: "orders.move", within: "order", body: `{}`, want: 409},
	{call: "POST /operator/orders/{id}/cancel", needs: "orders.refuse", within: "order", body: `{"outcome":"undelivered"}`, want: 422},
	{call: "POST /operator/orders/{id}/cancel", needs: "orders.refuse orders.cancel", within: "order", body: `{"outcome":"canceled"}`, want: 200},
	{call: "POST /operator/orders/{id}/cancel", needs: "orders.refuse refunds.make", within: "order", body: `{"outcome":"undelivered","refund":{"none":true}}`, want: 422},
	{call: "POST /operator/orders/{id}/courier", needs: "orders.deliver", within: "order", body: `{"id":"{login}","name":"Ivan","own":true}`, want: 409},
	{call: "POST /operator/orders/{id}/courier", needs: "orders.deliver", within: "order", body: `{"id":"another","name":"Ivan","own":true}`, want: 409, notOfCouriers: true},
	{call: "POST /operator/orders/{id}/courier", needs: "orders.deliver couriers.assign", within: "order", body: `{"id":"{login}","name":"Ivan"}`, want: 409},
	{call: "POST /operator/orders/{id}/courier/remove", needs: "couriers.assign", within: "order", body: `{}`, want: 200},
	{call: "POST /operator/orders/{id}/hand-over", needs: "orders.deliver", within: "order", body: `{}`, want: 409},
	{call: "POST /operator/orders/{id}/hand-over", needs: "orders.deliver", within: "order", body: `{"courier":{"id":"another","name":"Ivan"}}`, want: 409, notOfCouriers: true},
	{call: "POST /operator/orders/{id}/courier-location", needs: "orders.deliver", within: "order", body: `{"coordinates":{"latitude":55.75,"longitude":37.6}}`, want: 409},
	{call: "POST /operator/orders/{id}/correct", needs: "orders.correct", within: "order", body: `{"dry_run":true,"name":"Boris"}`, want: 409},
	{call: "POST /operator/orders/{id}/refund", needs: "refunds.make", within: "order", body: `{"key":"k","all":true}`, want: 409},
	{call: "POST /operator/orders/{id}/refund/handed-back", needs: "refunds.make", within: "order", body: `{"key":"none"}`, want: 404},
}

// listMatrix are the rules of calls that find orders or place them.
var listMatrix = []rule{
	{call: "GET /operator/orders", needs: "orders.read", within: "found", want: 200},
	{call: "GET /operator/orders", needs: "orders.read", within: "found", query: "site={site}&shop_id={shop}", want: 200},
	{call: "GET /operator/orders/search", needs: "orders.read", within: "found", query: "site={site}&day={day}", want: 200},
	{call: "GET /operator/orders/search", needs: "orders.read", within: "found", query: "site={site}&shop_id={shop}&day={day}", want: 200},
	{call: "GET /operator/orders/search", needs: "orders.read customers.read", within: "found", query: "site={site}&phone={phone}", want: 200, notOfCouriers: true},
	{call: "GET /operator/changes", needs: "orders.read", within: "found", want: 200},
	{call: "GET /operator/changes", needs: "orders.read", within: "found", query: "site={site}&shop_id={shop}", want: 200},
	{call: "GET /operator/changes/events", needs: "orders.read", within: "found", query: "site={site}&shop_id={shop}", want: endless},
	{call: "GET /operator/changes/webhook", needs: "webhooks.manage", within: "brand", query: "site={site}", want: 200, wantForeign: 404},
	{call: "POST /operator/changes/webhook", needs: "webhooks.manage", within: "brand", body: `{"site":"{site}","after":1}`, want: 200, wantForeign: 404},
	{call: "GET /operator/audit", needs: "audit.read", within: "found", want: 200},
	{call: "GET /operator/audit", needs: "audit.read", within: "found", query: "site={site}&shop_id={shop}", want: 200},
	{call: "GET /operator/feedback", needs: "feedback.read", within: "brand", want: 200},
	{call: "GET /operator/feedback", needs: "feedback.read", within: "brand", query: "site={site}", want: 200},
	{call: "POST /operator/orders/quote", needs: "orders.place", within: "found", body: `{"cart":{cart}}`, want: 200},
	{call: "POST /operator/orders", needs: "orders.place", within: "found", body: `{"key":"{login}","cart":{cart},"username":"Vera","payment_type":"cash","interval_id":"none"}`, want: 422},
	{call: "POST /operator/customers/sign-in-link", needs: "customers.sign_in", within: "brand", body: `{"site":"{site}","phone":"1"}`, want: 422},
	{call: "POST /operator/customers/bonuses", needs: "customers.reward", within: "brand", body: `{"site":"{site}","phone":"1","key":"k","bonuses":1}`, want: 422},
	{call: "POST /operator/customers/presents", needs: "customers.reward", within: "brand", body: `{"site":"{site}","phone":"1","key":"k","gift":"none"}`, want: 422},
}

// eveningMatrix are the rules of calls about the shops of a brand and their devices.
var eveningMatrix = []rule{
	{call: "GET /operator/stops", needs: "kitchen.read", within: "found", query: "site={site}", want: 200},
	{call: "POST /operator/stops", needs: "stops.set", within: "shop", body: `{"site":"{site}","kind":"product","alias":"none","shop_id":{shop}}`, want: 404},
	{call: "POST /operator/stops", needs: "stops.set", within: "shop", body: `{"site":"{site}","kind":"product","alias":"none"}`, want: 404},
	{call: "GET /operator/kitchen", needs: "kitchen.read", within: "found", query: "site={site}", want: 200},
	{call: "GET /operator/kitchen", needs: "kitchen.read", within: "found", query: "site={site}&shop_id={shop}", want: 200},
	{call: "GET /operator/kitchen/times", needs: "kitchen.read", within: "shop", query: "site={site}&shop_id={shop}&order_type=takeaway", want: 200},
	{call: "POST /operator/kitchen/pause", needs: "kitchen.set", within: "shop", body: `{"site":"{site}","shop_id":{shop},"until":"{before}","reason":"staff"}`, want: 422},
	{call: "POST /operator/kitchen/busy", needs: "kitchen.set", within: "shop", body: `{"site":"{site}","shop_id":{shop},"minutes":10,"until":"{before}","reason":"staff"}`, want: 422},
	{call: "GET /operator/prices", needs: "kitchen.read", within: "found", query: "site={site}", want: 200},
	{call: "POST /operator/prices", needs: "prices.set", within: "shop", body: `{"site":"{site}","product":"none","shop_id":{shop},"price":1}`, want: 404},
	{call: "POST /operator/prices", needs: "prices.set", within: "shop", body: `{"site":"{site}","product":"none","price":1}`, want: 404},
	{call: "GET /operator/alerts", needs: "kitchen.read", within: "found", query: "site={site}", want: 200},
	{call: "POST /operator/alerts", needs: "alerts.set", within: "shop", body: `{"site":"{site}","shop_id":{shop},"until":"{before}","texts":[{"language":"ru","text":"Ремонт"}]}`, want: 422},
	{call: "POST /operator/alerts", needs: "alerts.set", within: "shop", body: `{"site":"{site}","city_id":1,"until":"{before}","texts":[{"language":"ru","text":"Ремонт"}]}`, want: 422},
	{call: "GET /operator/devices", needs: "devices.manage", within: "found", want: 200},
	{call: "GET /operator/devices", needs: "devices.manage", within: "found", query: "site={site}&shop_id={shop}", want: 200},
	{call: "POST /operator/devices", needs: "devices.manage", within: "shop", body: `{"site":"{site}","shop_id":{shop},"name":" "}`, want: 422},
	{call: "DELETE /operator/devices/{id}", needs: "devices.manage", within: "device", id: "{device}", want: 200},
}

// selfMatrix are the rules of calls that concern the caller alone; the last one ends a shift.
var selfMatrix = []rule{
	{call: "POST /operator/sign-in", needs: "public", body: `{"login":"guess-{login}","password":"a guess","code":"000000"}`, want: 422},
	{call: "POST /operator/sign-in/invitation", needs: "public", body: `{"invitation":"invite_guess"}`, want: 404},
	{call: "POST /operator/sign-in/invitation/accept", needs: "public", body: `{"invitation":"invite_guess","password":"a-long-guess","code":"000000"}`, want: 404},
	{call: "POST /operator/sign-in/device", needs: "public", body: `{"code":"enrol_guess"}`, want: 404},
	{call: "GET /operator/sign-in/self", needs: "self", want: 200},
	{call: "GET /operator/sign-in/sessions", needs: "self", want: 200},
	{call: "DELETE /operator/sign-in/sessions/{id}", needs: "self", id: "{session}", want: 404},
	{call: "POST /operator/sign-in/passkey/begin", needs: "public", want: 200},
	{call: "POST /operator/sign-in/passkey", needs: "public", body: `{"ceremony":"ceremony_guess","credential":"{}"}`, want: 422},
	{call: "POST /operator/sign-in/passkeys/begin", needs: "self", of: "staff", want: 200},
	{call: "GET /operator/sign-in/passkeys", needs: "self", want: 200},
	{call: "POST /operator/sign-in/passkeys", needs: "self", of: "staff", body: `{"ceremony":"ceremony_guess","name":"phone","credential":"{}"}`, want: 422},
	{call: "DELETE /operator/sign-in/passkeys/{id}", needs: "self", id: "999999", want: 404},
	{call: "POST /operator/sign-in/pin", needs: "self", of: "staff", body: `{"pin":"0000"}`, want: 422},
	{call: "GET /operator/sign-in/device/people", needs: "self", of: "device", want: 200},
	{call: "POST /operator/sign-in/device/shift", needs: "self", of: "device", body: `{"id":999999,"pin":"7391"}`, want: 422},
	{call: "DELETE /operator/sign-in/device/shift", needs: "self", of: "device", want: 200},
}

// endless is the status of a stream that begins: the calls of the matrix are answered as a whole, so that it
// is left to TestOperatorAccess_endsTheStreamOfARevokedToken.
const endless = 0

// hidden is the status 404 of an order or a device that is not the caller's to see, as of one that does not
// exist.
const hidden = -404
