package message

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/notify"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/site"
)

// compose returns the text message with its brand. The message has no text when it does not hold any
// more, when the person is anonymized, or when the order or its city is gone. The brand is nil when
// content has dropped it or the order is gone.
func (s *Service) compose(ctx context.Context, m storedMessage) (notify.Message, *site.Site, error) {
	o, err := orders.Load(ctx, s.DB.Read(), m.orderID)
	if errors.Is(err, db.ErrNotFound) {
		return notify.Message{}, nil, nil
	}
	if err != nil {
		return notify.Message{}, nil, err
	}
	brand, ok := s.Site(o.Site)
	if !ok {
		return notify.Message{}, nil, nil
	}
	city, ok := brand.City(o.CityID)
	if !ok || o.Phone == "" || !isTrue(o, m, brand.Settings) {
		return notify.Message{}, brand, nil
	}
	l := cmp.Or(o.Details.Lang, brand.DefaultLanguage)
	words := []string{}
	for _, sentence := range s.sentences(o, m, place{brand, city, l}) {
		words = append(words, lang.T(l, sentence.Key, sentence.Args))
	}
	return notify.Message{
		Phone: o.Phone, Lang: l, Key: "order-" + strconv.FormatInt(m.id, 10),
		Text: lang.T(l, "order.message", fault.Args{
			"brand": brand.Text(brand.Name, l), "number": strconv.FormatInt(o.ID, 10), "text": strings.Join(words, " "), "link": s.linkOf(o, brand, city),
		}),
	}, brand, nil
}

// linkOf returns the address that opens the order without a sign-in.
func (s *Service) linkOf(o order.Order, brand *site.Site, city *site.City) string {
	return s.Address(brand) + "/" + city.Alias + "/order/" + strconv.FormatInt(o.ID, 10) + "/tracking?t=" + url.QueryEscape(o.Link)
}

// isTrue reports whether the message still holds: no later change of the order has made it wrong, and no message
// about a later delay says the same.
func isTrue(o order.Order, m storedMessage, settings site.Settings) bool {
	switch m.occasion {
	case site.OnAccepted:
		isSaid := o.IsLate() && settings.Sends(site.OnDelayed)
		return !isSaid && (o.State == order.Accepted || o.State == order.Cooking)
	case site.OnDelayed:
		return o.IsLate() && !o.State.IsFinal() && m.changeID == lastPromise(o)
	case site.OnSent:
		return o.State == order.Sent
	case site.OnCanceled, site.OnRefunded:
	}
	return true
}

// lastPromise returns the number of the last change that has promised the order for another time; 0 for none.
func lastPromise(o order.Order) int64 {
	for _, c := range slices.Backward(o.History) {
		if !c.PromisedTo.IsZero() {
			return c.ID
		}
	}
	return 0
}

// place is where and in which language an order was placed.
type place struct {
	brand *site.Site
	city  *site.City
	lang  lang.Lang
}

// sentences returns the sentences of the message; none for a refund that is not in the history.
func (s *Service) sentences(o order.Order, m storedMessage, at place) []fault.Message {
	switch m.occasion {
	case site.OnRefunded:
		for _, c := range o.History {
			if c.ID == m.changeID {
				return []fault.Message{{Key: "order.message_refunded", Args: fault.Args{"sum": cart.FormatMoney(c.Amount, at.city, at.brand, at.lang)}}}
			}
		}
		return nil
	case site.OnCanceled:
		description := o.Description(at.city.Location, s.Clock.Now())
		return append(description, moneyOf(o, at)...)
	case site.OnAccepted, site.OnDelayed, site.OnSent:
	}
	return o.Description(at.city.Location, s.Clock.Now())
}

// moneyOf returns the sentence on what becomes of the money of a canceled order; nil when the order
// was not paid online.
func moneyOf(o order.Order, at place) []fault.Message {
	paid := o.Bill().Sum.Amount
	switch {
	case o.PaidBy == "":
		return nil
	case o.Kept == 0:
		return []fault.Message{{Key: "order.message_money_back"}}
	case o.Kept == paid:
		return []fault.Message{{Key: "order.message_money_kept"}}
	}
	sum := func(amount money.Amount) string { return cart.FormatMoney(amount, at.city, at.brand, at.lang) }
	return []fault.Message{{Key: "order.message_money_part", Args: fault.Args{"paid": sum(paid), "sum": sum(paid.Sub(o.Kept))}}}
}
