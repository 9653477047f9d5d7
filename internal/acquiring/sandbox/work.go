//go:build !release

package sandbox

import (
	"bytes"
	"context"
	"encoding/hex"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

const (
	// workInterval is how often the bank looks for due work. Its own changes wake it at once.
	workInterval = 500 * time.Millisecond
	// workBatch is how many payments, refunds and callbacks it handles at a time.
	workBatch = 20
	// callbackTimeout is how long a shop may take for one callback.
	callbackTimeout = 10 * time.Second
)

// pauses are how long the bank waits after a callback that was not answered with 200; the
// last one repeats, until a day is over.
var pauses = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}

// maxCallbackTries is how often a callback is sent that is never answered with 200.
const maxCallbackTries = 300

// newClient returns the client for callbacks. With an address, every connection goes there,
// whatever host the URL names.
func newClient(address string) *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second}
	if address != "" {
		dialer := &net.Dialer{Timeout: callbackTimeout}
		transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, address)
		}
	}
	return &http.Client{
		Transport: transport, Timeout: callbackTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Run does due work and delivers callbacks until ctx ends.
func (b *Bank) Run(ctx context.Context) {
	ticker := time.NewTicker(workInterval)
	defer ticker.Stop()
	defer b.client.CloseIdleConnections()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-b.wake:
		}
		if err := b.DoDueWork(ctx); err != nil && ctx.Err() == nil {
			b.log.WarnContext(ctx, "the test bank could not do its work, it tries again", "error", err)
		}
	}
}

// postCallback signs and sends one callback to a shop's address. It returns the status of the
// answer, 0 when there was none.
func (b *Bank) postCallback(ctx context.Context, site, address string, body []byte) int {
	signature, err := b.keys.signText(ctx, "callback", site, body)
	if err != nil {
		return 0
	}
	target, err := url.Parse(address)
	if err != nil {
		return 0
	}
	if b.sendsToSelf {
		target.Scheme = "http" // the program's own listener has no TLS
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(body))
	if err != nil {
		return 0
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(SignatureHeader, hex.EncodeToString(signature))
	answer, err := b.client.Do(request)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// DoDueWork does once what is due now: captures, pending refunds and callbacks. Callbacks are
// sent concurrently.
func (b *Bank) DoDueWork(ctx context.Context) error {
	payments, refunds, callbacks, err := b.listDue(ctx)
	if err != nil {
		return err
	}
	for _, ref := range payments {
		if _, err := b.changePayment(ctx, ref, leaveUnchanged); err != nil {
			return err
		}
	}
	for _, r := range refunds {
		if err := b.finishRefund(ctx, r.site, r.refund); err != nil {
			return err
		}
	}
	var work sync.WaitGroup
	for _, c := range callbacks {
		work.Go(func() {
			if err := b.deliverCallback(ctx, c); err != nil && ctx.Err() == nil {
				b.log.WarnContext(ctx, "a callback of the test bank could not be kept", "error", err)
			}
		})
	}
	work.Wait()
	return nil
}

// pauseAfter returns how long to wait before a callback is sent again, after the given number of
// tries. It returns false when it was tried often enough.
func pauseAfter(tries int) (time.Duration, bool) {
	if tries >= maxCallbackTries {
		return 0, false
	}
	return pauses[min(max(tries, 1), len(pauses))-1], true
}
