package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"servery/internal/lang"
)

const (
	// maxColdTime is how long one document may take when all are requested at once after a start.
	maxColdTime = time.Second
	// maxChangedTime is how long one document may take after the operator has stopped a product.
	maxChangedTime = 300 * time.Millisecond
	// readers is the number of connections that request documents while the program makes them again.
	readers = 4
	// maxMakingTime is how long the program may take to make all documents.
	maxMakingTime = 5 * time.Minute
)

// measureDocuments measures the documents of all cities in all languages, on each engine or on the one that the
// options name. An engine that fails does not stop the others.
func measureDocuments(ctx context.Context, o options) error {
	var errs error
	for _, e := range engines() {
		if o.engine != "" && !strings.EqualFold(o.engine, e.name) {
			continue
		}
		if err := measureDocumentsOn(ctx, o, e, os.Stdout); err != nil {
			errs = errors.Join(errs, fmt.Errorf("%s: %w", e.name, err))
		}
	}
	return errs
}

// measureDocumentsOn requests the documents on one engine, first all at once after a cold start, then one after
// another after a product was stopped. It prints the times, and returns an error when a document takes too
// long.
func measureDocumentsOn(ctx context.Context, o options, e engine, out io.Writer) (err error) {
	g, err := newEnvironment(ctx, o, e)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.close()) }()
	p, err := g.startOnce(ctx) // imports the content
	if err != nil {
		return err
	}
	cities, err := readCities(ctx, p.addr)
	if err = errors.Join(err, p.stop()); err != nil {
		return err
	}
	if p, err = g.startProcess(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	var requests [][]byte
	for _, city := range cities {
		for _, l := range lang.All() {
			requests = append(requests, request("GET", "/"+city, nil, "Accept-Encoding", "br, gzip", "Cookie", "language="+string(l)))
		}
	}
	cold, err := requestAllAtOnce(ctx, p.addr, requests)
	if err != nil {
		return err
	}
	makingTime, err := waitUntilMade(ctx, p.addr, requests)
	if err != nil {
		return err
	}
	changed, remakingTime, err := requestAfterStop(ctx, p.addr, requests)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d documents\n", e.name, len(requests))                                                                           //nolint:errcheck // a note
	fmt.Fprintf(out, "  all at once after a cold start: p50 %s, last %s\n", milliseconds(cold.percentile(50)), milliseconds(slowest(cold))) //nolint:errcheck // a note
	fmt.Fprintf(out, "  all made after %.1f s\n", makingTime.Seconds())                                                                     //nolint:errcheck // a note
	fmt.Fprintf(out, "  after a stop, %d requests until all were made again in %.1f s: p50 %s, p99 %s, slowest %s\n",                       //nolint:errcheck // a note
		len(changed.times), remakingTime.Seconds(), milliseconds(changed.percentile(50)), milliseconds(changed.percentile(99)), milliseconds(slowest(changed)))
	if slowest(cold) > maxColdTime {
		err = fmt.Errorf("a document took more than %v after a cold start", maxColdTime)
	}
	if slowest(changed) > maxChangedTime {
		err = errors.Join(err, fmt.Errorf("a document took more than %v after a stop", maxChangedTime))
	}
	return err
}

// slowest returns the longest time.
func slowest(s sample) time.Duration { return s.percentile(100) }

// readCities returns the aliases of all cities.
func readCities(ctx context.Context, addr string) ([]string, error) {
	c, err := dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer c.Close() //nolint:errcheck // nothing is lost
	type brief struct{ Alias string }
	var all struct {
		List []brief `json:"list"`
		Big  []brief `json:"big_cities"`
	}
	if err := c.callAPI("GET", "/api/cities", nil, &all); err != nil {
		return nil, err
	}
	var aliases []string
	for _, city := range append(all.List, all.Big...) {
		if !slices.Contains(aliases, city.Alias) {
			aliases = append(aliases, city.Alias)
		}
	}
	if len(aliases) == 0 {
		return nil, errors.New("the brand has no cities")
	}
	return aliases, nil
}

// requestAllAtOnce sends the requests at the same moment, each on its own connection, and returns the time
// of each.
func requestAllAtOnce(ctx context.Context, addr string, requests [][]byte) (sample, error) {
	connections, err := openConnections(ctx, addr, len(requests))
	if err != nil {
		return sample{}, err
	}
	parts := make([]sample, len(requests))
	begin := make(chan struct{})
	var wait sync.WaitGroup
	for i, c := range connections {
		wait.Go(func() {
			defer c.Close() //nolint:errcheck // nothing is lost
			<-begin
			start := time.Now()
			if _, err := c.expect(requests[i]); err != nil {
				parts[i].firstErr = err
				return
			}
			parts[i].times = []time.Duration{time.Since(start)}
		})
	}
	close(begin)
	wait.Wait()
	var s sample
	for _, part := range parts {
		s.addSample(part)
	}
	return s, s.firstErr
}

// waitUntilMade requests all documents again and again until none is outdated, and returns how long that
// took. It returns an error after maxMakingTime.
func waitUntilMade(ctx context.Context, addr string, requests [][]byte) (time.Duration, error) {
	c, err := dial(ctx, addr)
	if err != nil {
		return 0, err
	}
	defer c.Close() //nolint:errcheck // nothing is lost
	start := time.Now()
	for time.Since(start) < maxMakingTime && ctx.Err() == nil {
		outdated := 0
		for _, r := range requests {
			a, err := c.expect(r)
			if err != nil {
				return 0, err
			}
			if a.isOutdated {
				outdated++
			}
		}
		if outdated == 0 {
			return time.Since(start), nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return 0, errors.New("the documents were not made in time")
}

// requestAfterStop stops a product. Then it requests documents on several connections until none is outdated.
// It returns the times of the single requests, and the time until all documents were made again.
func requestAfterStop(ctx context.Context, addr string, requests [][]byte) (sample, time.Duration, error) {
	m, err := readMenu(ctx, addr)
	if err != nil {
		return sample{}, 0, err
	}
	c, err := dial(ctx, addr)
	if err != nil {
		return sample{}, 0, err
	}
	defer c.Close() //nolint:errcheck // nothing is lost
	var menu struct {
		Groups []struct{ Products []struct{ Key, Alias string } } `json:"product_groups"`
	}
	if err := c.callAPI("POST", "/api/products", m.place(m.shops[0].id), &menu); err != nil {
		return sample{}, 0, err
	}
	stop := place{"site": "sushi", "kind": "product", "alias": menu.Groups[0].Products[0].Alias}
	if err := c.callAPI("POST", "/api/operator/stops", stop, nil, "Authorization", "Bearer "+operatorToken); err != nil {
		return sample{}, 0, err
	}
	connections, err := openConnections(ctx, addr, readers)
	if err != nil {
		return sample{}, 0, err
	}
	steps := make([]step, len(connections))
	for i, c := range connections {
		n := i
		steps[i] = func() error {
			n++
			_, err := c.expect(requests[n%len(requests)])
			return err
		}
	}
	reading, end := context.WithCancel(ctx)
	defer end()
	result := make(chan sample, 1)
	go func() { result <- runSteps(reading, steps, maxMakingTime) }()
	const untilSeen = 2 * time.Second // each process looks for stops once a second
	time.Sleep(untilSeen)
	took, err := waitUntilMade(ctx, addr, requests)
	end()
	s := <-result
	return s, untilSeen + took, errors.Join(err, s.firstErr)
}
