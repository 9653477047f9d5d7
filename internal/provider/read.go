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
	f := &file{name: name, clock: c}
	book := Book{}
	if all := f.openFile(); all != nil {
		for _, alias := range all.order {
			if known != nil && alias != Others && !slices.Contains(known, alias) {
				f.addFault(all.lines[alias], "there is no site %q in the content", alias)
			}
			if n := all.takeNode(alias); n != nil {
				book[alias] = f.readSite(n)
			}
		}
	}
	if len(f.faults) > 0 {
		slices.SortStableFunc(f.faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
		return nil, &Invalid{slices.Compact(f.faults)}
	}
	return book, nil
}

// readSite reads the entry of a brand.
func (f *file) readSite(n ast.Node) (s Site) {
	all := f.readFields(n)
	if all == nil {
		return s
	}
	s.SMS = f.readSenders(all, notify.SMS)
	s.Call = f.readSenders(all, notify.Call)
	if n := all.takeNode("captcha"); n != nil {
		s.Captcha = f.readCaptcha(n)
	}
	if n := all.takeNode("vk"); n != nil {
		s.VK = f.readVK(n)
	}
	s.Acquirers = f.readAcquirers(all)
	if n := all.takeNode("feedback"); n != nil {
		s.Feedback = f.readFeedback(n)
	}
	all.checkFields()
	return s
}

// readSenders reads the senders of a channel, in order.
func (f *file) readSenders(all *fields, c notify.Channel) []notify.Sender {
	n := all.takeNode(string(c))
	if n == nil {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.addFault(all.lines[string(c)], "%s must be a list", c)
		return nil
	}
	var senders []notify.Sender
	for _, n := range list.Values {
		if one := f.readFields(n); one != nil {
			if s := f.readSender(one, c); s != nil {
				senders = append(senders, s)
			}
			one.checkFields()
		}
	}
	return senders
}

// chooseProvider returns the name of the provider that the fields are of. For a name that is not
// among names it adds a fault, returns an empty text, and leaves no fields to be read.
func (f *fields) chooseProvider(names ...string) string {
	name := f.requiredText("provider")
	if name == "" || slices.Contains(names, name) {
		return name
	}
	f.file.addFault(f.lines["provider"], "provider must be %s", strings.Join(names, " or "))
	clear(f.nodes)
	return ""
}

// readSender reads one sender; it is nil when its provider is wrong.
func (f *file) readSender(one *fields, c notify.Channel) notify.Sender {
	switch one.chooseProvider("smsru", "smsc", "twilio") {
	case "smsru":
		s := smsru.Settings{BaseURL: one.baseURL(smsru.BaseURL), APIID: one.requiredText("api_id")}
		if c == notify.Call {
			return smsru.NewCall(s)
		}
		s.From = one.readText("from")
		return smsru.NewSMS(s)
	case "smsc":
		s := smsc.Settings{BaseURL: one.baseURL(smsc.BaseURL), APIKey: one.readText("api_key")}
		if s.APIKey == "" {
			s.Login, s.Password = one.requiredText("login"), one.requiredText("password")
		}
		if c == notify.Call {
			return smsc.NewCall(s)
		}
		s.From = one.readText("from")
		return smsc.NewSMS(s)
	case "twilio":
		return twilio.New(twilio.Settings{
			BaseURL: one.baseURL(twilio.BaseURL), Service: one.requiredText("service"), Account: one.requiredText("account"), Secret: one.requiredText("secret"),
		}, c)
	}
	return nil
}

// readCaptcha reads the captcha of a brand; it is nil when its provider is wrong.
func (f *file) readCaptcha(n ast.Node) *Captcha {
	one := f.readFields(n)
	if one == nil {
		return nil
	}
	defer one.checkFields()
	c := &Captcha{Provider: one.chooseProvider(captcha.SmartCaptchaName, captcha.TurnstileName)}
	if c.Provider == "" {
		return nil
	}
	c.SiteKey, c.Always = one.requiredText("site_key"), one.readBool("always")
	secret := one.requiredText("secret")
	if c.Provider == captcha.TurnstileName {
		c.Verifier, c.Origin = captcha.NewTurnstile(one.baseURL(captcha.TurnstileURL), secret), captcha.TurnstileURL
	} else {
		c.Verifier, c.Origin = captcha.NewSmartCaptcha(one.baseURL(captcha.SmartCaptchaURL), secret), captcha.SmartCaptchaURL
	}
	return c
}

func (f *file) readVK(n ast.Node) *vk.Client {
	one := f.readFields(n)
	if one == nil {
		return nil
	}
	defer one.checkFields()
	return vk.New(vk.Settings{BaseURL: one.baseURL(vk.BaseURL), ClientID: one.requiredText("client_id"), ConfirmPhone: one.readBool("confirm_phone")})
}
