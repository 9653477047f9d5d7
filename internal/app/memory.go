package app

import (
	"context"
	"errors"
	"time"

	"servery/internal/memory"
)

// settledAfter is how long after its start a program has done what only a start does.
const settledAfter = 15 * time.Second

// releaseStartMemory returns to the system, once, the memory that only the start has needed: what it has read and
// compared, and its garbage.
func (a *App) releaseStartMemory(ctx context.Context) {
	timer := time.NewTimer(settledAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return
	}
	if err := errors.Join(memory.Release(), dropFilePages()); err != nil {
		a.log.DebugContext(ctx, "memory of the start not released", "error", err)
	}
}
