package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// step does one unit of work on one connection.
type step func() error

// sample has the measurements of one work.
type sample struct {
	duration time.Duration
	times    []time.Duration // of each unit that succeeded
	failures int
	firstErr error // the error of the first failure
}

// runSteps runs the steps concurrently for the duration and returns the measured times. A step
// that returns errDone ends its connection early.
func runSteps(ctx context.Context, steps []step, d time.Duration) sample {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	parts := make([]sample, len(steps))
	start := time.Now()
	var wait sync.WaitGroup
	for i, do := range steps {
		wait.Go(func() { parts[i] = repeatStep(ctx, do) })
	}
	wait.Wait()
	total := sample{duration: time.Since(start)}
	for _, p := range parts {
		total.addSample(p)
	}
	return total
}

// maxFailures is how many failures of a step are allowed; the next one ends its repetition.
const maxFailures = 100

// repeatStep repeats a step until ctx ends, the step returns errDone, or it has failed too often. It returns
// the times of the steps that succeeded, and counts the failures.
func repeatStep(ctx context.Context, do step) sample {
	var s sample
	for ctx.Err() == nil {
		start := time.Now()
		switch err := do(); err {
		case nil:
			s.times = append(s.times, time.Since(start))
		case errDone: //nolint:errorlint // never wrapped
			return s
		default:
			if s.failures++; s.firstErr == nil {
				s.firstErr = err
			}
			if s.failures > maxFailures {
				return s
			}
		}
	}
	return s
}

// addSample adds the times and failures of another sample, but not its duration.
func (s *sample) addSample(other sample) {
	s.times = append(s.times, other.times...)
	s.failures += other.failures
	if s.firstErr == nil {
		s.firstErr = other.firstErr
	}
}

// perSecond returns how many units succeeded per second.
func (s *sample) perSecond() float64 { return float64(len(s.times)) / s.duration.Seconds() }

// percentile returns the p-th percentile of the times, 0 when there are none. It sorts the times.
func (s *sample) percentile(p int) time.Duration {
	if len(s.times) == 0 {
		return 0
	}
	slices.Sort(s.times)
	return s.times[min(len(s.times)*p/100, len(s.times)-1)]
}

// rounds is the number of parts of a measurement. In each round the work and its limits run one after the
// other, so that a busy moment of the machine slows both.
const rounds = 3

// measureInTurns measures several works in turns, for d each, and returns a sample of each. It warms each work
// up first, and returns an error when a warm-up fails.
func measureInTurns(ctx context.Context, d time.Duration, works ...[]step) ([]sample, error) {
	for _, steps := range works {
		if s := runSteps(ctx, steps, d/10); s.firstErr != nil {
			return nil, fmt.Errorf("warm up: %w", s.firstErr)
		}
	}
	samples := make([]sample, len(works))
	for range rounds {
		for i, steps := range works {
			s := runSteps(ctx, steps, d/rounds)
			samples[i].duration += s.duration
			samples[i].addSample(s)
		}
	}
	return samples, ctx.Err()
}
