//go:build !release

package sandbox

import (
	"context"
	"encoding/hex"
	"net/http"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/db/gen"
	"servery/internal/money"
)

// Entry is a payment in the books, for tests.
type Entry struct {
	Event  acquiring.Event
	Method acquiring.Method
	// Open says that somebody may act on it, Retry that its page may be tried again,
	// Expired that it ran out.
	Open, Guarded, Retry, Expired bool
	Page                          string
	Returned                      money.Amount
	Receipts                      []double.Receipt
}

// ListEntries returns the payments of a brand that the bank has received, as they are now: those
// of a shop's id, or all when it is empty.
func (b *Bank) ListEntries(ctx context.Context, site, id string) ([]Entry, error) {
	rows, err := b.db.Reader().QueryContext(ctx, "SELECT ref FROM sandbox_payment WHERE site = $1 ORDER BY created_at, ref", site)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var refs []string
	for rows.Next() {
		var ref string
		if err := rows.Scan(&ref); err != nil {
			return nil, err
		}
		refs = append(refs, ref)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	var found []Entry
	for _, ref := range refs {
		p, err := findByRef(ctx, b.db.Read(), ref)
		if err != nil {
			return nil, err
		}
		p.applyTime(b.clock.Now())
		if p.state == requestLost || id != "" && string(p.id) != id {
			continue
		}
		e := p.toEvent()
		e.Ref = p.ref
		receipts, err := listReceipts(ctx, b.db.Read(), p.ref)
		if err != nil {
			return nil, err
		}
		var registered []double.Receipt
		for _, r := range receipts {
			registered = append(registered, double.Receipt{
				Ref: string(r.id), Kind: double.ReceiptKind(r.kind), Mode: r.mode, Items: r.items, Registered: r.registered,
			})
		}
		found = append(found, Entry{
			Event: e, Method: p.method, Open: p.isOpen(), Guarded: p.outcome.Check != NoCheck, Retry: p.state == open && p.reason != acquiring.NoReason,
			Expired: p.reason == acquiring.Expired, Page: p.pagePath(), Returned: p.refunded,
			Receipts: registered,
		})
	}
	return found, nil
}

// ForceCapture takes the money of a payment, whatever its state.
func (b *Bank) ForceCapture(ctx context.Context, ref string) error {
	_, err := b.changePayment(ctx, ref, func(p *payment, _ time.Time) bool {
		p.capture()
		return true
	})
	return err
}

// NewCallback returns a signed callback to a shop about an event.
func (b *Bank) NewCallback(ctx context.Context, site string, e acquiring.Event) (acquiring.Callback, error) {
	body := callbackBody(e)
	mac, err := b.keys.signText(ctx, "callback", site, body)
	return acquiring.Callback{Method: http.MethodPost, Body: body, Header: http.Header{SignatureHeader: {hex.EncodeToString(mac)}}}, err
}

// CountWaitingCallbacks returns how many callbacks are still to be delivered.
func (b *Bank) CountWaitingCallbacks(ctx context.Context) (int, error) {
	rows, err := b.db.Read().ListDueSandboxCallbacks(ctx, gen.ListDueSandboxCallbacksParams{
		Now: nullTime(b.clock.Now().Add(100 * time.Hour)), Most: 1000, // later and more than any test has
	})
	return len(rows), err
}

// WithAddress returns the same bank with its callbacks delivered to an address, host and port.
func (b *Bank) WithAddress(address string) *Bank {
	other := New(Options{DB: b.db, Clock: b.clock, Log: b.log, Address: address})
	other.wake = b.wake
	return other
}
