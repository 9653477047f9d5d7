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

// Read reads the file of providers. known are the brands that there are; nil when that is
// not known. The error is an [Invalid] with each fault and its line.
func Read(name string, known []string, c clock.Clock) (Book, error) {
	f := &file{name: name, clock: c}
	book := Book{}
	if all := f.open(); all != nil {
		for _, alias := range all.order {
			if known != nil && alias != Others && !slices.Contains(known, alias) {
				f.fault(all.lines[alias], "there is no site %q in the content", alias)
			}
			if n := all.take(alias); n != nil {
				book[alias] = f.site(n)
			}
		}
	}
	if len(f.faults) > 0 {
		slices.SortStableFunc(f.faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
		return nil, &Invalid{slices.Compact(f.faults)}
	}
	return book, nil
}

func (f *file) site(n ast.Node) (s Site) {
	all := f.fields(n)
	if all == nil {
		return s
	}
	s.SMS = f.senders(all, notify.SMS)
	s.Call = f.senders(all, notify.Call)
	if n := all.take("captcha"); n != nil {
		s.Captcha = f.captcha(n)
	}
	if n := all.take("vk"); n != nil {
		s.VK = f.vk(n)
	}
	s.Acquirers = f.acquirers(all)
	all.end()
	return s
}

func (f *file) senders(all *fields, c notify.Channel) []notify.Sender {
	n := all.take(string(c))
	if n == nil {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.fault(all.lines[string(c)], "%s must be a list", c)
		return nil
	}
	var senders []notify.Sender
	for _, n := range list.Values {
		if one := f.fields(n); one != nil {
			if s := f.sender(one, c); s != nil {
				senders = append(senders, s)
			}
			one.end()
		}
	}
	return senders
}

// choose reads which provider is meant; the fields of a wrong one are not looked at.
func (f *fields) choose(names ...string) string {
	name := f.need("provider")
	if name == "" || slices.Contains(names, name) {
		return name
	}
	f.file.fault(f.lines["provider"], "provider must be %s", strings.Join(names, " or "))
	clear(f.nodes)
	return ""
}

func (f *file) sender(one *fields, c notify.Channel) notify.Sender {
	switch one.choose("smsru", "smsc", "twilio") {
	case "smsru":
		s := smsru.Settings{BaseURL: one.base(smsru.BaseURL), APIID: one.need("api_id")}
		if c == notify.Call {
			return smsru.NewCall(s)
		}
		s.From = one.text("from")
		return smsru.NewSMS(s)
	case "smsc":
		s := smsc.Settings{BaseURL: one.base(smsc.BaseURL), APIKey: one.text("api_key")}
		if s.APIKey == "" {
			s.Login, s.Password = one.need("login"), one.need("password")
		}
		if c == notify.Call {
			return smsc.NewCall(s)
		}
		s.From = one.text("from")
		return smsc.NewSMS(s)
	case "twilio":
		return twilio.New(twilio.Settings{
			BaseURL: one.base(twilio.BaseURL), Service: one.need("service"), Account: one.need("account"), Secret: one.need("secret"),
		}, c)
	}
	return nil
}

func (f *file) captcha(n ast.Node) *Captcha {
	one := f.fields(n)
	if one == nil {
		return nil
	}
	defer one.end()
	c := &Captcha{Provider: one.choose(captcha.SmartCaptchaName, captcha.TurnstileName)}
	if c.Provider == "" {
		return nil
	}
	c.SiteKey, c.Always = one.need("site_key"), one.truth("always")
	secret := one.need("secret")
	if c.Provider == captcha.TurnstileName {
		c.Verifier, c.Origin = captcha.NewTurnstile(one.base(captcha.TurnstileURL), secret), captcha.TurnstileURL
	} else {
		c.Verifier, c.Origin = captcha.NewSmartCaptcha(one.base(captcha.SmartCaptchaURL), secret), captcha.SmartCaptchaURL
	}
	return c
}

func (f *file) vk(n ast.Node) *vk.Client {
	one := f.fields(n)
	if one == nil {
		return nil
	}
	defer one.end()
	return vk.New(vk.Settings{BaseURL: one.base(vk.BaseURL), ClientID: one.need("client_id"), ConfirmPhone: one.truth("confirm_phone")})
}
