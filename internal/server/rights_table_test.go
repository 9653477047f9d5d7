package server_test

import (
	"fmt"
	"maps"
	"net/http"

	"servery/internal/cart/carttest"
)

// rightsTable returns a row for every route, which says who may use it. Rows that end a session or an account
// stand last. A row with ids uses the owner's ids; phone is the phone that codes are requested for.
func rightsTable(o *belongings, phone string) []row {
	var all []row
	for _, part := range [][]row{publicRows(), formRows(o), checkoutRows(o), cartRows(o), addressRows(o), orderRows(o), paymentRows(o), userRows(o, phone), operatorRows(o, phone), endingRows(o)} {
		all = append(all, part...)
	}
	return all
}

// publicRows show to all the same; the other brand has neither the page nor the product.
func publicRows() []row {
	point := object{"latitude": 55.75, "longitude": 37.60}
	all, notThere := everybody(http.StatusOK), everybody(http.StatusNotFound)
	return []row{
		{route: "GET /healthz", right: all},
		{route: "GET /readyz", right: all},
		{route: "GET /readyz/pages", right: all},
		{route: "GET /metrics", right: all},
		{route: "GET /robots.txt", right: all},
		{route: "GET /sitemap.xml", right: all},
		{route: "GET /sitemap/{name}", path: "/sitemap/-brand.xml", right: all},
		{route: "GET /favicon.ico", right: notThere}, // the brands of the tests have no icon
		{route: "GET /apple-touch-icon.png", right: notThere},
		{route: "GET /licences.txt", right: all},
		{route: "GET /maps/{name}", path: "/maps/none.pmtiles", right: notThere},
		{route: "GET /sw.js", right: all},
		{route: "GET /manifest.webmanifest", path: "/manifest.webmanifest?city=moscow&lang=ru", right: all},
		{route: "GET /assets/{name...}", path: "/assets/entry-1.js", right: all},
		{route: "GET /media/{name}", path: "/media/none.jpg", right: notThere},
		{route: "GET /{$}", path: "/", right: all},
		{route: "GET /auth/link", right: all},
		{route: "GET /auth/vk/callback", path: "/auth/vk/callback?code=c&state=s&device_id=d", right: all},
		{route: "GET /staff/invitation", right: all},
		{route: "GET /{city}", path: "/moscow", right: all},
		{route: "GET /{city}/{rest...}", path: "/moscow/profile?tab=orders", right: all},
		{route: "/api/", path: "/api/nothing", right: notThere},
		{route: "GET /api/cities", right: all},
		{route: "GET /api/cities/{alias}", path: "/api/cities/moscow", right: all},
		{route: "GET /api/cities/{alias}/streets", path: "/api/cities/moscow/streets", right: all},
		{route: "GET /api/pages/{alias}", path: "/api/pages/about?city_id=1", right: all.except(http.StatusNotFound, elsewhere)},
		{route: "GET /api/shops", path: "/api/shops?city_id=1", right: all},
		{route: "GET /api/products", path: "/api/products?city_id=1&order_type=takeaway", right: all},
		{route: "GET /api/products/{product_key}", path: "/api/products/wasabi?city_id=1&order_type=takeaway", right: all.except(http.StatusNotFound, elsewhere)},
		{route: "POST /api/products", body: moscow(nil), right: all},
		{route: "POST /api/products/get-related-products", body: moscow(object{"product_groups_ids": []int{}}), right: all},
		{route: "POST /api/user/payment-types", body: moscow(nil), right: all},
		{route: "POST /api/geocoder/suggest", body: object{"city_id": carttest.Moscow, "text": ownersDoor}, right: all},
		{route: "POST /api/geocoder/searchByAddress", body: object{"city_id": carttest.Moscow, "address": ownersDoor}, right: all},
		{route: "POST /api/geocoder/searchByCoordinates", body: object{"city_id": carttest.Moscow, "coordinates": point}, right: all},
		{route: "POST /api/errors", body: object{"kind": "thrown", "name": "TypeError", "message": "no cart", "route": "/:city"}, right: everybody(http.StatusNoContent)},
		{
			route: "POST /api/feedback/unavailable-delivery-address", right: all,
			body: object{"city_id": carttest.Moscow, "coordinates": object{"latitude": 55.95, "longitude": 37.60}, "phone": callersPhone},
		},
	}
}

// formRows send forms, which everybody may.
func formRows(*belongings) []row {
	form := func(fields object) object {
		all := object{"city_id": carttest.Moscow, "name": "Vera", "phone": callersPhone, "is_agreed": true}
		maps.Copy(all, fields)
		return all
	}
	all := everybody(http.StatusOK)
	return []row{
		{route: "POST /api/feedback/questions", body: form(object{"email": "vera@example.com", "message": "Hello"}), right: all},
		{route: "POST /api/feedback/call-me-back", body: form(nil), right: all},
		{route: "POST /api/feedback/landlord-request", body: form(object{"city_name": "Moscow", "shop": "Mall", "square": 60.5}), right: all},
		{route: "POST /api/feedback/supplier-request", body: form(object{"city_name": "Moscow", "company": "Rice", "product_category": "Rice"}), right: all},
		{route: "POST /api/feedback/return-request", body: form(object{"order_id": 1234567, "wish": "return", "message": "Cold"}), right: all},
	}
}

// checkoutRows order what is in the caller's own cart.
func checkoutRows(o *belongings) []row {
	create := object{
		"city_id": carttest.Moscow, "order_type": "delivery", "order_cache_key": o.cacheKey, "phone": callersPhone, "username": ownersName,
		"payment_type": "cash", "interval_id": "asap", "cart": object{"prices": object{"total": o.total}}, "delivery_address": object{"id": o.address},
	}
	return []row{
		{route: "POST /api/order/create-order-cache", body: moscow(nil), right: everybody(http.StatusConflict).except(http.StatusOK, theOwner, guest, other)},
		{route: "POST /api/order/create", body: create, right: ownerOnly(http.StatusConflict)},
	}
}

// cartRows act on the caller's own cart. The other brand sells none of this.
func cartRows(o *belongings) []row {
	rice, soy := object{"product_key": fmt.Sprintf("1-%d", carttest.Rice)}, object{"gift_id": soyOnUs}
	own := everybody(http.StatusOK)
	here := own.except(http.StatusUnprocessableEntity, elsewhere)
	addressed := here.except(http.StatusUnprocessableEntity, nobody, rotated, ended, erased)
	return []row{
		{route: "PUT /api/cart", body: moscow(nil), right: own, shows: o.bonuses},
		{route: "PUT /api/cart/add", body: moscow(rice), right: addressed},
		{route: "PUT /api/cart/gift/add", body: moscow(soy), right: addressed},
		{route: "PUT /api/cart/gift/remove", body: moscow(soy), right: own},
		{route: "PUT /api/cart/gift/forget", body: moscow(soy), right: own},
		{route: "PUT /api/cart/gift/add-present", body: moscow(object{"id": o.present}), right: ownerOnly(http.StatusUnprocessableEntity), shows: "Cake on us"},
		{route: "PUT /api/cart/gift/remove-present", body: moscow(object{"id": o.present}), right: own, shows: "Cake on us"},
		{route: "PUT /api/cart/gift/apply-promocode", body: moscow(object{"promocode": "NOBODYS"}), right: everybody(http.StatusUnprocessableEntity)},
		{route: "PUT /api/cart/gift/forget-promocode", body: moscow(nil), right: own},
		{
			route: "PUT /api/cart/gift/apply-bonuses", body: moscow(object{"bonuses": 10}), shows: o.bonuses,
			right: everybody(http.StatusUnprocessableEntity).except(http.StatusOK, theOwner, other),
		},
		{route: "PUT /api/cart/packages/bag", body: moscow(object{"without_bag": true}), right: own},
		{route: "PUT /api/cart/set-interval", body: object{"city_id": carttest.Moscow, "interval": ""}, right: own},
		{route: "POST /api/schedule/intervals", body: moscow(nil), right: own},
		{route: "POST /api/schedule/time-settings", body: moscow(nil), right: own},
		{route: "PUT /api/cart/remove", body: moscow(rice), right: own.except(http.StatusNotFound, elsewhere)},
		{route: "PUT /api/cart/forget", body: moscow(rice), right: own},
		{route: "POST /api/shops/set", body: object{"shop_id": carttest.Pokrovka}, right: here},
		{route: "DELETE /api/cart/clear", path: "/api/cart/clear?city_id=1", right: own},
	}
}

// addressRows act on saved addresses, which belong to the session or to the customer.
func addressRows(o *belongings) []row {
	in := carttest.InFree
	missing := ownerOnly(http.StatusNotFound)
	return []row{
		{route: "GET /api/user/addresses", right: everybody(http.StatusOK), shows: ownersDoor},
		{route: "POST /api/user/addresses/set-by-id", body: object{"delivery_address_id": o.address}, right: missing, shows: ownersDoor},
		{
			route: "POST /api/user/addresses/set-by-coordinates", right: everybody(http.StatusOK),
			body: object{"city_id": carttest.Moscow, "latitude": in.Latitude, "longitude": in.Longitude},
		},
		{
			route: "POST /api/user/addresses/set-by-address", right: everybody(http.StatusUnprocessableEntity),
			body: object{"city_id": carttest.Moscow, "address": "nowhere"},
		},
		{route: "DELETE /api/user/addresses/remove/{id}", path: fmt.Sprint("/api/user/addresses/remove/", o.address), right: missing},
	}
}

// orderRows open an order to its customer and to anyone who knows its phone or link.
func orderRows(o *belongings) []row {
	missing := ownerOnly(http.StatusNotFound)
	done, open := object{"order_id": o.done}, object{"order_id": o.open}
	return []row{
		{route: "GET /api/order/{id}", path: fmt.Sprint("/api/order/", o.done), right: missing, shows: ownersDoor},
		{route: "GET /api/order/{id}/events", path: fmt.Sprintf("/api/order/%d/events", o.done), right: missing, shows: `"alias":"done"`},
		{
			route: "GET /api/order-tracking/get-courier-location", right: missing,
			path: fmt.Sprint("/api/order-tracking/get-courier-location?order_id=", o.open),
		},
		{route: "POST /api/order/status", body: done, right: missing},
		{route: "POST /api/order/repeat", body: done, right: missing},
		{route: "POST /api/order/repeat/undo", body: object{"city_id": carttest.Moscow}, right: everybody(http.StatusConflict)},
		{route: "POST /api/order/{id}/push", path: fmt.Sprintf("/api/order/%d/push", o.done), body: pushSubscription("https://push.example.com/1"), right: ownerOnly(http.StatusNotFound).except(http.StatusNoContent, theOwner)},
		{route: "DELETE /api/order/{id}/push", path: fmt.Sprintf("/api/order/%d/push", o.done), right: everybody(http.StatusNoContent)},
		{route: "GET /api/push/key", right: everybody(http.StatusOK)},
		{route: "POST /api/order/cancel", body: open, right: missing, shows: ownersDoor},
	}
}

// paymentRows pay an order of the owner's, which was paid online. What banks send comes
// without a session; the payment's random id is all that it can know.
func paymentRows(o *belongings) []row {
	missing := ownerOnly(http.StatusNotFound)
	refused := everybody(http.StatusForbidden)
	return []row{
		{
			route: "POST /api/order/payment-settings", body: object{"city_id": carttest.Moscow, "payment_type": "card_online"},
			right: everybody(http.StatusUnprocessableEntity),
		},
		{route: "GET /api/order-payment/{order_cache_key}", path: "/api/order-payment/" + o.paidKey, right: missing, shows: ownersEmail},
		{route: "POST /api/order/pay", body: object{"order_id": o.done, "payment_type": "card_online"}, right: missing, shows: o.paidKey},
		{route: "POST /api/order/post3ds", body: object{"order_id": o.done, "TransactionId": o.payment}, right: missing, shows: ownersEmail},
		{
			route: returnOfABank, path: "/api/order/3ds/" + o.payment, body: "PaRes=x",
			right: everybody(http.StatusOK).except(http.StatusNotFound, elsewhere),
		},
		{route: "POST /api/callback/{acquirer}", path: "/api/callback/till", right: refused},
		{route: "GET /api/callback/{acquirer}", path: "/api/callback/till", right: refused},
	}
}

// returnOfABank is where a bank's page of 3-D Secure posts to, from its own site.
const returnOfABank = "POST /api/order/3ds/{transaction_id}"

// isOfBanks reports whether other sites and programs may call the route. All other routes are closed to
// them.
func isOfBanks(route string) bool {
	return route == returnOfABank || route == "POST /api/callback/{acquirer}" || route == "GET /api/callback/{acquirer}"
}

// userRows are about the customer and their sign-in.
func userRows(o *belongings, phone string) []row {
	self := customers()
	return []row{
		{route: "POST /api/user/sign-in", body: object{"token": o.usedLink}, right: everybody(http.StatusUnprocessableEntity)},
		{route: "POST /api/user/login", body: object{"city_id": carttest.Moscow, "phone": phone, "notify_channel": "sms"}, right: everybody(http.StatusOK)},
		{route: "GET /api/user/verification", right: everybody(http.StatusOK)},
		{route: "POST /api/user/check-verification-code", body: object{"code": "0"}, right: everybody(http.StatusUnprocessableEntity)},
		{route: "POST /api/user/vk/start", right: everybody(http.StatusNotFound)},
		{route: "POST /api/user/vk/callback", body: object{"code": "c", "state": "s", "device_id": "d"}, right: everybody(http.StatusNotFound)},
		{route: "GET /api/user/check-session", right: everybody(http.StatusOK), shows: ownersName},
		{route: "GET /api/user/get", right: self, shows: ownersEmail},
		{route: "PUT /api/user/update", body: object{"sex": "none"}, right: self, shows: ownersEmail},
		{route: "GET /api/user/orders", right: self, shows: fmt.Sprint(o.done)},
		{route: "GET /api/user/balance", right: self, shows: o.bonuses},
		{route: "GET /api/user/sessions", right: self, shows: fmt.Sprintf(`"id":%d`, o.session)},
		{route: "GET /api/user/export", right: self, shows: ownersDoor},
	}
}

// operatorRows are closed to all who have no operator's token.
func operatorRows(o *belongings, phone string) []row {
	closed := everybody(http.StatusUnauthorized)
	named := object{"site": "sushi", "phone": ownersPhone}
	return []row{
		{route: "GET /api/operator/orders", right: closed},
		{route: "POST /api/operator/orders", body: object{
			"key": "call", "cart": phoneCart(), "username": "Anna", "payment_type": "cash", "interval_id": "asap",
		}, right: closed},
		{route: "POST /api/operator/orders/quote", body: object{"cart": phoneCart()}, right: closed},
		{route: "GET /api/operator/orders/search", path: "/api/operator/orders/search?site=sushi&phone=" + ownersPhone, right: closed},
		{route: "GET /api/operator/orders/{id}", path: fmt.Sprintf("/api/operator/orders/%d", o.open), right: closed},
		{route: "GET /api/operator/feedback", right: closed},
		{route: "POST /api/operator/orders/{id}/status", path: fmt.Sprintf("/api/operator/orders/%d/status", o.open), body: object{"status": "cooking"}, right: closed},
		{
			route: "POST /api/operator/orders/{id}/courier-location", path: fmt.Sprintf("/api/operator/orders/%d/courier-location", o.open),
			body: object{"coordinates": object{"latitude": 55.75, "longitude": 37.6}}, right: closed,
		},
		{route: "POST /api/operator/orders/{id}/take", path: fmt.Sprintf("/api/operator/orders/%d/take", o.open), body: object{}, right: closed},
		{
			route: "POST /api/operator/orders/{id}/delay", path: fmt.Sprintf("/api/operator/orders/%d/delay", o.open),
			body: object{"promised_at": "2026-11-20T23:00:00Z"}, right: closed,
		},
		{route: "POST /api/operator/orders/{id}/step-back", path: fmt.Sprintf("/api/operator/orders/%d/step-back", o.open), body: object{}, right: closed},
		{
			route: "POST /api/operator/orders/{id}/cancel", path: fmt.Sprintf("/api/operator/orders/%d/cancel", o.open),
			body: object{"outcome": "refused"}, right: closed,
		},
		{route: "GET /api/operator/audit", right: closed},
		{route: "POST /api/operator/sign-in", body: object{"login": "guess" + phone, "password": "a guess", "code": "000000"}, right: everybody(http.StatusUnprocessableEntity)},
		{route: "POST /api/operator/sign-in/invitation", body: object{"invitation": "invite_guess"}, right: everybody(http.StatusNotFound)},
		{
			route: "POST /api/operator/sign-in/invitation/accept", body: object{"invitation": "invite_guess", "password": "a-long-guess", "code": "000000"},
			right: everybody(http.StatusNotFound),
		},
		{route: "POST /api/operator/sign-in/device", body: object{"code": "enrol_guess"}, right: everybody(http.StatusNotFound)},
		{route: "POST /api/operator/sign-in/passkey/begin", right: everybody(http.StatusOK)},
		{
			route: "POST /api/operator/sign-in/passkey", body: object{"ceremony": "ceremony_guess", "credential": "{}"},
			right: everybody(http.StatusUnprocessableEntity),
		},
		{route: "POST /api/operator/sign-in/passkeys/begin", right: closed},
		{route: "GET /api/operator/sign-in/passkeys", right: closed},
		{route: "POST /api/operator/sign-in/passkeys", body: object{"ceremony": "ceremony_guess", "name": "phone", "credential": "{}"}, right: closed},
		{route: "DELETE /api/operator/sign-in/passkeys/{id}", path: "/api/operator/sign-in/passkeys/1", right: closed},
		{route: "POST /api/operator/sign-in/pin", body: object{"pin": "7391"}, right: closed},
		{route: "GET /api/operator/sign-in/device/people", right: closed},
		{route: "POST /api/operator/sign-in/device/shift", body: object{"id": 1, "pin": "7391"}, right: closed},
		{route: "DELETE /api/operator/sign-in/device/shift", right: closed},
		{route: "GET /api/operator/devices", path: "/api/operator/devices?site=sushi", right: closed},
		{route: "POST /api/operator/devices", body: object{"site": "sushi", "shop_id": carttest.Arbat, "name": "tablet"}, right: closed},
		{route: "DELETE /api/operator/devices/{id}", path: "/api/operator/devices/1", right: closed},
		{route: "GET /api/operator/sign-in/self", right: closed},
		{route: "GET /api/operator/sign-in/sessions", right: closed},
		{route: "DELETE /api/operator/sign-in/sessions/{id}", path: "/api/operator/sign-in/sessions/1", right: closed},
		{
			route: "POST /api/operator/orders/{id}/courier", path: fmt.Sprintf("/api/operator/orders/%d/courier", o.open),
			body: object{"id": "c7", "name": "Ivan"}, right: closed,
		},
		{route: "POST /api/operator/orders/{id}/courier/remove", path: fmt.Sprintf("/api/operator/orders/%d/courier/remove", o.open), body: object{}, right: closed},
		{
			route: "POST /api/operator/orders/{id}/correct", path: fmt.Sprintf("/api/operator/orders/%d/correct", o.open),
			body: object{"dry_run": true, "name": "Boris"}, right: closed,
		},
		{route: "GET /api/operator/orders/{id}/corrections", path: fmt.Sprintf("/api/operator/orders/%d/corrections", o.open), right: closed},
		{route: "POST /api/operator/orders/{id}/hand-over", path: fmt.Sprintf("/api/operator/orders/%d/hand-over", o.open), body: object{}, right: closed},
		{route: "GET /api/operator/changes", right: closed},
		{route: "GET /api/operator/changes/events", right: closed},
		{route: "POST /api/operator/orders/{id}/refund/handed-back", path: fmt.Sprintf("/api/operator/orders/%d/refund/handed-back", o.done), body: object{"key": "before"}, right: closed},
		{route: "POST /api/operator/orders/{id}/refund", path: fmt.Sprintf("/api/operator/orders/%d/refund", o.open), body: object{"key": "k", "all": true}, right: closed},
		{route: "GET /api/operator/orders/{id}/payments", path: fmt.Sprintf("/api/operator/orders/%d/payments", o.open), right: closed},
		{route: "POST /api/operator/customers/sign-in-link", body: named, right: closed},
		{route: "POST /api/operator/customers/bonuses", body: with(named, object{"key": "k", "bonuses": 1}), right: closed},
		{route: "POST /api/operator/customers/presents", body: with(named, object{"key": "k", "gift": "cake-on-us"}), right: closed},
		{route: "GET /api/operator/changes/webhook", path: "/api/operator/changes/webhook?site=sushi", right: closed},
		{route: "POST /api/operator/changes/webhook", body: object{"site": "sushi"}, right: closed},
		{route: "GET /api/operator/stops", path: "/api/operator/stops?site=sushi", right: closed},
		{route: "POST /api/operator/stops", body: object{"site": "sushi", "kind": "product", "alias": "soy"}, right: closed},
		{route: "GET /api/operator/kitchen", path: "/api/operator/kitchen?site=sushi", right: closed},
		{route: "POST /api/operator/kitchen/pause", body: object{"site": "sushi", "shop_id": carttest.Arbat, "until_shift_end": true, "reason": "staff"}, right: closed},
		{route: "POST /api/operator/kitchen/busy", body: object{"site": "sushi", "shop_id": carttest.Arbat, "minutes": 10, "until_shift_end": true, "reason": "staff"}, right: closed},
		{
			route: "GET /api/operator/kitchen/times", path: fmt.Sprintf("/api/operator/kitchen/times?site=sushi&shop_id=%d&order_type=takeaway", carttest.Arbat),
			right: closed,
		},
		{route: "GET /api/operator/prices", path: "/api/operator/prices?site=sushi", right: closed},
		{route: "POST /api/operator/prices", body: object{"site": "sushi", "product": "soy", "off": true}, right: closed},
		{route: "GET /api/operator/alerts", path: "/api/operator/alerts?site=sushi", right: closed},
		{route: "POST /api/operator/alerts", body: object{"site": "sushi", "shop_id": carttest.Arbat, "off": true}, right: closed},
	}
}

// endingRows take a session or an account.
func endingRows(o *belongings) []row {
	self := customers()
	return []row{
		{route: "DELETE /api/user/sessions/{id}", path: fmt.Sprint("/api/user/sessions/", o.session), right: self.except(http.StatusNotFound, other, elsewhere)},
		{route: "DELETE /api/user/sessions", right: self},
		{route: "DELETE /api/user/logout", right: everybody(http.StatusOK), ends: true},
		{route: "DELETE /api/user/remove", right: self, ends: true},
	}
}
