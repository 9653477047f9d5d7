// Package push sends the states of an order to browsers whose visitors have asked for them, through
// the push services of the browsers' makers (RFC 8030), encrypted (RFC 8291) and signed (RFC 8292).
package push

import (
	"crypto/ecdh"
	"encoding/base64"
	"net/netip"
	"net/url"
	"strings"

	"servery/internal/fault"
)

// Subscription is where a browser gets messages, and the keys that they are encrypted with.
type Subscription struct {
	// Endpoint is an address of a push service, which lets a caller send to this browser, so it is
	// never logged.
	Endpoint string
	// P256dh and Auth are the browser's public key and its secret, in base64url.
	P256dh, Auth string
}

// maxEndpoint bounds an address; those of push services have a few hundred characters.
const maxEndpoint = 1000

// check returns push.bad_subscription (Invalid) when the endpoint is no https address of a public host,
// P256dh is no public key on the curve P-256, or Auth does not have the length of a secret.
func (s Subscription) check() error {
	if !isPublicAddress(s.Endpoint) || !isPublicKey(s.P256dh) || !isSecret(s.Auth) {
		return fault.New(fault.Invalid, "push.bad_subscription")
	}
	return nil
}

// isPublicAddress reports whether the text is an https address of a host with a public name. What the
// name leads to is checked when it is called: see newClient.
func isPublicAddress(text string) bool {
	u, err := url.Parse(text)
	if err != nil || len(text) > maxEndpoint || u.Scheme != "https" || u.User != nil || u.Port() != "" && u.Port() != "443" || u.Fragment != "" {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if _, err := netip.ParseAddr(host); err == nil {
		return false // no push service is known by a number
	}
	last := host[strings.LastIndex(host, ".")+1:] // without a letter the name could be read as a number
	return strings.Contains(host, ".") && strings.ContainsAny(last, "abcdefghijklmnopqrstuvwxyz") && !privateDomains[last]
}

// privateDomains are the last parts of names that lead into private networks.
var privateDomains = map[string]bool{"local": true, "localhost": true, "internal": true, "lan": true, "home": true, "arpa": true, "test": true, "invalid": true}

// isPublicKey reports whether the text is a public key on the curve P-256, in base64url.
func isPublicKey(text string) bool {
	point, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return false
	}
	_, err = ecdh.P256().NewPublicKey(point)
	return err == nil
}

// isSecret reports whether the text has 16 bytes in base64url.
func isSecret(text string) bool {
	const bytes = 16
	secret, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	return err == nil && len(secret) == bytes
}
