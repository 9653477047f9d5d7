package limit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/netip"
)

// Caller is the origin of a call and what it may do, apart from its session.
type Caller struct {
	// Address and Network are marks of where the call comes from; empty where that is unknown, and
	// then nothing is counted by it.
	Address, Network string
	// CanConfirm says that the brand signs in by a code.
	CanConfirm bool
	// HasCaptcha says that the brand has a captcha, PassedCaptcha that it was solved for this
	// very call.
	HasCaptcha, PassedCaptcha bool
}

// Marks are hashes that stand for a network address where it matters only whether two are the same.
// The zero value is good for tests: its marks can be guessed.
type Marks struct{ key []byte }

// NewMarks returns marks that are made with the server's secret. Without the secret nobody can find the
// address of a mark.
func NewMarks(secret []byte) Marks {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("address marks"))
	return Marks{mac.Sum(nil)}
}

// markLength is how many bytes of a mark are used: two addresses with one mark would share their
// limits, no more.
const markLength = 12

// Of returns the mark of an address or network at a site; another site has another mark for it.
// It is empty for an empty address.
func (m Marks) Of(site, address string) string {
	if address == "" {
		return ""
	}
	mac := hmac.New(sha256.New, m.key)
	mac.Write([]byte(site))
	mac.Write([]byte{0}) // ends the site's name
	mac.Write([]byte(address))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:markLength])
}

// How much of an address one customer of a provider cannot change.
const (
	bitsOfIPv4 = 24
	bitsOfIPv6 = 48
)

// NetworkOf returns the network that an address belongs to: its /24 for IPv4, its /48 for IPv6.
// For a prefix, such as a /64, it is the network of the first address. It returns an empty text when
// address is neither.
func NetworkOf(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		prefix, err := netip.ParsePrefix(address)
		if err != nil {
			return ""
		}
		ip = prefix.Addr()
	}
	ip = ip.Unmap().WithZone("")
	bits := bitsOfIPv6
	if ip.Is4() {
		bits = bitsOfIPv4
	}
	network, err := ip.Prefix(bits)
	if err != nil {
		return ""
	}
	return network.String()
}
