//go:build !release

package sandbox

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"servery/internal/acquiring"
	"servery/internal/clock"
	"servery/internal/db"
)

// Options are what a bank needs.
type Options struct {
	DB    *db.DB
	Clock clock.Clock
	Log   *slog.Logger
	// Address is where callbacks are delivered, host and port, whatever host their address
	// names: the names of test shops may not resolve. Empty means where it names.
	Address string
}

// Bank keeps payments. All processes on one database are one bank. It is safe for
// concurrent use.
type Bank struct {
	db     *db.DB
	clock  clock.Clock
	log    *slog.Logger
	keys   keys
	client *http.Client
	// own says that all callbacks go to the program itself.
	own bool
	// wake returns the work loop that there is news.
	wake chan struct{}
}

// New makes the bank on a database.
func New(o Options) *Bank {
	return &Bank{
		db: o.DB, clock: o.Clock, log: o.Log, keys: keys{db: o.DB, clock: o.Clock}, client: newClient(o.Address),
		own:  o.Address != "",
		wake: make(chan struct{}, 1),
	}
}

// Fault is what goes wrong with a call on request. The set is closed.
type Fault string

// The faults of calls.
const (
	NoFault     Fault = ""
	FaultBefore Fault = "lost_before" // nothing is done, and no answer comes
	FaultAfter  Fault = "lost_after"  // it is done, and no answer comes
	FaultBusy   Fault = "busy"        // nothing is done: too many requests
)

// Calls are those that can go wrong on request.
func Calls() []string { return []string{"start", "finish", "status", "cancel", "refund", "close"} }

// Faults are what can go wrong with a call.
func Faults() []Fault { return []Fault{FaultBefore, FaultAfter, FaultBusy} }

// inTx runs do in a transaction, and again when somebody else was faster.
func (b *Bank) inTx(ctx context.Context, do func(tx *db.Tx) error) error {
	const tries = 20
	var err error
	for range tries {
		if err = b.db.InTx(ctx, do); !errors.Is(err, errStale) {
			return err
		}
	}
	return err
}

// storePayment stores a changed payment with the callbacks to send about it.
func (b *Bank) storePayment(ctx context.Context, tx *db.Tx, before, p payment) error {
	if err := savePayment(ctx, tx.Q, p); err != nil {
		return err
	}
	was, is := before.toEvent(), p.toEvent()
	if was.Key() == is.Key() && was.Reason == is.Reason || is.State == acquiring.Pending && is.Reason == acquiring.NoReason {
		return nil
	}
	return b.insertCallbacks(ctx, tx, p)
}

// changePayment lets a rule change a payment; the rule says whether it did. The payment comes
// back as it is afterwards.
func (b *Bank) changePayment(ctx context.Context, ref string, rule func(p *payment, now time.Time) bool) (p payment, err error) {
	err = b.inTx(ctx, func(tx *db.Tx) error {
		if p, err = byRef(ctx, tx.Q, ref); err != nil {
			return err
		}
		before, now := p, b.clock.Now()
		passed := p.applyTime(now)
		if changed := rule(&p, now); !changed && !passed {
			return nil
		}
		return b.storePayment(ctx, tx, before, p)
	})
	b.wakeLoop()
	return p, err
}

func leaveUnchanged(*payment, time.Time) bool { return false }

// beginPayment stores a payment, or returns the one that was begun under its id. first decides
// about a new one, which comes back with fresh set.
func (b *Bank) beginPayment(ctx context.Context, request payment, first func(p *payment, now time.Time, heard bool)) (p payment, fresh bool, err error) {
	err = b.inTx(ctx, func(tx *db.Tx) error {
		fresh = false
		now := b.clock.Now()
		old, err := byID(ctx, tx.Q, request.site, request.id)
		switch {
		case errors.Is(err, db.ErrNotFound):
			p, fresh = request, true
			p.createdAt = now
			first(&p, now, true)
			if err := insertPayment(ctx, tx.Q, p); err != nil {
				return err
			}
			if err := p.keepReceipt(ctx, tx, now); err != nil {
				return err
			}
			if p.state == paid || p.state == failed {
				return b.insertCallbacks(ctx, tx, p)
			}
			return nil
		case err != nil:
			return err
		case old.state == unheard:
			p, fresh = request, true
			p.ref, p.transID, p.createdAt, p.version = old.ref, old.transID, old.createdAt, old.version
			first(&p, now, false)
			if err := p.keepReceipt(ctx, tx, now); err != nil {
				return err
			}
			return b.storePayment(ctx, tx, old, p)
		}
		p = old
		if p.isOpen() && p.step == atToken && bytes.Equal(p.asked, request.asked) && now.Before(p.deadline) {
			fresh = true
			first(&p, now, true)
			return b.storePayment(ctx, tx, old, p)
		}
		if p.applyTime(now) {
			return b.storePayment(ctx, tx, old, p)
		}
		return nil
	})
	b.wakeLoop()
	return p, fresh, err
}

// findPayment returns a payment of a brand by the bank's name or the shop's.
func (b *Bank) findPayment(ctx context.Context, site string, which acquiring.Lookup) (payment, error) {
	var p payment
	err := db.ErrNotFound
	if which.Ref != "" {
		p, err = byRef(ctx, b.db.Read(), which.Ref)
	}
	if errors.Is(err, db.ErrNotFound) {
		p, err = byID(ctx, b.db.Read(), site, which.ID)
	}
	switch {
	case err != nil:
		return payment{}, err
	case p.site != site:
		return payment{}, db.ErrNotFound
	case p.id != which.ID:
		return payment{}, &acquiring.Error{Acquirer: Name, Op: "find", Kind: acquiring.Foreign}
	}
	if p.applyTime(b.clock.Now()) {
		return b.changePayment(ctx, p.ref, leaveUnchanged)
	}
	return p, nil
}

// wakeLoop wakes the work loop of this process.
func (b *Bank) wakeLoop() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// newRef makes the bank's name of a payment.
func newRef() string { return "sb" + strings.ToLower(rand.Text()) }

// newTransID makes a name as 3-D Secure wants it.
func newTransID() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // crypto/rand never fails
	raw[6], raw[8] = raw[6]&0x0f|0x40, raw[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", raw[0:4], raw[4:6], raw[6:8], raw[8:10], raw[10:16])
}

// hashIntent returns one request from another under the same id.
func hashIntent(in acquiring.Intent) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%s|%q|%q|%q|%q|%q|%q|%s", in.ID, in.Sum, in.Method, in.Description, in.Language,
		in.ReturnURL, in.FailURL, in.CallbackURL, in.TermURL, in.Deadline.UTC().Format(time.RFC3339Nano)))
	return sum[:]
}
