package provider

import (
	"cmp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"servery/internal/captcha"
	"servery/internal/clock"
	"servery/internal/notify"
	"servery/internal/notify/smsc"
	"servery/internal/notify/smsru"
	"servery/internal/notify/twilio"
	"servery/internal/vk"
)

// Read reads the file of providers. known are the brands that exist; nil when that is unknown. The
// error is an [Invalid] with each fault and its line.
func Read(name string, known []string, c clock.Clock) (Book, error) {
	book, _, err := ReadWithAddresses(name, known, c)
	return book, err
}

// ReadWithAddresses reads the file of providers as [Read] does. It also returns the base addresses of the
// servers that are called, each once.
func ReadWithAddresses(name string, known []string, c clock.Clock) (Book, []string, error) {
	f := &file{name: name, clock: c}
	book := Book{}
	if brands := f.openFile(); brands != nil {
		for _, alias := range brands.order {
			if known != nil && alias != Others && !slices.Contains(known, alias) {
				f.addFault(brands.lines[alias], "there is no site %q in the content", alias)
			}
			if n := brands.takeNode(alias); n != nil {
				book[alias] = f.readSite(n)
			}
		}
	}
	if len(f.faults) > 0 {
		slices.SortStableFunc(f.faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
		return nil, nil, &Invalid{slices.Compact(f.faults)}
	}
	return book, f.addresses, nil
}

// readSite reads the entry of a brand.
func (f *file) readSite(n ast.Node) (s Site) {
	brand := f.readFields(n)
	if brand == nil {
		return s
	}
	s.SMS = f.readSenders(brand, notify.SMS)
	s.Call = f.readSenders(brand, notify.Call)
	if n := brand.takeNode("captcha"); n != nil {
		s.Captcha = f.readCaptcha(n)
	}
	if n := brand.takeNode("vk"); n != nil {
		s.VK = f.readVK(n)
	}
	s.Acquirers = f.readAcquirers(brand)
	if n := brand.takeNode("feedback"); n != nil {
		s.Feedback = f.readFeedback(n)
	}
	if n := brand.takeNode("changes"); n != nil {
		s.Changes = f.readChanges(n)
	}
	s.Geocoders = f.readGeocoders(brand)
	brand.checkFields()
	return s
}

// readSenders reads the senders of a channel, in order.
func (f *file) readSenders(brand *fields, c notify.Channel) []notify.Sender {
	n := brand.takeNode(string(c))
	if n == nil {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.addFault(brand.lines[string(c)], "%s must be a list", c)
		return nil
	}
	var senders []notify.Sender
	for _, n := range list.Values {
		if entry := f.readFields(n); entry != nil {
			if s := f.readSender(entry, c); s != nil {
				senders = append(senders, s)
			}
			entry.checkFields()
		}
	}
	return senders
}

// chooseProvider returns the field provider. For a name that is not among names it adds a fault,
// returns an empty text and drops all fields, so that they add no faults of their own.
func (f *fields) chooseProvider(names ...string) string {
	name := f.requiredText("provider")
	if name == "" || slices.Contains(names, name) {
		return name
	}
	f.file.addFault(f.lines["provider"], "provider must be %s", strings.Join(names, " or "))
	clear(f.nodes)
	return ""
}

// readSender reads one sender. It returns nil when the provider is wrong.
func (f *file) readSender(entry *fields, c notify.Channel) notify.Sender {
	switch entry.chooseProvider("smsru", "smsc", "twilio") {
	case "smsru":
		s := smsru.Settings{BaseURL: entry.baseURL(smsru.BaseURL), APIID: entry.requiredText("api_id")}
		if c == notify.Call {
			return smsru.NewCall(s)
		}
		s.From = entry.readText("from")
		return smsru.NewSMS(s)
	case "smsc":
		s := smsc.Settings{BaseURL: entry.baseURL(smsc.BaseURL), APIKey: entry.readText("api_key")}
		if s.APIKey == "" {
			s.Login, s.Password = entry.requiredText("login"), entry.requiredText("password")
		}
		if c == notify.Call {
			return smsc.NewCall(s)
		}
		s.From = entry.readText("from")
		return smsc.NewSMS(s)
	case "twilio":
		return twilio.New(twilio.Settings{
			BaseURL: entry.baseURL(twilio.BaseURL), Service: entry.requiredText("service"), Account: entry.requiredText("account"), Secret: entry.requiredText("secret"),
		}, c)
	}
	return nil
}

// readCaptcha reads the captcha of a brand. It returns nil when the provider is wrong.
func (f *file) readCaptcha(n ast.Node) *Captcha {
	entry := f.readFields(n)
	if entry == nil {
		return nil
	}
	defer entry.checkFields()
	c := &Captcha{Provider: entry.chooseProvider(captcha.SmartCaptchaName, captcha.TurnstileName)}
	if c.Provider == "" {
		return nil
	}
	c.SiteKey, c.Always = entry.requiredText("site_key"), entry.readBool("always")
	secret := entry.requiredText("secret")
	if c.Provider == captcha.TurnstileName {
		c.Verifier, c.Origin = captcha.NewTurnstile(entry.baseURL(captcha.TurnstileURL), secret), captcha.TurnstileURL
	} else {
		c.Verifier, c.Origin = captcha.NewSmartCaptcha(entry.baseURL(captcha.SmartCaptchaURL), secret), captcha.SmartCaptchaURL
	}
	return c
}

func (f *file) readVK(n ast.Node) *vk.Client {
	entry := f.readFields(n)
	if entry == nil {
		return nil
	}
	defer entry.checkFields()
	return vk.New(vk.Settings{BaseURL: entry.baseURL(vk.BaseURL), ClientID: entry.requiredText("client_id"), ConfirmPhone: entry.readBool("confirm_phone")})
}
