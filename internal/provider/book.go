// Package provider holds the providers of each brand: those that send codes, check captchas, sign
// in with VK ID, take payments, deliver forms, take the changes of orders and find addresses. It reads
// that, with the secrets, from one file outside of the content.
package provider

import (
	"servery/internal/acquiring"
	"servery/internal/captcha"
	"servery/internal/forward"
	"servery/internal/geocoder"
	"servery/internal/notify"
	"servery/internal/site"
	"servery/internal/vk"
)

// Site is what one brand has. The zero value has nothing.
type Site struct {
	// SMS and Call are the senders of a channel, the one to ask first first.
	SMS, Call []notify.Sender
	// Captcha is nil where there is none.
	Captcha *Captcha
	// VK is nil where the brand does not sign in with VK ID.
	VK *vk.Client
	// Acquirers take what is paid online, by the names of their accounts.
	Acquirers map[string]acquiring.Acquirer
	// Feedback delivers forms of visitors to the brand; nil where they are only stored.
	Feedback forward.Sender
	// Changes is the webhook to which the changes of orders are posted; nil where they are only listed.
	Changes forward.Sender
	// Geocoders find addresses, the one to ask first first. The local index stands behind them.
	Geocoders []geocoder.Choice
}

// Captcha is a brand's captcha: the parameters of the page, and the verifier of its tokens.
type Captcha struct {
	captcha.Verifier

	// Provider is smartcaptcha or turnstile.
	Provider string
	// SiteKey is public.
	SiteKey string
	// Always asks for it before each code, not only once limits are near.
	Always bool
	// Origin is where the widget comes from, such as https://challenges.cloudflare.com.
	Origin string
}

// Others is the entry for all brands that have none of their own.
const Others = "*"

// Book holds the brands by alias. It is never changed once the program runs.
type Book map[string]Site

// Site returns the providers of a brand: those of its own entry, or else of the entry [Others].
func (b Book) Site(alias string) Site {
	if s, ok := b[alias]; ok {
		return s
	}
	return b[Others]
}

// Senders implements [notify.Senders].
func (b Book) Senders(alias string, c notify.Channel) []notify.Sender {
	switch c {
	case notify.SMS:
		return b.Site(alias).SMS
	case notify.Call:
		return b.Site(alias).Call
	}
	return nil
}

// Forwarder implements [forward.Senders].
func (b Book) Forwarder(alias string) (forward.Sender, bool) {
	sender := b.Site(alias).Feedback
	return sender, sender != nil
}

// ChangeHook returns the webhook of a brand's changes; false when the brand has none.
func (b Book) ChangeHook(alias string) (forward.Sender, bool) {
	hook := b.Site(alias).Changes
	return hook, hook != nil
}

// Offers reports whether a brand has a provider for a way to sign in, whatever its content says.
func (b Book) Offers(alias string, c site.SignInChannel) bool {
	s := b.Site(alias)
	switch c {
	case site.BySMS:
		return len(s.SMS) > 0
	case site.ByCall:
		return len(s.Call) > 0
	case site.ByVK:
		return s.VK != nil
	}
	return false
}
