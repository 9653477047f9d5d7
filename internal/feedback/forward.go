package feedback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/forward"
	"servery/internal/queue"
)

// lease is how long a caller may take to deliver one form or notice.
const lease = 2 * time.Minute

// pauses are how long after a failed attempt the next one begins: as many as there are repeats.
var pauses = []time.Duration{
	time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// pauseAfter returns how long to wait after a number of failed attempts; false when no attempt is left.
func pauseAfter(attempts int64) (time.Duration, bool) {
	if attempts < 1 || attempts > int64(len(pauses)) {
		return 0, false
	}
	return pauses[attempts-1], true
}

// forwardJob delivers a form. It contains nothing of the person.
type forwardJob struct {
	ID int64 `json:"id"`
}

// Kind returns the name of the job.
func (forwardJob) Kind() string { return "forms.forward" }

// runForward delivers the form of a job and stores the outcome. It does nothing when the form is not
// due, or another caller is delivering it. After a failure it enqueues the next attempt; after the
// last attempt it logs an error with alert=true.
func (s *Service) runForward(ctx context.Context, job forwardJob) error {
	now := s.Clock.Now()
	var form Stored
	var attempts int64
	err := s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		form, attempts, err = leaseForm(ctx, tx.Q, job.ID, now, now.Add(lease))
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	sendErr := s.forwardForm(ctx, form)
	ctx = context.WithoutCancel(ctx) // the outcome must be stored even when the program stops
	if sendErr == nil {
		s.metrics.forwards.WithLabelValues(form.Site, string(stateSent)).Inc()
		return s.DB.InTx(ctx, func(tx *db.Tx) error { return finishForm(ctx, tx.Q, form.ID, stateSent) })
	}
	attrs := []slog.Attr{slog.String("site", form.Site), slog.Int64("form_id", form.ID), slog.Int64("attempts", attempts), slog.Any("error", sendErr)}
	pause, isRetried := pauseAfter(attempts)
	if !isRetried {
		s.metrics.forwards.WithLabelValues(form.Site, string(stateFailed)).Inc()
		s.Log.LogAttrs(ctx, slog.LevelError, "form not delivered, attempts are over: read it in the operator's list", append(attrs, slog.Bool("alert", true))...)
		return s.DB.InTx(ctx, func(tx *db.Tx) error { return finishForm(ctx, tx.Q, form.ID, stateFailed) })
	}
	s.Log.LogAttrs(ctx, slog.LevelWarn, "form not delivered", attrs...)
	due := s.Clock.Now().Add(pause)
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := postponeForm(ctx, tx.Q, form.ID, due); err != nil {
			return err
		}
		return s.Queue.Enqueue(ctx, tx, forwardJob{ID: form.ID}, queue.At(due))
	})
}

// forwardForm delivers a form to its brand. It must not be called in a transaction.
func (s *Service) forwardForm(ctx context.Context, form Stored) error {
	brand, ok := s.Site(form.Site)
	if !ok {
		return errors.New("the brand is not in the content")
	}
	sender, ok := s.Forwarders.Forwarder(form.Site)
	if !ok {
		return errors.New("the brand has no feedback in the file of providers any more")
	}
	body, err := json.Marshal(payloadOf(form))
	if err != nil {
		return fmt.Errorf("write the payload: %w", err)
	}
	m := forward.Message{Key: "feedback-" + strconv.FormatInt(form.ID, 10), ReplyTo: form.Fields.Email, Body: body, At: form.CreatedAt}
	m.Subject, m.Text = form.Summary(brand, brand.DefaultLanguage)
	return sender.Send(ctx, m)
}

// payload is a form as webhooks get it.
type payload struct {
	ID         int64     `json:"id"`
	Site       string    `json:"site"`
	Kind       Kind      `json:"kind"`
	CityID     int64     `json:"city_id,omitempty"`
	CustomerID int64     `json:"customer_id,omitempty"`
	Name       string    `json:"name"`
	Phone      string    `json:"phone"`
	Fields     Fields    `json:"fields"`
	Language   string    `json:"language"`
	CreatedAt  time.Time `json:"created_at"`
}

// payloadOf returns the payload of a form.
func payloadOf(f Stored) payload {
	return payload{
		ID: f.ID, Site: f.Site, Kind: f.Kind, CityID: f.CityID, CustomerID: f.CustomerID, Name: f.Name, Phone: f.Phone,
		Fields: f.Fields, Language: string(f.Lang), CreatedAt: clock.Cut(f.CreatedAt),
	}
}

// sweepForms enqueues a job for each due form whose job was lost.
func (s *Service) sweepForms(ctx context.Context) error {
	return s.enqueueDue(ctx, listDueForms, func(id int64) queue.Args { return forwardJob{ID: id} })
}

// enqueueDue enqueues a job for each id that has been due for longer than a lease, so that jobs
// that only wait for their turn are not enqueued again.
func (s *Service) enqueueDue(ctx context.Context, list listDue, jobOf func(id int64) queue.Args) error {
	ids, err := list(ctx, s.DB.Read(), s.Clock.Now().Add(-lease))
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		for _, id := range ids {
			if err := s.Queue.Enqueue(ctx, tx, jobOf(id)); err != nil {
				return err
			}
		}
		return nil
	})
}
