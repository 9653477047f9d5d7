package message

import (
	"context"
	"time"
)

// SendDue sends all messages that are due, as their jobs do.
func (s *Service) SendDue(ctx context.Context) error {
	ids, err := listDue(ctx, s.DB.Read(), s.Clock.Now().Add(time.Millisecond))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.send(ctx, job{ID: id}); err != nil {
			return err
		}
	}
	return nil
}
