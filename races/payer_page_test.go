package races_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net/http"
	"time"
)

// finish acts on the payment page until the order is paid, canceled or refunded. A payer who wavers goes back to the
// checkout once. It stores a fault when ctx ends before.
func (p *payer) finish(ctx context.Context) {
	hasWavered := false
	for p.fault == nil {
		n := p.loadNext(ctx)
		switch p.state {
		case "paid", "canceled", "refunded", "refunding":
			return
		case "waiting":
			if !p.kind.leaves {
				p.pay(ctx)
			}
		case "pending":
			if p.kind.wavers && !hasWavered {
				hasWavered = true
				p.goBack(ctx)
				continue
			}
			p.act(ctx, n)
		}
		select {
		case <-ctx.Done():
			p.fail("stands at %s", p.state)
		case <-time.After(time.Duration(50+p.dice.IntN(200)) * time.Millisecond):
		}
	}
}

// goBack goes back to the checkout, which cancels the unpaid order, and orders the cart again. It does nothing when the
// payment has succeeded meanwhile.
func (p *payer) goBack(ctx context.Context) {
	status, _ := p.call(ctx, http.MethodPost, "/order/create-order-cache", p.at(nil))
	if status == http.StatusConflict {
		return // the order is paid by now
	}
	_, a := p.call(ctx, http.MethodPut, "/cart", p.at(nil))
	if a.Cart == nil || len(a.Cart.Products) == 0 {
		p.fail("the cart is gone after the way back")
		return
	}
	p.placeOrder(ctx, *a.Cart)
}

// loadNext reads the payment and stores its state. It returns the next step of the page; nil when there is none, when
// nothing is paid online, or after a fault.
func (p *payer) loadNext(ctx context.Context) *next {
	if p.key == "" || p.kind.paymentType == "cash" {
		return nil
	}
	status, a := p.call(ctx, http.MethodGet, "/order-payment/"+p.key, nil)
	if p.fault != nil {
		return nil
	}
	if status != http.StatusOK || a.Payment == nil || a.Payment.OrderID != p.order {
		p.fail("the payment page: %d %s", status, a.Message)
		return nil
	}
	p.storeState(*a.Payment)
	return a.Payment.Next
}

// storeState stores the state of the payment, and marks the last confirmed order when it is paid.
func (p *payer) storeState(a paying) {
	p.state = a.State
	if a.State == "paid" {
		p.confirmed[len(p.confirmed)-1].Paid = true
	}
}

// card returns the number of the card for the current payment attempt.
func (p *payer) card() string {
	return p.kind.cards[min(p.tries, len(p.kind.cards))-1]
}

// pay begins a payment attempt.
func (p *payer) pay(ctx context.Context) {
	p.tries++
	body := object{"order_id": p.order, "order_cache_key": p.key, "payment_type": p.kind.paymentType}
	if p.kind.form {
		cryptogram, ok := p.cryptogram(ctx)
		if !ok {
			return
		}
		body["cryptogram"] = cryptogram
	}
	p.call(ctx, http.MethodPost, "/order/pay", body) // the payment page shows the outcome, so the answer is not used
}

// cryptogram returns the card, encrypted as our page does it; false after a fault.
func (p *payer) cryptogram(ctx context.Context) (string, bool) {
	_, a := p.call(ctx, http.MethodPost, "/order/payment-settings", object{"payment_type": p.kind.paymentType, "city_id": p.place.city, "shop_id": p.place.shop})
	block, _ := pem.Decode([]byte(a.PublicKey))
	if p.fault != nil || block == nil {
		p.fail("no key to encrypt the card with: %s %v", a.Message, a.Errors)
		return "", false
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	public, ok := key.(*rsa.PublicKey)
	if err != nil || !ok {
		p.fail("no key to encrypt the card with: %v", err)
		return "", false
	}
	text := fmt.Sprintf(`{"number":%q,"exp_month":12,"exp_year":2040,"cvc":"123"}`, p.card())
	sealed, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public, []byte(text), nil)
	if err != nil {
		p.fail("encrypt: %v", err)
	}
	return base64.StdEncoding.EncodeToString(sealed), err == nil
}
