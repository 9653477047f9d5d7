package operator

import (
	"servery/internal/order"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// toWireOrder converts an order for the kitchen's system: without the customer, in the brand's own
// language.
func toWireOrder(o order.Order, brand *site.Site) wire.OperatorOrder {
	s := convert.Localizer{Site: brand, Lang: brand.DefaultLanguage}
	w := wire.OperatorOrder{
		OrderID: o.ID, Site: o.Site, CityID: o.CityID, ShopID: o.ShopID, OrderType: wire.OrderType(o.Type),
		Status: wire.OrderStatusAlias(o.State), Next: []wire.OrderStatusAlias{}, Change: o.ChangeID, ChangedAt: &o.ChangedAt,
		CreatedAt: o.CreatedAt, PromisedFrom: o.PromisedFrom, PromisedTo: o.PromisedTo, Comment: convert.OrNil(o.Details.Comment),
		Lines: make([]wire.OperatorLine, len(o.Lines), len(o.Lines)+len(o.Details.Gifts)),
	}
	if o.IsRefunded() {
		w.RefundedAt = &o.RefundedAt
	}
	if ticket, ok := o.Ticket(s.Lang); ok {
		w.Ticket = convert.OrNil(s.Message(ticket))
	}
	for _, next := range order.Next(o.State, o.Type, order.Operator) {
		w.Next = append(w.Next, wire.OrderStatusAlias(next))
	}
	from := convert.Coordinates(o.Details.Shop.Point)
	w.From = &from
	if o.Details.Address != nil {
		to := convert.Coordinates(o.Details.Address.Point)
		w.To = &to
	}
	for i, l := range o.Lines {
		w.Lines[i] = wire.OperatorLine{Name: s.Text(l.Name), Count: l.Count, Modifiers: modifierNames(s, l.Modifiers)}
	}
	given := true
	for _, g := range o.Details.Gifts {
		w.Lines = append(w.Lines, wire.OperatorLine{
			Name: s.Text(g.Product), Count: g.Count, Modifiers: modifierNames(s, g.Modifiers), Gift: &given,
		})
	}
	return w
}

// modifierNames returns the names of modifiers in the language of the localizer.
func modifierNames(s convert.Localizer, list []order.Modifier) []string {
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = s.Text(m.Name)
	}
	return names
}
