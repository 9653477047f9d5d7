package payments

import (
	"context"

	"servery/internal/acquiring"
)

// ClaimRefund claims a refund without calling the acquirer, as a process does that dies in
// between, and reports whether it was claimed.
func ClaimRefund(ctx context.Context, s *Service, id acquiring.ID) (bool, error) {
	_, ok, err := s.claimRefund(ctx, id)
	return ok, err
}

// ClaimClosing claims the closing receipt of an attempt without calling the acquirer, as a
// process does that dies in between, and reports whether it was claimed.
func ClaimClosing(ctx context.Context, s *Service, attempt acquiring.ID) (bool, error) {
	_, _, _, ok, err := s.claimClosing(ctx, attempt)
	return ok, err
}

// Apply applies an event that the acquirer answered when it was asked about the attempt id.
func Apply(ctx context.Context, s *Service, id acquiring.ID, e acquiring.Event) error {
	_, err := s.applyEvent(ctx, id, e, asConfirmed)
	return err
}
