package payments

import (
	"context"
	"slices"
	"sync"
	"time"

	"servery/internal/acquiring"
	"servery/internal/fault"
	"servery/internal/site"
)

// settingsLife is how long an acquirer's settings are cached: some ask for their key over the
// network.
const settingsLife = 5 * time.Minute

// PaymentTypes returns the payment types of a city for orders of the type, in the order of the
// content. A type that is paid online is left out unless an account of the city supports it.
func (s *Service) PaymentTypes(brand *site.Site, city *site.City, t site.OrderType) []string {
	return slices.DeleteFunc(slices.Clone(city.PaymentTypes[t]), func(paymentType string) bool {
		if !site.IsOnline(paymentType) {
			return false
		}
		_, _, _, ok := s.FindAccount(brand, city, paymentType)
		return !ok
	})
}

// FindAccount returns the account that a payment type is charged to, with its acquirer and the
// method to use: our own card form for cards, where the city has one. It returns false when the
// type cannot be paid online in this city.
func (s *Service) FindAccount(brand *site.Site, city *site.City, paymentType string) (account string, a acquiring.Acquirer, m acquiring.Method, ok bool) {
	account, ok = city.Acquiring[paymentType]
	if !ok || !site.IsOnline(paymentType) {
		return "", nil, 0, false
	}
	if a, ok = s.accounts.FindAcquirer(brand.Alias, account); !ok {
		return "", nil, 0, false
	}
	if paymentType == site.CardOnline && city.CardForm && a.SupportsMethod(acquiring.CardForm) {
		return account, a, acquiring.CardForm, true
	}
	m, err := acquiring.ParseMethod(paymentType)
	if err != nil || !a.SupportsMethod(m) {
		return "", nil, 0, false
	}
	return account, a, m, true
}

// LoadSettings returns what the page needs to pay by a payment type, with the account and the
// method. It calls the acquirer unless the settings are cached. Faults: order.payment_type
// (Invalid), pay.unavailable (Unavailable).
func (s *Service) LoadSettings(ctx context.Context, brand *site.Site, city *site.City, paymentType string) (account string, m acquiring.Method, found acquiring.Settings, err error) {
	account, a, m, ok := s.FindAccount(brand, city, paymentType)
	if !ok {
		return "", 0, acquiring.Settings{}, unknownPaymentType()
	}
	key := settingsKey{brand.Alias, account, m}
	if cached, ok := s.settings.get(key, s.clock.Now()); ok {
		return account, m, cached, nil
	}
	if found, err = a.LoadSettings(ctx, m); err != nil {
		return "", 0, acquiring.Settings{}, fault.New(fault.Unavailable, "pay.unavailable", fault.Because(err))
	}
	s.settings.put(key, found, s.clock.Now())
	return account, m, found, nil
}

// settingsKey names the settings of an account for a method.
type settingsKey struct {
	site, account string
	method        acquiring.Method
}

// cachedSettings are settings in the cache.
type cachedSettings struct {
	settings  acquiring.Settings
	expiresAt time.Time
}

// settingsCache holds the settings of acquirers. It is safe for concurrent use.
type settingsCache struct {
	mu    sync.Mutex
	byKey map[settingsKey]cachedSettings
}

// newSettingsCache returns an empty cache.
func newSettingsCache() *settingsCache {
	return &settingsCache{byKey: map[settingsKey]cachedSettings{}}
}

// get returns the cached settings, and false when there are none or they have expired.
func (c *settingsCache) get(key settingsKey, now time.Time) (acquiring.Settings, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cached, ok := c.byKey[key]
	return cached.settings, ok && now.Before(cached.expiresAt)
}

// put caches settings for settingsLife.
func (c *settingsCache) put(key settingsKey, found acquiring.Settings, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byKey[key] = cachedSettings{found, now.Add(settingsLife)}
}
