package doctor

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"
)

// reachTimeout is how long a server may take to answer.
const reachTimeout = 5 * time.Second

// client calls servers without a secret and follows nothing.
var client = &http.Client{
	Timeout:       reachTimeout,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// answer is what a server has answered; err is why it did not.
type answer struct {
	status int
	date   time.Time
	err    error
}

// callServer makes a call with an empty body.
func callServer(ctx context.Context, method, address string) answer {
	request, err := http.NewRequestWithContext(ctx, method, address, http.NoBody)
	if err != nil {
		return answer{err: err}
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{err: err}
	}
	date, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		date = time.Time{} // a server need not have a clock
	}
	return answer{status: response.StatusCode, date: date, err: response.Body.Close()}
}

// callProviders calls the servers of providers, all at once. Any answer shows that the server can be reached.
// The clock is compared with the first server that sends its time.
func (e *examination) callProviders(ctx context.Context, addresses []string) {
	answers := make([]answer, len(addresses))
	var work sync.WaitGroup
	for i, address := range addresses {
		work.Go(func() { answers[i] = callServer(ctx, http.MethodHead, address) })
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

// examineAddresses examines the public address and the proxies before it.
func (e *examination) examineAddresses(ctx context.Context) {
	public := e.cfg.PublicURL
	if public == "" {
		e.addProblem("public address", "SERVERY_PUBLIC_URL is not set: links in messages and addresses for banks follow from each request")
		return
	}
	switch a := callServer(ctx, http.MethodGet, public+"/healthz"); {
	case a.err != nil:
		e.addProblem("public address", "%s does not answer: %v", public, a.err)
	case a.status != http.StatusOK:
		e.addProblem("public address", "%s answers %d: the proxy does not reach the program", public, a.status)
	default:
		e.addOK("public address", "%s answers", public)
	}
	if strings.HasPrefix(public, "https://") && len(e.cfg.TrustedProxies) == 0 {
		e.addProblem("proxies", "SERVERY_TRUSTED_PROXIES names none: all customers behind the proxy count as one address, and their requests as not encrypted")
	}
}
