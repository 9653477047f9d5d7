package push

import (
	"context"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/lang"
)

// secretName is the name of the keys among the secrets of the program.
const secretName = "push-keys"

// findOrStoreKeys returns the stored keys. When there are none, it stores candidate and returns it.
func findOrStoreKeys(ctx context.Context, d *db.DB, candidate []byte, now time.Time) (value []byte, err error) {
	err = d.InTx(ctx, func(tx *db.Tx) error {
		// This does nothing when keys are stored already.
		if err := tx.Q.InsertSecret(ctx, gen.InsertSecretParams{Name: secretName, Value: candidate, Now: now}); err != nil {
			return err
		}
		value, err = tx.Q.GetSecret(ctx, secretName)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store keys of push messages: %w", err)
	}
	return value, nil
}

// storedSubscription is a subscription that a message may be sent to.
type storedSubscription struct {
	Subscription

	orderID int64
	lang    lang.Lang
}

// saveSubscription stores a subscription of the watcher. For a browser that is subscribed to the order
// already, it stores the new keys, session and language; the change that was claimed last stays.
func saveSubscription(ctx context.Context, q *gen.Queries, sub Subscription, w Watcher) error {
	err := q.SavePushSubscription(ctx, gen.SavePushSubscriptionParams{
		OrderID: w.OrderID, SessionID: w.SessionID, Endpoint: sub.Endpoint, P256dh: sub.P256dh, Auth: sub.Auth,
		Language: string(w.Lang), LastChange: w.ChangeID, Now: w.Now,
	})
	if err != nil {
		return fmt.Errorf("store a push subscription: %w", err)
	}
	return nil
}

// countOthers returns how many other browsers are sent the states of an order.
func countOthers(ctx context.Context, q *gen.Queries, orderID int64, endpoint string) (int64, error) {
	n, err := q.CountPushSubscriptions(ctx, gen.CountPushSubscriptionsParams{OrderID: orderID, Endpoint: endpoint})
	if err != nil {
		return 0, fmt.Errorf("count push subscriptions: %w", err)
	}
	return n, nil
}

// listSubscriptions returns the ids of the subscriptions to an order.
func listSubscriptions(ctx context.Context, q *gen.Queries, orderID int64) ([]int64, error) {
	ids, err := q.ListPushSubscriptionsOfOrder(ctx, orderID)
	if err != nil {
		return nil, fmt.Errorf("list push subscriptions: %w", err)
	}
	return ids, nil
}

// claimChange claims a change for sending. It reports false when another caller has claimed it or a later
// one, and when the browser had seen it before it subscribed.
func claimChange(ctx context.Context, q *gen.Queries, id, changeID int64) (bool, error) {
	rows, err := q.TakePushSubscription(ctx, gen.TakePushSubscriptionParams{ChangeID: changeID, ID: id})
	if err != nil {
		return false, fmt.Errorf("claim a push message: %w", err)
	}
	return rows == 1, nil
}

// returnChange lets a change be claimed again. It reports false when a later one was claimed.
func returnChange(ctx context.Context, q *gen.Queries, id, changeID int64) (bool, error) {
	rows, err := q.ReturnPushSubscription(ctx, gen.ReturnPushSubscriptionParams{ChangeID: changeID, ID: id})
	if err != nil {
		return false, fmt.Errorf("return a push message: %w", err)
	}
	return rows == 1, nil
}

// findSubscription returns a subscription of a session that has not ended, else [db.ErrNotFound].
func findSubscription(ctx context.Context, q *gen.Queries, id int64, now time.Time) (storedSubscription, error) {
	row, err := q.GetPushSubscription(ctx, gen.GetPushSubscriptionParams{ID: id, Now: now})
	if err != nil {
		return storedSubscription{}, fmt.Errorf("read a push subscription: %w", err)
	}
	return storedSubscription{
		Subscription: Subscription{Endpoint: row.Endpoint, P256dh: row.P256dh, Auth: row.Auth}, orderID: row.OrderID, lang: lang.Lang(row.Language),
	}, nil
}

func deleteSubscription(ctx context.Context, q *gen.Queries, id int64) error {
	if err := q.DeletePushSubscription(ctx, id); err != nil {
		return fmt.Errorf("delete a push subscription: %w", err)
	}
	return nil
}

// deleteOfSession deletes the subscriptions of a session to an order.
func deleteOfSession(ctx context.Context, q *gen.Queries, orderID, sessionID int64) error {
	err := q.DeletePushSubscriptionsOfSession(ctx, gen.DeletePushSubscriptionsOfSessionParams{OrderID: orderID, SessionID: sessionID})
	if err != nil {
		return fmt.Errorf("delete push subscriptions: %w", err)
	}
	return nil
}

// deleteOld deletes at most 500 subscriptions from before an instant, and returns how many.
func deleteOld(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	n, err := q.DeleteOldPushSubscriptions(ctx, before)
	if err != nil {
		return 0, fmt.Errorf("delete old push subscriptions: %w", err)
	}
	return n, nil
}
