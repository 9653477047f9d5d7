package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"servery/internal/db"
	"servery/internal/queue"
)

const (
	// timeToLive is how long a push service keeps a message for a phone that is off: after that the
	// state says nothing any more.
	timeToLive = time.Hour
	// recordSize is the size that every message is padded to, so that its length says nothing.
	recordSize = 1024
)

// pauses are how long after a failed attempt the next one begins: as many as there are repeats.
var pauses = []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute}

// message is the job that sends a change of an order to a browser.
type message struct {
	Subscription int64 `json:"subscription"`
	Change       int64 `json:"change"`
	// Attempt counts those that failed.
	Attempt int `json:"attempt"`
}

// Kind returns the name of the job.
func (message) Kind() string { return "push.message" }

// payload is a message as the page's worker reads it.
type payload struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	// Tag makes a later message of the order take the place of an earlier one.
	Tag  string `json:"tag"`
	Path string `json:"path"`
	Lang string `json:"lang"`
}

// The outcomes of a message.
type outcome string

const (
	sent    outcome = "sent"
	gone    outcome = "gone"    // the browser does not subscribe any more
	refused outcome = "refused" // it was not taken and would not be the next time
	later   outcome = "later"   // it was not taken and may be later
	unknown outcome = "unknown" // it may have been taken
)

// send sends the change of a job at most once: it claims the change first, and lets it be claimed again
// only when it certainly was not delivered. It sends nothing when the order has changed since. It deletes
// the subscription when that is gone or got the final state.
func (s *Service) send(ctx context.Context, m message) error {
	to, err := findSubscription(ctx, s.DB.Read(), m.Subscription, s.Clock.Now())
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	state, err := s.Describe(ctx, to.orderID, to.lang)
	if errors.Is(err, db.ErrNotFound) || err == nil && state.ChangeID != m.Change {
		return nil
	}
	if err != nil {
		return err
	}
	var isClaimed bool
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		isClaimed, err = claimChange(ctx, tx.Q, m.Subscription, m.Change)
		return err
	})
	if err != nil || !isClaimed {
		return err
	}
	result, err := s.deliver(ctx, to, state)
	s.sent.WithLabelValues(string(result)).Inc()
	if err != nil {
		s.Log.WarnContext(ctx, "push message not sent", slog.Int64("order_id", to.orderID), slog.String("outcome", string(result)), slog.Any("error", err))
	}
	ctx = context.WithoutCancel(ctx) // the outcome must be stored even when the program stops
	return s.DB.InTx(ctx, func(tx *db.Tx) error { return s.finish(ctx, tx, m, state, result) })
}

// finish enqueues the next attempt to send a message that may be accepted later. After the last attempt
// it does nothing. It deletes the subscription when the browser is gone, the message was refused, or no
// state follows.
func (s *Service) finish(ctx context.Context, tx *db.Tx, m message, state State, result outcome) error {
	if result == later && m.Attempt < len(pauses) {
		isReturned, err := returnChange(ctx, tx.Q, m.Subscription, m.Change)
		if err != nil || !isReturned {
			return err
		}
		due := s.Clock.Now().Add(pauses[m.Attempt])
		m.Attempt++
		return s.Queue.Enqueue(ctx, tx, m, queue.At(due))
	}
	if result == gone || result == refused || state.IsFinal {
		return deleteSubscription(ctx, tx.Q, m.Subscription)
	}
	return nil
}

// deliver hands a message to the push service. Its error has no endpoint in it.
func (s *Service) deliver(ctx context.Context, to storedSubscription, state State) (outcome, error) {
	body, err := json.Marshal(payload{
		Title: state.Title, Body: state.Body, Path: state.Path, Lang: string(to.lang), Tag: "order-" + strconv.FormatInt(to.orderID, 10),
	})
	if err != nil {
		return refused, fmt.Errorf("write the message: %w", err)
	}
	if err := to.check(); err != nil {
		return refused, err
	}
	response, err := webpush.SendNotificationWithContext(ctx, body, &webpush.Subscription{
		Endpoint: to.Endpoint, Keys: webpush.Keys{P256dh: to.P256dh, Auth: to.Auth},
	}, &webpush.Options{
		HTTPClient: s.Client, Subscriber: s.Contact, VAPIDPublicKey: s.keys.Public, VAPIDPrivateKey: s.keys.Private,
		TTL: int(timeToLive / time.Second), Urgency: webpush.UrgencyHigh, Topic: "order-" + strconv.FormatInt(to.orderID, 10), RecordSize: recordSize,
	})
	if err != nil {
		var dial *net.OpError
		switch {
		case errors.Is(err, errPrivate):
			return refused, errPrivate
		case errors.As(err, &dial) && dial.Op == "dial":
			return later, errors.New("the push service cannot be reached")
		}
		return unknown, errors.New("no answer of the push service")
	}
	if err := response.Body.Close(); err != nil {
		return unknown, errors.New("the answer of the push service was cut off")
	}
	return outcomeOf(response.StatusCode)
}

// outcomeOf returns what a status of a push service means.
func outcomeOf(status int) (outcome, error) {
	switch {
	case status >= http.StatusOK && status < http.StatusMultipleChoices:
		return sent, nil
	case status == http.StatusNotFound || status == http.StatusGone:
		return gone, nil
	case status == http.StatusTooManyRequests || status >= http.StatusInternalServerError:
		return later, fmt.Errorf("the push service answered %d", status)
	}
	return refused, fmt.Errorf("the push service answered %d", status)
}
