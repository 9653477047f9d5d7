package server

import (
	"net/http"
	"net/netip"
	"strings"
)

// proxies are the networks whose forwarded headers are believed; from anywhere
// else those headers are somebody's invention.
type proxies []netip.Prefix

func (p proxies) trusts(addr netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(addr.Unmap()) {
			return true
		}
	}
	return false
}

// caller is the address of whoever made the request: the last one in
// X-Forwarded-For that a trusted proxy did not add itself.
func (p proxies) caller(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	addr := peer.Addr().Unmap()
	if !p.trusts(addr) {
		return addr.String()
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = hop.Unmap()
		if !p.trusts(addr) {
			break
		}
	}
	return addr.String()
}

// secure tells whether the browser came by https, so that the cookie can say so.
func (p proxies) secure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && p.trusts(peer.Addr()) && r.Header.Get("X-Forwarded-Proto") == "https"
}
