package server

import (
	"net/http"
	"strings"
)

// ProbeHeader makes /healthz describe how the request has come through the proxies. Its value is what the caller has
// sent as X-Forwarded-For.
const ProbeHeader = "Servery-Probe"

// What proxies have done with X-Forwarded-For.
const (
	ForwardedMissing = "missing" // they have left it out
	ForwardedAsSent  = "as_sent" // they have added no address to what the caller has sent
	ForwardedAdded   = "added"   // it has an address from them
)

// Passage describes how a request has come through the proxies.
type Passage struct {
	Host         string `json:"host"`
	ForwardedFor string `json:"forwarded_for"`
}

// DescribePassage describes how a request with a [ProbeHeader] has come through the proxies.
func DescribePassage(r *http.Request) Passage {
	p := Passage{Host: r.Host, ForwardedFor: ForwardedAdded}
	switch strings.Join(r.Header.Values("X-Forwarded-For"), ",") {
	case "":
		p.ForwardedFor = ForwardedMissing
	case r.Header.Get(ProbeHeader):
		p.ForwardedFor = ForwardedAsSent
	}
	return p
}
