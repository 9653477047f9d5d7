package doctor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"servery/internal/acquiring"
	"servery/internal/captcha"
	"servery/internal/forward"
	"servery/internal/geo"
	"servery/internal/geocoder"
	"servery/internal/lang"
	"servery/internal/notify"
	"servery/internal/provider"
)

// The kinds of providers that can be tried.
const (
	SMS     = string(notify.SMS)
	Call    = string(notify.Call)
	Payment = "payment"
	Captcha = "captcha"
	// Feedback delivers forms of visitors, and Changes the changes of orders.
	Feedback = "feedback"
	Changes  = "changes"
	Geocoder = "geocoder"
)

// tryCode is the code that is sent in a try.
const tryCode = "0000"

// Try makes one real call to each of a brand's providers of the kind, and returns a finding for
// each. A code is really sent to the phone, digits with the country code. Acquirers are asked for a payment
// that was never made, captchas for a token that they never issued, geocoders for an address in Moscow: these show that
// keys are right. A mailbox or a webhook gets a message that says that it is a test. It returns an error when the brand
// has no such provider.
func Try(ctx context.Context, s provider.Site, kind, phone string, now time.Time) ([]Finding, error) {
	var found []Finding
	switch kind {
	case SMS, Call:
		senders := s.SMS
		if kind == Call {
			senders = s.Call
		}
		digits := strings.Trim(strings.NewReplacer(" ", "", "-", "", "(", "", ")", "").Replace(phone), "+")
		if digits == "" || strings.Trim(digits, "0123456789") != "" {
			return nil, errors.New("name your own phone, digits with the country code")
		}
		for _, sender := range senders {
			found = append(found, trySender(ctx, sender, digits))
		}
	case Payment:
		for _, name := range slices.Sorted(maps.Keys(s.Acquirers)) {
			found = append(found, tryAcquirer(ctx, name, s.Acquirers[name], now))
		}
	case Captcha:
		if s.Captcha != nil {
			found = append(found, tryCaptcha(ctx, s.Captcha))
		}
	case Feedback, Changes:
		receiver := s.Feedback
		if kind == Changes {
			receiver = s.Changes
		}
		if receiver != nil {
			found = append(found, tryReceiver(ctx, receiver, now))
		}
	case Geocoder:
		for _, choice := range s.Geocoders {
			found = append(found, tryGeocoder(ctx, choice.Service))
		}
	default:
		return nil, fmt.Errorf("%q cannot be tried: sms, call, payment, captcha, feedback, changes and geocoder can", kind)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("the brand has no provider of %s in the file of providers", kind)
	}
	return found, nil
}

// trySender sends a test code to the phone and returns whether the provider accepted it.
func trySender(ctx context.Context, sender notify.Sender, phone string) Finding {
	sent, err := sender.Send(ctx, notify.Message{Phone: phone, Code: tryCode, Text: "Servery: " + tryCode, Lang: lang.EN, Key: rand.Text()})
	if err != nil {
		return Finding{Part: sender.Name(), Text: err.Error(), IsProblem: true}
	}
	code := tryCode
	if sent.Code != "" { // some providers choose the code themselves
		code = sent.Code
	}
	return Finding{Part: sender.Name(), Text: "has taken the code " + code + ": see whether it arrives"}
}

// tryAcquirer asks for a payment that was never made.
func tryAcquirer(ctx context.Context, name string, a acquiring.Acquirer, now time.Time) Finding {
	part := name + " (" + a.Name() + ")"
	event, err := a.QueryStatus(ctx, acquiring.Lookup{ID: acquiring.ID("try-" + rand.Text()), Started: now})
	switch {
	case err != nil:
		return Finding{Part: part, Text: err.Error(), IsProblem: true}
	case event.State != acquiring.Absent:
		return Finding{Part: part, Text: fmt.Sprintf("knows a payment that was never made: %v", event.State), IsProblem: true}
	}
	return Finding{Part: part, Text: "accepts the keys, and does not know a payment that was never made"}
}

// tryCaptcha asks about a token that was never issued.
func tryCaptcha(ctx context.Context, c *provider.Captcha) Finding {
	result, err := c.Verify(ctx, "try-"+rand.Text(), "")
	switch {
	case err != nil:
		return Finding{Part: c.Provider, Text: err.Error(), IsProblem: true}
	case result == captcha.Passed:
		return Finding{Part: c.Provider, Text: "accepts a token that was never issued", IsProblem: true}
	}
	return Finding{Part: c.Provider, Text: "accepts the keys, and refuses a token that was never issued"}
}

// tryReceiver sends a message that says that it is a test.
func tryReceiver(ctx context.Context, receiver forward.Sender, now time.Time) Finding {
	err := receiver.Send(ctx, forward.Message{
		Key: "try-" + rand.Text(), Subject: "Servery: a test", Text: "This is a test: what visitors write arrives here.",
		Body: json.RawMessage(`{"test":true}`), At: now,
	})
	if err != nil {
		return Finding{Part: receiver.Name(), Text: err.Error(), IsProblem: true}
	}
	return Finding{Part: receiver.Name(), Text: "has taken a test message: see whether it arrives"}
}

// knownCity is the city in which geocoders are tried: their entry in the file of providers has no places.
var knownCity = geocoder.City{
	ID: 1, Alias: "moscow", Name: lang.Text{lang.RU: "Москва", lang.EN: "Moscow"}, Country: "RU",
	Center: geo.Point{Latitude: 55.7558, Longitude: 37.6176},
	Bounds: geo.Bounds{South: 55.5, West: 37.3, North: 56, East: 38},
}

// tryGeocoder asks for the address at a point, and for suggestions where the service makes some: these may have a
// key of their own.
func tryGeocoder(ctx context.Context, service geocoder.Service) Finding {
	found, err := service.At(ctx, knownCity, knownCity.Center, lang.RU)
	if err != nil {
		return Finding{Part: service.Name(), Text: err.Error(), IsProblem: true}
	}
	text := "has found an address in Moscow"
	if !found.Found() { // the brand's own instance may know other countries only
		text = "answers, and knows no address in Moscow"
	}
	if suggester, ok := service.(geocoder.Suggester); ok {
		if _, err := suggester.Suggest(ctx, knownCity, "Тверская", lang.RU); err != nil {
			return Finding{Part: service.Name(), Text: text + ", but suggests none: " + err.Error(), IsProblem: true}
		}
	}
	return Finding{Part: service.Name(), Text: text}
}
