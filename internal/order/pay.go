package order

import (
	"context"
	"errors"
	"slices"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/phone"
	"servery/internal/site"
	"servery/internal/visit"
)

// Pay begins to pay an order of the visitor online, or goes on with what was begun. An order
// has one live try at a time, and each is written down before its acquirer is asked, so that
// money is taken once however often Pay is called. With an IdempotencyKey the same call
// always means the same try. Another way to pay, or another card, ends the live try before.
//
// Faults: order.not_found (NotFound); order.payment_type at payment_type, phone.* at phone,
// order.email_invalid and order.email_required at email, order.other_request (Invalid);
// order.payment_over (Conflict) once the order cannot be paid any more; pay.<reason> (Invalid)
// at [Payment.Field] when the try has certainly failed.
func (s *Service) Pay(ctx context.Context, v visit.Context, r PayRequest) (Paying, error) {
	o, err := s.toPay(ctx, v, r.OrderID, r.CacheKey)
	if err != nil {
		return Paying{}, err
	}
	city, err := v.City(o.CityID)
	if err != nil {
		return Paying{}, err
	}
	a, err := askedOf(v, city, o, r)
	if err != nil {
		return Paying{}, err
	}
	for range attempts {
		told, err := s.payOnce(ctx, v, o.ID, city, r, a)
		if !errors.Is(err, errMoved) {
			return told, err
		}
	}
	return s.paying(ctx, v, o.ID)
}

// PayingOf tells how the paying of an order of the visitor stands, by the key of its
// checkout. Fault: order.not_found (NotFound).
func (s *Service) PayingOf(ctx context.Context, v visit.Context, cacheKey string) (Paying, error) {
	id, err := orderOfCheckout(ctx, s.db.Read(), cacheKey)
	if err != nil {
		return Paying{}, hide(err)
	}
	o, err := s.toPay(ctx, v, id, cacheKey)
	if err != nil {
		return Paying{}, err
	}
	return s.paying(ctx, v, o.ID)
}

// Payments gives the tries to pay an order, the first one first.
func (s *Service) Payments(ctx context.Context, orderID int64) ([]Payment, error) {
	return paymentsOf(ctx, s.db.Read(), orderID)
}

// toPay gives an order of the visitor that is paid online. To be let see an order is not
// enough. The key may be empty.
func (s *Service) toPay(ctx context.Context, v visit.Context, id int64, cacheKey string) (Order, error) {
	o, err := load(ctx, s.db.Read(), id)
	switch {
	case err != nil:
		return Order{}, hide(err)
	case !o.belongsTo(v), cacheKey != "" && cacheKey != o.CacheKey, o.isPaidOnReceipt():
		return Order{}, notFound()
	}
	return o, nil
}

// paying tells how the paying of an order stands now.
func (s *Service) paying(ctx context.Context, v visit.Context, id int64) (Paying, error) {
	m, err := s.readMoney(ctx, id)
	if err != nil {
		return Paying{}, err
	}
	var types []string
	if city, ok := v.Site.City(m.Order.CityID); ok {
		for _, t := range s.PaymentTypes(v.Site, city, m.Order.Type) {
			if site.IsOnline(t) {
				types = append(types, t)
			}
		}
	}
	return payingOf(m.Order, m.Payments, types), nil
}

// askedOf gives what the acquirer is to be told of the customer.
func askedOf(v visit.Context, city *site.City, o Order, r PayRequest) (asked, error) {
	a := asked{
		Language: string(v.Lang), ReceiptLanguage: v.Site.DefaultLanguage, Origin: r.Origin, City: city.Alias,
		Address: r.Address, UserAgent: r.UserAgent, Email: o.Details.Email, Phone: o.Phone, Name: o.Details.Username,
		IsMobile: r.IsMobile, Fiscal: city.Fiscal,
	}
	if r.Email != "" {
		if a.Email = r.Email; !isEmail(r.Email) {
			return asked{}, fault.New(fault.Invalid, "order.email_invalid", fault.Field("email", "order.email_invalid"))
		}
	}
	if a.Email == "" && city.NeedsEmail(r.PaymentType) {
		return asked{}, fault.New(fault.Invalid, "order.email_required", fault.Field("email", "order.email_required"))
	}
	if r.Phone != "" {
		number, err := phone.Parse(r.Phone, city)
		if err != nil {
			return asked{}, fault.New(fault.Invalid, fault.KeyOf(err), fault.Field("phone", fault.KeyOf(err)))
		}
		a.Phone = number
	}
	return a, nil
}

// maxTries bounds the tries to pay one order: nobody mistypes so often, but who has bought
// numbers of stolen cards tries them somewhere.
const maxTries = 20

// payOnce does what Pay promises, for the order and its tries as they are now. It gives
// errMoved when they moved meanwhile.
func (s *Service) payOnce(ctx context.Context, v visit.Context, id int64, city *site.City, r PayRequest, a asked) (Paying, error) {
	o, err := load(ctx, s.db.Read(), id)
	if err != nil {
		return Paying{}, err
	}
	tries, err := paymentsOf(ctx, s.db.Read(), id)
	if err != nil {
		return Paying{}, err
	}
	if before, ok := tryOf(tries, v.IdempotencyKey); ok {
		return s.payAgain(ctx, v, o, before, r)
	}
	switch money := moneyOf(o, tries); {
	case money == MoneyPaid, money == MoneyRefunded, money == MoneyRefunding:
		return s.paying(ctx, v, id)
	case o.State == Canceled, !s.clock.Now().Before(o.PayUntil):
		return Paying{}, fault.New(fault.Conflict, "order.payment_over")
	}
	if !slices.Contains(s.PaymentTypes(v.Site, city, o.Type), r.PaymentType) {
		return Paying{}, noSuchType()
	}
	if live, ok := liveTry(tries); ok {
		goOn, err := s.makeRoom(ctx, v, city, o, live, r)
		if err != nil || !goOn {
			return s.told(ctx, v, id, live.ID, err)
		}
		return Paying{}, errMoved // the order is to be looked at anew, without a live try
	}
	if slices.ContainsFunc(tries, Payment.isUnclear) { // a person looks at it; nobody pays twice meanwhile
		return s.paying(ctx, v, id)
	}
	if len(tries) >= maxTries {
		return Paying{}, fault.New(fault.TooMany, "order.too_many_tries", fault.Field("payment", "order.too_many_tries"))
	}
	p, err := s.begin(ctx, v, o, city, r, a)
	if err != nil {
		return Paying{}, err
	}
	p, err = s.start(ctx, p, o, r.Token, acquiring.Secret(r.VerifyParam).Reveal(), true)
	return s.told(ctx, v, id, p.ID, err)
}

// told gives how the paying of an order stands after its customer did something about a
// try; that the try has failed is a fault.
func (s *Service) told(ctx context.Context, v visit.Context, id int64, try acquiring.ID, err error) (Paying, error) {
	if err != nil {
		return Paying{}, err
	}
	told, err := s.paying(ctx, v, id)
	if err != nil {
		return Paying{}, err
	}
	if last := told.Last; last != nil && last.ID == try && last.boughtNothing() && told.State == MoneyWaiting {
		return told, declined(*last)
	}
	return told, nil
}

// payAgain answers a call that came before.
func (s *Service) payAgain(ctx context.Context, v visit.Context, o Order, p Payment, r PayRequest) (Paying, error) {
	if typeOf(p.Method) != r.PaymentType {
		return Paying{}, fault.New(fault.Invalid, "order.other_request")
	}
	if p.State == Failed && o.PaidBy == "" || p.IsMismatch() && o.State == WaitingForPayment {
		return Paying{}, declined(p)
	}
	if p.awaits(r) {
		return s.sendCard(ctx, v, o, p, r)
	}
	return s.paying(ctx, v, o.ID)
}

// awaits reports whether the request brings the card that the acquirer was prepared for.
func (p Payment) awaits(r PayRequest) bool {
	return p.State == Pending && p.Next.Kind == acquiring.Prepared && r.Token != ""
}

// sendCard goes on with a try that its acquirer was prepared for.
func (s *Service) sendCard(ctx context.Context, v visit.Context, o Order, p Payment, r PayRequest) (Paying, error) {
	now := s.clock.Now()
	mine := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		mine, err = claimCard(ctx, tx.Q, p, now, now.Add(busyFor))
		return err
	})
	if err != nil {
		return Paying{}, err
	}
	if mine {
		p, err = s.start(ctx, p, o, r.Token, r.VerifyParam, false)
	}
	return s.told(ctx, v, o.ID, p.ID, err)
}

// makeRoom reports whether another try may be begun although there is a live one, which is
// over then. It is not where the live one is what the customer asks for, or nobody knows yet
// whether its money was taken.
func (s *Service) makeRoom(ctx context.Context, v visit.Context, city *site.City, o Order, live Payment, r PayRequest) (bool, error) {
	now := s.clock.Now()
	if live.busyUntil.After(now) { // being begun or proved right now
		return false, nil
	}
	_, _, method, ok := s.Acquirer(v.Site, city, r.PaymentType)
	if !ok {
		return false, noSuchType()
	}
	isSame := live.Method == method && live.Reason == acquiring.NoReason
	switch {
	case isSame && live.awaits(r):
		_, err := s.sendCard(ctx, v, o, live, r)
		return false, err
	case isSame && r.Token == "" && live.State == Pending:
		return false, nil
	case isSame && r.Token == "" && !live.asked.HasToken:
		known, err := s.startAgain(ctx, live, now)
		return known.makesRoom(), err
	}
	return s.end(ctx, live)
}

// end stops a live try for another one, and reports false when it was paid, or may be
// without its customer doing anything more.
func (s *Service) end(ctx context.Context, live Payment) (bool, error) {
	known, asked, err := s.withdraw(ctx, live)
	switch {
	case err != nil:
		return false, err
	case !known.IsLive():
		return known.makesRoom(), nil
	}
	goesOnAlone := known.asked.HasToken || known.Method == acquiring.SberPay
	if goesOnAlone && (!asked || !known.isStale(s.clock.Now())) {
		return false, nil
	}
	known, err = s.giveUp(ctx, known, s.clock.Now())
	return err == nil && known.makesRoom(), err
}
