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
	// pulse is how often the bank looks for what is due; its own news wake it at once.
	pulse = 500 * time.Millisecond
	// handful is how much it does at a time.
	handful = 20
	// patience is how long a shop may take for one callback.
	patience = 10 * time.Second
)

// pauses are how long the bank waits after a callback that was not answered with 200; the
// last one repeats, until a day is over.
var pauses = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}

const mostTries = 300

func newClient(address string) *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second}
	if address != "" {
		dialer := &net.Dialer{Timeout: patience}
		transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, address)
		}
	}
	return &http.Client{
		Transport: transport, Timeout: patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Run does what is due and delivers callbacks until ctx ends.
func (b *Bank) Run(ctx context.Context) {
	ticker := time.NewTicker(pulse)
	defer ticker.Stop()
	defer b.client.CloseIdleConnections()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-b.wake:
		}
		if err := b.Work(ctx); err != nil && ctx.Err() == nil {
			b.log.WarnContext(ctx, "the test bank could not do its work, it tries again", "error", err)
		}
	}
}

// postCallback sends one callback; the status of the answer, 0 for none.
func (b *Bank) postCallback(ctx context.Context, site, address string, body []byte) int {
	signature, err := b.keys.signText(ctx, "callback", site, body)
	if err != nil {
		return 0
	}
	target, err := url.Parse(address)
	if err != nil {
		return 0
	}
	if b.own {
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

// Work does once what is due now: money that the bank takes by itself, refunds, callbacks.
func (b *Bank) Work(ctx context.Context) error {
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
	var all sync.WaitGroup
	for _, c := range callbacks {
		all.Go(func() {
			if err := b.deliverCallback(ctx, c); err != nil && ctx.Err() == nil {
				b.log.WarnContext(ctx, "a callback of the test bank could not be kept", "error", err)
			}
		})
	}
	all.Wait()
	return nil
}

// pauseAfter is how long to wait after so many tries; false when it is enough.
func pauseAfter(tries int) (time.Duration, bool) {
	if tries >= mostTries {
		return 0, false
	}
	return pauses[min(max(tries, 1), len(pauses))-1], true
}
