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
	"servery/internal/yamldoc"
)

// sandbox begins the names of the accounts that development builds have by themselves.
const sandbox = "sandbox"

// IsSandbox reports whether an acquirer of that name moves no money.
func IsSandbox(name string) bool { return strings.HasPrefix(name, sandbox) }

// accountPattern matches the names of accounts: content and the addresses of webhooks use them.
var accountPattern = regexp.MustCompile(`^[a-z0-9]+([-_][a-z0-9]+)*$`)

// Accounts returns the acquirers of the brands by the names of their accounts.
func (b Book) Accounts(aliases []string) acquiring.Accounts {
	accounts := acquiring.Accounts{}
	for _, alias := range aliases {
		if own := b.Site(alias).Acquirers; len(own) > 0 {
			accounts[alias] = own
		}
	}
	return accounts
}

// readAcquirers reads the list of a brand's accounts. It leaves out the wrong ones and adds a fault for
// each.
func (f *file) readAcquirers(brand *fields) map[string]acquiring.Acquirer {
	const key = "acquirers"
	n := brand.takeNode(key)
	if n == nil {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.addFault(brand.lines[key], "%s must be a list", key)
		return nil
	}
	accounts := map[string]acquiring.Acquirer{}
	for _, n := range list.Values {
		entry := f.readFields(n)
		if entry == nil {
			continue
		}
		if name, a := f.readAcquirer(entry); a != nil {
			if accounts[name] != nil {
				f.addFault(entry.line, "two acquirers are called %s: give one another name", name)
			}
			accounts[name] = a
		}
		entry.checkFields()
	}
	return accounts
}

// readAcquirer reads one account and returns it with its name, which is the provider's when the entry
// has none. When the entry is wrong it adds a fault and returns nil.
func (f *file) readAcquirer(entry *fields) (string, acquiring.Acquirer) {
	kind := entry.chooseProvider(yookassa.Name, sber.Name, sber.NameLegacy, cardform.Name, stripe.Name, ozan.Name)
	if kind == "" {
		return "", nil
	}
	name := entry.accountName(kind)
	faults := len(f.faults)
	open := map[string]func() (acquiring.Acquirer, error){
		yookassa.Name: entry.openYooKassa, sber.Name: entry.openSber, sber.NameLegacy: entry.openSberLegacy,
		cardform.Name: entry.openCardForm, stripe.Name: entry.openStripe, ozan.Name: entry.openOzan,
	}[kind]
	a, err := open()
	if len(f.faults) > faults {
		return "", nil // the faults have their lines already
	}
	if err != nil {
		f.addFault(entry.line, "%v", err)
		return "", nil
	}
	return name, a
}

// accountName returns the name of an account, or the usual one when the field is absent.
func (f *fields) accountName(usual string) string {
	const key = "name"
	name := f.readText(key)
	switch {
	case name == "":
		return usual
	case len(name) > 64 || !accountPattern.MatchString(name):
		f.file.addFault(f.lines[key], "%s must be lower-case latin letters, digits, single dashes and underscores, at most 64", key)
	case IsSandbox(name):
		f.file.addFault(f.lines[key], "%s begins the names of built-in acquirers", sandbox)
	}
	return name
}

func (f *fields) openYooKassa() (acquiring.Acquirer, error) {
	return yookassa.New(yookassa.Config{
		BaseURL: f.baseURL(yookassa.BaseURL), ShopID: f.requiredText("shop_id"), SecretKey: f.requiredText("secret_key"),
		Senders: f.readNetworks(yookassa.SenderNetworks), Timeout: f.readTimeout(), Clock: f.file.clock,
	})
}

func (f *fields) openSber() (acquiring.Acquirer, error) {
	c := f.sberConfig(sber.BaseURL)
	c.UserName, c.Password = f.requiredText("user_name"), f.requiredText("password")
	return sber.New(c)
}

func (f *fields) openSberLegacy() (acquiring.Acquirer, error) {
	c := f.sberConfig(sber.BaseURLLegacy)
	c.Legacy, c.CallbackKey = true, f.readText("callback_key")
	if c.Token = f.readText("token"); c.Token == "" {
		c.UserName, c.Password = f.requiredText("user_name"), f.requiredText("password")
	}
	return sber.New(c)
}

// sberConfig reads what both interfaces of Sber have in common.
func (f *fields) sberConfig(host string) sber.Config {
	c := sber.Config{
		BaseURL: f.baseURL(host), FormPage: f.readAddress("form_page", ""), SBP: f.readBool("sbp"), SberPay: f.readBool("sberpay"),
		Session: f.readDuration("session_minutes", time.Minute, 60), Timeout: f.readTimeout(), Clock: f.file.clock,
	}
	if n := f.takeNode("company"); n != nil {
		if company := f.file.readFields(n); company != nil {
			c.Company = sber.Company{Email: company.readText("email"), INN: company.readText("inn"), Site: company.readText("site")}
			company.checkFields()
		}
	}
	return c
}

func (f *fields) openCardForm() (acquiring.Acquirer, error) {
	return cardform.New(cardform.Config{
		BaseURL: f.baseURL(cardform.BaseURL), Script: f.readAddress("script", cardform.Script), PublicID: f.requiredText("public_id"), APISecret: f.requiredText("api_secret"),
		SBP: f.readBool("sbp"), SberPay: f.readBool("sberpay"), Timeout: f.readTimeout(), Clock: f.file.clock,
	})
}

func (f *fields) openStripe() (acquiring.Acquirer, error) {
	return stripe.New(stripe.Config{
		BaseURL: f.baseURL(stripe.BaseURL), SecretKey: f.requiredText("secret_key"), WebhookSecret: f.requiredText("webhook_secret"), Version: f.readText("version"),
		ApplePay: f.readBool("apple_pay"), GooglePay: f.readBool("google_pay"), Timeout: f.readTimeout(), Clock: f.file.clock,
	})
}

func (f *fields) openOzan() (acquiring.Acquirer, error) {
	return ozan.New(ozan.Config{
		BaseURL: f.baseURL(ozan.BaseURL), APIKey: f.requiredText("api_key"), ProviderKey: f.readText("provider_key"), SecretKey: f.requiredText("secret_key"),
		Address: f.readText("address"), City: f.readText("city"), Postcode: f.readText("postcode"), Timeout: f.readTimeout(), Clock: f.file.clock,
	})
}

// readTimeout returns how long a request may take; 0 leaves it to the acquirer.
func (f *fields) readTimeout() time.Duration {
	const mostSeconds = 120
	return f.readDuration("timeout_seconds", time.Second, mostSeconds)
}

// readDuration returns a field that is a whole number of units, from 1 to maximum; 0 when it is absent.
func (f *fields) readDuration(key string, unit time.Duration, maximum int) time.Duration {
	n := f.takeNode(key)
	if n == nil {
		return 0
	}
	whole, ok := n.(*ast.IntegerNode)
	if ok {
		if value, isUint := whole.Value.(uint64); isUint && value >= 1 && value <= uint64(maximum) {
			return time.Duration(value) * unit
		}
	}
	f.file.addFault(f.lines[key], "%s must be a whole number from 1 to %d", key, maximum)
	return 0
}

// readNetworks returns the networks that webhooks are accepted from: a list, the word
// "published" for those that the acquirer publishes, or nothing for all.
func (f *fields) readNetworks(published func() []netip.Prefix) []netip.Prefix {
	const key = "senders"
	n := f.takeNode(key)
	if n == nil {
		return nil
	}
	if word, ok := n.(*ast.StringNode); ok && word.Value == "published" {
		return published()
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.file.addFault(f.lines[key], "%s must be published or a list of networks", key)
		return nil
	}
	var networks []netip.Prefix
	for _, n := range list.Values {
		network, err := netip.ParsePrefix(n.GetToken().Value)
		if err != nil {
			f.file.addFault(yamldoc.LineOf(n), "a network looks like 192.0.2.0/24")
			continue
		}
		networks = append(networks, network)
	}
	return networks
}
