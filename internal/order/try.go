package order

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/queue"
	"servery/internal/site"
	"servery/internal/visit"
)

// How long an acquirer's answer is waited for. A customer who comes back from his bank is
// told within two seconds what is known by then.
const (
	startWithin  = 40 * time.Second
	cancelWithin = 10 * time.Second
	statusWithin = 10 * time.Second
	lookWithin   = 1500 * time.Millisecond
	// busyFor is how long nobody else starts a try that was begun to be started; more than
	// startWithin.
	busyFor = time.Minute
)

// begin writes a new try of the visitor down, before its acquirer is asked. It gives
// errMoved when the order or its tries are not as they were seen.
func (s *Service) begin(ctx context.Context, v visit.Context, o Order, city *site.City, r PayRequest, a asked) (Payment, error) {
	account, _, method, ok := s.Acquirer(v.Site, city, r.PaymentType)
	if !ok {
		return Payment{}, noSuchType()
	}
	// What is stored is what is sent, also the next time: an instant as both engines keep it.
	// What the call waited for before may have taken longer than a try is busy.
	now := s.clock.Now().UTC().Truncate(time.Millisecond)
	p := Payment{
		ID: acquiring.ID(rand.Text()), OrderID: o.ID, Site: o.Site, Account: account, Method: method,
		Sum: acquiring.Sum{Amount: o.Prices.Total, Currency: o.Currency}, State: Starting,
		StartedAt: now, Deadline: o.PayUntil, asked: a, callKey: v.IdempotencyKey,
		busyUntil: now.Add(busyFor), checkAt: now.Add(busyFor),
	}
	p.asked.HasToken = r.Token != ""
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := lockOrder(ctx, tx.Q, o.ID); err != nil {
			return err
		}
		fresh, err := load(ctx, tx.Q, o.ID)
		if err != nil {
			return err
		}
		tries, err := paymentsOf(ctx, tx.Q, o.ID)
		if err != nil {
			return err
		}
		if _, isLive := liveTry(tries); isLive || fresh.State != WaitingForPayment {
			return errMoved
		}
		if _, answered := tryOf(tries, v.IdempotencyKey); answered {
			return errMoved
		}
		if n := len(tries); n > 0 && !p.StartedAt.After(tries[n-1].StartedAt) { // they are in the order of their beginning
			p.StartedAt = tries[n-1].StartedAt.Add(time.Millisecond)
		}
		if fresh.PaymentType != r.PaymentType {
			if err := setPaymentType(ctx, tx.Q, o.ID, r.PaymentType); err != nil {
				return err
			}
		}
		if err := insertPayment(ctx, tx.Q, p); err != nil {
			return err
		}
		return s.checkAt(ctx, tx, p.ID, p.checkAt)
	})
	if err != nil {
		return Payment{}, err
	}
	return loadPayment(ctx, s.db.Read(), p.ID)
}

// tryOf gives the try that a call with the key began.
func tryOf(tries []Payment, key string) (Payment, bool) {
	for _, p := range tries {
		if key != "" && p.callKey == key {
			return p, true
		}
	}
	return Payment{}, false
}

// checkAt stores the job that asks the acquirer about a payment.
func (s *Service) checkAt(ctx context.Context, tx *db.Tx, id acquiring.ID, at time.Time) error {
	return s.queue.Enqueue(ctx, tx, paymentJob{ID: id}, queue.At(at))
}

// checkTime gives when a payment is checked that is checked after a pause: no job of
// whole milliseconds comes before it.
func checkTime(now time.Time, pause time.Duration) time.Time {
	return now.Add(pause).Truncate(time.Second)
}

// intent is what the acquirer is asked with, the same each time: it follows from what is
// stored. Token and verify param are not, and come with the call.
func (p Payment) intent(o Order, token acquiring.Secret, verify string) acquiring.Intent {
	back := p.asked.Origin + "/" + p.asked.City + "/order/payment/" + o.CacheKey
	return acquiring.Intent{
		ID: p.ID, Sum: p.Sum, Method: p.Method, Language: p.asked.Language,
		Description: lang.T(lang.Lang(p.asked.Language), "pay.description", fault.Args{"order": o.ID}),
		Customer: acquiring.Customer{
			Phone: p.asked.Phone, Email: p.asked.Email, Name: p.asked.Name, Address: p.asked.Address,
			UserAgent: p.asked.UserAgent, Mobile: p.asked.IsMobile,
		},
		ReturnURL: back + "?back=1", FailURL: back + "?back=fail",
		CallbackURL: p.asked.Origin + "/api/callback/" + p.Account,
		TermURL:     p.asked.Origin + "/api/order/3ds/" + string(p.ID),
		Started:     p.StartedAt, Deadline: p.Deadline, Token: token, VerifyParam: verify, Receipt: p.receipt(o),
	}
}

// acquirer gives the acquirer that a try was made through, and an error of kind
// [acquiring.Denied] when the account is not there any more.
func (s *Service) acquirer(p Payment) (acquiring.Acquirer, error) {
	a, ok := s.accounts.Find(p.Site, p.Account)
	if !ok {
		return nil, &acquiring.Error{Acquirer: p.Account, Op: "find", Kind: acquiring.Denied, Code: "account"}
	}
	return a, nil
}

// patient gives a context for a call that goes on when the customer does not wait for it.
func patient(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}

// start asks the acquirer to begin a try that is claimed, outside of any transaction, and
// keeps what it answers. An error of the first call says that nothing was taken; one of a
// later call says nothing of those before.
func (s *Service) start(ctx context.Context, p Payment, o Order, token acquiring.Secret, verify string, isFirst bool) (Payment, error) {
	calling, cancel := patient(ctx, startWithin)
	defer cancel()
	a, err := s.acquirer(p)
	var next acquiring.Next
	if err == nil {
		next, err = a.Start(calling, p.intent(o, token, verify))
	}
	ctx = context.WithoutCancel(ctx) // what is known is kept, whoever waits for it
	if err == nil {
		return s.keep(ctx, p, next)
	}
	s.logRefusal(ctx, p, "start", err)
	if isFirst {
		return s.apply(ctx, p.ID, acquiring.Event{ID: p.ID, State: acquiring.Failed, Sum: p.Sum, Reason: reasonOf(err), Code: codeOf(err)}, true)
	}
	return s.keep(ctx, p, acquiring.Next{Kind: p.Next.Kind, URL: p.Next.URL, QR: p.Next.QR, ThreeDS: p.Next.ThreeDS, VerifyParam: p.Next.VerifyParam})
}

// keep keeps what an acquirer answered to Start or Finish3DS.
func (s *Service) keep(ctx context.Context, p Payment, next acquiring.Next) (Payment, error) {
	if next.Kind == acquiring.Done || next.Kind == acquiring.Declined {
		if next.Event.Ref == "" {
			next.Event.Ref = next.Ref
		}
		return s.believe(ctx, p, next.Event)
	}
	state := Pending
	if next.Kind == acquiring.Unknown {
		state = p.State
	}
	now := s.clock.Now()
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		checked := checkTime(now, firstPause)
		kept, err := answerPayment(ctx, tx.Q, p, state, next, checked)
		if err != nil || !kept {
			return err
		}
		return s.checkAt(ctx, tx, p.ID, checked)
	})
	if err != nil {
		return p, err
	}
	return loadPayment(ctx, s.db.Read(), p.ID)
}

// reasonOf says why a try failed that an acquirer did not begin.
func reasonOf(err error) acquiring.Reason {
	if acquiring.KindOf(err) == acquiring.Late {
		return acquiring.Expired
	}
	return acquiring.Refused
}

// codeOf gives a word for the books.
func codeOf(err error) string {
	var e *acquiring.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// statusOf asks the acquirer what became of a try.
func (s *Service) statusOf(ctx context.Context, p Payment, limit time.Duration) (acquiring.Event, error) {
	a, err := s.acquirer(p)
	if err != nil {
		return acquiring.Event{}, err
	}
	ctx, cancel := patient(ctx, limit)
	defer cancel()
	return a.Status(ctx, p.Lookup())
}

// logRefusal tells of a call that failed; an error of an acquirer holds nothing of the
// customer's.
func (s *Service) logRefusal(ctx context.Context, p Payment, what string, err error) {
	s.log.WarnContext(ctx, "an acquirer could not be asked", slog.String("call", what), slog.String("site", p.Site),
		slog.String("account", p.Account), slog.Int64("order_id", p.OrderID), slog.String("payment_id", string(p.ID)), slog.Any("error", err))
}

// noSuchType refuses a payment type that the order cannot be paid by.
func noSuchType() error {
	return fault.New(fault.Invalid, "order.payment_type", fault.Field("payment_type", "order.payment_type"))
}
