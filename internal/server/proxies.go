package server

import (
	"net/http"
	"net/netip"
	"strings"
)

// proxies are the networks whose forwarded headers are trusted; headers from any other sender may be
// forged.
type proxies []netip.Prefix

// trustsAddr reports whether the address belongs to a trusted proxy.
func (p proxies) trustsAddr(addr netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(addr.Unmap()) {
			return true
		}
	}
	return false
}

// identify returns the name of a request's caller in limits, and the address that the request came
// from. The name is the IPv4 address, or the /64 network of an IPv6 address, since a line of IPv6
// may use any address of its network. When the connection's address cannot be read, the name is its text
// and sender is the invalid address.
func (p proxies) identify(r *http.Request) (clientIP string, sender netip.Addr) {
	sender, ok := p.findSender(r)
	if !ok {
		return r.RemoteAddr, sender
	}
	return limitKey(sender), sender
}

// findSender returns the address that the request came from: the address of the connection or, when
// that is a trusted proxy, the last address in X-Forwarded-For that is not one. It returns false when
// the connection's address cannot be read.
func (p proxies) findSender(r *http.Request) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	addr := peer.Addr().Unmap()
	if !p.trustsAddr(addr) {
		return addr, true
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, ok := parseHop(strings.TrimSpace(hops[i]))
		if !ok {
			break
		}
		addr = hop.Unmap()
		if !p.trustsAddr(addr) {
			break
		}
	}
	return addr, true
}

// parseHop reads one entry of X-Forwarded-For. Some balancers write an address with its port,
// and IPv6 in brackets.
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

// limitKey returns the name of an address in limits: an IPv4 address, or the /64 network of an
// IPv6 address.
func limitKey(addr netip.Addr) string {
	const networkBits = 64
	if addr.Is6() {
		if prefix, err := addr.Prefix(networkBits); err == nil {
			return prefix.String()
		}
	}
	return addr.String()
}

// isSecure reports whether the browser uses https, here or at a trusted proxy.
func (p proxies) isSecure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && p.trustsAddr(peer.Addr()) && r.Header.Get("X-Forwarded-Proto") == "https"
}
