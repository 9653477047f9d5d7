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

// newGuest returns a customer with a phone of their own.
func (v *evening) newGuest(t *testing.T) *party {
	t.Helper()
	return v.newParty(t, v.newPhone())
}

// newPhone returns a phone that no order has had.
func (v *evening) newPhone() string { return fmt.Sprintf("7916%07d", v.calls+1) }

// enterAddress says where a guest lives: in the zone of free delivery.
func (p *party) enterAddress(t *testing.T) {
	t.Helper()
	p.ok(t, http.MethodPost, "/user/addresses/set-by-coordinates", object{
		"city_id": carttest.Moscow, "latitude": carttest.InFree.Latitude, "longitude": carttest.InFree.Longitude, "room": "7",
	})
}

// fill puts two salmon rolls into the cart of a guest, and returns the total.
func (p *party) fill(t *testing.T) any {
	t.Helper()
	p.enterAddress(t)
	p.ok(t, http.MethodPut, "/cart/add", salmon())
	got := p.ok(t, http.MethodPut, "/cart/set-interval", object{"city_id": carttest.Moscow, "interval": "asap"})
	return dig(got, "cart", "prices", "total")
}

// salmon returns what adds two salmon rolls to a cart.
func salmon() object {
	return delivered(object{
		"product_key": carttest.KeyOf(carttest.Salmon), "count": 2,
		"modifiers": []object{{"id": carttest.SoySauce, "group_id": carttest.Sauce, "count": 1}},
	})
}

// delivered returns a body with the place of a delivery in Moscow.
func delivered(more object) object {
	body := object{"city_id": carttest.Moscow, "order_type": "delivery"}
	maps.Copy(body, more)
	return body
}

// checkOut begins the checkout and returns what places the order.
func (p *party) checkOut(t *testing.T, total any) object {
	t.Helper()
	key := p.ok(t, http.MethodPost, "/order/create-order-cache", delivered(nil))["order_cache_key"]
	list := listAt(p.ok(t, http.MethodGet, "/user/addresses", nil), "delivery_addresses")
	return delivered(object{
		"order_cache_key": key, "phone": p.phone, "username": "Anna", "payment_type": "cash", "interval_id": "asap",
		"delivery_address": object{"id": dig(list[0], "id"), "room": "7"}, "cart": object{"prices": object{"total": total}},
	})
}

// place sends an order, which may be killed on its way, and returns its number.
func (v *evening) place(t *testing.T, guest *party, request object) int64 {
	t.Helper()
	if len(v.orders)%4 == 1 {
		v.killSoon()
	}
	id := idAt(guest.ok(t, http.MethodPost, "/order/create", request), "order_id")
	v.orders[id] = &ordered{guest: guest, phone: guest.phone}
	return id
}

// order places an order of a new guest.
func (v *evening) order(t *testing.T) int64 {
	t.Helper()
	guest := v.newGuest(t)
	return v.place(t, guest, guest.checkOut(t, guest.fill(t)))
}

// orderPaid places an order of a new guest, who pays it by card.
func (v *evening) orderPaid(t *testing.T) int64 {
	t.Helper()
	guest := v.newGuest(t)
	request := guest.checkOut(t, guest.fill(t))
	request["payment_type"], request["email"] = "card_online", "anna@example.org"
	id := v.place(t, guest, request)
	for range 8 {
		payment := dig(guest.ok(t, http.MethodGet, fmt.Sprint("/order-payment/", request["order_cache_key"]), nil), "payment")
		switch dig(payment, "state") {
		case "paid":
			return id
		case "waiting":
			guest.ok(t, http.MethodPost, "/order/pay", object{"order_id": id, "payment_type": "card_online", "cryptogram": guest.encryptCard(t), "email": "bills@example.org"})
		default: // the server was killed before it had the bank's answer
			v.advance(t, time.Minute)
		}
	}
	t.Fatalf("order %d is never paid", id)
	return 0
}

// encryptCard encrypts a good card as the page does.
func (p *party) encryptCard(t *testing.T) string {
	t.Helper()
	got := p.ok(t, http.MethodPost, "/order/payment-settings", object{"city_id": carttest.Moscow, "payment_type": "card_online", "is_delivery": true})
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

// phoneOrder returns an order of rice rolls by somebody who calls from the phone.
func phoneOrder(phone string, product int64) object {
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

// orderByPhone places an order of somebody who calls.
func (v *evening) orderByPhone(t *testing.T) int64 {
	t.Helper()
	phone := v.newPhone()
	id := idAt(v.do(t, "/orders", phoneOrder(phone, carttest.Rice)), "order", "order_id")
	v.orders[id] = &ordered{phone: phone}
	return id
}
