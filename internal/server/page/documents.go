package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"html/template"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"servery/internal/cache"
	"servery/internal/fault"
	"servery/internal/server/api"
	"servery/internal/server/precompressed"
	"servery/internal/server/request"
	"servery/internal/site"
)

const (
	// documentWait is how long a visitor waits for a document where there is none yet.
	documentWait = 300 * time.Millisecond
	// maxDocumentsWaiting is how many documents wait to be made; beyond it none is promised.
	maxDocumentsWaiting = 64
	// documentRetryAfter is how long a document that could not be made is left alone.
	documentRetryAfter = 10 * time.Second
)

// uncached is that of a document that the next visit must not see: another one takes
// its place as soon as it is made.
var uncached = precompressed.Caching{Control: "no-store", Vary: "Accept-Encoding, Accept-Language, Cookie"}

// documents keeps the last good document of each address and has new ones made in the
// background, by a few workers from a bounded queue. It is safe for concurrent use.
type documents struct {
	kept *cache.Cache[documentKey, *keptDocument]
	make func(key documentKey, last *keptDocument) *keptDocument
	// background starts a worker.
	background func(work func())

	mu      sync.Mutex
	jobs    map[documentKey]*documentJob // that wait or are at work
	waiting []*documentJob
	idle    int // workers that may still begin
	closed  bool
}

// documentJob is the making of one document.
type documentJob struct {
	key  documentKey
	done chan struct{}
	made *keptDocument // once done is closed
}

// keptDocument is a made document. It is never changed after it was stored; nil stands for none.
type keptDocument struct {
	body *precompressed.Body // nil when there has been no good one
	// contentHash is the hash of everything in the document but the rendered HTML, which follows
	// from it.
	contentHash [sha256.Size]byte
	// state is the state for which the document was last made or found right. validUntil is when it must
	// be checked again although the state is the same; zero for never.
	state      documentState
	validUntil time.Time
	// retryAt is when a document that could not be made may be tried again.
	retryAt time.Time
	// withStaleMark returns the document with the mark that makes the page ask for its data again.
	withStaleMark func() (*precompressed.Body, error)
}

// hasBody reports whether there is a good document; it returns false for nil.
func (k *keptDocument) hasBody() bool { return k != nil && k.body != nil }

// isCurrent reports whether the document is still right for the state at now.
func (k *keptDocument) isCurrent(state documentState, now time.Time) bool {
	return k.hasBody() && k.state == state && (k.validUntil.IsZero() || now.Before(k.validUntil))
}

// newDocuments returns an empty store of at most maxBytes. make makes one document; it runs in
// workers that background starts, on at most half of the processors.
func newDocuments(
	maxBytes uint64, make func(key documentKey, last *keptDocument) *keptDocument, background func(work func()),
) *documents {
	kept := cache.OfWeight[documentKey](maxBytes, func(k *keptDocument) uint32 {
		const withoutBody = 256 // about what the key and the struct take
		if !k.hasBody() {
			return withoutBody
		}
		return uint32(withoutBody + 2*k.body.Size()) // the one with the stale mark is about as large
	})
	return &documents{kept: kept, make: make, background: background, jobs: map[documentKey]*documentJob{}, idle: max(1, runtime.GOMAXPROCS(0)/2)}
}

// get returns what is kept of a key: the last good document, one without a body when all attempts to make it
// have failed, or nil.
func (d *documents) get(key documentKey) *keptDocument {
	kept, _ := d.kept.Get(key)
	return kept
}

// requestDocument returns the job that makes the document of a key; all callers share one. It
// returns nil when the document is not going to be made: the queue is full or closed, or the
// document has just failed.
func (d *documents) requestDocument(key documentKey, now time.Time) *documentJob {
	if kept := d.get(key); kept != nil && now.Before(kept.retryAt) {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if job := d.jobs[key]; job != nil {
		return job
	}
	if d.closed || len(d.waiting) >= maxDocumentsWaiting {
		return nil
	}
	job := &documentJob{key: key, done: make(chan struct{})}
	d.jobs[key] = job
	d.waiting = append(d.waiting, job)
	if d.idle > 0 {
		d.idle--
		d.background(d.runJobs)
	}
	return job
}

// runJobs makes documents until no job waits.
func (d *documents) runJobs() {
	for job := d.takeNextJob(); job != nil; job = d.takeNextJob() {
		job.made = d.make(job.key, d.get(job.key))
		d.kept.Set(job.key, job.made)
		d.mu.Lock()
		delete(d.jobs, job.key)
		d.mu.Unlock()
		close(job.done)
	}
}

// takeNextJob removes the job that has waited longest and returns it. Without a job it returns
// nil and marks the worker as idle.
func (d *documents) takeNextJob() *documentJob {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.waiting) == 0 {
		d.idle++
		return nil
	}
	job := d.waiting[0]
	d.waiting = d.waiting[1:]
	return job
}

// close removes the jobs that wait, and accepts no more. Callers that wait for a removed job are not
// notified; their wait ends by itself.
func (d *documents) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for _, job := range d.waiting {
		delete(d.jobs, job.key)
	}
	d.waiting = nil
}

// makeDocument returns the document of a key as it is now. last is the document so far, nil for
// none: when the data has not changed, its HTML is used again, so that a stop in one city renders
// no other city's page. After a failure, which it logs, it returns a copy of last, or a document without a
// body where last is nil, with the time of the next attempt.
func (s *Server) makeDocument(key documentKey, last *keptDocument) (made *keptDocument) {
	now := s.clock.Now()
	failed := func(cause any) *keptDocument {
		s.log.Error("a page could not be rendered", slog.String("site", key.site), slog.String("page", string(key.page)), slog.Any("error", cause))
		kept := keptDocument{}
		if last != nil {
			kept = *last
		}
		kept.retryAt = now.Add(documentRetryAfter)
		return &kept
	}
	defer func() {
		if p := recover(); p != nil {
			made = failed(p)
		}
	}()
	made, err := s.renderDocument(key, last, now)
	if err != nil {
		return failed(err)
	}
	return made
}

// The values of hasMenu in prepareDocument.
const (
	withMenu    = true
	withoutMenu = false
)

// renderDocument returns the document of a key at now. It renders nothing when the data has
// not changed since last, the document before; last is nil for none.
func (s *Server) renderDocument(key documentKey, last *keptDocument, now time.Time) (*keptDocument, error) {
	snapshot := s.catalog.Current()
	brand, ok := snapshot.Sites.ByAlias(key.site)
	if !ok {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	var city *site.City
	if key.city != "" {
		if city, ok = brand.CityByAlias(key.city); !ok {
			return nil, fault.New(fault.NotFound, "cart.unknown_city")
		}
	}
	// The work belongs to no request: it goes on when the request that needed the document has ended.
	ctx := request.With(context.Background(), &request.Info{Site: brand, Lang: key.lang}) //nolint:forbidigo // as above
	d, until, err := s.prepareDocument(ctx, key, city, withMenu)
	if err != nil {
		return nil, err
	}
	bare, err := d.writeHTML() // its hash shows whether anything has changed
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", key.page, err)
	}
	made := &keptDocument{contentHash: sha256.Sum256(bare), state: stateOf(snapshot, brand, city, now), validUntil: until}
	if last.hasBody() && last.contentHash == made.contentHash {
		made.body, made.withStaleMark = last.body, last.withStaleMark
		return made, nil
	}
	start := s.clock.Now()
	html, err := s.render(ctx, []byte(d.Data))
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", key.page, err)
	}
	d.Body = template.HTML(html) //nolint:gosec // React escaped it
	whole, err := d.writeHTML()
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", key.page, err)
	}
	encoded, err := precompressed.Compress(whole)
	if err != nil {
		return nil, fmt.Errorf("pack page %s: %w", key.page, err)
	}
	made.body = encoded.Compact()
	made.withStaleMark = sync.OnceValues(func() (*precompressed.Body, error) { return markStale(made.body) })
	s.renderSeconds.Observe(s.clock.Now().Sub(start).Seconds())
	return made, nil
}

// pagesWithShops show shops of the city.
var pagesWithShops = []string{"delivery", "legal-info", "shops"}

// prepareDocument returns the document of a key without the HTML of the components, and the time until
// which its data holds, see [api.Server.PageData]. city is nil for a page of no city. hasMenu adds the menu
// to a home page.
func (s *Server) prepareDocument(ctx context.Context, key documentKey, city *site.City, hasMenu bool) (document, time.Time, error) {
	in := request.From(ctx)
	alias := strings.TrimPrefix(key.below, "/")
	query := api.PageQuery{
		Page: key.page, City: city, Path: key.below, Content: alias, Port: key.port, WithMenu: hasMenu, WithShops: slices.Contains(pagesWithShops, alias),
	}
	data, until, err := s.calls.PageData(ctx, query)
	if err != nil {
		return document{}, until, err
	}
	d, err := s.composeDocument(in.Site, in.Lang, data, city, key.below)
	if err == nil && d.Head.Canonical != "" { // search engines may list the page
		d.Described, err = s.describeDocument(ctx, query, d.Head, data)
	}
	return d, until, err
}

// bareDocument returns a document without the HTML of the components and without the menu. The
// page fetches the menu and renders in the browser.
func (s *Server) bareDocument(ctx context.Context, key documentKey, city *site.City) (*precompressed.Body, error) {
	d, _, err := s.prepareDocument(ctx, key, city, withoutMenu)
	if err != nil {
		return nil, err
	}
	body, err := d.writeHTML()
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", key.page, err)
	}
	return precompressed.CompressFast(body)
}

// markStale returns a document with a mark that makes the page fetch its data again.
func markStale(body *precompressed.Body) (*precompressed.Body, error) {
	plain, err := body.Plain()
	if err != nil {
		return nil, fmt.Errorf("unpack a document: %w", err)
	}
	marked, err := precompressed.CompressFast(bytes.Replace(plain, []byte(pageDataTag), []byte(staleDataTag), 1))
	if err != nil {
		return nil, fmt.Errorf("pack a document: %w", err)
	}
	return marked.Compact(), nil
}
