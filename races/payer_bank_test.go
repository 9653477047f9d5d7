package races_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

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
