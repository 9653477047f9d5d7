package server

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestProxies_understandAHopWithItsPort(t *testing.T) {
	t.Parallel()
	for hops, want := range map[string]string{
		"1.2.3.4":                        "1.2.3.4",
		"1.2.3.4:567":                    "1.2.3.4",
		"9.9.9.9, 1.2.3.4:567, 10.0.0.2": "1.2.3.4",
		"1.2.3.4:567, 10.0.0.2:8080":     "1.2.3.4",
		"[2001:db8::1]:567":              "2001:db8::/64",
		"[2001:db8::1]":                  "2001:db8::/64",
		"2001:db8::1":                    "2001:db8::/64",
		"1.2.3.4:99999":                  "10.0.0.1",
		"unknown":                        "10.0.0.1",
	} {
		r := &http.Request{RemoteAddr: "10.0.0.1:4000", Header: http.Header{"X-Forwarded-For": {hops}}}
		if got := (proxies{netip.MustParsePrefix("10.0.0.0/8")}).identify(r); got.limitKey != want {
			t.Errorf("%s: caller %s, want %s", hops, got.limitKey, want)
		}
	}
}
