package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"servery/internal/app"
	"servery/internal/server"
	"servery/internal/site"
)

// reachTimeout is how long a server may take to answer.
const reachTimeout = 5 * time.Second

// client calls servers without a secret and follows nothing. localClient is the same for this machine: it uses no
// proxy, also when the environment names one.
var (
	client      = newClient(http.DefaultTransport)
	localClient = newClient(&http.Transport{DisableKeepAlives: true})
)

// newClient returns a client that follows nothing.
func newClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Timeout:       reachTimeout,
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// answer is what a server has answered; err is why it did not.
type answer struct {
	status   int
	date     time.Time
	isStrict bool // it has the header Strict-Transport-Security
	err      error
}

// callServer makes a call with an empty body.
func callServer(ctx context.Context, from *http.Client, method, address string) answer {
	request, err := http.NewRequestWithContext(ctx, method, address, http.NoBody)
	if err != nil {
		return answer{err: err}
	}
	response, err := from.Do(request)
	if err != nil {
		return answer{err: err}
	}
	date, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		date = time.Time{} // a server need not have a clock
	}
	isStrict := response.Header.Get("Strict-Transport-Security") != ""
	return answer{status: response.StatusCode, date: date, isStrict: isStrict, err: response.Body.Close()}
}

// callProviders calls the servers of providers, all at once. Any answer shows that the server can be reached.
// The clock is compared with the first server that sends its time.
func (e *examination) callProviders(ctx context.Context, addresses []string) {
	answers := make([]answer, len(addresses))
	var work sync.WaitGroup
	for i, address := range addresses {
		work.Go(func() { answers[i] = callServer(ctx, client, http.MethodHead, address) })
	}
	work.Wait()
	isCompared := false
	for i, address := range addresses {
		a := answers[i]
		if a.err != nil {
			e.addProblem("providers", "%s does not answer: %v; open the way out of this machine to it", address, a.err)
			continue
		}
		e.addOK("providers", "%s answers", address)
		if !isCompared && !a.date.IsZero() {
			isCompared = true
			e.compareClock(address, a.date)
		}
	}
}

// examineService examines whether a process serves on this machine at the address of the settings.
func (e *examination) examineService(ctx context.Context) {
	address := app.LocalAddress(e.cfg.Addr)
	switch a := callServer(ctx, localClient, http.MethodGet, "http://"+address+"/healthz"); {
	case a.err != nil:
		e.addProblem("service", "no process answers at %s (SERVERY_ADDR): %v; start it (systemctl start servery; journalctl -u servery says why it ended), or name the address of one by -addr", address, a.err)
	case a.status != http.StatusOK:
		e.addProblem("service", "%s (SERVERY_ADDR) answers %d: another program listens there; stop it, or choose another address", address, a.status)
	default:
		e.addOK("service", "a process answers at %s", address)
	}
}

// examineAddresses examines the public address, whether one of the brands has its host, and the proxies before it.
func (e *examination) examineAddresses(ctx context.Context, sites []*site.Site) {
	public := e.cfg.PublicURL
	if public == "" {
		e.addProblem("public address", "SERVERY_PUBLIC_URL is not set: links in messages and addresses for banks follow from each request")
		return
	}
	switch a := callServer(ctx, client, http.MethodGet, public+"/healthz"); {
	case a.err != nil:
		e.addProblem("public address", "%s does not answer: %v", public, a.err)
	case a.status != http.StatusOK:
		e.addProblem("public address", "%s answers %d: the proxy does not reach the program", public, a.status)
	default:
		e.addOK("public address", "%s answers", public)
		if strings.HasPrefix(public, "https://") && len(e.cfg.TrustedProxies) > 0 && !a.isStrict {
			e.addProblem("proxies", "the program takes requests to %s as not encrypted: let the proxy set X-Forwarded-Proto, and name its network in SERVERY_TRUSTED_PROXIES", public)
		}
		e.examinePassage(ctx, public)
		if m := callServer(ctx, client, http.MethodGet, public+"/metrics"); m.err == nil && m.status == http.StatusOK {
			e.addProblem("metrics", "everybody can read %s/metrics: set SERVERY_OPS_ADDR, or let the proxy refuse it", public)
		}
	}
	e.examineHost(public, sites)
	if strings.HasPrefix(public, "https://") && len(e.cfg.TrustedProxies) == 0 {
		e.addProblem("proxies", "SERVERY_TRUSTED_PROXIES names none: all customers behind the proxy count as one address, and their requests as not encrypted")
	}
	if slices.ContainsFunc(e.cfg.TrustedProxies, func(network netip.Prefix) bool { return network.Bits() == 0 }) {
		e.addProblem("proxies", "SERVERY_TRUSTED_PROXIES names all addresses: callers can write any address of theirs, and no limit by address holds")
	}
}

// probeAddress is an address that no caller has (RFC 5737).
const probeAddress = "192.0.2.1"

// examinePassage examines what the proxies make of the host and the address of a request. A program that does not
// describe it is passed over.
func (e *examination) examinePassage(ctx context.Context, public string) {
	address, passage, err := findPassage(ctx, public)
	if err != nil {
		return
	}
	if !strings.EqualFold(passage.Host, address.Host) {
		e.addProblem("proxies", "the program gets the host %s in place of %s: let the proxy pass Host on, brands are chosen by it", passage.Host, address.Host)
	}
	if len(e.cfg.TrustedProxies) == 0 {
		return
	}
	switch passage.ForwardedFor {
	case server.ForwardedMissing:
		e.addProblem("proxies", "the proxy leaves out X-Forwarded-For: all customers behind it count as one address")
	case server.ForwardedAsSent:
		e.addProblem("proxies", "the proxy passes X-Forwarded-For on as callers write it: let it add the caller's address, without which no limit by address holds")
	}
}

// findPassage calls the public address, and returns it with what the program says of the passage of that call.
func findPassage(ctx context.Context, public string) (address *url.URL, passage server.Passage, err error) {
	if address, err = url.Parse(public); err != nil {
		return nil, passage, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, public+"/healthz", http.NoBody)
	if err != nil {
		return nil, passage, err
	}
	request.Header.Set(server.ProbeHeader, probeAddress)
	request.Header.Set("X-Forwarded-For", probeAddress)
	response, err := client.Do(request)
	if err != nil {
		return nil, passage, err
	}
	err = json.NewDecoder(io.LimitReader(response.Body, 1<<10)).Decode(&passage)
	if err = errors.Join(err, response.Body.Close()); err == nil && passage.Host == "" {
		err = errors.New("the program does not describe the passage")
	}
	return address, passage, err
}

// examineHost examines whether one of the brands has the host of the public address. Without brands it finds nothing.
func (e *examination) examineHost(public string, sites []*site.Site) {
	address, err := url.Parse(public)
	if err != nil || len(sites) == 0 {
		return
	}
	host := strings.ToLower(address.Hostname())
	for _, s := range sites {
		if slices.Contains(s.Hosts, host) {
			e.addOK("hosts", "%s is a host of %s", host, s.Alias)
			return
		}
	}
	e.addProblem("hosts", "no brand has the host %s of SERVERY_PUBLIC_URL: add it to hosts in the brand.yaml of the brand that it is for, then servery import DIR", host)
}
