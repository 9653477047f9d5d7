package correct

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/payment/payments"
	"servery/internal/phone"
	"servery/internal/site"
	"servery/internal/visit"
)

// Service corrects orders. It is safe for concurrent use.
type Service struct {
	db       *db.DB
	orders   *orders.Service
	payments *payments.Service
}

// New returns the service over orders and payments.
func New(d *db.DB, orders *orders.Service, payments *payments.Service) *Service {
	return &Service{d, orders, payments}
}

// errPreview rolls a preview back.
var errPreview = errors.New("a preview stores nothing")

// Correct corrects an order that is accepted or being cooked, and returns the order and what has
// changed. A preview stores nothing and returns both as they would be. The same request under the same
// key changes nothing and returns the stored effect. When the order costs less and was paid online, the
// difference is refunded; when it costs more, the difference is collected at the hand-over. A new time
// is reserved, and the one before released, in the same transaction.
//
// Faults: common.invalid with its fields, those of a detail that is missing, order.not_delivered, order.minimum,
// those of the phone and order.correction_key_used (Invalid); order.not_found (NotFound);
// order.not_correctable, also when content has dropped the brand, order.correct_other_shop, order.correct_shop_gone and
// those of the interval (Conflict).
func (s *Service) Correct(ctx context.Context, snapshot *catalog.Snapshot, id int64, r Request, now time.Time) (order.Order, Effect, error) {
	if err := r.check(); err != nil {
		return order.Order{}, Effect{}, err
	}
	hash, err := visit.HashRequest(r)
	if err != nil {
		return order.Order{}, Effect{}, err
	}
	var effect Effect
	o, err := s.orders.ChangeForRestaurant(ctx, id, r.Actor, func(tx *db.Tx, o *order.Order, by string) error {
		stored, ok, err := findCorrection(ctx, tx.Q, id, r.Key)
		switch {
		case err != nil:
			return err
		case ok && !bytes.Equal(stored.hash, hash):
			return fault.New(fault.Invalid, "order.correction_key_used", fault.Field("key", "order.correction_key_used"))
		case ok:
			effect = stored.Effect
			return nil
		}
		c := Correction{Key: r.Key, hash: hash, Note: r.Note, Actor: by, At: now}
		err = s.correctIn(ctx, tx, snapshot, o, r, &c)
		effect = c.Effect
		return err
	})
	if errors.Is(err, errPreview) {
		err = nil
	}
	return o, effect, err
}

// List returns the corrections of an order, the first one first.
func (s *Service) List(ctx context.Context, id int64) ([]Correction, error) {
	return listCorrections(ctx, s.db.Read(), id)
}

// correctIn corrects an order that the transaction has locked, sets the effect of c, and stores the order
// and c. It stores nothing when the request changes nothing, and returns errPreview for a preview that
// would change something. Faults: those of [Service.Correct] about the order and what is corrected.
func (s *Service) correctIn(ctx context.Context, tx *db.Tx, snapshot *catalog.Snapshot, o *order.Order, r Request, c *Correction) error {
	p, isSold := placeOf(snapshot, *o)
	if !isSold || o.State != order.Accepted && o.State != order.Cooking {
		return fault.New(fault.Conflict, "order.not_correctable")
	}
	c.Effect = newEffect(*o)
	w := work{tx: tx, place: p, order: o, correction: c}
	if err := w.correctContact(r); err != nil {
		return err
	}
	if err := w.correctAddress(r.Address); err != nil {
		return err
	}
	if err := w.correctTime(ctx, r.IntervalID); err != nil {
		return err
	}
	if len(w.fields) == 0 {
		return nil
	}
	refund, err := s.settle(ctx, &w)
	if err != nil {
		return err
	}
	c.Effect = c.Effect.withResult(w.fields, *o, refund)
	if r.IsPreview {
		return errPreview
	}
	if err := storeOrder(ctx, tx.Q, *o); err != nil {
		return err
	}
	change := order.Change{Kind: order.Corrected, State: o.State, Actor: c.Actor, At: c.At, Note: r.Note, Fields: fieldNames(w.fields)}
	if slices.Contains(w.fields, Time) {
		change.PromisedFrom, change.PromisedTo = o.PromisedFrom, o.PromisedTo
	}
	if err := s.orders.StoreChange(ctx, tx, o, change); err != nil {
		return err
	}
	return insertCorrection(ctx, tx.Q, o.ID, *c)
}

// settle adjusts the money of the order to its new total and returns what is refunded. For an order that was paid
// online a higher total first uses up former reductions that were not refunded, as after a refund of the whole
// delivery, and what remains raises the surcharge, which is collected at the hand-over; a lower one first lowers the
// surcharge, and what remains is refunded. It also drops the banknote that the customer is to pay with (Details.Cash)
// when it has become too small.
func (s *Service) settle(ctx context.Context, w *work) (money.Amount, error) {
	o := w.order
	if cash := o.Details.Cash; cash != nil && *cash < o.Prices.Total {
		o.Details.Cash = nil
	}
	difference := o.Prices.Total.Sub(w.correction.Effect.TotalBefore)
	if difference == 0 || !site.IsOnline(o.PaymentType) {
		return 0, nil
	}
	if difference > 0 && o.Reduction > 0 {
		refunded, err := s.payments.RefundedByCorrections(ctx, w.tx, o.Bill())
		if err != nil {
			return 0, err
		}
		used := min(difference, max(0, o.Reduction.Sub(refunded)))
		o.Reduction, difference = o.Reduction.Sub(used), difference.Sub(used)
	}
	o.Surcharge = o.Surcharge.Add(difference)
	if o.Surcharge >= 0 {
		return 0, nil
	}
	overpaid := -o.Surcharge
	o.Surcharge, o.Reduction = 0, o.Reduction.Add(overpaid)
	return s.payments.RefundCorrection(ctx, w.tx, o.Bill(), order.DeliveryKey, overpaid, w.correction.Actor, w.correction.At)
}

// work is a correction that is being made.
type work struct {
	tx         *db.Tx
	place      place
	order      *order.Order
	correction *Correction
	fields     []Field
}

// correctContact corrects name, phone and comment. It returns the faults of [phone.Parse] at phone.
func (w *work) correctContact(r Request) error {
	o, c := w.order, w.correction
	set := func(field Field, current *string, before, after *string, given *string) {
		if given == nil || strings.TrimSpace(*given) == *current {
			return
		}
		*before, *after = *current, strings.TrimSpace(*given)
		*current = *after
		w.fields = append(w.fields, field)
	}
	if r.Name != nil {
		set(Name, &o.Details.Username, &c.Before.Name, &c.After.Name, new(lang.OneLine(*r.Name)))
	}
	set(Comment, &o.Details.Comment, &c.Before.Comment, &c.After.Comment, r.Comment)
	if r.Phone == nil {
		return nil
	}
	number, err := phone.Parse(*r.Phone, w.place.city)
	if f, ok := fault.Of(err); ok {
		return fault.New(fault.Invalid, "common.invalid", fault.Field("phone", f.Message.Key, f.Message.Args))
	}
	if err != nil {
		return err
	}
	set(Phone, &o.Phone, &c.Before.Phone, &c.After.Phone, &number)
	return nil
}

// correctAddress corrects the address; a new point also changes zone, price and promise. Faults:
// common.not_allowed (Invalid) at address for a takeaway, those of checkAddress and of moveTo.
func (w *work) correctAddress(in *AddressInput) error {
	o, c := w.order, w.correction
	if in == nil {
		return nil
	}
	if o.Details.Address == nil {
		return fault.New(fault.Invalid, "common.invalid", fault.Field("address", "common.not_allowed"))
	}
	before, after := *o.Details.Address, in.applyTo(*o.Details.Address)
	if after == before {
		return nil
	}
	if err := checkAddress(after, in, w.place.city.Country.AddressForm()); err != nil {
		return err
	}
	if after.Point != before.Point {
		if err := w.moveTo(&after); err != nil {
			return err
		}
	}
	o.Details.Address = &after
	c.Before.Address, c.After.Address = &before, &after
	w.fields = append(w.fields, Address)
	return nil
}

// applyTo returns the address with the corrected parts. When it becomes a private house, details that only
// flats have are removed, unless the correction sets them. With a new street or house the address counts
// as found at its house, and its district is removed.
func (in AddressInput) applyTo(a geo.Address) geo.Address {
	prefix := strings.TrimSuffix(a.FullAddress, a.Address) // the city
	if in.IsPrivateHouse != nil && *in.IsPrivateHouse {
		a = a.WithoutFlat()
	}
	a = in.details().ApplyTo(a)
	for _, part := range []struct{ current, given *string }{{&a.Street, in.Street}, {&a.House, in.House}} {
		if part.given != nil {
			*part.current = strings.TrimSpace(*part.given)
		}
	}
	if in.Street != nil || in.House != nil {
		a.Address = strings.Join(slices.DeleteFunc([]string{a.Street, a.House}, func(s string) bool { return s == "" }), ", ")
		a.FullAddress, a.Precision, a.District = prefix+a.Address, geo.AtHouse, ""
	}
	if in.Point != nil {
		a.Point = *in.Point
	}
	return a
}

// checkAddress returns common.invalid (Invalid) with what is wrong with the corrected parts of the address a.
// A correction may not remove a detail that the form requires, nor set one that it does not ask for. What
// was missing before may stay missing; but when the correction says whether the house is private, the details
// that the form requires of flats must be there, unless it is private.
func checkAddress(a geo.Address, in *AddressInput, form site.AddressForm) error {
	wrong, details := a.CheckDetails(), in.details()
	for _, f := range a.MissingIn(form) {
		if details.Has(f) || details.Has(site.PrivateHouse) && f.IsForFlats() {
			wrong = append(wrong, fault.Field(string(f), order.MissingDetail(f)))
		}
	}
	for _, f := range a.UnaskedIn(form) {
		if details.Has(f) {
			wrong = append(wrong, fault.Field(string(f), "common.unknown_field"))
		}
	}
	if a.Address == "" && (in.Street != nil || in.House != nil) {
		wrong = append(wrong, fault.Field("street", "common.required"))
	}
	if len(wrong) > 0 {
		return fault.New(fault.Invalid, "common.invalid", wrong...)
	}
	return nil
}
