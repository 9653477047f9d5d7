package payment

import (
	"context"

	"servery/internal/acquiring"
)

// ClaimRefund is a process that claims a refund and dies before it calls the acquirer.
func ClaimRefund(ctx context.Context, s *Service, id acquiring.ID) (bool, error) {
	_, _, _, ok, err := s.claimRefund(ctx, id)
	return ok, err
}

// ClaimClosing is a process that claims a closing receipt and dies before it calls the acquirer.
func ClaimClosing(ctx context.Context, s *Service, attempt acquiring.ID) (bool, error) {
	_, _, _, ok, err := s.claimClosing(ctx, attempt)
	return ok, err
}

// ReceiptOf returns the receipt of an attempt.
func ReceiptOf(a Attempt, bill Bill) acquiring.Receipt { return a.paymentReceipt(bill) }

// RefundReceiptOf returns the receipt of a refund.
func RefundReceiptOf(a Attempt, bill Bill, r Refund) acquiring.Receipt {
	return a.refundReceipt(bill, r)
}

// Apply applies an event that the acquirer answered when it was asked.
func Apply(ctx context.Context, s *Service, id acquiring.ID, e acquiring.Event) error {
	_, err := s.applyEvent(ctx, id, e, true)
	return err
}
