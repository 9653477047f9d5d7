package content

import (
	"maps"
	"net/url"
	"regexp"
	"strings"

	"servery/internal/site"
)

// accountPattern matches the names of acquirers' accounts in the file of providers and in the
// addresses of webhooks.
var accountPattern = regexp.MustCompile(`^[a-z0-9]+([-_][a-z0-9]+)*$`)

// paymentRules is how customers pay: the brand's, and what a city has of its own.
type paymentRules struct {
	types     map[site.OrderType][]string
	acquiring map[string]string
	cardForm  bool
	fiscal    *site.Fiscal
}

// readPayments reads how customers pay; what is absent is as usual.
func (o *object) readPayments(usual paymentRules) paymentRules {
	p := usual
	if v, ok := o.optional("payment_types"); ok {
		p.types = v.readPaymentTypes()
	}
	p.acquiring = maps.Clone(usual.acquiring)
	if v, ok := o.optional("acquiring"); ok {
		if p.acquiring == nil {
			p.acquiring = map[string]string{}
		}
		maps.Copy(p.acquiring, v.readAcquiring())
	}
	p.cardForm = o.optionalBool("card_form", usual.cardForm)
	if v, ok := o.optional("fiscal"); ok {
		p.fiscal = v.readFiscal()
	}
	return p
}

// readPaymentTypes reads the payment types of each order type, each once.
func (v value) readPaymentTypes() map[site.OrderType][]string {
	types := map[site.OrderType][]string{}
	o := v.toObject()
	for _, t := range site.OrderTypes() {
		seen := map[string]bool{}
		for _, p := range o.optionalList(string(t)) {
			alias := toOneOf(p, site.PaymentTypes())
			if alias != "" && seen[alias] {
				p.addFault("%s is there twice", alias)
			}
			seen[alias] = true
			types[t] = append(types[t], alias)
		}
	}
	o.checkFields()
	return types
}

// readAcquiring reads which account takes which payment type.
func (v value) readAcquiring() map[string]string {
	accounts := map[string]string{}
	o := v.toObject()
	for _, t := range site.PaymentTypes() {
		if !site.IsOnline(t) {
			continue
		}
		account, ok := o.optional(t)
		if !ok {
			continue
		}
		name := account.toText()
		if name != "" && (!accountPattern.MatchString(name) || len(name) > 64) {
			account.addFault("%q is not the name of an account: lower-case latin letters, digits, single dashes and underscores, at most 64", name)
		}
		accounts[t] = name
	}
	o.checkFields()
	return accounts
}

// readFiscal reads the contents of receipts; false sends none.
func (v value) readFiscal() *site.Fiscal {
	if !v.isMap() {
		if v.toBool() {
			v.addFault("fiscal is false or has the fields tax, vat, delivery_vat, mode, prepayment_vat and email")
		}
		return nil
	}
	o := v.toObject()
	f := &site.Fiscal{}
	if tax, ok := o.optional("tax"); ok {
		f.Tax = toOneOf(tax, site.TaxSystems())
	}
	if vat, ok := o.required("vat"); ok {
		f.VAT = vat.readVAT()
	}
	f.DeliveryVAT = f.VAT
	if vat, ok := o.optional("delivery_vat"); ok {
		f.DeliveryVAT = vat.readVAT()
	}
	f.Mode = site.FullPrepayment
	if mode, ok := o.optional("mode"); ok {
		f.Mode = toOneOf(mode, site.ReceiptModes())
	}
	if f.IsPrepayment() {
		f.PrepaymentVAT = site.CalculatedVAT
	}
	if written, ok := o.optional("prepayment_vat"); ok {
		if f.PrepaymentVAT = toOneOf(written, site.PrepaymentVATs()); !f.IsPrepayment() {
			written.addFault("prepayment_vat is of prepayments, and mode is %s", f.Mode)
		}
	}
	if email, ok := o.optional("email"); ok {
		f.EmailRequired = toOneOf(email, []string{"required", "optional"}) == "required"
	}
	o.checkFields()
	return f
}

// readVAT reads a tax, which is a word or a percentage in quotes or not.
func (v value) readVAT() string {
	written := v.toDigits()
	for _, rate := range site.VATs() {
		if written == rate {
			return rate
		}
	}
	v.addFault("%q is not one of %s", written, strings.Join(site.VATs(), ", "))
	return ""
}

// checkPayments adds faults where an order could not be paid, or an online payment has no account.
func (v value) checkPayments(c *site.City) {
	for _, t := range site.OrderTypes() {
		if !c.Sells(t) {
			continue
		}
		if len(c.PaymentTypes[t]) == 0 {
			v.addFault("there is no payment type for %s", t)
		}
		for _, p := range c.PaymentTypes[t] {
			if site.IsOnline(p) && c.Acquiring[p] == "" {
				v.addFault("%s is offered for %s, but acquiring names no account for it", p, t)
			}
		}
	}
}

// readConsents reads what customers are asked to agree to before they order.
func (o *object) readConsents() []site.Consent {
	var all []site.Consent
	taken := map[string]bool{}
	for _, v := range o.optionalList("consents") {
		f := v.toObject()
		c := site.Consent{Text: f.requiredLocalizedText("text", sharedTexts), Version: f.requiredText("version"), Required: f.optionalBool("required", false)}
		if alias, ok := f.required("alias"); ok {
			c.Alias = alias.readAlias()
			if len(c.Alias) > maxConsent {
				alias.addFault("a consent's alias has at most %d letters", maxConsent)
			}
			if taken[c.Alias] {
				alias.addFault("consent %s is there twice", c.Alias)
			}
			taken[c.Alias] = true
		}
		if at, ok := f.optional("url"); ok {
			c.URL = at.toText()
			switch {
			case strings.HasPrefix(c.URL, "/") && !strings.HasPrefix(c.URL, "//"):
				at.addFault("this site has no page %s: write the whole address of the document, https://…", c.URL)
			case !isDocument(c.URL):
				at.addFault("the document begins with https://: %q", c.URL)
			}
		}
		f.checkFields()
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
