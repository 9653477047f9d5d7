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
	// sendsToSelf says that all callbacks go to Options.Address, the program's own listener.
	sendsToSelf bool
	// wake ends the pause of the work loop.
	wake chan struct{}
}

// New returns the bank on a database. Several banks on one database are one bank.
func New(o Options) *Bank {
	return &Bank{
		db: o.DB, clock: o.Clock, log: o.Log, keys: keys{db: o.DB, clock: o.Clock}, client: newClient(o.Address),
		sendsToSelf: o.Address != "",
		wake:        make(chan struct{}, 1),
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

// Calls returns the names of the calls that can go wrong on request.
func Calls() []string { return []string{"start", "finish", "status", "cancel", "refund", "close"} }

// Faults returns what can go wrong with a call.
func Faults() []Fault { return []Fault{FaultBefore, FaultAfter, FaultBusy} }

// inTx runs do in a transaction, and again, at most 20 times, when it returns errStale.
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

// storePayment stores a changed payment and the callbacks about the change. before is the
// payment as it was read. No callback is stored when the shop would learn nothing new. It
// returns errStale when the payment was changed concurrently.
func (b *Bank) storePayment(ctx context.Context, tx *db.Tx, before, p payment) error {
	if err := savePayment(ctx, tx.Q, p); err != nil {
		return err
	}
	eventBefore, event := before.toEvent(), p.toEvent()
	isUnchanged := eventBefore.Key() == event.Key() && eventBefore.Reason == event.Reason
	if isUnchanged || event.State == acquiring.Pending && event.Reason == acquiring.NoReason {
		return nil
	}
	return b.insertCallbacks(ctx, tx, p)
}

// changePayment makes a capture or an end that is due, lets a rule change the payment, and stores
// and returns the result. The rule reports whether it has changed the payment; when nothing has
// changed it, nothing is stored.
func (b *Bank) changePayment(ctx context.Context, ref string, rule func(p *payment, now time.Time) bool) (p payment, err error) {
	err = b.inTx(ctx, func(tx *db.Tx) error {
		if p, err = findByRef(ctx, tx.Q, ref); err != nil {
			return err
		}
		before, now := p, b.clock.Now()
		timeChanged := p.applyTime(now)
		if ruleChanged := rule(&p, now); !ruleChanged && !timeChanged {
			return nil
		}
		return b.storePayment(ctx, tx, before, p)
	})
	b.wakeLoop()
	return p, err
}

// leaveUnchanged is the rule that changes nothing: changePayment then only does what is due.
func leaveUnchanged(*payment, time.Time) bool { return false }

// decideFunc decides what becomes of a payment that begins. isRepeat is set when the bank has lost
// an earlier request for the same payment.
type decideFunc func(p *payment, now time.Time, isRepeat bool)

// The values of isRepeat.
const firstRequest, repeatedRequest = false, true

// beginPayment stores a payment after decide has chosen what becomes of it, and reports whether decide
// was called. That is so for a new payment, for one whose first request was lost, and for one that was
// prepared and now gets its card. Any other payment under the id is returned as it is now.
func (b *Bank) beginPayment(ctx context.Context, request payment, decide decideFunc) (p payment, isDecided bool, err error) {
	err = b.inTx(ctx, func(tx *db.Tx) error {
		isDecided = false
		now := b.clock.Now()
		old, err := findByID(ctx, tx.Q, request.site, request.id)
		switch {
		case errors.Is(err, db.ErrNotFound):
			isDecided = true
			p, err = b.beginNew(ctx, tx, request, decide, now)
			return err
		case err != nil:
			return err
		case old.state == requestLost:
			isDecided = true
			p, err = b.beginAgain(ctx, tx, old, request, decide, now)
			return err
		}
		p = old
		if p.isOpen() && p.step == atToken && bytes.Equal(p.requestHash, request.requestHash) && now.Before(p.deadline) {
			isDecided = true
			decide(&p, now, firstRequest)
			return b.storePayment(ctx, tx, old, p)
		}
		if p.applyTime(now) {
			return b.storePayment(ctx, tx, old, p)
		}
		return nil
	})
	b.wakeLoop()
	return p, isDecided, err
}

// beginNew lets decide choose what becomes of a payment whose id is new, stores it with its
// receipt and callbacks, and returns it.
func (b *Bank) beginNew(ctx context.Context, tx *db.Tx, p payment, decide decideFunc, now time.Time) (payment, error) {
	p.createdAt = now
	decide(&p, now, firstRequest)
	if err := insertPayment(ctx, tx.Q, p); err != nil {
		return p, err
	}
	if err := p.storeReceipt(ctx, tx, now); err != nil {
		return p, err
	}
	if p.state == paid || p.state == failed {
		return p, b.insertCallbacks(ctx, tx, p)
	}
	return p, nil
}

// beginAgain stores a payment over old, whose request was lost, after decide has chosen what
// becomes of it, and returns it. It keeps the names and the time of old.
func (b *Bank) beginAgain(ctx context.Context, tx *db.Tx, old, p payment, decide decideFunc, now time.Time) (payment, error) {
	p.ref, p.transID, p.createdAt, p.version = old.ref, old.transID, old.createdAt, old.version
	decide(&p, now, repeatedRequest)
	if err := p.storeReceipt(ctx, tx, now); err != nil {
		return p, err
	}
	return p, b.storePayment(ctx, tx, old, p)
}

// findPayment returns a payment of a brand by the bank's reference or else by the shop's id. It
// returns [db.ErrNotFound] when there is none, and an error of kind [acquiring.Foreign] when
// the reference belongs to another id.
func (b *Bank) findPayment(ctx context.Context, site string, which acquiring.Lookup) (payment, error) {
	var p payment
	err := db.ErrNotFound
	if which.Ref != "" {
		p, err = findByRef(ctx, b.db.Read(), which.Ref)
	}
	if errors.Is(err, db.ErrNotFound) {
		p, err = findByID(ctx, b.db.Read(), site, which.ID)
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

// wakeLoop ends the pause of this process's work loop. It never blocks.
func (b *Bank) wakeLoop() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// newRef returns a new random reference of a payment.
func newRef() string { return "sb" + strings.ToLower(rand.Text()) }

// newTransID returns a random UUID (version 4), the form that 3-D Secure requires.
func newTransID() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:])                            // crypto/rand never fails
	raw[6], raw[8] = raw[6]&0x0f|0x40, raw[8]&0x3f|0x80 // version 4, variant of RFC 9562
	return fmt.Sprintf("%x-%x-%x-%x-%x", raw[0:4], raw[4:6], raw[6:8], raw[8:10], raw[10:16])
}

// hashIntent returns a hash of a request. Another request under the same id has another hash.
// Card and receipt are not part of it.
func hashIntent(in acquiring.Intent) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%s|%q|%q|%q|%q|%q|%q|%s", in.ID, in.Sum, in.Method, in.Description, in.Language,
		in.ReturnURL, in.FailURL, in.CallbackURL, in.TermURL, in.Deadline.UTC().Format(time.RFC3339Nano)))
	return sum[:]
}
