package order

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/money"
	"servery/internal/site"
)

// keptNext is [acquiring.Next] as it is stored.
type keptNext struct {
	Kind        string             `json:"kind"`
	URL         string             `json:"url,omitempty"`
	QR          string             `json:"qr,omitempty"`
	VerifyParam string             `json:"verify_param,omitempty"`
	ThreeDS     *acquiring.ThreeDS `json:"three_ds,omitempty"`
}

func writeNext(next acquiring.Next) ([]byte, error) {
	kept := keptNext{Kind: next.Kind.String(), URL: next.URL, QR: next.QR, VerifyParam: next.VerifyParam}
	if next.ThreeDS != (acquiring.ThreeDS{}) {
		kept.ThreeDS = &next.ThreeDS
	}
	body, err := json.Marshal(kept)
	if err != nil {
		return nil, fmt.Errorf("write what comes next: %w", err)
	}
	return body, nil
}

func readNext(body []byte, ref string) (acquiring.Next, error) {
	var kept keptNext
	if err := json.Unmarshal(body, &kept); err != nil {
		return acquiring.Next{}, fmt.Errorf("read what comes next: %w", err)
	}
	next := acquiring.Next{Ref: ref, URL: kept.URL, QR: kept.QR, VerifyParam: kept.VerifyParam}
	if kept.ThreeDS != nil {
		next.ThreeDS = *kept.ThreeDS
	}
	for _, kind := range []acquiring.Kind{acquiring.Redirect, acquiring.MobileLink, acquiring.ThreeDS1, acquiring.ThreeDS2, acquiring.Push, acquiring.Prepared} {
		if kind.String() == kept.Kind {
			next.Kind = kind
		}
	}
	return next, nil
}

// insertPayment writes a try down, before its acquirer is called.
func insertPayment(ctx context.Context, q *gen.Queries, p Payment) error {
	askedBody, err := json.Marshal(p.asked)
	if err != nil {
		return fmt.Errorf("write payment: %w", err)
	}
	nextBody, err := writeNext(p.Next)
	if err != nil {
		return err
	}
	err = q.InsertPayment(ctx, gen.InsertPaymentParams{
		ID: string(p.ID), OrderID: p.OrderID, Site: p.Site, Acquirer: p.Account, Method: p.Method.String(),
		Amount: int64(p.Sum.Amount), Currency: p.Sum.Currency.Code, Asked: askedBody, Next: nextBody, CallKey: p.callKey,
		Now: p.StartedAt, Deadline: p.Deadline, BusyUntil: at(p.busyUntil), CheckAt: at(p.checkAt),
	})
	if err != nil {
		return fmt.Errorf("write payment: %w", err)
	}
	return nil
}

// at gives an instant to store; the zero one is none.
func at(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: !t.IsZero()} }

// loadPayment reads a try. It gives [db.ErrNotFound] when there is none.
func loadPayment(ctx context.Context, q *gen.Queries, id acquiring.ID) (Payment, error) {
	row, err := q.GetPayment(ctx, string(id))
	if err != nil {
		return Payment{}, fmt.Errorf("read payment: %w", err)
	}
	return toPayment(row)
}

// paymentsOf gives the tries to pay an order, the first one first.
func paymentsOf(ctx context.Context, q *gen.Queries, orderID int64) ([]Payment, error) {
	rows, err := q.ListPayments(ctx, orderID)
	if err != nil {
		return nil, fmt.Errorf("list payments: %w", err)
	}
	payments := make([]Payment, len(rows))
	for i, row := range rows {
		if payments[i], err = toPayment(row); err != nil {
			return nil, err
		}
	}
	return payments, nil
}

func toPayment(row gen.Payment) (Payment, error) {
	p := Payment{
		ID: acquiring.ID(row.ID), OrderID: row.OrderID, Site: row.Site, Account: row.Acquirer,
		Sum: acquiring.Sum{Amount: money.Amount(row.Amount)}, State: PaymentState(row.State), Ref: row.Ref, Code: row.Code,
		Refunded: money.Amount(row.Refunded), StartedAt: row.StartedAt, Deadline: row.Deadline, FinishedAt: row.FinishedAt.Time,
		proof: proofStage(row.Proof), callKey: row.CallKey,
		busyUntil: row.BusyUntil.Time, checkAt: row.CheckAt.Time, checks: int(row.Checks),
	}
	var method, currency, taken, reason, next error
	p.Method, method = acquiring.ParseMethod(row.Method)
	p.Sum.Currency, currency = money.ParseCurrency(row.Currency)
	p.Reason, reason = acquiring.ParseReason(row.Reason)
	p.Next, next = readNext(row.Next, row.Ref)
	if row.TakenAmount > 0 {
		p.OtherSum.Amount = money.Amount(row.TakenAmount)
		p.OtherSum.Currency, taken = money.ParseCurrency(row.TakenCurrency)
	}
	if err := errors.Join(method, currency, taken, reason, next, json.Unmarshal(row.Asked, &p.asked)); err != nil {
		return Payment{}, fmt.Errorf("read payment: %w", err)
	}
	return p, nil
}

// lockOrder makes whoever else does something about the money of the order wait for the
// end of the transaction. It gives [db.ErrNotFound] when there is no such order.
func lockOrder(ctx context.Context, q *gen.Queries, id int64) error {
	rows, err := q.LockOrder(ctx, id)
	if err != nil {
		return fmt.Errorf("lock order: %w", err)
	}
	if rows == 0 {
		return db.ErrNotFound
	}
	return nil
}

// insertNews reports false when the same news of the try was applied before.
func insertNews(ctx context.Context, q *gen.Queries, id acquiring.ID, key string, now time.Time) (bool, error) {
	rows, err := q.InsertPaymentEvent(ctx, gen.InsertPaymentEventParams{PaymentID: string(id), Key: key, Now: now})
	if err != nil {
		return false, fmt.Errorf("write news of a payment: %w", err)
	}
	return rows > 0, nil
}

// keepNews writes down what is heard of a try that is not over.
func keepNews(ctx context.Context, q *gen.Queries, p Payment, e acquiring.Event) error {
	if (e.Ref == "" || p.Ref == e.Ref) && p.Reason == e.Reason && p.Code == e.Code {
		return nil
	}
	err := q.SetPaymentNews(ctx, gen.SetPaymentNewsParams{
		ID: string(p.ID), Ref: e.Ref, Reason: e.Reason.String(), Code: acquiring.CleanCode(e.Code),
	})
	if err != nil {
		return fmt.Errorf("write news of a payment: %w", err)
	}
	return nil
}

// endPayment writes down what a try came to for certain.
func endPayment(ctx context.Context, q *gen.Queries, p Payment, state PaymentState, e acquiring.Event, now time.Time) error {
	if e.Ref == "" {
		e.Ref = p.Ref
	}
	nothing, err := writeNext(acquiring.Next{})
	if err != nil {
		return err
	}
	var other acquiring.Sum
	if state == Disputed && e.Sum.Amount > 0 && e.Sum.Currency.Code != "" {
		other = e.Sum
	}
	err = q.EndPayment(ctx, gen.EndPaymentParams{
		ID: string(p.ID), State: string(state), Ref: e.Ref, Reason: e.Reason.String(), Code: acquiring.CleanCode(e.Code),
		TakenAmount: int64(other.Amount), TakenCurrency: other.Currency.Code, Next: nothing, Now: at(now),
	})
	if err != nil {
		return fmt.Errorf("end payment: %w", err)
	}
	return nil
}

// abandonPayment gives up a try that is not over; it is checked from the instant on.
func abandonPayment(ctx context.Context, q *gen.Queries, id acquiring.ID, checked time.Time) error {
	nothing, err := writeNext(acquiring.Next{})
	if err != nil {
		return err
	}
	if _, err := q.AbandonPayment(ctx, gen.AbandonPaymentParams{ID: string(id), Next: nothing, CheckAt: at(checked)}); err != nil {
		return fmt.Errorf("abandon payment: %w", err)
	}
	return nil
}

// answerPayment keeps what the acquirer answered to a call, and reports false when the
// payment was over meanwhile.
func answerPayment(ctx context.Context, q *gen.Queries, p Payment, state PaymentState, next acquiring.Next, checked time.Time) (bool, error) {
	body, err := writeNext(next)
	if err != nil {
		return false, err
	}
	rows, err := q.AnswerPayment(ctx, gen.AnswerPaymentParams{
		ID: string(p.ID), State: string(state), Ref: next.Ref, Next: body, CheckAt: at(checked),
	})
	if err == nil && rows == 0 && next.Ref != "" {
		err = q.SetPaymentRef(ctx, gen.SetPaymentRefParams{ID: string(p.ID), Ref: next.Ref})
	}
	if err != nil {
		return false, fmt.Errorf("keep the answer of an acquirer: %w", err)
	}
	return rows > 0, nil
}

// claimCall keeps others from asking for the same until the instant, and reports false
// when somebody does already, or the try is over.
func claimCall(ctx context.Context, q *gen.Queries, id acquiring.ID, now, until time.Time) (bool, error) {
	rows, err := q.ClaimPaymentCall(ctx, gen.ClaimPaymentCallParams{ID: string(id), Now: at(now), Until: at(until)})
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	return rows > 0, nil
}

// claimCard does so for sending a card to the acquirer that was prepared for it, and notes
// that from then on money may be taken without its customer.
func claimCard(ctx context.Context, q *gen.Queries, p Payment, now, until time.Time) (bool, error) {
	p.asked.HasToken, p.asked.SentAt = true, now
	body, err := json.Marshal(p.asked)
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	rows, err := q.ClaimPaymentCard(ctx, gen.ClaimPaymentCardParams{ID: string(p.ID), Asked: body, Now: at(now), Until: at(until)})
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	return rows > 0, nil
}

// claimProof does so for handing over a stage of 3-D Secure, once.
func claimProof(ctx context.Context, q *gen.Queries, p Payment, stage proofStage, now, until time.Time) (bool, error) {
	rows, err := q.ClaimPaymentProof(ctx, gen.ClaimPaymentProofParams{
		ID: string(p.ID), Proof: string(stage), ProofBefore: string(p.proof), Now: at(now), Until: at(until),
	})
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	return rows > 0, nil
}

// returnProof says that a stage never reached the acquirer.
func returnProof(ctx context.Context, q *gen.Queries, p Payment, stage proofStage) error {
	err := q.ReturnPaymentProof(ctx, gen.ReturnPaymentProofParams{ID: string(p.ID), Proof: string(stage), ProofBefore: string(p.proof)})
	if err != nil {
		return fmt.Errorf("give back payment: %w", err)
	}
	return nil
}

// claimLook reports false when the acquirer was asked about the payment after the instant.
func claimLook(ctx context.Context, q *gen.Queries, id acquiring.ID, now, before time.Time) (bool, error) {
	rows, err := q.ClaimPaymentLook(ctx, gen.ClaimPaymentLookParams{ID: string(id), Now: at(now), Before: at(before)})
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	return rows > 0, nil
}

// claimCheck takes a payment that is due, and reports false when another was first.
func claimCheck(ctx context.Context, q *gen.Queries, id acquiring.ID, now, next time.Time) (bool, error) {
	rows, err := q.ClaimPaymentCheck(ctx, gen.ClaimPaymentCheckParams{ID: string(id), Now: at(now), NextCheckAt: at(next)})
	if err != nil {
		return false, fmt.Errorf("claim payment: %w", err)
	}
	return rows > 0, nil
}

func stopChecks(ctx context.Context, q *gen.Queries, id acquiring.ID) error {
	if err := q.StopPaymentChecks(ctx, string(id)); err != nil {
		return fmt.Errorf("stop checking a payment: %w", err)
	}
	return nil
}

// duePayments gives those whose acquirer is to be asked now.
func duePayments(ctx context.Context, q *gen.Queries, now time.Time, most int) ([]acquiring.ID, error) {
	rows, err := q.ListDuePayments(ctx, gen.ListDuePaymentsParams{Now: at(now), MaxCount: int32(most)})
	if err != nil {
		return nil, fmt.Errorf("list due payments: %w", err)
	}
	ids := make([]acquiring.ID, len(rows))
	for i, id := range rows {
		ids[i] = acquiring.ID(id)
	}
	return ids, nil
}

func setPaidBy(ctx context.Context, q *gen.Queries, orderID int64, p Payment) error {
	err := q.SetOrderPaidBy(ctx, gen.SetOrderPaidByParams{ID: orderID, PaymentID: string(p.ID), PaymentType: typeOf(p.Method)})
	if err != nil {
		return fmt.Errorf("note what an order is paid by: %w", err)
	}
	return nil
}

func setPaymentType(ctx context.Context, q *gen.Queries, orderID int64, paymentType string) error {
	if err := q.SetOrderPaymentType(ctx, gen.SetOrderPaymentTypeParams{ID: orderID, PaymentType: paymentType}); err != nil {
		return fmt.Errorf("note how an order is paid: %w", err)
	}
	return nil
}

// orderOfCheckout gives the order that a checkout has become, and [db.ErrNotFound] when
// there is none.
func orderOfCheckout(ctx context.Context, q *gen.Queries, key string) (int64, error) {
	id, err := q.GetOrderOfCheckout(ctx, key)
	if err != nil {
		return 0, fmt.Errorf("read order: %w", err)
	}
	return id, nil
}

// unpaidOf gives the orders of a session or a customer in a city that wait for their payment.
func unpaidOf(ctx context.Context, q *gen.Queries, o owner, customerID int64) ([]int64, error) {
	ids, err := q.ListUnpaidOrdersOf(ctx, gen.ListUnpaidOrdersOfParams{
		SessionID: o.sessionID, Site: o.site, CityID: o.cityID, CustomerID: customerID,
	})
	if err != nil {
		return nil, fmt.Errorf("list unpaid orders: %w", err)
	}
	return ids, nil
}

// readMoney reads the payment attempts of an order and what was refunded. An order paid on receipt
// has none.
func readMoney(ctx context.Context, q *gen.Queries, o Order) (Money, error) {
	m := Money{Order: o}
	if !site.IsOnline(o.PaymentType) {
		return m, nil
	}
	var err error
	if m.Payments, err = paymentsOf(ctx, q, o.ID); err != nil {
		return Money{}, err
	}
	if m.Refunds, err = refundsOf(ctx, q, o.ID); err != nil {
		return Money{}, err
	}
	m.Closings, err = closingsOf(ctx, q, o.ID)
	return m, err
}
