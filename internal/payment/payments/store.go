package payments

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/payment"
	"servery/internal/site"
)

// Queries are the generated queries, which run in a transaction, in a snapshot or on their own.
type Queries = gen.Queries

// storedNext is [acquiring.Next] as it is stored.
type storedNext struct {
	Kind        string             `json:"kind"`
	URL         string             `json:"url,omitempty"`
	QR          string             `json:"qr,omitempty"`
	VerifyParam string             `json:"verify_param,omitempty"`
	ThreeDS     *acquiring.ThreeDS `json:"three_ds,omitempty"`
}

// encodeNext returns the next action of the customer as it is stored, in JSON. It leaves out the
// acquirer's reference, which has a column of its own.
func encodeNext(next acquiring.Next) ([]byte, error) {
	stored := storedNext{Kind: next.Kind.String(), URL: next.URL, QR: next.QR, VerifyParam: next.VerifyParam}
	if next.ThreeDS != (acquiring.ThreeDS{}) {
		stored.ThreeDS = &next.ThreeDS
	}
	body, err := json.Marshal(stored)
	if err != nil {
		return nil, fmt.Errorf("encode the next action: %w", err)
	}
	return body, nil
}

// decodeNext returns a stored next action, with the acquirer's reference that is stored beside
// it. Kinds that are not stored become Unknown.
func decodeNext(body []byte, ref string) (acquiring.Next, error) {
	var stored storedNext
	if err := json.Unmarshal(body, &stored); err != nil {
		return acquiring.Next{}, fmt.Errorf("decode the next action: %w", err)
	}
	next := acquiring.Next{Ref: ref, URL: stored.URL, QR: stored.QR, VerifyParam: stored.VerifyParam}
	if stored.ThreeDS != nil {
		next.ThreeDS = *stored.ThreeDS
	}
	for _, kind := range []acquiring.NextKind{acquiring.Redirect, acquiring.MobileLink, acquiring.ThreeDS1, acquiring.ThreeDS2, acquiring.Push, acquiring.Prepared} {
		if kind.String() == stored.Kind {
			next.Kind = kind
		}
	}
	return next, nil
}

// insertAttempt stores a new attempt.
func insertAttempt(ctx context.Context, q *gen.Queries, a payment.Attempt) error {
	body, err := json.Marshal(a.Call)
	if err != nil {
		return fmt.Errorf("write payment: %w", err)
	}
	nextBody, err := encodeNext(a.Next)
	if err != nil {
		return err
	}
	err = q.InsertPayment(ctx, gen.InsertPaymentParams{
		ID: string(a.ID), OrderID: a.OrderID, Site: a.Site, Acquirer: a.Account, Method: a.Method.String(),
		Amount: int64(a.Sum.Amount), Currency: a.Sum.Currency.Code, Asked: body, Next: nextBody, CallKey: a.IdempotencyKey,
		Now: a.StartedAt, Deadline: a.Deadline, BusyUntil: nullTime(a.LeaseUntil), CheckAt: nullTime(a.PollAt),
	})
	if err != nil {
		return fmt.Errorf("write payment: %w", err)
	}
	return nil
}

// nullTime returns an instant as it is stored: NULL for the zero time.
func nullTime(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: !t.IsZero()} }

// loadAttempt reads an attempt. It returns [db.ErrNotFound] when there is none.
func loadAttempt(ctx context.Context, q *gen.Queries, id acquiring.ID) (payment.Attempt, error) {
	row, err := q.GetPayment(ctx, string(id))
	if err != nil {
		return payment.Attempt{}, fmt.Errorf("read payment: %w", err)
	}
	return toAttempt(row)
}

// listAttempts returns the attempts to pay an order, the oldest first.
func listAttempts(ctx context.Context, q *gen.Queries, orderID int64) ([]payment.Attempt, error) {
	rows, err := q.ListPayments(ctx, orderID)
	if err != nil {
		return nil, fmt.Errorf("list payments: %w", err)
	}
	attempts := make([]payment.Attempt, len(rows))
	for i, row := range rows {
		if attempts[i], err = toAttempt(row); err != nil {
			return nil, err
		}
	}
	return attempts, nil
}

// toAttempt returns the attempt of a row. It returns an error when a column has a value that
// this program does not know.
func toAttempt(row gen.Payment) (payment.Attempt, error) {
	a := payment.Attempt{
		ID: acquiring.ID(row.ID), OrderID: row.OrderID, Site: row.Site, Account: row.Acquirer,
		Sum: acquiring.Sum{Amount: money.Amount(row.Amount)}, State: payment.AttemptState(row.State), Ref: row.Ref, Code: row.Code,
		Refunded: money.Amount(row.Refunded), StartedAt: row.StartedAt, Deadline: row.Deadline, FinishedAt: row.FinishedAt.Time,
		Stage: payment.ThreeDSStage(row.Proof), IdempotencyKey: row.CallKey,
		LeaseUntil: row.BusyUntil.Time, PollAt: row.CheckAt.Time, Polls: int(row.Checks),
	}
	var methodErr, currencyErr, takenErr, reasonErr, nextErr error
	a.Method, methodErr = acquiring.ParseMethod(row.Method)
	a.Sum.Currency, currencyErr = money.ParseCurrency(row.Currency)
	a.Reason, reasonErr = acquiring.ParseReason(row.Reason)
	a.Next, nextErr = decodeNext(row.Next, row.Ref)
	if row.TakenAmount > 0 {
		a.OtherSum.Amount = money.Amount(row.TakenAmount)
		a.OtherSum.Currency, takenErr = money.ParseCurrency(row.TakenCurrency)
	}
	if err := errors.Join(methodErr, currencyErr, takenErr, reasonErr, nextErr, json.Unmarshal(row.Asked, &a.Call)); err != nil {
		return payment.Attempt{}, fmt.Errorf("read payment: %w", err)
	}
	return a, nil
}

// insertEvent stores that an event of the attempt was applied. It returns false when it was
// stored before.
func insertEvent(ctx context.Context, q *gen.Queries, id acquiring.ID, key string, now time.Time) (bool, error) {
	rows, err := q.InsertPaymentEvent(ctx, gen.InsertPaymentEventParams{PaymentID: string(id), Key: key, Now: now})
	if err != nil {
		return false, fmt.Errorf("write payment event: %w", err)
	}
	return rows > 0, nil
}

// updatePending stores reference, reason and code of an event about an attempt that is not
// over. It writes nothing when they have not changed.
func updatePending(ctx context.Context, q *gen.Queries, a payment.Attempt, e acquiring.Event) error {
	if (e.Ref == "" || a.Ref == e.Ref) && a.Reason == e.Reason && a.Code == e.Code {
		return nil
	}
	err := q.SetPaymentNews(ctx, gen.SetPaymentNewsParams{
		ID: string(a.ID), Ref: e.Ref, Reason: e.Reason.String(), Code: acquiring.CleanCode(e.Code),
	})
	if err != nil {
		return fmt.Errorf("write payment event: %w", err)
	}
	return nil
}

// finishAttempt stores the outcome of an attempt. It also removes the next action and stops the
// polls. The sum of the event is stored only for a disputed attempt.
func finishAttempt(ctx context.Context, q *gen.Queries, a payment.Attempt, state payment.AttemptState, e acquiring.Event, now time.Time) error {
	if e.Ref == "" {
		e.Ref = a.Ref
	}
	noNext, err := encodeNext(acquiring.Next{})
	if err != nil {
		return err
	}
	var takenOther acquiring.Sum
	if state == payment.Disputed && e.Sum.Amount > 0 && e.Sum.Currency.Code != "" {
		takenOther = e.Sum
	}
	err = q.EndPayment(ctx, gen.EndPaymentParams{
		ID: string(a.ID), State: string(state), Ref: e.Ref, Reason: e.Reason.String(), Code: acquiring.CleanCode(e.Code),
		TakenAmount: int64(takenOther.Amount), TakenCurrency: takenOther.Currency.Code, Next: noNext, Now: nullTime(now),
	})
	if err != nil {
		return fmt.Errorf("finish payment: %w", err)
	}
	return nil
}

// abandonAttempt stores that an attempt is abandoned, without a next action, and is polled from
// pollAt on. It changes nothing when the attempt is over.
func abandonAttempt(ctx context.Context, q *gen.Queries, id acquiring.ID, pollAt time.Time) error {
	noNext, err := encodeNext(acquiring.Next{})
	if err != nil {
		return err
	}
	if _, err := q.AbandonPayment(ctx, gen.AbandonPaymentParams{ID: string(id), Next: noNext, CheckAt: nullTime(pollAt)}); err != nil {
		return fmt.Errorf("abandon payment: %w", err)
	}
	return nil
}

// updateAnswer stores what the acquirer answered to a call: the state, the next action and when
// to poll; it also ends the lease. It returns false when the attempt was finished concurrently;
// only the acquirer's reference is stored then.
func updateAnswer(ctx context.Context, q *gen.Queries, a payment.Attempt, state payment.AttemptState, next acquiring.Next, pollAt time.Time) (bool, error) {
	body, err := encodeNext(next)
	if err != nil {
		return false, err
	}
	rows, err := q.AnswerPayment(ctx, gen.AnswerPaymentParams{
		ID: string(a.ID), State: string(state), Ref: next.Ref, Next: body, CheckAt: nullTime(pollAt),
	})
	if err == nil && rows == 0 && next.Ref != "" {
		err = q.SetPaymentRef(ctx, gen.SetPaymentRefParams{ID: string(a.ID), Ref: next.Ref})
	}
	if err != nil {
		return false, fmt.Errorf("write the answer of an acquirer: %w", err)
	}
	return rows > 0, nil
}

// claimCall leases the next call for an attempt to this caller until the instant. It returns
// false when another caller has the lease, or the attempt is over.
func claimCall(ctx context.Context, q *gen.Queries, id acquiring.ID, now, until time.Time) (bool, error) {
	rows, err := q.ClaimPaymentCall(ctx, gen.ClaimPaymentCallParams{ID: string(id), Now: nullTime(now), Until: nullTime(until)})
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	return rows > 0, nil
}

// claimCard leases the call that sends a card to an acquirer that was prepared for it, until the
// instant. It also stores that from now on money may be taken without the customer doing anything
// more. It returns false when another caller has the lease, or the attempt is not pending.
func claimCard(ctx context.Context, q *gen.Queries, a payment.Attempt, now, until time.Time) (bool, error) {
	a.Call.HasToken, a.Call.SentAt = true, now
	body, err := json.Marshal(a.Call)
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	rows, err := q.ClaimPaymentCard(ctx, gen.ClaimPaymentCardParams{ID: string(a.ID), Asked: body, Now: nullTime(now), Until: nullTime(until)})
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	return rows > 0, nil
}

// claimStage leases the call that submits a stage of 3-D Secure, until the instant. It returns
// false when the stage was submitted before, another caller has the lease, or the attempt is not
// pending.
func claimStage(ctx context.Context, q *gen.Queries, a payment.Attempt, stage payment.ThreeDSStage, now, until time.Time) (bool, error) {
	rows, err := q.ClaimPaymentProof(ctx, gen.ClaimPaymentProofParams{
		ID: string(a.ID), Proof: string(stage), ProofBefore: string(a.Stage), Now: nullTime(now), Until: nullTime(until),
	})
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	return rows > 0, nil
}

// resetStage stores that a stage of 3-D Secure did not reach the acquirer, so that it can be
// submitted again. It also ends the lease.
func resetStage(ctx context.Context, q *gen.Queries, a payment.Attempt, stage payment.ThreeDSStage) error {
	err := q.ReturnPaymentProof(ctx, gen.ReturnPaymentProofParams{ID: string(a.ID), Proof: string(stage), ProofBefore: string(a.Stage)})
	if err != nil {
		return fmt.Errorf("reset 3-D Secure: %w", err)
	}
	return nil
}

// claimRefresh stores that the acquirer is asked about the attempt now. It returns false when the
// acquirer was asked at askedBefore or later.
func claimRefresh(ctx context.Context, q *gen.Queries, id acquiring.ID, now, askedBefore time.Time) (bool, error) {
	rows, err := q.ClaimPaymentLook(ctx, gen.ClaimPaymentLookParams{ID: string(id), Now: nullTime(now), Before: nullTime(askedBefore)})
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	return rows > 0, nil
}

// claimPoll stores when a due attempt is polled next. It returns false when another caller has
// polled it first.
func claimPoll(ctx context.Context, q *gen.Queries, id acquiring.ID, now, next time.Time) (bool, error) {
	rows, err := q.ClaimPaymentCheck(ctx, gen.ClaimPaymentCheckParams{ID: string(id), Now: nullTime(now), NextCheckAt: nullTime(next)})
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	return rows > 0, nil
}

// stopPolls stores that an attempt is polled no more.
func stopPolls(ctx context.Context, q *gen.Queries, id acquiring.ID) error {
	if err := q.StopPaymentChecks(ctx, string(id)); err != nil {
		return fmt.Errorf("stop polling a payment: %w", err)
	}
	return nil
}

// listDueAttempts returns the attempts that are to be polled now, at most maxCount.
func listDueAttempts(ctx context.Context, q *gen.Queries, now time.Time, maxCount int) ([]acquiring.ID, error) {
	rows, err := q.ListDuePayments(ctx, gen.ListDuePaymentsParams{Now: nullTime(now), MaxCount: int32(maxCount)})
	if err != nil {
		return nil, fmt.Errorf("list due payments: %w", err)
	}
	return toIDs(rows), nil
}

// toIDs returns the ids of a column.
func toIDs(rows []string) []acquiring.ID {
	ids := make([]acquiring.ID, len(rows))
	for i, id := range rows {
		ids[i] = acquiring.ID(id)
	}
	return ids
}

// orderOfCheckout returns the order that a checkout has become, and [db.ErrNotFound] when there
// is none.
func orderOfCheckout(ctx context.Context, q *gen.Queries, key string) (int64, error) {
	id, err := q.GetOrderOfCheckout(ctx, key)
	if err != nil {
		return 0, fmt.Errorf("read order: %w", err)
	}
	return id, nil
}

// ReadHistory returns the bill with the attempts to pay it, its refunds and its closing
// receipts. An order paid on receipt has only refunds by hand; one paid online has those of what was
// collected at its hand-over.
func ReadHistory(ctx context.Context, at db.Snapshot, bill payment.Bill) (payment.History, error) {
	h := payment.History{Bill: bill}
	var err error
	if h.ByHand, err = listHandRefunds(ctx, at.Q, bill.OrderID); err != nil || !site.IsOnline(bill.PaymentType) {
		return h, err
	}
	if h.Attempts, err = listAttempts(ctx, at.Q, bill.OrderID); err != nil {
		return payment.History{}, err
	}
	if h.Refunds, err = listRefunds(ctx, at.Q, bill.OrderID); err != nil {
		return payment.History{}, err
	}
	h.Closings, err = listClosings(ctx, at.Q, bill.OrderID)
	return h, err
}

// BonusesDue returns how many of the bonuses that were spent on an order its customer is to have back; see
// [payment.History.BonusesDue].
func BonusesDue(ctx context.Context, tx *db.Tx, bill payment.Bill) (money.Amount, error) {
	h := payment.History{Bill: bill}
	var err error
	if h.ByHand, err = listHandRefunds(ctx, tx.Q, bill.OrderID); err != nil {
		return 0, err
	}
	h.Refunds, err = listRefunds(ctx, tx.Q, bill.OrderID)
	return h.BonusesDue(), err
}

// ReadHistories returns the payments of all orders of a customer at a brand, by the number of
// the order. The histories have no bills and no refunds by hand. The number of queries does not depend on the
// number of orders.
func ReadHistories(ctx context.Context, at db.Snapshot, siteAlias string, customerID int64) (map[int64]payment.History, error) {
	byOrder := map[int64]payment.History{}
	payments, err := at.Q.ExportPayments(ctx, gen.ExportPaymentsParams{Site: siteAlias, CustomerID: customerID})
	if err != nil {
		return nil, fmt.Errorf("export payments: %w", err)
	}
	for _, row := range payments {
		h := byOrder[row.Payment.OrderID]
		a, err := toAttempt(row.Payment)
		if err != nil {
			return nil, err
		}
		h.Attempts = append(h.Attempts, a)
		if row.ClosingID.Valid {
			c, err := toClosing(gen.GetClosingReceiptRow{
				PaymentID: row.Payment.ID, ID: row.ClosingID.String, OrderID: row.Payment.OrderID, Amount: row.ClosingAmount.Int64,
				Currency: row.Payment.Currency, Lines: row.ClosingLines, State: row.ClosingState.String, Ref: row.ClosingRef.String,
				Code: row.ClosingCode.String, Tries: row.ClosingTries.Int64, CheckAt: row.ClosingCheckAt,
				CreatedAt: row.ClosingCreatedAt.Time, FinishedAt: row.ClosingFinishedAt,
			})
			if err != nil {
				return nil, err
			}
			h.Closings = append(h.Closings, c)
		}
		byOrder[row.Payment.OrderID] = h
	}
	refunds, err := at.Q.ExportRefunds(ctx, gen.ExportRefundsParams{Site: siteAlias, CustomerID: customerID})
	if err != nil {
		return nil, fmt.Errorf("export refunds: %w", err)
	}
	for _, row := range refunds {
		r, err := toRefund(gen.GetRefundRow(row))
		if err != nil {
			return nil, err
		}
		h := byOrder[r.OrderID]
		h.Refunds = append(h.Refunds, r)
		byOrder[r.OrderID] = h
	}
	return byOrder, nil
}

// FindEraseBlocker returns why the customer of an order cannot be erased yet, as the key of a
// message: a refund or a closing receipt is not finished. It returns an empty key when nothing
// is open.
func FindEraseBlocker(ctx context.Context, q *Queries, orderID int64) (key string, err error) {
	refunds, err := listRefunds(ctx, q, orderID)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(refunds, func(r payment.Refund) bool { return r.State.IsOpen() }) {
		return "customer.refund_running", nil
	}
	closings, err := listClosings(ctx, q, orderID)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(closings, func(c payment.ClosingReceipt) bool { return c.State.IsOpen() }) {
		return "customer.receipt_running", nil
	}
	return "", nil
}

// Anonymize removes the customer from the attempts to pay an order and from its refunds. Sums,
// dates and the acquirers' references stay.
func Anonymize(ctx context.Context, q *Queries, orderID int64) error {
	emptyJSON := []byte("{}")
	if err := q.ForgetPayments(ctx, gen.ForgetPaymentsParams{OrderID: orderID, Asked: emptyJSON, Next: emptyJSON}); err != nil {
		return fmt.Errorf("anonymize payments: %w", err)
	}
	if err := q.ForgetHandRefunds(ctx, orderID); err != nil {
		return fmt.Errorf("anonymize refunds by hand: %w", err)
	}
	if err := q.ForgetRefunds(ctx, orderID); err != nil {
		return fmt.Errorf("anonymize refunds: %w", err)
	}
	return nil
}

// deleteOldEvents removes one batch of events from before the instant and returns how many it
// removed.
func deleteOldEvents(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	return q.DeleteOldPaymentEvents(ctx, before)
}
