package orders

import (
	"context"
	"strconv"
	"time"

	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/payment"
)

// recordChange stores in the audit log how the restaurant has changed an order. It stores nothing when
// the history has no new change. before is the zero Order for an order that the restaurant has placed.
func recordChange(ctx context.Context, tx *db.Tx, before, o order.Order) error {
	if o.ChangeID == before.ChangeID {
		return nil
	}
	if before.ID == 0 {
		return audit.Record(ctx, tx, auditEntryOf(o, nil, auditFieldsOf(o)), o.CreatedAt)
	}
	last := o.History[len(o.History)-1]
	after := auditFieldsOf(o)
	after["kind"] = last.Kind
	for name, value := range map[string]string{"reason": string(last.Reason), "food": string(last.Food)} {
		if value != "" {
			after[name] = value
		}
	}
	if len(last.Fields) > 0 {
		after["fields"] = last.Fields
	}
	if last.Amount != 0 {
		after["amount"] = last.Amount
	}
	return audit.Record(ctx, tx, auditEntryOf(o, auditFieldsOf(before), after), last.At)
}

// recordRefund stores in the audit log what is paid back through an acquirer.
func recordRefund(ctx context.Context, tx *db.Tx, o order.Order, r payment.RefundRequest, amount money.Amount, now time.Time) error {
	after := audit.Fields{"kind": order.Refunded, "amount": amount}
	if r.Bearer != "" {
		after["bearer"] = r.Bearer
	}
	return audit.Record(ctx, tx, auditEntryOf(o, nil, after), now)
}

// auditEntryOf returns a change of the order for the audit log.
func auditEntryOf(o order.Order, before, after audit.Fields) audit.Entry {
	return audit.Entry{
		Site: o.Site, ShopID: o.ShopID, Subject: "order", ID: strconv.FormatInt(o.ID, 10), Before: before, After: after,
	}
}

// auditFieldsOf returns what the audit log compares of an order. It has no personal data of the customer,
// and of the courier only the id.
func auditFieldsOf(o order.Order) audit.Fields {
	return audit.Fields{
		"status": o.State, "promised_to": o.PromisedTo.UTC(), "taken": !o.TakenAt.IsZero(), "refunded": !o.RefundedAt.IsZero(), "total": o.Prices.Total,
		"zone": o.ZoneID, "courier": o.Courier.ID,
	}
}
