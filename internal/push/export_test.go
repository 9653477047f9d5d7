package push

import "context"

// IsPublic and NewClient are what keeps messages out of private networks.
var (
	IsPublic  = isPublic
	NewClient = newClient
)

// Send runs the job that sends a change to a subscription.
func (s *Service) Send(ctx context.Context, subscription, change int64) error {
	return s.send(ctx, message{Subscription: subscription, Change: change})
}
