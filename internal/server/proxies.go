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

// caller returns the address that the request came from, and what names the caller in limits: an
// IPv4 address, or the /64 network that one line of IPv6 has, where addresses are free to choose.
// The address is invalid when it cannot be read.
func (p proxies) caller(r *http.Request) (clientIP string, sender netip.Addr) {
	sender, ok := p.sender(r)
	if !ok {
		return r.RemoteAddr, sender
	}
	return network(sender), sender
}

// sender returns the address that the request came from: the last one in X-Forwarded-For
// that a trusted proxy did not add itself.
func (p proxies) sender(r *http.Request) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	addr := peer.Addr().Unmap()
	if !p.trusts(addr) {
		return addr, true
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, ok := parseHop(strings.TrimSpace(hops[i]))
		if !ok {
			break
		}
		addr = hop.Unmap()
		if !p.trusts(addr) {
			break
		}
	}
	return addr, true
}

// parseHop reads one entry of X-Forwarded-For: an address, which some balancers write with its
// port, IPv6 in brackets then.
func parseHop(text string) (netip.Addr, bool) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr, true
	}
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr(), true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return addr, err == nil
}

func network(addr netip.Addr) string {
	const line = 64
	if prefix, err := addr.Prefix(line); err == nil && addr.Is6() {
		return prefix.String()
	}
	return addr.String()
}

// secure reports whether the browser came by https, so that the cookie can say so.
func (p proxies) secure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && p.trusts(peer.Addr()) && r.Header.Get("X-Forwarded-Proto") == "https"
}
