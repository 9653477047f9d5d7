package login

import (
	"context"
	"time"
)

// Deliver runs the job of a code.
func (s *Service) Deliver(ctx context.Context, id int64) error { return s.send(ctx, sendJob{ID: id}) }

// Hurry lets tries to send last so long, with no pause between them.
func (s *Service) Hurry(try time.Duration) { s.tryTime, s.retryPause = try, 0 }
