package server

import (
	"slices"
	"strings"

	"servery/internal/acquiring"
	"servery/internal/payment"
	"servery/internal/site"
)

// policy is what a document may load and talk to besides this server (demands §3): origins
// of each kind.
type policy struct {
	images, scripts, frames, connects, forms []string
}

// policyOf is that of a brand's documents: map tiles, and the widget of a captcha, which is
// a script that opens a frame of the same origin and asks it.
func (s *Server) policyOf(st *site.Site) policy {
	var p policy
	if tiles := st.Settings.TilesOrigin(); tiles != "" {
		p.images = []string{tiles}
	}
	if c := s.Providers.Site(st.Alias).Captcha; c != nil && st.Settings.IsAuthEnabled {
		p.scripts, p.frames, p.connects = []string{c.Origin}, []string{c.Origin}, []string{c.Origin}
	}
	return p
}

// String returns the value of the header.
func (p policy) String() string {
	var value strings.Builder
	value.WriteString("default-src 'self'; img-src 'self' data:" + listed(p.images))
	for _, kind := range []struct {
		name    string
		origins []string
	}{{"script-src", p.scripts}, {"frame-src", p.frames}, {"connect-src", p.connects}} {
		if len(kind.origins) > 0 {
			value.WriteString("; " + kind.name + " 'self'" + listed(kind.origins))
		}
	}
	return value.String() + "; object-src 'none'; base-uri 'none'; form-action 'self'" + listed(p.forms) + "; frame-ancestors 'none'"
}

// forPaying widens the policy of the page where an order is paid: banks' pages stand in
// frames and are posted to, whichever bank it is, and the scripts of the city's acquirers
// run there. No other document lets any of that in.
func (p policy) forPaying(payments *payment.Service, brand *site.Site, city *site.City) policy {
	p.frames, p.forms = append(p.frames, "https:"), append(p.forms, "https:")
	for _, t := range site.PaymentTypes() {
		_, a, method, ok := payments.Acquirer(brand, city, t)
		if !ok || !city.Accepts(site.Delivery, t) && !city.Accepts(site.Takeaway, t) {
			continue
		}
		if embedded, ok := a.(acquiring.Embedded); ok {
			origins := embedded.Origins(method)
			p.scripts, p.connects = append(p.scripts, origins.Scripts...), append(p.connects, origins.Asked...)
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

// listed writes origins, each once.
func listed(origins []string) string {
	var b strings.Builder
	for i, origin := range origins {
		if !slices.Contains(origins[:i], origin) {
			b.WriteString(" " + origin)
		}
	}
	return b.String()
}
