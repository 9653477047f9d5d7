// Package parallel does many things at a time, but not too many.
package parallel

import (
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Each calls do with every item, at most limit calls at a time. It returns after the last call,
// with the errors of all calls joined. An error does not stop the other calls.
func Each[T any](items []T, limit int, do func(T) error) error {
	var mu sync.Mutex
	var failed []error
	var group errgroup.Group
	group.SetLimit(limit)
	for _, item := range items {
		group.Go(func() error {
			if err := do(item); err != nil {
				mu.Lock()
				failed = append(failed, err)
				mu.Unlock()
			}
			return nil
		})
	}
	_ = group.Wait() // no call returns an error: all are in failed
	return errors.Join(failed...)
}
