package order

import (
	"context"
	"slices"
	"sync"
	"time"

	"servery/internal/acquiring"
	"servery/internal/fault"
	"servery/internal/site"
)

// settingsLife is how long an acquirer's settings are believed: some ask for their key
// over the network.
const settingsLife = 5 * time.Minute

// PaymentTypes gives how an order of the type can be paid, in the order in which it is
// offered. What is paid online is there only with an account that takes it.
func (s *Service) PaymentTypes(brand *site.Site, city *site.City, t site.OrderType) []string {
	return slices.DeleteFunc(slices.Clone(city.PaymentTypes[t]), func(paymentType string) bool {
		if !site.IsOnline(paymentType) {
			return false
		}
		_, _, _, ok := s.Acquirer(brand, city, paymentType)
		return !ok
	})
}

// Acquirer gives the account that a payment type is paid through, and the acquirer's way to
// do so; false when it is not paid online here.
func (s *Service) Acquirer(brand *site.Site, city *site.City, paymentType string) (account string, a acquiring.Acquirer, m acquiring.Method, ok bool) {
	account, ok = city.Acquiring[paymentType]
	if !ok || !site.IsOnline(paymentType) {
		return "", nil, 0, false
	}
	if a, ok = s.accounts.Find(brand.Alias, account); !ok {
		return "", nil, 0, false
	}
	if paymentType == site.CardOnline && city.CardForm && a.Takes(acquiring.CardForm) {
		return account, a, acquiring.CardForm, true
	}
	m, err := acquiring.ParseMethod(paymentType)
	if err != nil || !a.Takes(m) {
		return "", nil, 0, false
	}
	return account, a, m, true
}

// typeOf gives the payment type that a method is a way of.
func typeOf(m acquiring.Method) string {
	if m == acquiring.CardForm {
		return site.CardOnline
	}
	return m.String()
}

// PaymentSettings gives what the page needs to pay by a payment type. It may ask the
// acquirer. Faults: order.payment_type (Invalid), pay.unavailable (Unavailable).
func (s *Service) PaymentSettings(ctx context.Context, brand *site.Site, city *site.City, paymentType string) (account string, m acquiring.Method, found acquiring.Settings, err error) {
	account, a, m, ok := s.Acquirer(brand, city, paymentType)
	if !ok {
		return "", 0, acquiring.Settings{}, fault.New(fault.Invalid, "order.payment_type", fault.Field("payment_type", "order.payment_type"))
	}
	name := settingsOf{brand.Alias, account, m}
	if kept, ok := s.settings.get(name, s.clock.Now()); ok {
		return account, m, kept, nil
	}
	if found, err = a.Settings(ctx, m); err != nil {
		return "", 0, acquiring.Settings{}, fault.New(fault.Unavailable, "pay.unavailable", fault.Because(err))
	}
	s.settings.keep(name, found, s.clock.Now())
	return account, m, found, nil
}

// settingsOf names the settings of an account for a method.
type settingsOf struct {
	site, account string
	method        acquiring.Method
}

type keptSettings struct {
	settings acquiring.Settings
	until    time.Time
}

// settings keeps those of acquirers for a while.
type settings struct {
	mu   sync.Mutex
	kept map[settingsOf]keptSettings
}

func newSettings() *settings { return &settings{kept: map[settingsOf]keptSettings{}} }

func (s *settings) get(name settingsOf, now time.Time) (acquiring.Settings, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, ok := s.kept[name]
	return kept.settings, ok && now.Before(kept.until)
}

func (s *settings) keep(name settingsOf, found acquiring.Settings, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[name] = keptSettings{found, now.Add(settingsLife)}
}
