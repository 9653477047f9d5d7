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
	took  time.Duration
	times []time.Duration // of each unit that went well
	wrong int
	first error // of those that went wrong
}

// drive runs the steps concurrently for a while. A step that returns errDone ends its
// connection early, without fault.
func drive(ctx context.Context, steps []step, d time.Duration) sample {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	parts := make([]sample, len(steps))
	start := time.Now()
	var wait sync.WaitGroup
	for i, do := range steps {
		wait.Go(func() { parts[i] = repeat(ctx, do) })
	}
	wait.Wait()
	all := sample{took: time.Since(start)}
	for _, p := range parts {
		all.add(p)
	}
	return all
}

// repeat takes steps until the context or the steps end, and returns how long each took.
func repeat(ctx context.Context, do step) sample {
	var s sample
	for ctx.Err() == nil {
		start := time.Now()
		switch err := do(); err {
		case nil:
			s.times = append(s.times, time.Since(start))
		case errDone: //nolint:errorlint // never wrapped
			return s
		default:
			if s.wrong++; s.first == nil {
				s.first = err
			}
			if s.wrong > 100 {
				return s
			}
		}
	}
	return s
}

func (s *sample) add(other sample) {
	s.times = append(s.times, other.times...)
	s.wrong += other.wrong
	if s.first == nil {
		s.first = other.first
	}
}

// perSecond is the rate of what went well.
func (s *sample) perSecond() float64 { return float64(len(s.times)) / s.took.Seconds() }

// percentile sorts the times.
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

// besides measures a work and its limits in turns, each after a short warm-up.
func besides(ctx context.Context, d time.Duration, all ...[]step) ([]sample, error) {
	for _, steps := range all {
		if s := drive(ctx, steps, d/10); s.first != nil {
			return nil, fmt.Errorf("warm up: %w", s.first)
		}
	}
	out := make([]sample, len(all))
	for range rounds {
		for i, steps := range all {
			s := drive(ctx, steps, d/rounds)
			out[i].took += s.took
			out[i].add(s)
		}
	}
	return out, ctx.Err()
}
