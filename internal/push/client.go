package push

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// sendTimeout is how long a push service may take to accept a message.
const sendTimeout = 10 * time.Second

// errPrivate says that a name of a push service leads into a private network.
var errPrivate = errors.New("not a public address")

// newClient returns a client that connects to public addresses only. It checks the address at each
// connection, because a name may lead to another one by then. It follows no redirects and uses no proxy.
func newClient() *http.Client {
	dialer := &net.Dialer{Timeout: sendTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err != nil || !isPublic(target.Addr()) {
			return errPrivate
		}
		return nil
	}}
	return &http.Client{
		Timeout:       sendTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: sendTimeout, ForceAttemptHTTP2: true,
			MaxIdleConnsPerHost: 4, MaxConnsPerHost: 8, IdleConnTimeout: time.Minute,
		},
	}
}

// reserved are networks that are not public beyond those that [netip.Addr] knows of.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("2002::/16"),
}

// isPublic reports whether an address is one of the public internet.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	for _, network := range reserved {
		if network.Contains(a) {
			return false
		}
	}
	return a.IsGlobalUnicast() && !a.IsPrivate()
}
