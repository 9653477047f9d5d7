// Package server wires the routes and stands before all of them: what each request needs, limits,
// the contract, and the answer to a fault. The rooms below it answer: api the calls of customers,
// operator those of operators, page the documents and files, webhook the acquirers; session,
// convert, request and precompressed are what they share.
package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/access"
	"servery/internal/asset"
	"servery/internal/audit"
	"servery/internal/catalog"
	"servery/internal/citymap"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/kitchen"
	"servery/internal/limit"
	"servery/internal/order/correct"
	"servery/internal/order/feed"
	"servery/internal/order/message"
	"servery/internal/order/search"
	"servery/internal/render"
	"servery/internal/report"
	"servery/internal/server/api"
	"servery/internal/server/operator"
	"servery/internal/server/page"
	"servery/internal/server/request"
	"servery/internal/server/session"
	"servery/internal/server/webhook"
	"servery/internal/server/wire"
	"servery/internal/staff"
	"servery/web"
)

const apiRoot = "/api"

// Areas are what the server uses.
type Areas struct {
	api.Areas

	Assets  *asset.Assets
	Finder  *search.Finder
	Feed    *feed.Service
	Kitchen *kitchen.Service
	Correct *correct.Service
	// Delivery posts the changes of orders to webhooks.
	Delivery *feed.Delivery
	// Messages are those to phones about orders.
	Messages *message.Service
	Audit    *audit.Log
	// Tokens are those of systems that make the operator's calls.
	Tokens *access.Tokens
	// Staff are the people who have signed in.
	Staff *staff.Service
}

// Options are the settings of the server.
type Options struct {
	Log   *slog.Logger
	Clock clock.Clock
	// Probe writes to the database, to know that it takes orders.
	Probe func(ctx context.Context) error
	// PublicURL is how customers reach the default site, without a slash at its end;
	// empty when no setting says it.
	PublicURL string
	// OperatorToken opens all of the operator's calls, beside the tokens of the database; empty for none.
	OperatorToken string
	// TrustedProxies are the networks whose forwarded headers are trusted.
	TrustedProxies []netip.Prefix
	// CallsPerSecond bounds the calls of one address.
	CallsPerSecond int
	// IsHeld keeps the program from being ready: the database is a copy, and nothing is sent.
	IsHeld bool
	// CallsAtWork bounds the calls at work at once, however many addresses they come from; 0
	// takes as many as the processors can use.
	CallsAtWork int
	// Limits bound what guests may take without paying.
	Limits limit.Limits
	// Reports sends errors of pages on; nil where none are reported.
	Reports *report.Reporter
	// HasOps says that metrics and readiness are served by Ops alone.
	HasOps bool
	// Collectors are metrics of the program besides those of the areas.
	Collectors []prometheus.Collector
	// Development answers below /dev/; nil where there is nothing, as in every release.
	Development http.Handler
	// DevelopmentOpen are the patterns below /dev/ that pages of other sites may post to.
	DevelopmentOpen []string
	Page            Page
}

// Page is the built page.
type Page struct {
	Manifest web.Manifest
	// Script returns the script that defines renderPage for the embedded engine. It is called when the first
	// page is rendered, so that nothing holds the script before and afterwards.
	Script func() (string, error)
	// Worker is the script of the page's service worker.
	Worker string
}

// BuiltPage returns the page that is built into the program. It fails with [web.ErrNotBuilt]
// when there is none.
func BuiltPage() (Page, error) {
	manifest, err := web.ReadManifest()
	if err != nil {
		return Page{}, err
	}
	worker, err := web.WorkerScript()
	return Page{Manifest: manifest, Script: web.RenderScript, Worker: worker}, err
}

// Server answers HTTP. Make it with [New].
type Server struct {
	Areas

	log      *slog.Logger
	clock    clock.Clock
	outage   *outage
	operator string
	hasOps   bool
	// badTokens bounds the tokens of the operator that are wrong.
	badTokens *badTokens
	proxies   proxies
	// callTimeout is how long a call may take.
	callTimeout   time.Duration
	origin        *http.CrossOriginProtection
	callLimiter   *request.RateLimiter
	admission     *admission
	isHeld        bool
	contract      contract
	metrics       *metrics
	calls         *api.Server
	operatorCalls *operator.Calls
	pages         *page.Server
	webhooks      *webhook.Server
	dev           http.Handler
	leaving       atomic.Bool // readiness fails, everything else is answered
	draining      atomic.Bool
	drained       chan struct{} // closed when draining begins, to end streams
	drain         sync.Once
	handler       http.Handler
	patterns      []string // of all routes
}

// seams are what tests replace; a nil one is that of the program.
type seams struct {
	render       func(ctx context.Context, data []byte) (html string, err error)
	documentWait func() <-chan time.Time
	background   func(work func())
	beats        func() (beats <-chan time.Time, stop func())
}

// New returns the server with all its routes. It fails when the contract cannot be read.
func New(areas Areas, o Options) (*Server, error) {
	return newServer(areas, o, seams{render: render.New(o.Page.Script).RenderPage})
}

// newServer is New with parts that a test has replaced; a nil part is the program's own.
func newServer(areas Areas, o Options, replaced seams) (*Server, error) {
	s := &Server{
		Areas: areas, log: o.Log, clock: o.Clock, operator: o.OperatorToken, hasOps: o.HasOps, badTokens: newBadTokens(),
		proxies: o.TrustedProxies, callTimeout: callTimeout, origin: http.NewCrossOriginProtection(),
		callLimiter: request.NewRateLimiter(o.CallsPerSecond), isHeld: o.IsHeld, metrics: newMetrics(), drained: make(chan struct{}),
		webhooks: webhook.New(webhook.Options{Log: o.Log, Clock: o.Clock, Payments: areas.Payments}),
	}
	s.outage = &outage{log: o.Log, clock: o.Clock, write: o.Probe, failed: s.metrics.databaseFailures}
	if areas.Login != nil {
		s.metrics.registry.MustRegister(areas.Login.Collectors()...)
	}
	if areas.Payments != nil {
		s.metrics.registry.MustRegister(areas.Payments.Collectors()...)
	}
	if areas.Feedback != nil {
		s.metrics.registry.MustRegister(areas.Feedback.Collectors()...)
	}
	if areas.Delivery != nil {
		s.metrics.registry.MustRegister(areas.Delivery.Collectors()...)
	}
	if areas.Messages != nil {
		s.metrics.registry.MustRegister(areas.Messages.Collectors()...)
	}
	if areas.Push != nil {
		s.metrics.registry.MustRegister(areas.Push.Collectors()...)
	}
	if o.Reports != nil {
		s.metrics.registry.MustRegister(o.Reports.Collectors()...)
	}
	if areas.Orders != nil {
		s.metrics.registry.MustRegister(areas.Orders.Collectors()...)
	}
	s.metrics.registry.MustRegister(o.Collectors...)
	s.metrics.registry.MustRegister(s.collectState()...)
	var err error
	if s.contract, err = readContract(); err != nil {
		return nil, err
	}
	s.admission = newAdmission(o.CallsAtWork)
	s.metrics.registry.MustRegister(s.admission.refused)
	if err := s.makeParts(o, replaced); err != nil {
		return nil, err
	}
	if o.Development != nil {
		s.dev = s.protectDevelopment(o.Development, o.DevelopmentOpen)
	}
	routes := s.routes()
	s.handler, s.patterns = s.withRequestInfo(routes), routes.patterns
	return s, nil
}

// makeParts makes the servers of the customers' calls, the operators' calls and the page.
func (s *Server) makeParts(o Options, replaced seams) error {
	addresses, err := request.NewSiteAddresses(o.PublicURL)
	if err != nil {
		return err
	}
	visits := session.New(session.Options{
		Clock: o.Clock, Catalog: s.Catalog, Sessions: s.Sessions, Marks: s.Marks, PerAddress: o.Limits.SessionsPerAddress,
		Admit: s.admission.admit,
	})
	s.calls = api.New(s.Areas.Areas, api.Options{
		Log: o.Log, Clock: o.Clock, SiteAddresses: addresses, Limits: o.Limits, Problem: s.writeProblem, Visits: visits,
		Paid: s.metrics.countPayAnswer, Streams: s.metrics.streams, Drained: s.drained, Beats: replaced.beats, Reports: o.Reports,
	})
	s.operatorCalls = operator.New(operator.Options{
		Clock: o.Clock, Catalog: s.Catalog, Kitchen: s.Kitchen, Customers: s.Customers, Bonuses: s.Bonuses, Orders: s.Orders, Feed: s.Feed, Delivery: s.Delivery, Messages: s.Messages, Finder: s.Finder, Correct: s.Correct,
		Follow: s.Follow, Payments: s.Payments, Feedback: s.Feedback, Marks: s.Marks, Audit: s.Audit, Tokens: s.Tokens, Staff: s.Staff, Problem: s.writeProblem, Drained: s.drained, Beats: replaced.beats,
		StreamContext: func(r *http.Request) context.Context { return request.From(r.Context()).StreamContext },
		Caller: func(ctx context.Context) (address, browser string) {
			in := request.From(ctx)
			return in.ClientIP, in.Request.UserAgent()
		},
		Origin: func(ctx context.Context) string {
			in := request.From(ctx)
			return addresses.Origin(in, in.Site)
		},
	})
	s.pages = page.New(page.Options{
		Log: o.Log, Clock: o.Clock, Assets: s.Assets, Catalog: s.Catalog, Payments: s.Payments, Providers: s.Providers, Maps: s.Maps, Calls: s.calls,
		SiteAddresses: addresses, Problem: s.writeProblem, Manifest: o.Page.Manifest, Worker: o.Page.Worker, Render: replaced.render, RenderSeconds: s.metrics.pages,
		DocumentWait: replaced.documentWait, Background: replaced.background,
	})
	return nil
}

// contractCalls are all operations of the contract.
type contractCalls struct {
	*api.Server
	*operator.Calls
}

// routes returns the router of all routes.
func (s *Server) routes() *router {
	mux := newRouter(s.metrics.atWork)
	mux.HandleFunc("GET /healthz", s.sendAlive)
	if !s.hasOps {
		s.routeOps(mux)
	}
	mux.HandleFunc("GET /assets/{name...}", s.pages.ServeAsset)
	mux.HandleFunc("GET "+catalog.MediaPath+"{name}", s.pages.ServeMedia)
	mux.HandleFunc("GET "+citymap.Path+"{name}", s.pages.ServeMap)
	mux.HandleFunc("GET /robots.txt", s.pages.ServeRobots)
	mux.HandleFunc("GET "+page.SitemapIndexPath, s.pages.ServeSitemapIndex)
	mux.HandleFunc("GET "+page.SitemapPath+"{name}", s.pages.ServeSitemap)
	mux.HandleFunc("GET "+page.TabIconPath, s.pages.ServeTabIcon)
	mux.HandleFunc("GET "+page.TouchIconPath, s.pages.ServeTouchIcon)
	mux.HandleFunc("GET /licences.txt", s.pages.ServeLicences)
	mux.HandleFunc("GET /sw.js", s.pages.ServeWorker)
	mux.HandleFunc("GET "+page.ManifestPath, s.pages.ServeManifest)
	if s.dev != nil {
		mux.Handle("/dev/", s.dev)
	}

	calls := contractRouter{newRouter(s.metrics.atWork), s}
	badBody := func(w http.ResponseWriter, r *http.Request, err error) { s.writeProblem(w, r, request.BadBody(err)) }
	strict := wire.NewStrictHandlerWithOptions(contractCalls{s.calls, s.operatorCalls}, nil, wire.StrictHTTPServerOptions{
		RequestErrorHandlerFunc: badBody, ResponseErrorHandlerFunc: s.writeProblem,
	})
	wire.HandlerWithOptions(strict, wire.StdHTTPServerOptions{BaseURL: apiRoot, BaseRouter: calls, ErrorHandlerFunc: badBody})
	// The contract's generated code sends no streams.
	calls.HandleFunc("GET "+apiRoot+"/order/{id}/events", s.calls.StreamOrder)
	calls.HandleFunc("GET "+apiRoot+"/operator/changes/events", s.operatorCalls.StreamChanges)
	calls.HandleFunc(apiRoot+"/", func(w http.ResponseWriter, r *http.Request) { s.unknownCall(w, r, calls.router) })
	mux.routeBelow(apiRoot+"/", calls.router, s.protectCalls(s.withSeat(calls)))
	s.routeWebhooks(mux)

	pages := newRouter(s.metrics.atWork)
	pages.HandleFunc("GET /{$}", s.pages.ServeRoot)
	pages.HandleFunc("GET /auth/link", s.pages.ServeSignIn)
	pages.HandleFunc("GET "+api.VKCallbackPath, s.pages.ServeSignIn)
	pages.HandleFunc("GET "+staff.InvitationPath, s.pages.ServeInvitation)
	pages.HandleFunc("GET /{city}", s.pages.ServeHome)
	pages.HandleFunc("GET /{city}/{rest...}", s.pages.ServeInner)
	mux.routeBelow("/", pages, pages)
	return mux
}

// routeWebhooks adds the routes that acquirers and banks call.
func (s *Server) routeWebhooks(mux *router) {
	for pattern, handler := range map[string]http.HandlerFunc{
		"POST " + apiRoot + "/order/3ds/{transaction_id}": s.webhooks.Return3DS,
		"POST " + apiRoot + "/callback/{acquirer}":        s.webhooks.Callback,
		"GET " + apiRoot + "/callback/{acquirer}":         s.webhooks.Callback,
	} {
		mux.HandleFunc(pattern, s.webhooks.Limit(s.withSeat(s.checkContract(pattern, handler)).ServeHTTP))
	}
}

// routeOps adds the routes for readiness and metrics.
func (s *Server) routeOps(mux interface{ Handle(string, http.Handler) }) {
	mux.Handle("GET /readyz", http.HandlerFunc(s.sendReady))
	mux.Handle("GET /readyz/pages", http.HandlerFunc(s.sendPagesReady))
	mux.Handle("GET /metrics", s.metrics.handler())
}

// Ops returns a handler that serves only metrics, health, readiness and profiles.
func (s *Server) Ops() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.sendAlive)
	s.routeOps(mux)
	routeProfiles(mux)
	return mux
}

// ServeHTTP answers a request by the routes of the server.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Leave makes readiness fail, so that balancers send no more customers here before the port closes. All
// other requests are still answered.
func (s *Server) Leave() { s.leaving.Store(true) }

// Drain makes readiness fail, ends the streams and stops making documents. Answers from then on make clients
// close their connections. It may be called more than once.
func (s *Server) Drain() {
	s.drain.Do(func() {
		s.draining.Store(true)
		close(s.drained)
		s.pages.Close()
	})
}

// unknownCall answers a call that is not among the calls of the router. Where its path has other methods it names them.
func (s *Server) unknownCall(w http.ResponseWriter, r *http.Request, calls *router) {
	methods := strings.Join(calls.methodsOf(r.URL), ", ")
	if methods == "" {
		s.writeProblem(w, r, fault.New(fault.NotFound, "common.not_found"))
		return
	}
	w.Header().Set("Allow", methods)
	s.writeProblem(w, r, fault.New(fault.WrongMethod, "common.wrong_method", fault.With(fault.Args{"methods": methods})))
}
