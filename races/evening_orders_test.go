package races_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"servery/internal/cart/carttest"
)

// newGuest returns a customer with a new phone.
func (v *evening) newGuest(t *testing.T) *party {
	t.Helper()
	return v.newParty(t, v.newPhone())
}

// newPhone returns a phone that no order has had.
func (v *evening) newPhone() string { return fmt.Sprintf("7916%07d", v.calls+1) }

// enterAddress stores an address of the guest in the zone of free delivery.
func (p *party) enterAddress(t *testing.T) {
	t.Helper()
	p.mustCall(t, http.MethodPost, "/user/addresses/set-by-coordinates", object{
		"city_id": carttest.Moscow, "latitude": carttest.InFree.Latitude, "longitude": carttest.InFree.Longitude, "room": "7",
	})
}

// fillCart enters an address, puts two salmon rolls into the guest's cart, and returns the total.
func (p *party) fillCart(t *testing.T) any {
	t.Helper()
	p.enterAddress(t)
	p.mustCall(t, http.MethodPut, "/cart/add", addSalmonBody())
	got := p.mustCall(t, http.MethodPut, "/cart/set-interval", object{"city_id": carttest.Moscow, "interval": "asap"})
	return dig(got, "cart", "prices", "total")
}

// addSalmonBody returns the body of a call that adds two salmon rolls to a cart.
func addSalmonBody() object {
	return deliveryBody(object{
		"product_key": carttest.KeyOf(carttest.Salmon), "count": 2,
		"modifiers": []object{{"id": carttest.SoySauce, "group_id": carttest.Sauce, "count": 1}},
	})
}

// deliveryBody returns a body with the place of a delivery in Moscow and the fields of more.
func deliveryBody(more object) object {
	body := object{"city_id": carttest.Moscow, "order_type": "delivery"}
	maps.Copy(body, more)
	return body
}

// checkOut begins the checkout and returns the body of the call that places the order with the total.
func (p *party) checkOut(t *testing.T, total any) object {
	t.Helper()
	key := p.mustCall(t, http.MethodPost, "/order/create-order-cache", deliveryBody(nil))["order_cache_key"]
	list := listAt(p.mustCall(t, http.MethodGet, "/user/addresses", nil), "delivery_addresses")
	return deliveryBody(object{
		"order_cache_key": key, "phone": p.phone, "username": "Anna", "payment_type": "cash", "interval_id": "asap",
		"delivery_address": object{"id": dig(list[0], "id"), "room": "7"}, "cart": object{"prices": object{"total": total}},
	})
}

// place places an order and returns its number. In some turns it kills the server during the call. It registers the
// order with the evening.
func (v *evening) place(t *testing.T, guest *party, request object) int64 {
	t.Helper()
	if len(v.orders)%4 == 1 {
		v.killSoon()
	}
	id := idAt(guest.mustCall(t, http.MethodPost, "/order/create", request), "order_id")
	v.orders[id] = &ordered{guest: guest, phone: guest.phone}
	return id
}

// order places an order of a new guest and returns its number.
func (v *evening) order(t *testing.T) int64 {
	t.Helper()
	guest := v.newGuest(t)
	return v.place(t, guest, guest.checkOut(t, guest.fillCart(t)))
}

// orderPaid places an order of a new guest who pays by card, and returns its number once it is paid.
func (v *evening) orderPaid(t *testing.T) int64 {
	t.Helper()
	guest := v.newGuest(t)
	request := guest.checkOut(t, guest.fillCart(t))
	request["payment_type"], request["email"] = "card_online", "anna@example.org"
	id := v.place(t, guest, request)
	for range 8 {
		payment := dig(guest.mustCall(t, http.MethodGet, fmt.Sprint("/order-payment/", request["order_cache_key"]), nil), "payment")
		switch dig(payment, "state") {
		case "paid":
			return id
		case "waiting":
			guest.mustCall(t, http.MethodPost, "/order/pay", object{"order_id": id, "payment_type": "card_online", "cryptogram": guest.encryptCard(t), "email": "bills@example.org"})
		default: // the server was killed before it had the bank's answer
			v.advance(t, time.Minute)
		}
	}
	t.Fatalf("order %d is never paid", id)
	return 0
}

// encryptCard returns a valid card, encrypted as the page does it.
func (p *party) encryptCard(t *testing.T) string {
	t.Helper()
	got := p.mustCall(t, http.MethodPost, "/order/payment-settings", object{"city_id": carttest.Moscow, "payment_type": "card_online", "is_delivery": true})
	text, _ := got["public_key"].(string)
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		t.Fatalf("no key in %v", got)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	card := []byte(`{"number": "4242424242424242", "exp_month": 12, "exp_year": 2040, "cvc": "987"}`)
	sealed, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, key.(*rsa.PublicKey), card, nil)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(sealed)
}

// phoneOrderBody returns the body of the operator's call that places an order of eight pieces of a product for a
// customer who calls from the phone.
func phoneOrderBody(phone string, product int64) object {
	return object{
		"key": "call of " + phone, "username": "Anna", "payment_type": "cash", "interval_id": "asap", "actor": "Olga", "language": "en",
		"cart": object{
			"site": "sushi", "city_id": carttest.Moscow, "order_type": "delivery", "phone": phone,
			"address": object{
				"address": "улица Арбат, 10", "room": "5",
				"coordinates": object{"latitude": carttest.InFree.Latitude, "longitude": carttest.InFree.Longitude},
			},
			"lines": []object{{"product_key": carttest.KeyOf(product), "count": 8}},
		},
	}
}

// orderByPhone places an order of rice rolls through staff, for a new customer who calls, and returns its number.
func (v *evening) orderByPhone(t *testing.T) int64 {
	t.Helper()
	phone := v.newPhone()
	id := idAt(v.callTwice(t, "/orders", phoneOrderBody(phone, carttest.Rice)), "order", "order_id")
	v.orders[id] = &ordered{phone: phone}
	return id
}
