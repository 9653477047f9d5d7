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

// acquirerFields is how online payments are taken, of a brand or of a city.
type acquirerFields struct {
	// The acquirer's account, in the file of providers, for each payment type that is paid online
	Acquiring mappingOf[accountFields] `field:"acquiring"`
	// Cards are entered on our own page where the acquirer takes that
	CardForm *bool `field:"card_form"`
	// What receipts of online payments say; false sends none
	Fiscal fiscalValue `field:"fiscal"`
}

// paymentTypeFields is what can be paid with, in the order in which it is offered.
type paymentTypeFields struct {
	Delivery []string `field:"delivery" one:"paymentTypes" unique:"true"`
	Takeaway []string `field:"takeaway" one:"paymentTypes" unique:"true"`
}

// accountFields are the accounts that take online payments.
type accountFields struct {
	CardOnline accountValue `field:"card_online"`
	SBP        accountValue `field:"sbp"`
	SberPay    accountValue `field:"sberpay"`
	ApplePay   accountValue `field:"apple_pay"`
	GooglePay  accountValue `field:"google_pay"`
}

// fiscalFields is what receipts say.
type fiscalFields struct {
	// The tax system; the acquirer's own setting when absent
	Tax string `field:"tax" one:"taxes"`
	// Of dishes and packages, in percent
	VAT vatValue `field:"vat,required"`
	// Of the delivery; that of dishes when absent
	DeliveryVAT vatValue `field:"delivery_vat"`
	// full_prepayment is followed by a closing receipt when the order is handed over, full_payment by none
	Mode string `field:"mode" one:"modes" default:"full_prepayment"`
	// How receipts of prepayment write the tax: as a part of the sum (22/122), or plain (22 %); calculated when absent
	PrepaymentVAT wordValue `field:"prepayment_vat" one:"prepayments"`
	// Whether an online payment needs an e-mail for the receipt
	Email string `field:"email" one:"emails" default:"optional"`
}

// consentFields is what customers are asked to agree to before they order.
type consentFields struct {
	// At most 32 letters
	Alias aliasValue `field:"alias,required" max:"32"`
	Text  textValue  `field:"text,required"`
	// The document, where it stands at another host
	URL httpsValue `field:"url"`
	// The document: the alias of a page in pages/ of every brand that sells there
	Page aliasValue `field:"page"`
	// Names the text, so that it is known what was agreed to
	Version string `field:"version,required"`
	// No order without it
	Required bool `field:"required"`
}

// readPayments returns how customers pay by the fields of a brand or a city. Absent fields are taken
// from usual: for a city these are the rules of the brand.
func (f acquirerFields) readPayments(types mappingOf[paymentTypeFields], usual paymentRules) paymentRules {
	p := usual
	if !types.isNull() {
		t, _ := types.readMapping()
		p.types = map[site.OrderType][]string{}
		for of, list := range map[site.OrderType][]string{site.Delivery: t.Delivery, site.Takeaway: t.Takeaway} {
			if len(list) > 0 {
				p.types[of] = list
			}
		}
	}
	p.acquiring = maps.Clone(usual.acquiring) // added to below
	if !f.Acquiring.isNull() {
		if p.acquiring == nil {
			p.acquiring = map[string]string{}
		}
		maps.Copy(p.acquiring, readAccounts(f.Acquiring))
	}
	if f.CardForm != nil {
		p.cardForm = *f.CardForm
	}
	if !f.Fiscal.isNull() {
		p.fiscal = f.Fiscal.readFiscal()
	}
	return p
}

// readAccounts returns the accounts that take online payments, by payment type.
func readAccounts(v mappingOf[accountFields]) map[string]string {
	f, _ := v.readMapping()
	accounts := map[string]string{}
	for paymentType, account := range map[string]accountValue{
		site.CardOnline: f.CardOnline, site.SBP: f.SBP, site.SberPay: f.SberPay, site.ApplePay: f.ApplePay, site.GooglePay: f.GooglePay,
	} {
		if account.isNull() {
			continue
		}
		name := account.toText()
		if name != "" && (!accountPattern.MatchString(name) || len(name) > 64) {
			account.addFault("%q is not the name of an account: lower-case latin letters, digits, single dashes and underscores, at most 64", name)
		}
		accounts[paymentType] = name
	}
	return accounts
}

// readFiscal reads the contents of receipts. It returns nil for false, which means no receipts. Unless
// they are written, the tax of the delivery is that of the dishes, and that of prepayments is calculated.
func (v fiscalValue) readFiscal() *site.Fiscal {
	if !v.isMap() {
		if v.toBool() {
			v.addFault("fiscal is false or has the fields tax, vat, delivery_vat, mode, prepayment_vat and email")
		}
		return nil
	}
	written, _ := readFields[fiscalFields](v.value)
	f := &site.Fiscal{Tax: written.Tax, VAT: written.VAT.readVAT(), Mode: written.Mode, EmailRequired: written.Email == "required"}
	f.DeliveryVAT = f.VAT
	if !written.DeliveryVAT.isNull() {
		f.DeliveryVAT = written.DeliveryVAT.readVAT()
	}
	if f.IsPrepayment() {
		f.PrepaymentVAT = site.CalculatedVAT
	}
	if tax := written.PrepaymentVAT; !tax.isNull() {
		if f.PrepaymentVAT = tax.asWritten(); !f.IsPrepayment() {
			tax.addFault("prepayment_vat is of prepayments, and mode is %s", f.Mode)
		}
	}
	return f
}

// readVAT reads a tax: a word, or a percentage with or without quotes. It is empty where there is none.
func (v vatValue) readVAT() string {
	if v.isNull() {
		return ""
	}
	written := v.asWritten()
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

// readConsents reads what customers are asked to agree to before they order, each once.
func readConsents(entries []mappingOf[consentFields]) []site.Consent {
	var consents []site.Consent
	taken := map[string]bool{}
	for _, entry := range entries {
		f, _ := entry.readMapping()
		c := site.Consent{Text: f.Text.localizedText(sharedTexts), Version: f.Version, Required: f.Required}
		if !f.Alias.isNull() {
			c.Alias = f.Alias.readAlias()
			if taken[c.Alias] {
				f.Alias.addFault("consent %s is there twice", c.Alias)
			}
			taken[c.Alias] = true
		}
		if at := f.URL; !at.isNull() {
			c.URL = at.toText()
			switch {
			case strings.HasPrefix(c.URL, "/") && !strings.HasPrefix(c.URL, "//"):
				at.addFault("write the whole address of the document, https://…, or page: the alias of a page in place of %s", c.URL)
			case !isExternalHTTPS(c.URL):
				at.addFault("the document begins with https://: %q", c.URL)
			}
		}
		if at := f.Page; !at.isNull() {
			if c.Page = at.readAlias(); c.URL != "" {
				at.addFault("the document is either a page or an url")
			}
		}
		consents = append(consents, c)
	}
	return consents
}

// isExternalHTTPS reports whether the address is an https URL with a host, and without a user or a
// backslash.
func isExternalHTTPS(address string) bool {
	u, err := url.Parse(address)
	return err == nil && !strings.ContainsAny(address, `\`) && u.Scheme == "https" && u.Host != "" && u.User == nil
}
