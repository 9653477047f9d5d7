package provider

import (
	"net/netip"
	"regexp"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"servery/internal/acquiring"
	"servery/internal/acquiring/cardform"
	"servery/internal/acquiring/ozan"
	"servery/internal/acquiring/sber"
	"servery/internal/acquiring/stripe"
	"servery/internal/acquiring/yookassa"
)

// sandbox begins the names of the accounts that development builds have by themselves.
const sandbox = "sandbox"

// IsSandbox reports whether an acquirer of that name moves no money.
func IsSandbox(name string) bool { return strings.HasPrefix(name, sandbox) }

// accountPattern is how an account may be called: content and the addresses of callbacks
// name it.
var accountPattern = regexp.MustCompile(`^[a-z0-9]+([-_][a-z0-9]+)*$`)

// Accounts gives the acquirers of the brands by the names of their accounts.
func (b Book) Accounts(aliases []string) acquiring.Accounts {
	accounts := acquiring.Accounts{}
	for _, alias := range aliases {
		if own := b.Site(alias).Acquirers; len(own) > 0 {
			accounts[alias] = own
		}
	}
	return accounts
}

// acquirers reads the list of a brand's accounts.
func (f *file) acquirers(all *fields) map[string]acquiring.Acquirer {
	const key = "acquirers"
	n := all.take(key)
	if n == nil {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.fault(all.lines[key], "%s must be a list", key)
		return nil
	}
	accounts := map[string]acquiring.Acquirer{}
	for _, n := range list.Values {
		one := f.fields(n)
		if one == nil {
			continue
		}
		if name, a := f.acquirer(one); a != nil {
			if accounts[name] != nil {
				f.fault(one.line, "two acquirers are called %s: give one another name", name)
			}
			accounts[name] = a
		}
		one.end()
	}
	return accounts
}

// acquirer reads one account and gives its name, that of the provider where it has no other.
func (f *file) acquirer(one *fields) (string, acquiring.Acquirer) {
	kind := one.choose(yookassa.Name, sber.Name, sber.NameLegacy, cardform.Name, stripe.Name, ozan.Name)
	if kind == "" {
		return "", nil
	}
	name := one.account(kind)
	faults := len(f.faults)
	open := map[string]func() (acquiring.Acquirer, error){
		yookassa.Name: one.yookassa, sber.Name: one.sber, sber.NameLegacy: one.sberLegacy,
		cardform.Name: one.cardform, stripe.Name: one.stripe, ozan.Name: one.ozan,
	}[kind]
	a, err := open()
	if len(f.faults) > faults {
		return "", nil // what is missing was said with its line
	}
	if err != nil {
		f.fault(one.line, "%v", err)
		return "", nil
	}
	return name, a
}

func (f *fields) account(usual string) string {
	const key = "name"
	name := f.text(key)
	switch {
	case name == "":
		return usual
	case len(name) > 64 || !accountPattern.MatchString(name):
		f.file.fault(f.lines[key], "%s must be lower-case latin letters, digits, single dashes and underscores, at most 64", key)
	case IsSandbox(name):
		f.file.fault(f.lines[key], "%s begins the names of built-in acquirers", sandbox)
	}
	return name
}

func (f *fields) yookassa() (acquiring.Acquirer, error) {
	return yookassa.New(yookassa.Config{
		BaseURL: f.base(yookassa.BaseURL), ShopID: f.need("shop_id"), SecretKey: f.need("secret_key"),
		Senders: f.senders(yookassa.SenderNetworks), Timeout: f.timeout(), Clock: f.file.clock,
	})
}

func (f *fields) sber() (acquiring.Acquirer, error) {
	c := f.sberConfig(sber.BaseURL)
	c.UserName, c.Password = f.need("user_name"), f.need("password")
	return sber.New(c)
}

func (f *fields) sberLegacy() (acquiring.Acquirer, error) {
	c := f.sberConfig(sber.BaseURLLegacy)
	c.Legacy, c.CallbackKey = true, f.text("callback_key")
	if c.Token = f.text("token"); c.Token == "" {
		c.UserName, c.Password = f.need("user_name"), f.need("password")
	}
	return sber.New(c)
}

func (f *fields) sberConfig(host string) sber.Config {
	c := sber.Config{
		BaseURL: f.base(host), FormPage: f.address("form_page", ""), SBP: f.truth("sbp"), SberPay: f.truth("sberpay"),
		Session: f.duration("session_minutes", time.Minute, 60), Timeout: f.timeout(), Clock: f.file.clock,
	}
	if n := f.take("company"); n != nil {
		if company := f.file.fields(n); company != nil {
			c.Company = sber.Company{Email: company.text("email"), INN: company.text("inn"), Site: company.text("site")}
			company.end()
		}
	}
	return c
}

func (f *fields) cardform() (acquiring.Acquirer, error) {
	return cardform.New(cardform.Config{
		BaseURL: f.base(cardform.BaseURL), Script: f.address("script", cardform.Script), PublicID: f.need("public_id"), APISecret: f.need("api_secret"),
		SBP: f.truth("sbp"), SberPay: f.truth("sberpay"), Timeout: f.timeout(), Clock: f.file.clock,
	})
}

func (f *fields) stripe() (acquiring.Acquirer, error) {
	return stripe.New(stripe.Config{
		BaseURL: f.base(stripe.BaseURL), SecretKey: f.need("secret_key"), WebhookSecret: f.need("webhook_secret"), Version: f.text("version"),
		ApplePay: f.truth("apple_pay"), GooglePay: f.truth("google_pay"), Timeout: f.timeout(), Clock: f.file.clock,
	})
}

func (f *fields) ozan() (acquiring.Acquirer, error) {
	return ozan.New(ozan.Config{
		BaseURL: f.base(ozan.BaseURL), APIKey: f.need("api_key"), ProviderKey: f.text("provider_key"), SecretKey: f.need("secret_key"),
		Address: f.text("address"), City: f.text("city"), Postcode: f.text("postcode"), Timeout: f.timeout(), Clock: f.file.clock,
	})
}

// timeout gives how long a request may take; 0 leaves it to the acquirer.
func (f *fields) timeout() time.Duration { return f.duration("timeout_seconds", time.Second, 120) }

// duration gives a whole number of units from 1; 0 when it is not there.
func (f *fields) duration(key string, unit time.Duration, most int) time.Duration {
	n := f.take(key)
	if n == nil {
		return 0
	}
	whole, ok := n.(*ast.IntegerNode)
	if ok {
		if value, isUint := whole.Value.(uint64); isUint && value >= 1 && value <= uint64(most) {
			return time.Duration(value) * unit
		}
	}
	f.file.fault(f.lines[key], "%s must be a whole number from 1 to %d", key, most)
	return 0
}

// senders gives the networks that callbacks are taken from: a list of them, the word
// published for those that the acquirer says, or nothing for all.
func (f *fields) senders(published func() []netip.Prefix) []netip.Prefix {
	const key = "senders"
	n := f.take(key)
	if n == nil {
		return nil
	}
	if word, ok := n.(*ast.StringNode); ok && word.Value == "published" {
		return published()
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.file.fault(f.lines[key], "%s must be published or a list of networks", key)
		return nil
	}
	var networks []netip.Prefix
	for _, n := range list.Values {
		network, err := netip.ParsePrefix(n.GetToken().Value)
		if err != nil {
			f.file.fault(lineOf(n), "a network looks like 192.0.2.0/24")
			continue
		}
		networks = append(networks, network)
	}
	return networks
}
