package correct

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/order"
)

// fieldNames returns the fields as they are stored with a change.
func fieldNames(fields []Field) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = string(f)
	}
	return list
}

// nullTime returns an instant as a query parameter, null for the zero time.
func nullTime(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: !t.IsZero()} }

// storeOrder stores what a correction may change of an order.
func storeOrder(ctx context.Context, q *gen.Queries, o order.Order) error {
	details, err := json.Marshal(o.Details)
	if err != nil {
		return fmt.Errorf("correct order: %w", err)
	}
	err = q.CorrectOrder(ctx, gen.CorrectOrderParams{
		ID: o.ID, Phone: o.Phone, ZoneID: o.ZoneID, IntervalID: o.IntervalID, PromisedFrom: o.PromisedFrom, PromisedTo: o.PromisedTo,
		AgreedFrom: nullTime(o.AgreedFrom), AgreedTo: nullTime(o.AgreedTo), Delivery: int64(o.Prices.Delivery), Total: int64(o.Prices.Total),
		Surcharge: int64(o.Surcharge), Reduction: int64(o.Reduction), Details: details,
	})
	if err != nil {
		return fmt.Errorf("correct order: %w", err)
	}
	return nil
}

// insertCorrection stores a correction of the order.
func insertCorrection(ctx context.Context, q *gen.Queries, orderID int64, c Correction) error {
	var bodies [3][]byte
	for i, part := range []any{c.Effect, c.Before, c.After} {
		var err error
		if bodies[i], err = json.Marshal(part); err != nil {
			return fmt.Errorf("write correction: %w", err)
		}
	}
	err := q.InsertOrderCorrection(ctx, gen.InsertOrderCorrectionParams{
		OrderID: orderID, CallKey: c.Key, CallHash: c.hash, Effect: bodies[0], Before: bodies[1], After: bodies[2], Note: c.Note, Actor: c.Actor, Now: c.At,
	})
	if err != nil {
		return fmt.Errorf("write correction: %w", err)
	}
	return nil
}

// findCorrection returns the correction of an order with the key, and false when there is none.
func findCorrection(ctx context.Context, q *gen.Queries, orderID int64, key string) (Correction, bool, error) {
	row, err := q.GetOrderCorrection(ctx, gen.GetOrderCorrectionParams{OrderID: orderID, CallKey: key})
	if errors.Is(err, db.ErrNotFound) {
		return Correction{}, false, nil
	}
	if err != nil {
		return Correction{}, false, fmt.Errorf("read correction: %w", err)
	}
	c, err := fromRow(gen.ListOrderCorrectionsRow(row))
	return c, err == nil, err
}

// listCorrections returns the corrections of an order, the first one first.
func listCorrections(ctx context.Context, q *gen.Queries, orderID int64) ([]Correction, error) {
	rows, err := q.ListOrderCorrections(ctx, orderID)
	if err != nil {
		return nil, fmt.Errorf("list corrections: %w", err)
	}
	list := make([]Correction, len(rows))
	for i, row := range rows {
		if list[i], err = fromRow(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// fromRow returns the correction of a row. It returns an error when a part of it cannot be read.
func fromRow(row gen.ListOrderCorrectionsRow) (Correction, error) {
	c := Correction{Key: row.CallKey, hash: row.CallHash, Note: row.Note, Actor: row.Actor, At: row.At}
	for _, part := range []struct {
		body []byte
		to   any
	}{{row.Effect, &c.Effect}, {row.Before, &c.Before}, {row.After, &c.After}} {
		if err := json.Unmarshal(part.body, part.to); err != nil {
			return Correction{}, fmt.Errorf("read correction: %w", err)
		}
	}
	return c, nil
}
