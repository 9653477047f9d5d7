package acquiring

import "net/url"

// Embedded is an acquirer whose own script runs on our payment page.
type Embedded interface {
	Acquirer

	// ListOrigins returns the origins that the policy of the page has to allow for a method. It
	// makes no request.
	ListOrigins(m Method) Origins
}

// Origins are schemes and hosts, such as https://pay.example.
type Origins struct {
	// Scripts are the origins of the acquirer's script, Connections those that the script calls.
	Scripts, Connections []string
}

// OriginOf returns scheme and host of an address as a list of one, and an empty list when it is
// no address.
func OriginOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil
	}
	return []string{u.Scheme + "://" + u.Host}
}
