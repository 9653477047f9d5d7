package races_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"html"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"servery/internal/money"
	"servery/internal/order/audittest"
)

// kind is what a payer does.
type kind struct {
	name, paymentType string
	// cards are those that the payer tries, one after the other; the last one for ever.
	cards []string
	form  bool // on our own card form
	// leaves never pays, cancels takes the paid order back, wavers goes back to the
	// checkout in the middle.
	leaves, cancels, wavers bool
}

var kinds = []kind{
	{name: "page", paymentType: "card_online", cards: []string{"4242424242424242"}},
	{name: "page, refused first", paymentType: "card_online", cards: []string{"4000000000001000", "4242424242424242"}},
	{name: "form", paymentType: "card_online", cards: []string{"4242424242424242"}, form: true},
	{name: "3-D Secure 1", paymentType: "card_online", cards: []string{"4000000000000101"}, form: true},
	{name: "3-D Secure 2", paymentType: "card_online", cards: []string{"4000000000000200"}, form: true},
	{name: "sbp", paymentType: "sbp"},
	{name: "push", paymentType: "sberpay"},
	{name: "wallet, canceled", paymentType: "apple_pay", cancels: true},
	{name: "leaves", paymentType: "sbp", leaves: true},
	{name: "wavers", paymentType: "sbp", wavers: true},
	{name: "cash", paymentType: "cash"},
	{name: "lost answer", paymentType: "card_online", cards: []string{"4000000000002107"}, form: true},
	{name: "without a callback", paymentType: "card_online", cards: []string{"4000000000002404"}},
}

// payer is a customer who repeats each request until it is answered, whatever happens
// to the server.
type payer struct {
	kind    kind
	name    string
	base    string
	dice    *mathrand.Rand
	place   place
	phone   string
	browser *http.Client
	cookie  string
	// isOperator has requests made in the operator's name.
	isOperator bool

	key       string // of the checkout
	order     int64
	tries     int
	state     string // what the payment page said last
	confirmed []audittest.Confirmed
	fault     error
}

func newPayer(i int, base string) *payer {
	p := &payer{
		kind: kinds[i%len(kinds)], base: base, dice: mathrand.New(mathrand.NewPCG(3, uint64(i))), place: endless,
		phone: fmt.Sprintf("7902000%04d", i),
		browser: &http.Client{
			Timeout: 30 * time.Second, Transport: browser.Transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	p.name = fmt.Sprintf("payer %d (%s)", i, p.kind.name)
	if p.kind.form {
		p.place = place{2, 21}
	}
	return p
}

// paying is what the calls of paying answer.
type paying struct {
	Message       string
	Errors        map[string][]string
	Cart          *cart
	OrderCacheKey string `json:"order_cache_key"`
	OrderID       int64  `json:"order_id"`
	State         string
	Next          *next
	Payment       *paying
	PublicKey     string `json:"public_key"`
}

// next is what the payment page has to do.
type next struct {
	Reason        string
	FormURL       string `json:"form_url"`
	PaymentLink   string `json:"payment_link"`
	TransactionID string `json:"transaction_id"`
	MD            string
	PaReq         string
	TermUrl       string
	AcsUrl        string
	CReq          string `json:"cReq"`
	ThreeDS       *struct {
		TransID    string `json:"threeDSServerTransID"`
		MethodURL  string `json:"threeDSMethodURL"`
		MethodData string `json:"threeDSMethodData"`
	} `json:"threeDS"`
}

var errGone = errors.New("there is no answer")

// send makes a request until it is answered by a server that lives to the end of it.
func (p *payer) send(ctx context.Context, method, address, contentType, key string, body []byte) (int, []byte, error) {
	for {
		r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		if contentType != "" {
			r.Header.Set("Content-Type", contentType)
		}
		if key != "" {
			r.Header.Set("Idempotency-Key", key)
		}
		if p.isOperator {
			r.Header.Set("Authorization", "Bearer "+operatorToken)
		}
		if p.cookie != "" {
			r.Header.Set("Cookie", p.cookie)
		}
		status, text, err := p.receive(r)
		if err == nil && status != http.StatusServiceUnavailable && status != http.StatusTooManyRequests {
			return status, text, nil
		}
		select {
		case <-ctx.Done():
			return 0, nil, errGone
		case <-time.After(time.Duration(20+p.dice.IntN(60)) * time.Millisecond):
		}
	}
}

func (p *payer) receive(r *http.Request) (int, []byte, error) {
	response, err := p.browser.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, nil, err
	}
	for _, c := range response.Cookies() {
		if c.Name == "session" {
			p.cookie = c.Name + "=" + c.Value
		}
	}
	return response.StatusCode, text, nil
}

// call makes a call of the API. Anything but success and refusal is a fault.
func (p *payer) call(ctx context.Context, method, path string, body object) (int, paying) {
	text, err := json.Marshal(body)
	if err != nil {
		p.fail("%s: %v", path, err)
		return 0, paying{}
	}
	if body == nil {
		text = nil
	}
	status, answer, err := p.send(ctx, method, p.base+"/api"+path, "application/json", fmt.Sprintf("key-%016x", p.dice.Uint64()), text)
	var a paying
	switch {
	case err != nil:
		p.fail("%s: %v", path, err)
	case status != http.StatusOK && status != http.StatusConflict && status != http.StatusUnprocessableEntity:
		p.fail("%s: %d %s", path, status, answer)
	default:
		if err := json.Unmarshal(answer, &a); err != nil {
			p.fail("%s: %v", path, err)
		}
	}
	return status, a
}

func (p *payer) fail(format string, args ...any) {
	if p.fault == nil {
		p.fault = fmt.Errorf(format, args...)
	}
}

func (p *payer) at(more object) object {
	body := object{"city_id": p.place.city, "order_type": "takeaway", "shop_id": p.place.shop}
	for name, value := range more {
		body[name] = value
	}
	return body
}

// buy is the whole way of a payer.
func (p *payer) buy(ctx context.Context) {
	count := 1 + p.dice.IntN(3)
	dish := fmt.Sprintf("%d-101", p.place.city)
	status, a := p.call(ctx, http.MethodPut, "/cart/add", p.at(object{"product_key": dish, "count": count}))
	if p.fault != nil || status != http.StatusOK || a.Cart == nil {
		p.fail("a dish cannot be added: %d %s", status, a.Message)
		return
	}
	if p.dice.IntN(3) == 0 {
		if _, with := p.call(ctx, http.MethodPut, "/cart/gift/apply-promocode", p.at(object{"promocode": "TENTH"})); with.Cart != nil {
			a.Cart = with.Cart
		}
	}
	p.placeOrder(ctx, *a.Cart)
	if p.order == 0 || p.kind.paymentType == "cash" {
		return
	}
	p.finish(ctx)
	if p.kind.cancels && p.state == "paid" {
		p.call(ctx, http.MethodPost, "/order/cancel", object{"order_id": p.order})
	} else if p.state == "paid" && p.order%2 == 0 {
		p.fetch(ctx)
	}
}

// fetch has the order cooked and handed over, as the operator reports it.
func (p *payer) fetch(ctx context.Context) {
	p.isOperator = true
	defer func() { p.isOperator = false }()
	for _, status := range []string{"cooking", "done"} {
		p.call(ctx, http.MethodPost, fmt.Sprintf("/operator/orders/%d/status", p.order), object{"status": status})
	}
}

// placeOrder sends the order until it is taken, each time with the cart that came with the
// refusal.
func (p *payer) placeOrder(ctx context.Context, c cart) {
	p.order = 0
	for range 20 {
		status, begun := p.call(ctx, http.MethodPost, "/order/create-order-cache", p.at(nil))
		if p.fault != nil {
			return
		}
		if status != http.StatusOK {
			p.fail("the checkout cannot begin: %d %s %v", status, begun.Message, begun.Errors)
			return
		}
		status, a := p.call(ctx, http.MethodPost, "/order/create", p.at(object{
			"order_cache_key": begun.OrderCacheKey, "phone": p.phone, "username": "Payer", "payment_type": p.kind.paymentType,
			"interval_id": "asap", "cart": object{"fingerprint": c.Fingerprint, "prices": object{"total": c.Prices.Total}},
		}))
		switch {
		case p.fault != nil:
			return
		case status == http.StatusOK:
			p.key, p.order, p.state, p.tries = begun.OrderCacheKey, a.OrderID, "", 0
			p.acknowledged(c)
			return
		case status == http.StatusConflict && a.Cart != nil:
			c = *a.Cart
		default:
			p.fail("the order is refused: %d %s %v", status, a.Message, a.Errors)
			return
		}
	}
	p.fail("the order is never taken")
}

// acknowledged writes down what the payer got confirmed.
func (p *payer) acknowledged(c cart) {
	total, err := money.Parse(c.Prices.Total.String())
	if err != nil {
		p.fail("%v", err)
	}
	products := map[int64]int{}
	for _, line := range c.Products {
		products[101] += line.Count
	}
	p.confirmed = append(p.confirmed, audittest.Confirmed{
		Key: p.key, ID: p.order, Total: total, PaymentType: p.kind.paymentType, Phone: p.phone, Products: products,
	})
}

// finish stays on the payment page until the payment is over.
func (p *payer) finish(ctx context.Context) {
	wavered := false
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
			if p.kind.wavers && !wavered {
				wavered = true
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

// goBack is the way back to the checkout: what was not paid is withdrawn, and the cart is
// ordered again.
func (p *payer) goBack(ctx context.Context) {
	status, _ := p.call(ctx, http.MethodPost, "/order/create-order-cache", p.at(nil))
	if status == http.StatusConflict {
		return // it turned out paid
	}
	_, a := p.call(ctx, http.MethodPut, "/cart", p.at(nil))
	if a.Cart == nil || len(a.Cart.Products) == 0 {
		p.fail("the cart is gone after the way back")
		return
	}
	p.placeOrder(ctx, *a.Cart)
}

// loadNext reads what the payment page shows.
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
	p.see(*a.Payment)
	return a.Payment.Next
}

func (p *payer) see(a paying) {
	p.state = a.State
	if a.State == "paid" {
		p.confirmed[len(p.confirmed)-1].Paid = true
	}
}

// card is the card of this try.
func (p *payer) card() string {
	return p.kind.cards[min(p.tries, len(p.kind.cards))-1]
}

// pay begins a try.
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
	p.call(ctx, http.MethodPost, "/order/pay", body) // what it answers is on the payment page too
}

// cryptogram encrypts the card as our page does.
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

// act does what the page asks for: at the bank, on the phone, in the frame of 3-D
// Secure.
func (p *payer) act(ctx context.Context, n *next) {
	switch {
	case n == nil, p.kind.leaves:
	case n.Reason == "approved-new" && p.kind.paymentType == "card_online":
		p.form(ctx, n.FormURL, url.Values{"number": {p.card()}, "expiry": {"12/40"}, "cvc": {"123"}})
	case n.Reason == "approved-new":
		p.form(ctx, n.FormURL, url.Values{"outcome": {"paid"}})
	case n.Reason == "sbp-mobile":
		p.form(ctx, n.PaymentLink, url.Values{"outcome": {"paid"}})
	case n.Reason == "push":
		p.answerPhone(ctx)
	case n.Reason == "3ds", n.Reason == "3ds-v2":
		p.prove(ctx, n)
	}
}

func (p *payer) form(ctx context.Context, address string, fields url.Values) string {
	_, page, err := p.send(ctx, http.MethodPost, address, "application/x-www-form-urlencoded", "", []byte(fields.Encode()))
	if err != nil {
		p.fail("%s: %v", address, err)
	}
	return string(page)
}

var phoneLink = regexp.MustCompile(`href="(/dev/sandbox/phone/[^"]+)"`)

// answerPhone agrees to everything that the phone asks. It belongs to all payers: who
// is first pays for the others too, as they would.
func (p *payer) answerPhone(ctx context.Context) {
	_, page, err := p.send(ctx, http.MethodGet, p.base+"/dev/sandbox/phone", "", "", nil)
	if err != nil {
		p.fail("the phone: %v", err)
		return
	}
	for _, found := range phoneLink.FindAllStringSubmatch(string(page), -1) {
		p.form(ctx, p.base+found[1], url.Values{"outcome": {"paid"}})
	}
}

var (
	formAction = regexp.MustCompile(`<form method="post" action="([^"]+)"`)
	formField  = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)
)

// submit posts the form that a page of the bank holds.
func (p *payer) submit(ctx context.Context, page string, more url.Values) string {
	action := formAction.FindStringSubmatch(page)
	if action == nil {
		return "" // it has ended
	}
	address := html.UnescapeString(action[1])
	if strings.HasPrefix(address, "/") {
		address = p.base + address
	}
	fields := url.Values{}
	for _, f := range formField.FindAllStringSubmatch(page, -1) {
		fields.Set(f[1], html.UnescapeString(f[2]))
	}
	for name, values := range more {
		fields[name] = values
	}
	return p.form(ctx, address, fields)
}

// prove goes through 3-D Secure, and asks what became of it.
func (p *payer) prove(ctx context.Context, n *next) {
	body := object{"order_id": p.order, "order_cache_key": p.key, "TransactionId": n.TransactionID}
	switch {
	case n.Reason == "3ds":
		check := p.form(ctx, n.AcsUrl, url.Values{"MD": {n.MD}, "PaReq": {n.PaReq}, "TermUrl": {n.TermUrl}})
		p.submit(ctx, p.submit(ctx, check, url.Values{"answer": {"yes"}}), nil)
	case n.CReq != "":
		check := p.form(ctx, n.AcsUrl, url.Values{"creq": {n.CReq}, "threeDSSessionData": {n.TransactionID}})
		p.submit(ctx, p.submit(ctx, check, url.Values{"answer": {"yes"}}), nil)
	case n.ThreeDS != nil && n.ThreeDS.MethodURL != "":
		p.submit(ctx, p.form(ctx, n.ThreeDS.MethodURL, url.Values{"threeDSMethodData": {n.ThreeDS.MethodData}}), nil)
		body["method_done"] = true
	}
	_, a := p.call(ctx, http.MethodPost, "/order/post3ds", body)
	if a.Payment != nil {
		p.see(*a.Payment)
	}
}
