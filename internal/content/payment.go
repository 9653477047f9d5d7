package content

import (
	"maps"
	"net/url"
	"regexp"
	"strings"

	"servery/internal/site"
)

// accountPattern is how an acquirer's account is called in the file of providers and in
// the addresses of callbacks.
var accountPattern = regexp.MustCompile(`^[a-z0-9]+([-_][a-z0-9]+)*$`)

// paying is how customers pay: the brand's, and what a city has of its own.
type paying struct {
	types     map[site.OrderType][]string
	acquiring map[string]string
	cardForm  bool
	fiscal    *site.Fiscal
}

// paying reads how customers pay; what is absent is as usual.
func (o *object) paying(usual paying) paying {
	p := usual
	if v, ok := o.get("payment_types"); ok {
		p.types = v.paymentTypes()
	}
	p.acquiring = maps.Clone(usual.acquiring)
	if v, ok := o.get("acquiring"); ok {
		if p.acquiring == nil {
			p.acquiring = map[string]string{}
		}
		maps.Copy(p.acquiring, v.acquiring())
	}
	p.cardForm = o.truth("card_form", usual.cardForm)
	if v, ok := o.get("fiscal"); ok {
		p.fiscal = v.fiscal()
	}
	return p
}

func (v value) paymentTypes() map[site.OrderType][]string {
	types := map[site.OrderType][]string{}
	o := v.object()
	for _, t := range site.OrderTypes() {
		seen := map[string]bool{}
		for _, p := range o.list(string(t)) {
			alias := oneOf(p, site.PaymentTypes())
			if alias != "" && seen[alias] {
				p.fault("%s is there twice", alias)
			}
			seen[alias] = true
			types[t] = append(types[t], alias)
		}
	}
	o.done()
	return types
}

// acquiring reads which account takes which payment type.
func (v value) acquiring() map[string]string {
	accounts := map[string]string{}
	o := v.object()
	for _, t := range site.PaymentTypes() {
		if !site.IsOnline(t) {
			continue
		}
		account, ok := o.get(t)
		if !ok {
			continue
		}
		name := account.text()
		if name != "" && (!accountPattern.MatchString(name) || len(name) > 64) {
			account.fault("%q is not the name of an account: lower-case latin letters, digits, single dashes and underscores, at most 64", name)
		}
		accounts[t] = name
	}
	o.done()
	return accounts
}

// fiscal reads what receipts say; false sends none.
func (v value) fiscal() *site.Fiscal {
	if !v.isMap() {
		if v.truth() {
			v.fault("fiscal is false or has the fields tax, vat, delivery_vat, mode, prepayment_vat and email")
		}
		return nil
	}
	o := v.object()
	f := &site.Fiscal{}
	if tax, ok := o.get("tax"); ok {
		f.Tax = oneOf(tax, site.TaxSystems())
	}
	if vat, ok := o.need("vat"); ok {
		f.VAT = vat.vat()
	}
	f.DeliveryVAT = f.VAT
	if vat, ok := o.get("delivery_vat"); ok {
		f.DeliveryVAT = vat.vat()
	}
	f.Mode = site.FullPrepayment
	if mode, ok := o.get("mode"); ok {
		f.Mode = oneOf(mode, site.ReceiptModes())
	}
	if f.IsPrepayment() {
		f.PrepaymentVAT = site.CalculatedVAT
	}
	if written, ok := o.get("prepayment_vat"); ok {
		if f.PrepaymentVAT = oneOf(written, site.PrepaymentVATs()); !f.IsPrepayment() {
			written.fault("prepayment_vat is of prepayments, and mode is %s", f.Mode)
		}
	}
	if email, ok := o.get("email"); ok {
		f.EmailRequired = oneOf(email, []string{"required", "optional"}) == "required"
	}
	o.done()
	return f
}

// vat reads a tax, which is a word or a percentage in quotes or not.
func (v value) vat() string {
	written := v.digits()
	for _, rate := range site.VATs() {
		if written == rate {
			return rate
		}
	}
	v.fault("%q is not one of %s", written, strings.Join(site.VATs(), ", "))
	return ""
}

// checkPaying makes sure that every order can be paid, and that whatever is paid online
// goes somewhere.
func (v value) checkPaying(c *site.City) {
	for _, t := range site.OrderTypes() {
		if !c.Sells(t) {
			continue
		}
		if len(c.PaymentTypes[t]) == 0 {
			v.fault("there is no payment type for %s", t)
		}
		for _, p := range c.PaymentTypes[t] {
			if site.IsOnline(p) && c.Acquiring[p] == "" {
				v.fault("%s is offered for %s, but acquiring names no account for it", p, t)
			}
		}
	}
}

// consents reads what customers are asked to agree to before they order.
func (o *object) consents() []site.Consent {
	var all []site.Consent
	taken := map[string]bool{}
	for _, v := range o.list("consents") {
		f := v.object()
		c := site.Consent{Text: f.needWords("text", shared), Version: f.needText("version"), Required: f.truth("required", false)}
		if alias, ok := f.need("alias"); ok {
			c.Alias = alias.alias()
			if len(c.Alias) > maxConsent {
				alias.fault("a consent's alias has at most %d letters", maxConsent)
			}
			if taken[c.Alias] {
				alias.fault("consent %s is there twice", c.Alias)
			}
			taken[c.Alias] = true
		}
		if at, ok := f.get("url"); ok {
			c.URL = at.text()
			switch {
			case strings.HasPrefix(c.URL, "/") && !strings.HasPrefix(c.URL, "//"):
				at.fault("this site has no page %s: write the whole address of the document, https://…", c.URL)
			case !isDocument(c.URL):
				at.fault("the document begins with https://: %q", c.URL)
			}
		}
		f.done()
		all = append(all, c)
	}
	return all
}

// maxConsent is the longest alias of a consent that an order can name.
const maxConsent = 32

// isDocument reports whether an address leads to another site by https.
func isDocument(address string) bool {
	u, err := url.Parse(address)
	return err == nil && !strings.ContainsAny(address, `\`) && u.Scheme == "https" && u.Host != "" && u.User == nil
}
