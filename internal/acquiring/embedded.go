package acquiring

import "net/url"

// Embedded is an acquirer whose own script runs on our payment page.
type Embedded interface {
	Acquirer

	// ListOrigins says what the page has to let in for a method. It asks nobody.
	ListOrigins(m Method) Origins
}

// Origins are schemes and hosts, such as https://pay.example.
type Origins struct {
	// Scripts is where the acquirer's script comes from, Asked whom it asks.
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
