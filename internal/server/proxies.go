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

// sender is where a request came from.
type sender struct {
	// addr is invalid when the address of the connection cannot be read.
	addr netip.Addr
	// limitKey is its name in limits: the IPv4 address, or the /64 network of an IPv6 address, since a line of
	// IPv6 may use any address of its network; the text of the connection's address when that cannot be read.
	limitKey string
	// isSecure reports whether the browser uses https, here or at a trusted proxy.
	isSecure bool
}

// identify returns the sender of a request.
func (p proxies) identify(r *http.Request) sender {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return sender{limitKey: r.RemoteAddr, isSecure: r.TLS != nil}
	}
	addr, isProxy := peer.Addr().Unmap(), p.trustsAddr(peer.Addr())
	isSecure := r.TLS != nil || isProxy && r.Header.Get("X-Forwarded-Proto") == "https"
	if isProxy {
		addr = p.findForwarded(r, addr)
	}
	return sender{addr, limitKey(addr), isSecure}
}

// findForwarded returns the last address in X-Forwarded-For that is no trusted proxy. It reads from the end, up to an
// entry that is no address; when all before that are trusted, it returns the last that it has read, or addr for none.
func (p proxies) findForwarded(r *http.Request, addr netip.Addr) netip.Addr {
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
	return addr
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
