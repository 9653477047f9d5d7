package request

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"servery/internal/site"
)

// SiteAddresses finds the addresses by which browsers and search engines reach the sites.
type SiteAddresses struct {
	// publicURL is how customers reach the default site, without a slash at its end; empty when
	// no setting says it.
	publicURL string
	// publicPort is the port of publicURL, empty when it names none.
	publicPort string
}

// NewSiteAddresses returns the addresses of a server whose default site has the public URL,
// which may be empty. It fails for a URL that cannot be read.
func NewSiteAddresses(publicURL string) (SiteAddresses, error) {
	public, err := url.Parse(publicURL)
	if err != nil {
		return SiteAddresses{}, fmt.Errorf("read the public address: %w", err)
	}
	return SiteAddresses{publicURL: publicURL, publicPort: public.Port()}, nil
}

// Origin returns the origin of a site for the browser of a request, without a slash at its end. When the
// request's host is one of the site's, the origin has this host. Otherwise it is the public URL for the
// default site, if one is set, and has the first host for another site. A site without hosts has the
// public URL, which may be empty. Any other text of the Host header is left out.
func (a SiteAddresses) Origin(in *Info, st *site.Site) string {
	host := hostWithoutPort(in.Request)
	if !slices.Contains(st.Hosts, host) {
		if a.publicURL != "" && st.Default || len(st.Hosts) == 0 {
			return a.publicURL
		}
		host = st.Hosts[0]
	}
	if port := a.Port(in.Request); port != "" {
		host = net.JoinHostPort(host, port)
	}
	if strings.HasPrefix(a.publicURL, "https:") || in.IsSecure {
		return "https://" + host
	}
	return "http://" + host
}

// Host returns the host name in the origin of a site; empty where neither settings nor content name one.
func (a SiteAddresses) Host(in *Info, st *site.Site) string {
	address, err := url.Parse(a.Origin(in, st))
	if err != nil {
		return ""
	}
	return address.Hostname()
}

// Canonical returns the address of a site for search engines, without a slash at its end. It is
// the same for all hosts of the site, and empty without a public URL.
func (a SiteAddresses) Canonical(st *site.Site) string {
	if a.publicURL == "" || st.Default || len(st.Hosts) == 0 {
		return a.publicURL
	}
	scheme, _, _ := strings.Cut(a.publicURL, "://")
	host := st.Hosts[0]
	if a.publicPort != "" {
		host = net.JoinHostPort(host, a.publicPort)
	}
	return scheme + "://" + host
}

// Port returns the port of the Host header. It is empty for a port that is not this server's:
// with invented ports anybody could have any number of documents made.
func (a SiteAddresses) Port(r *http.Request) string {
	if !strings.Contains(r.Host, ":") {
		return ""
	}
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil || port != a.publicPort && port != localPort(r) {
		return ""
	}
	return port
}

// localPort returns the port at which the request came in, empty when it is unknown.
func localPort(r *http.Request) string {
	address, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return ""
	}
	_, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return ""
	}
	return port
}

// hostWithoutPort returns the name in the Host header in lower case.
func hostWithoutPort(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(host)
}
