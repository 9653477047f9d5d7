package payments

import (
	"context"
	"errors"
	"slices"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/payment"
	"servery/internal/phone"
	"servery/internal/site"
	"servery/internal/visit"
)

const (
	// maxAttempts bounds the attempts to pay one order: more of them are no typing errors but
	// stolen card numbers being tried.
	maxAttempts = 20
	// maxRetries bounds how often Pay starts again because the order was changed concurrently.
	maxRetries = 8
)

// Pay begins to pay an order of the visitor online, or continues what was begun. An order has
// one active attempt at a time, and each is stored before its acquirer is called, so that money
// is taken once however often Pay is called. The same idempotency key always means the same
// attempt. Another payment type, another card, or another push cancels the active attempt first.
//
// Faults: order.not_found (NotFound); order.payment_type at payment_type, phone.* at phone,
// order.email_invalid and order.email_required at email, order.other_request (Invalid);
// order.payment_over (Conflict) once the order cannot be paid any more; order.too_many_tries
// (TooMany) until its deadline; pay.<reason> (Invalid) at [payment.Attempt.Field] when the attempt has certainly failed.
func (s *Service) Pay(ctx context.Context, v visit.Context, r payment.PayRequest) (payment.View, error) {
	bill, err := s.orders.FindBill(ctx, v, r.OrderID, r.CacheKey)
	if err != nil {
		return payment.View{}, err
	}
	city, err := v.City(bill.CityID)
	if err != nil {
		return payment.View{}, err
	}
	call, err := newCall(v, city, bill, r)
	if err != nil {
		return payment.View{}, err
	}
	for range maxRetries {
		view, err := s.payOnce(ctx, v, bill.OrderID, city, r, call)
		if !errors.Is(err, ErrChanged) {
			return view, err
		}
	}
	// Other calls change the order all the time: the customer sees what they have made of it.
	return s.loadView(ctx, v, bill.OrderID)
}

// newCall returns what the acquirer is called with besides the sum. Email and phone of the request
// replace those of the bill. Faults, all Invalid: order.email_invalid and order.email_required at
// email, phone.* at phone.
func newCall(v visit.Context, city *site.City, bill payment.Bill, r payment.PayRequest) (payment.Call, error) {
	call := payment.Call{
		Language: string(v.Lang), ReceiptLanguage: v.Site.DefaultLanguage, Origin: r.Origin, City: city.Alias,
		Address: r.Address, UserAgent: r.UserAgent, Email: bill.Payer.Email, Phone: bill.Payer.Phone, Name: bill.Payer.Name,
		IsMobile: r.IsMobile, Fiscal: city.Fiscal,
	}
	if r.Email != "" {
		if call.Email = r.Email; !payment.IsEmail(r.Email) {
			return payment.Call{}, fault.New(fault.Invalid, "order.email_invalid", fault.Field("email", "order.email_invalid"))
		}
	}
	if call.Email == "" && city.NeedsEmail(r.PaymentType) {
		return payment.Call{}, fault.New(fault.Invalid, "order.email_required", fault.Field("email", "order.email_required"))
	}
	if r.Phone != "" {
		number, err := phone.Parse(r.Phone, city)
		if err != nil {
			return payment.Call{}, fault.New(fault.Invalid, fault.KeyOf(err), fault.Field("phone", fault.KeyOf(err)))
		}
		call.Phone = number
	}
	return call, nil
}

// payOnce begins to pay an order online, or continues what was begun, with the order and its
// attempts as they are stored now. The caller has to call it again when it returns [ErrChanged]:
// they were changed concurrently, or it has ended the active attempt and another can be made. Any
// other error is one of [Service.Pay].
func (s *Service) payOnce(ctx context.Context, v visit.Context, orderID int64, city *site.City, r payment.PayRequest, call payment.Call) (payment.View, error) {
	bill, err := s.orders.Bill(ctx, s.db.Read(), orderID)
	if err != nil {
		return payment.View{}, err
	}
	attempts, err := listAttempts(ctx, s.db.Read(), orderID)
	if err != nil {
		return payment.View{}, err
	}
	if before, ok := payment.AttemptWithKey(attempts, v.IdempotencyKey); ok {
		return s.replayCall(ctx, v, bill, before, r)
	}
	switch status := payment.StatusOf(bill, attempts); {
	case status == payment.StatusPaid, status == payment.StatusRefunded, status == payment.StatusRefunding:
		return s.loadView(ctx, v, orderID)
	case bill.State == payment.BillCanceled, !s.clock.Now().Before(bill.Deadline):
		return payment.View{}, fault.New(fault.Conflict, "order.payment_over")
	}
	if !slices.Contains(s.PaymentTypes(v.Site, city, bill.Type), r.PaymentType) {
		return payment.View{}, unknownPaymentType()
	}
	if active, ok := payment.ActiveAttempt(attempts); ok {
		mayBeginAnother, err := s.continueOrCancel(ctx, v, city, bill, active, r)
		if err != nil || !mayBeginAnother {
			return s.viewAfterCall(ctx, v, orderID, active.ID, err)
		}
		return payment.View{}, ErrChanged // the next call finds no active attempt
	}
	if slices.ContainsFunc(attempts, payment.Attempt.IsUnclear) { // a person looks at it; until then nothing is charged again
		return s.loadView(ctx, v, orderID)
	}
	if len(attempts) >= maxAttempts {
		left := bill.Deadline.Sub(s.clock.Now()) // then the order is canceled, and another can be placed
		return payment.View{}, fault.New(fault.TooMany, "order.too_many_tries", fault.Field("payment", "order.too_many_tries"), fault.RetryAfter(max(left, time.Second)))
	}
	a, err := s.createAttempt(ctx, v, bill, city, r, call)
	if err != nil {
		return payment.View{}, err
	}
	a, err = s.startAttempt(ctx, a, bill, r.Token, r.VerifyParam, firstCall)
	return s.viewAfterCall(ctx, v, orderID, a.ID, err)
}

// viewAfterCall returns how the payment of an order stands after a call about the attempt id.
// When that attempt has certainly failed, it also returns the fault with the reason. An err of
// the call is returned as it is.
func (s *Service) viewAfterCall(ctx context.Context, v visit.Context, orderID int64, id acquiring.ID, err error) (payment.View, error) {
	if err != nil {
		return payment.View{}, err
	}
	view, err := s.loadView(ctx, v, orderID)
	if err != nil {
		return payment.View{}, err
	}
	if last := view.Last; last != nil && last.ID == id && last.BoughtNothing() && view.Status == payment.StatusWaiting {
		return view, payment.DeclinedFault(*last)
	}
	return view, nil
}

// replayCall answers a call whose idempotency key has begun the attempt before. A card that the
// attempt waits for is sent; otherwise nothing changes. Faults, all Invalid: order.other_request for
// another payment type; pay.<reason> when the attempt has failed and no other has paid, or has taken
// another sum and the order still waits for its payment.
func (s *Service) replayCall(ctx context.Context, v visit.Context, bill payment.Bill, a payment.Attempt, r payment.PayRequest) (payment.View, error) {
	if payment.TypeOf(a.Method) != r.PaymentType {
		return payment.View{}, fault.New(fault.Invalid, "order.other_request")
	}
	if a.State == payment.Failed && bill.PaidBy == "" || a.IsMismatch() && bill.State == payment.BillDue {
		return payment.View{}, payment.DeclinedFault(a)
	}
	if a.AwaitsCard(r) {
		return s.sendCard(ctx, v, bill, a, r)
	}
	return s.loadView(ctx, v, bill.OrderID)
}

// sendCard sends the card to an acquirer that was prepared for it, unless another call is doing
// so.
func (s *Service) sendCard(ctx context.Context, v visit.Context, bill payment.Bill, a payment.Attempt, r payment.PayRequest) (payment.View, error) {
	now := s.clock.Now()
	isClaimed, err := s.claimWork(ctx, func(tx *db.Tx) (bool, error) { return claimCard(ctx, tx.Q, a, now, now.Add(callLease)) })
	if err != nil {
		return payment.View{}, err
	}
	if isClaimed {
		a, err = s.startAttempt(ctx, a, bill, r.Token, r.VerifyParam, laterCall)
	}
	return s.viewAfterCall(ctx, v, bill.OrderID, a.ID, err)
}

// continueOrCancel continues the active attempt, or cancels it when the request is for another method, has
// another card or asks for another push, and when the attempt's own card has failed on the acquirer's page or
// has no known outcome. While another call for the attempt is being made it does nothing. It reports whether a new
// attempt may begin: never while the active one goes on, or may still be paid.
func (s *Service) continueOrCancel(ctx context.Context, v visit.Context, city *site.City, bill payment.Bill, active payment.Attempt, r payment.PayRequest) (bool, error) {
	now := s.clock.Now()
	if active.LeaseUntil.After(now) { // a call for it is being made
		return false, nil
	}
	_, _, method, ok := s.FindAccount(v.Site, city, r.PaymentType)
	if !ok {
		return false, unknownPaymentType()
	}
	// After a card that failed on the acquirer's page the same method means a new attempt too.
	isSame := active.Method == method && active.Reason == acquiring.NoReason
	switch {
	case !isSame:
		return s.cancelForAnother(ctx, active)
	case active.AwaitsCard(r):
		_, err := s.sendCard(ctx, v, bill, active, r)
		return false, err
	case r.Token != "": // another card
		return s.cancelForAnother(ctx, active)
	case active.Next.Kind == acquiring.Push: // the customer asks for another push, perhaps to another phone
		return s.cancelForAnother(ctx, active)
	case active.State == payment.Pending: // its page is shown again
		return false, nil
	case active.Call.HasToken: // a card was sent, and its outcome is not known
		return s.cancelForAnother(ctx, active)
	}
	current, err := s.restartAttempt(ctx, active, now) // it has no page yet
	return current.AllowsAnother(), err
}

// cancelForAnother cancels the active attempt, and reports whether another may be made. An attempt that
// the acquirer leaves active is abandoned. It stays as it is, and the result is false, while it may
// still be paid without the customer doing anything more: until its call is stale and the acquirer has
// answered. The result is also false when the attempt was paid.
func (s *Service) cancelForAnother(ctx context.Context, active payment.Attempt) (bool, error) {
	current, isAnswered, err := s.cancelAttempt(ctx, active)
	switch {
	case err != nil:
		return false, err
	case !current.IsActive():
		return current.AllowsAnother(), nil
	}
	mayBePaid := current.Call.HasToken || current.Method == acquiring.SberPay
	if mayBePaid && (!isAnswered || !current.IsStale(s.clock.Now())) {
		return false, nil
	}
	current, err = s.abandonIfActive(ctx, current, s.clock.Now())
	return err == nil && current.AllowsAnother(), err
}
