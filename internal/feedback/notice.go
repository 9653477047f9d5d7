package feedback

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/notify"
	"servery/internal/queue"
	"servery/internal/site"
)

// checkedRevision is the revision of the content that the waiting requests were compared with.
type checkedRevision struct {
	mu       sync.Mutex
	revision int64
}

// waitingRequest is a delivery request that waits until its place is delivered to.
type waitingRequest struct {
	id     int64
	site   string
	cityID int64
	at     geo.Point
	phone  string
	lang   lang.Lang
}

// checkRequests compares the waiting requests with the coverage of the content, once for each revision,
// and stores a notice for each phone whose place is covered now. A request goes on waiting while its brand
// is not in the content or has no sender of text messages. It is safe to run in several processes at
// once: each request is removed by one of them.
func (s *Service) checkRequests(ctx context.Context) error {
	s.checked.mu.Lock()
	defer s.checked.mu.Unlock()
	coverage := s.Coverage()
	if coverage.Revision == s.checked.revision {
		return nil
	}
	last := int64(0)
	for {
		page, err := pageRequests(ctx, s.DB.Read(), last)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			s.checked.revision = coverage.Revision
			return nil
		}
		for _, r := range page {
			last = r.id
			brand, ok := s.Site(r.site)
			if !ok || !coverage.Covers(r.site, r.cityID, r.at) || len(notify.TextSenders(s.Senders, r.site)) == 0 {
				continue
			}
			if err := s.storeNotice(ctx, brand, r); err != nil {
				return err
			}
		}
	}
}

// storeNotice removes a waiting request, and stores and enqueues a notice for its phone, unless one for
// the same city is stored already. It does nothing when the brand does not have the city, or when
// another process has removed the request.
func (s *Service) storeNotice(ctx context.Context, brand *site.Site, r waitingRequest) error {
	city, ok := brand.City(r.cityID)
	if !ok {
		return nil
	}
	now := s.Clock.Now()
	due := notify.InDaytime(now, city.Location)
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, db.LockedPhone, r.site+" "+r.phone); err != nil {
			return err
		}
		isRemoved, err := removeRequest(ctx, tx.Q, r.id)
		if err != nil || !isRemoved {
			return err
		}
		id, isNew, err := insertNotice(ctx, tx.Q, r, due, now)
		if err != nil || !isNew {
			return err
		}
		return s.Queue.Enqueue(ctx, tx, noticeJob{ID: id}, queue.At(due))
	})
}

// noticeJob sends a notice. It contains nothing of the person.
type noticeJob struct {
	ID int64 `json:"id"`
}

// Kind returns the name of the job.
func (noticeJob) Kind() string { return "forms.notice" }

// runNotice sends the notice of a job and deletes it. It does nothing when the notice is not due, or
// another caller is sending it. After a failure it enqueues the next attempt; after the last attempt,
// or after a final error ([notify.IsFinal]), it logs an error and deletes the notice. The log has
// alert=true after the last attempt only.
func (s *Service) runNotice(ctx context.Context, job noticeJob) error {
	now := s.Clock.Now()
	var n notice
	err := s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		n, err = leaseNotice(ctx, tx.Q, job.ID, now, now.Add(lease))
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	sendErr := s.sendNotice(ctx, n)
	ctx = context.WithoutCancel(ctx) // the outcome must be stored even when the program stops
	if sendErr == nil {
		s.metrics.notices.WithLabelValues(n.site, string(stateSent)).Inc()
		return s.DB.InTx(ctx, func(tx *db.Tx) error { return deleteNotice(ctx, tx.Q, n.id) })
	}
	attrs := []slog.Attr{slog.String("site", n.site), slog.Int64("notice_id", n.id), slog.Int64("attempts", n.attempts), slog.Any("error", sendErr)}
	pause, isRetried := pauseAfter(n.attempts)
	if notify.IsFinal(sendErr) || !isRetried {
		s.metrics.notices.WithLabelValues(n.site, string(stateFailed)).Inc()
		s.Log.LogAttrs(ctx, slog.LevelError, "delivery notice not sent, attempts are over", append(attrs, slog.Bool("alert", !isRetried))...)
		return s.DB.InTx(ctx, func(tx *db.Tx) error { return deleteNotice(ctx, tx.Q, n.id) })
	}
	s.Log.LogAttrs(ctx, slog.LevelWarn, "delivery notice not sent", attrs...)
	due := s.Clock.Now().Add(pause)
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := postponeNotice(ctx, tx.Q, n.id, due); err != nil {
			return err
		}
		return s.Queue.Enqueue(ctx, tx, noticeJob{ID: n.id}, queue.At(due))
	})
}

// sendNotice tries the senders in their order until one accepts the notice or returns a final error. It
// must not be called in a transaction.
func (s *Service) sendNotice(ctx context.Context, n notice) error {
	brand, ok := s.Site(n.site)
	if !ok {
		return errors.New("the brand is not in the content")
	}
	city, ok := brand.City(n.cityID)
	if !ok {
		return errors.New("the city is not in the content")
	}
	key := "feedback.delivered"
	if s.Address(brand) == "" {
		key = "feedback.delivered_nowhere" // a text without a link
	}
	m := notify.Message{
		Phone: n.phone, Lang: n.lang, Key: "notice-" + strconv.FormatInt(n.id, 10),
		Text: lang.T(n.lang, key, fault.Args{"brand": brand.Text(brand.Name, n.lang), "url": s.Address(brand) + "/" + city.Alias}),
	}
	err := errors.New("the brand has no sender of text messages")
	for _, sender := range notify.TextSenders(s.Senders, n.site) {
		if _, err = sender.Send(ctx, m); err == nil || notify.IsFinal(err) {
			return err
		}
	}
	return err
}

// Deliver enqueues jobs for forms and notices whose job was lost, and for notices about places that
// are covered since the content changed. The program calls it each minute.
func (s *Service) Deliver(ctx context.Context) error {
	return errors.Join(
		s.sweepForms(ctx), s.checkRequests(ctx),
		s.enqueueDue(ctx, listDueNotices, func(id int64) queue.Args { return noticeJob{ID: id} }))
}
