// Package page serves the page: its documents, rendered once for all visitors alike and kept
// compressed, its files and pictures, and the policy of what a document may load.
package page

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/asset"
	"servery/internal/cache"
	"servery/internal/catalog"
	"servery/internal/citymap"
	"servery/internal/clock"
	"servery/internal/payment/payments"
	"servery/internal/provider"
	"servery/internal/server/api"
	"servery/internal/server/precompressed"
	"servery/internal/server/request"
	"servery/web"
)

// documentsMemory bounds the memory for documents of every place and language.
const documentsMemory = 32 << 20

// maxSheets is how many style sheets of brands are kept ready.
const maxSheets = 64

// Options are what a [Server] needs.
type Options struct {
	Log       *slog.Logger
	Clock     clock.Clock
	Assets    *asset.Assets
	Catalog   *catalog.Catalog
	Payments  *payments.Service
	Providers provider.Book
	// Maps are the files with the maps of cities; nil for none.
	Maps *citymap.Files
	// Calls return what documents show.
	Calls         *api.Server
	SiteAddresses request.SiteAddresses
	Problem       request.ProblemWriter
	Manifest      web.Manifest
	// Worker is the script of the service worker; empty for none.
	Worker string
	// Render returns the HTML of the page's components for page data.
	Render func(ctx context.Context, data []byte) (html string, err error)
	// RenderSeconds observes the time to render a document.
	RenderSeconds prometheus.Observer
	// DocumentWait returns a channel that ends the wait for a document that is not made yet; nil
	// for a wait of 300 milliseconds.
	DocumentWait func() <-chan time.Time
	// Background runs the work of making documents; nil starts a goroutine.
	Background func(work func())
}

// Server serves documents and files. Make it with [New]. It is safe for concurrent use.
type Server struct {
	log           *slog.Logger
	clock         clock.Clock
	assets        *asset.Assets
	catalog       *catalog.Catalog
	payments      *payments.Service
	providers     provider.Book
	maps          *citymap.Files
	calls         *api.Server
	siteAddresses request.SiteAddresses
	problem       request.ProblemWriter
	manifest      web.Manifest
	worker        func() (*precompressed.Body, error)
	render        func(ctx context.Context, data []byte) (html string, err error)
	renderSeconds prometheus.Observer
	documentWait  func() <-chan time.Time
	documents     *documents
	sitemaps      *precompressed.Cache[sitemapKey]
	shared        *cache.Cache[sharedKey, *precompressed.Body]
	// sheets are the style sheets of brands in compressed form, by their names.
	sheets *cache.Cache[string, *precompressed.Body]
	// security has the *SecurityHeaders of each brand by its alias.
	security sync.Map
}

// New returns a server that has no documents yet.
func New(o Options) *Server {
	if o.DocumentWait == nil {
		o.DocumentWait = func() <-chan time.Time { return time.After(documentWait) }
	}
	if o.Background == nil {
		o.Background = func(work func()) { go work() }
	}
	s := &Server{
		log: o.Log, clock: o.Clock, assets: o.Assets, catalog: o.Catalog, payments: o.Payments, providers: o.Providers, maps: o.Maps, calls: o.Calls,
		siteAddresses: o.SiteAddresses, problem: o.Problem, manifest: o.Manifest, render: o.Render, renderSeconds: o.RenderSeconds,
		worker:       sync.OnceValues(func() (*precompressed.Body, error) { return precompressed.Compress([]byte(o.Worker)) }),
		documentWait: o.DocumentWait,
		sheets:       cache.OfSize[string, *precompressed.Body](maxSheets, cache.Life{}),
		sitemaps:     precompressed.NewCache[sitemapKey](sitemapMemory, precompressed.Compress),
		shared:       newSharedDocuments(),
	}
	s.documents = newDocuments(documentsMemory, s.makeDocument, o.Background)
	return s
}

// Close ends the making of documents: jobs that wait are dropped. Stored documents are still served.
func (s *Server) Close() { s.documents.close() }
