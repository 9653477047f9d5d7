package page

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"servery/internal/acquiring"
	"servery/internal/payment/payments"
	"servery/internal/site"
)

const policyHeader = "Content-Security-Policy"

// fixedHeaders are those of a brand that loads nothing from other origins. Nothing changes a header's values in
// place.
var fixedHeaders = http.Header{
	policyHeader:                 {securityPolicy{}.String()},
	"X-Content-Type-Options":     {"nosniff"},
	"Referrer-Policy":            {"strict-origin-when-cross-origin"},
	"Cross-Origin-Opener-Policy": {"same-origin"},
	"Permissions-Policy":         {"geolocation=(self), camera=(), microphone=()"},
}

// securityNames are the names of the headers, canonical as the keys of a header are.
var securityNames = slices.Collect(maps.Keys(fixedHeaders))

// SecurityHeaders are the headers that protect the documents of a brand: a document loads nothing foreign that its
// policy does not name, and no other page shows it in a frame. They are made once for all answers and must not be
// changed.
type SecurityHeaders struct {
	header http.Header
	lines  string // the header as it is sent
	brand  *site.Site
}

// FindSecurityHeaders returns the headers of a brand.
func (s *Server) FindSecurityHeaders(brand *site.Site) *SecurityHeaders {
	if known, ok := s.security.Load(brand.Alias); ok {
		if known := known.(*SecurityHeaders); known.brand == brand { // else the content has changed
			return known
		}
	}
	made := &SecurityHeaders{header: fixedHeaders, brand: brand}
	p := s.policyOf(brand)
	p.allowAnalytics(brand.Analytics)
	if !p.isEmpty() {
		made.header = maps.Clone(fixedHeaders)
		made.header.Set(policyHeader, p.String())
	}
	var lines strings.Builder
	_ = made.header.Write(&lines) // memory takes everything
	made.lines = lines.String()
	s.security.Store(brand.Alias, made)
	return made
}

// Set sets the headers in h, apart from those that h has already.
func (p *SecurityHeaders) Set(h http.Header) {
	for name, values := range p.header {
		if _, isSet := h[name]; !isSet {
			h[name] = values
		}
	}
}

// Lines returns the headers as they are sent, each line with its break. It returns false when h has any of them
// already.
func (p *SecurityHeaders) Lines(h http.Header) (string, bool) {
	for _, name := range securityNames {
		if _, isSet := h[name]; isSet {
			return "", false
		}
	}
	return p.lines, true
}

// securityPolicy is what a document may load and talk to besides this server: origins of each kind.
type securityPolicy struct {
	images, scripts, frames, connects, forms []string
}

// isEmpty reports whether the policy of a document names no other origin. It looks at images and scripts
// only: a policy with any other origin has an origin of these.
func (p securityPolicy) isEmpty() bool { return p.images == nil && p.scripts == nil }

// policyOf returns the policy of a brand's documents. It allows map tiles and the captcha's widget,
// which is a script that opens a frame of its origin and calls it.
func (s *Server) policyOf(st *site.Site) securityPolicy {
	var p securityPolicy
	if tiles := st.Settings.TilesOrigin(); tiles != "" {
		p.images = []string{tiles}
	}
	if c := s.providers.Site(st.Alias).Captcha; c != nil && st.Settings.IsAuthEnabled {
		p.scripts, p.frames, p.connects = []string{c.Origin}, []string{c.Origin}, []string{c.Origin}
	}
	return p
}

// The origins of analytics: of their scripts, and of what those send to.
var (
	metrikaOrigins   = []string{"https://mc.yandex.ru"}
	metrikaReceivers = []string{"https://mc.yandex.ru", "https://mc.yandex.com"}
	ga4Origins       = []string{"https://www.googletagmanager.com"}
	ga4Receivers     = []string{"https://www.googletagmanager.com", "https://*.google-analytics.com", "https://*.analytics.google.com"}
)

// allowAnalytics allows the scripts of the brand's analytics, and their requests, as calls and as pictures.
// It must not be called for a page on which an order is paid.
func (p *securityPolicy) allowAnalytics(a site.Analytics) {
	var receivers []string
	if a.Metrika != 0 {
		p.scripts, receivers = append(p.scripts, metrikaOrigins...), append(receivers, metrikaReceivers...)
	}
	if a.GA4 != "" {
		p.scripts, receivers = append(p.scripts, ga4Origins...), append(receivers, ga4Receivers...)
	}
	p.connects, p.images = append(p.connects, receivers...), append(p.images, receivers...)
}

// String returns the value of the header.
func (p securityPolicy) String() string {
	var value strings.Builder
	value.WriteString("default-src 'self'; img-src 'self' data:" + listOrigins(p.images))
	for _, kind := range []struct {
		name    string
		origins []string
	}{{"script-src", p.scripts}, {"frame-src", p.frames}, {"connect-src", p.connects}} {
		if len(kind.origins) > 0 {
			value.WriteString("; " + kind.name + " 'self'" + listOrigins(kind.origins))
		}
	}
	return value.String() + "; object-src 'none'; base-uri 'none'; form-action 'self'" + listOrigins(p.forms) + "; frame-ancestors 'none'"
}

// allowPaymentFrames replaces the policy in the headers by that of the page where an order is paid. This
// page is a document of its own, so that no other document has such an open policy. With Google Pay it also
// allows the wallet's window.
func (s *Server) allowPaymentFrames(h http.Header, brand *site.Site, city *site.City) {
	h.Set(policyHeader, s.policyOf(brand).allowPaying(s.payments, brand, city).String())
	if _, _, _, ok := s.payments.FindAccount(brand, city, site.GooglePay); ok {
		h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups") // the wallet's window answers the page
	}
}

// allowPaying returns the policy for the page where an order is paid. It adds any bank's page,
// in a frame or as the target of a form, and the scripts of the city's acquirers.
func (p securityPolicy) allowPaying(payments *payments.Service, brand *site.Site, city *site.City) securityPolicy {
	p.frames, p.forms = append(p.frames, "https:"), append(p.forms, "https:")
	for _, t := range site.PaymentTypes() {
		_, a, method, ok := payments.FindAccount(brand, city, t)
		isAccepted := city.Accepts(site.Delivery, t) || city.Accepts(site.Takeaway, t)
		if !ok || !isAccepted {
			continue
		}
		if embedded, ok := a.(acquiring.Embedded); ok {
			origins := embedded.ListOrigins(method)
			p.scripts, p.connects = append(p.scripts, origins.Scripts...), append(p.connects, origins.Connections...)
		}
		if method == acquiring.GooglePay {
			p.scripts = append(p.scripts, googlePay)
			p.connects = append(p.connects, googlePay, "https://google.com")
			p.images = append(p.images, "https://www.gstatic.com")
		}
	}
	return p
}

// googlePay is where Google's wallet comes from.
const googlePay = "https://pay.google.com"

// listOrigins returns the origins as a part of the header, each once.
func listOrigins(origins []string) string {
	var b strings.Builder
	for i, origin := range origins {
		if !slices.Contains(origins[:i], origin) {
			b.WriteString(" " + origin)
		}
	}
	return b.String()
}
