package races_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// act does what the payment page asks for next: on the bank's page, on the phone, or in the frame of 3-D Secure. It
// does nothing for a payer who leaves.
func (p *payer) act(ctx context.Context, n *next) {
	switch {
	case n == nil, p.kind.leaves:
	case n.Reason == "approved-new" && p.kind.paymentType == "card_online":
		p.postForm(ctx, n.FormURL, url.Values{"number": {p.card()}, "expiry": {"12/40"}, "cvc": {"123"}})
	case n.Reason == "approved-new":
		p.postForm(ctx, n.FormURL, url.Values{"outcome": {"paid"}})
	case n.Reason == "sbp-mobile":
		p.postForm(ctx, n.PaymentLink, url.Values{"outcome": {"paid"}})
	case n.Reason == "push":
		p.answerPhone(ctx)
	case n.Reason == "3ds", n.Reason == "3ds-v2":
		p.completeChallenge(ctx, n)
	}
}

// postForm posts fields to an address and returns the page that answers.
func (p *payer) postForm(ctx context.Context, address string, fields url.Values) string {
	_, page, err := p.send(ctx, http.MethodPost, address, "application/x-www-form-urlencoded", "", []byte(fields.Encode()))
	if err != nil {
		p.fail("%s: %v", address, err)
	}
	return string(page)
}

var phoneLink = regexp.MustCompile(`href="(/dev/sandbox/phone/[^"]+)"`)

// answerPhone confirms every payment that the test bank's phone shows. All payers share the phone, so a payer confirms
// for the others too.
func (p *payer) answerPhone(ctx context.Context) {
	_, page, err := p.send(ctx, http.MethodGet, p.base+"/dev/sandbox/phone", "", "", nil)
	if err != nil {
		p.fail("the phone: %v", err)
		return
	}
	for _, found := range phoneLink.FindAllStringSubmatch(string(page), -1) {
		p.postForm(ctx, p.base+found[1], url.Values{"outcome": {"paid"}})
	}
}

var (
	formAction = regexp.MustCompile(`<form method="post" action="([^"]+)"`)
	formField  = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)
)

// submit posts the form of a page of the bank, with the fields in more, and returns the page that answers. It returns
// "" when the page has no form.
func (p *payer) submit(ctx context.Context, page string, more url.Values) string {
	action := formAction.FindStringSubmatch(page)
	if action == nil {
		return "" // the bank has no more questions
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
	return p.postForm(ctx, address, fields)
}

// completeChallenge completes 3-D Secure with the bank, and sends the result to the server.
func (p *payer) completeChallenge(ctx context.Context, n *next) {
	body := object{"order_id": p.order, "order_cache_key": p.key, "TransactionId": n.TransactionID}
	switch {
	case n.Reason == "3ds":
		check := p.postForm(ctx, n.AcsUrl, url.Values{"MD": {n.MD}, "PaReq": {n.PaReq}, "TermUrl": {n.TermUrl}})
		p.submit(ctx, p.submit(ctx, check, url.Values{"answer": {"yes"}}), nil)
	case n.CReq != "":
		check := p.postForm(ctx, n.AcsUrl, url.Values{"creq": {n.CReq}, "threeDSSessionData": {n.TransactionID}})
		p.submit(ctx, p.submit(ctx, check, url.Values{"answer": {"yes"}}), nil)
	case n.ThreeDS != nil && n.ThreeDS.MethodURL != "":
		p.submit(ctx, p.postForm(ctx, n.ThreeDS.MethodURL, url.Values{"threeDSMethodData": {n.ThreeDS.MethodData}}), nil)
		body["method_done"] = true
	}
	_, a := p.call(ctx, http.MethodPost, "/order/post3ds", body)
	if a.Payment != nil {
		p.storeState(*a.Payment)
	}
}
