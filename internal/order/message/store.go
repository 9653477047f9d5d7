package message

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/site"
)

// storedMessage is a message that was taken to be sent. attempts counts this one too.
type storedMessage struct {
	id, orderID, changeID, attempts int64
	occasion                        site.OrderMessage
}

// insertMessage stores a message that waits until due, and returns its id.
func insertMessage(ctx context.Context, q *gen.Queries, orderID, changeID int64, occasion site.OrderMessage, due, now time.Time) (int64, error) {
	id, err := q.InsertOrderMessage(ctx, gen.InsertOrderMessageParams{
		OrderID: orderID, ChangeID: changeID, Kind: string(occasion), DueAt: clock.Cut(due), Now: clock.Cut(now),
	})
	if err != nil {
		return 0, fmt.Errorf("store a message: %w", err)
	}
	return id, nil
}

// hasAnnounced reports whether a message about the occasion of the order was sent, or is going to be.
func hasAnnounced(ctx context.Context, q *gen.Queries, orderID int64, occasion site.OrderMessage) (bool, error) {
	rows, err := q.ListOrderMessages(ctx, orderID)
	if err != nil {
		return false, fmt.Errorf("list messages: %w", err)
	}
	return slices.ContainsFunc(rows, func(row gen.ListOrderMessagesRow) bool {
		return row.Kind == string(occasion) && row.State != string(LeftOut) && row.State != string(Failed)
	}), nil
}

// takeMessage takes a message that is due, so that no other caller sends it. It returns [db.ErrNotFound]
// when the message is not due or is taken.
func takeMessage(ctx context.Context, q *gen.Queries, id int64, now time.Time) (storedMessage, error) {
	row, err := q.TakeOrderMessage(ctx, gen.TakeOrderMessageParams{ID: id, Now: clock.Cut(now)})
	if errors.Is(err, db.ErrNotFound) {
		return storedMessage{}, err
	}
	if err != nil {
		return storedMessage{}, fmt.Errorf("take a message: %w", err)
	}
	return storedMessage{id: id, orderID: row.OrderID, changeID: row.ChangeID, attempts: row.Attempts, occasion: site.OrderMessage(row.Kind)}, nil
}

// finishMessage stores what became of a message that was taken.
func finishMessage(ctx context.Context, q *gen.Queries, id int64, state State, now time.Time) error {
	if err := q.FinishOrderMessage(ctx, gen.FinishOrderMessageParams{ID: id, State: string(state), Now: clock.Cut(now)}); err != nil {
		return fmt.Errorf("store what became of a message: %w", err)
	}
	return nil
}

// postponeMessage lets a message that was taken wait until due.
func postponeMessage(ctx context.Context, q *gen.Queries, id int64, due, now time.Time) error {
	if err := q.PostponeOrderMessage(ctx, gen.PostponeOrderMessageParams{ID: id, DueAt: clock.Cut(due), Now: clock.Cut(now)}); err != nil {
		return fmt.Errorf("postpone a message: %w", err)
	}
	return nil
}

// listMessages returns the messages about an order, the first one first.
func listMessages(ctx context.Context, q *gen.Queries, orderID int64) ([]Message, error) {
	rows, err := q.ListOrderMessages(ctx, orderID)
	if err != nil {
		return nil, fmt.Errorf("list messages: %w", err)
	}
	messages := make([]Message, len(rows))
	for i, row := range rows {
		messages[i] = Message{Occasion: site.OrderMessage(row.Kind), State: State(row.State), ChangeID: row.ChangeID, At: row.At}
	}
	return messages, nil
}

// listDue returns the ids of some messages that were due before the instant and still wait.
func listDue(ctx context.Context, q *gen.Queries, before time.Time) ([]int64, error) {
	ids, err := q.ListDueOrderMessages(ctx, clock.Cut(before))
	if err != nil {
		return nil, fmt.Errorf("list messages that are due: %w", err)
	}
	return ids, nil
}

// sweepMessages stores as unknown the messages that were taken and not finished in time, and deletes a
// batch of the messages that are over their term.
func sweepMessages(ctx context.Context, q *gen.Queries, now time.Time) error {
	if _, err := q.LoseOrderMessages(ctx, gen.LoseOrderMessagesParams{Now: clock.Cut(now), Before: clock.Cut(now.Add(-lostAfter))}); err != nil {
		return fmt.Errorf("store which messages are lost: %w", err)
	}
	if _, err := q.DeleteOldOrderMessages(ctx, clock.Cut(now.Add(-life))); err != nil {
		return fmt.Errorf("delete old messages: %w", err)
	}
	return nil
}
