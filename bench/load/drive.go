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

// sample is what was measured of one work.
type sample struct {
	duration time.Duration
	times    []time.Duration // of each unit that went well
	failures int
	firstErr error // of those that went wrong
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
	all := sample{duration: time.Since(start)}
	for _, p := range parts {
		all.addSample(p)
	}
	return all
}

// maxFailures is after how many failures a step is not repeated.
const maxFailures = 100

// repeatStep repeats a step until ctx ends, it returns errDone or it has failed too often, and
// returns the times.
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

// addSample adds the measurements of another sample.
func (s *sample) addSample(other sample) {
	s.times = append(s.times, other.times...)
	s.failures += other.failures
	if s.firstErr == nil {
		s.firstErr = other.firstErr
	}
}

// perSecond returns how many units succeeded per second.
func (s *sample) perSecond() float64 { return float64(len(s.times)) / s.duration.Seconds() }

// percentile returns a percentile of the times, which it sorts.
func (s *sample) percentile(p int) time.Duration {
	if len(s.times) == 0 {
		return 0
	}
	slices.Sort(s.times)
	return s.times[min(len(s.times)*p/100, len(s.times)-1)]
}

// rounds is into how many slices a measurement is cut. The work and its limit take
// turns, so that a busy moment of the machine hits both.
const rounds = 3

// measureInTurns measures a work and its limits in turns, for d each, and returns a sample of each.
// All of them have a short warm-up first.
func measureInTurns(ctx context.Context, d time.Duration, all ...[]step) ([]sample, error) {
	for _, steps := range all {
		if s := runSteps(ctx, steps, d/10); s.firstErr != nil {
			return nil, fmt.Errorf("warm up: %w", s.firstErr)
		}
	}
	out := make([]sample, len(all))
	for range rounds {
		for i, steps := range all {
			s := runSteps(ctx, steps, d/rounds)
			out[i].duration += s.duration
			out[i].addSample(s)
		}
	}
	return out, ctx.Err()
}
