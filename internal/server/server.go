// Package server is the HTTP edge: it turns requests into calls of the areas and
// their answers and faults into the contract's JSON, and serves the page. It holds no
// rule of the trade.
package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"servery/internal/asset"
	"servery/internal/bonus"
	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/feedback"
	"servery/internal/geo"
	"servery/internal/guess"
	"servery/internal/limit"
	"servery/internal/login"
	"servery/internal/order"
	"servery/internal/phone"
	"servery/internal/provider"
	"servery/internal/render"
	"servery/internal/server/wire"
	"servery/internal/vk"
	"servery/web"
)

const apiRoot = "/api"

// Areas are what the edge calls.
type Areas struct {
	Assets    *asset.Assets
	Catalog   *catalog.Catalog
	Sessions  *customer.Sessions
	Customers *customer.Customers
	Bonuses   *bonus.Service
	Carts     *cart.Service
	Addresses *geo.Addresses
	Orders    *order.Service
	Feedback  *feedback.Service
	Login     *login.Service
	VK        *vk.Accounts
	Providers provider.Book
	// Marks stand for phones in what each phone gets once.
	Marks phone.Marks
	// AddressMarks stand for network addresses in what is counted by them.
	AddressMarks limit.Marks
}

// Options are the settings of the edge.
type Options struct {
	Log   *slog.Logger
	Clock clock.Clock
	// Probe writes to the database, to know that it takes orders.
	Probe func(ctx context.Context) error
	// PublicURL is how customers reach the default site, without a slash at its end;
	// empty when nobody said.
	PublicURL string
	// OperatorToken opens the operator's calls; empty closes them.
	OperatorToken string
	// TrustedProxies are the networks whose forwarded headers are believed.
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
	// HasOps says that metrics and readiness are served by Ops alone.
	HasOps bool
	// Development answers below /dev/; nil where there is nothing, as in every release.
	Development http.Handler
	// DevelopmentOpen are the patterns below /dev/ that pages of other sites may post to.
	DevelopmentOpen []string
	Page            Page
}

// Page is the built page.
type Page struct {
	Manifest web.Manifest
	// Script defines renderPage for the embedded engine.
	Script string
}

// BuiltPage gives the page inside the program. It fails with [web.ErrNotBuilt] when
// the program was built without it.
func BuiltPage() (Page, error) {
	manifest, err := web.ReadManifest()
	if err != nil {
		return Page{}, err
	}
	script, err := web.RenderScript()
	return Page{Manifest: manifest, Script: script}, err
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
	publicURL string
	// publicPort is the port of publicURL, empty when it names none.
	publicPort string
	proxies    proxies
	// callTimeout is how long a call may take.
	callTimeout time.Duration
	origin      *http.CrossOriginProtection
	limits      *limits
	// badSignIns bounds the sign-in links that do not work and the returns from VK ID.
	badSignIns *guess.Limiter
	// newSessions bounds the sessions that an address begins.
	newSessions *limits
	// bankLimits bounds the calls of banks and acquirers.
	bankLimits *limits
	admission  *admission
	isHeld     bool
	// exportPause is how long a customer waits between two exports of their data.
	exportPause time.Duration
	contract    contract
	metrics     *metrics
	geocoder    geo.Geocoder
	// beats returns the beats of an event stream, and what ends them.
	beats    func() (beats <-chan time.Time, stop func())
	dev      http.Handler
	render   func(ctx context.Context, data []byte) (html string, err error)
	manifest web.Manifest
	menus    *catalog.Encodings[menuKey]
	pages    *documents
	// documentWait returns a channel that ends the wait for a document.
	documentWait func() <-chan time.Time
	leaving      atomic.Bool // readiness fails, everything else is answered
	draining     atomic.Bool
	drained      chan struct{} // closed when draining begins, to end streams
	drain        sync.Once
	handler      http.Handler
	patterns     []string // of all routes
}

// Memory for ready answers: menus and documents of every place and language.
const (
	menusMemory = 32 << 20
	pagesMemory = 32 << 20
)

// New wires the routes. It fails when the contract cannot be read.
func New(areas Areas, o Options) (*Server, error) {
	s := &Server{
		Areas: areas, log: o.Log, clock: o.Clock, operator: o.OperatorToken, hasOps: o.HasOps, badTokens: newBadTokens(), publicURL: o.PublicURL,
		proxies: o.TrustedProxies, origin: http.NewCrossOriginProtection(),
		isHeld: o.IsHeld, limits: newLimits(o.CallsPerSecond), badSignIns: guess.NewLimiter(signInLimits), newSessions: newHourlyLimits(o.Limits.SessionsPerAddress), bankLimits: newLimits(banksPerSecond), metrics: newMetrics(), drained: make(chan struct{}), geocoder: newGeocoder(areas.Catalog),
		exportPause: time.Duration(o.Limits.ExportPause) * time.Second,
		manifest:    o.Page.Manifest, render: render.New(o.Page.Script).RenderPage,
		callTimeout:  callTimeout,
		beats:        everyBeat,
		documentWait: func() <-chan time.Time { return time.After(documentWait) },
	}
	s.outage = &outage{log: o.Log, clock: o.Clock, write: o.Probe, failed: s.metrics.databaseFailures}
	if areas.Login != nil {
		s.metrics.registry.MustRegister(areas.Login.Collectors()...)
	}
	if areas.Orders != nil {
		s.metrics.registry.MustRegister(areas.Orders.Collectors()...)
	}
	public, err := url.Parse(o.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("read the public address: %w", err)
	}
	s.publicPort = public.Port()
	if s.contract, err = readContract(); err != nil {
		return nil, err
	}
	if s.admission, err = newAdmission(o.CallsAtWork); err != nil {
		return nil, err
	}
	s.metrics.registry.MustRegister(s.admission.refused)
	if s.menus, err = catalog.NewEncodings[menuKey](menusMemory); err != nil {
		return nil, fmt.Errorf("make memory for menus: %w", err)
	}
	if s.pages, err = newDocuments(pagesMemory, s.makeDocument); err != nil {
		return nil, fmt.Errorf("make memory for pages: %w", err)
	}
	if o.Development != nil {
		s.dev = s.guardDevelopment(o.Development, o.DevelopmentOpen)
	}
	routes := s.routes()
	s.handler, s.patterns = s.edge(routes), routes.patterns
	return s, nil
}

func (s *Server) routes() *router {
	mux := newRouter()
	mux.HandleFunc("GET /healthz", s.healthz)
	if !s.hasOps {
		s.routeOps(mux)
	}
	mux.HandleFunc("GET /assets/{name...}", s.asset)
	mux.HandleFunc("GET "+catalog.MediaPath+"{name}", s.media)
	mux.HandleFunc("GET /robots.txt", robots)
	mux.HandleFunc("GET /licences.txt", s.thirdParty)
	if s.dev != nil {
		mux.Handle("/dev/", s.dev)
	}

	calls := contractRouter{newRouter(), s}
	strict := wire.NewStrictHandlerWithOptions(s, nil, wire.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  func(w http.ResponseWriter, r *http.Request, err error) { s.problem(w, r, badBody(err)) },
		ResponseErrorHandlerFunc: s.problem,
	})
	wire.HandlerWithOptions(strict, wire.StdHTTPServerOptions{
		BaseURL: apiRoot, BaseRouter: calls,
		ErrorHandlerFunc: func(w http.ResponseWriter, r *http.Request, err error) { s.problem(w, r, badBody(err)) },
	})
	calls.HandleFunc("GET "+apiRoot+"/order/{id}/events", s.streamOrder)
	calls.HandleFunc(apiRoot+"/", s.unknownCall)
	mux.with(apiRoot+"/", calls.router, s.guard(s.bounded(calls)))
	s.routeBanks(mux)

	pages := newRouter()
	pages.HandleFunc("GET /{$}", s.rootPage)
	pages.HandleFunc("GET /auth/link", s.signInPage)
	pages.HandleFunc("GET "+vkCallbackPath, s.signInPage)
	pages.HandleFunc("GET /{city}", s.homePage)
	pages.HandleFunc("GET /{city}/{rest...}", s.innerPage)
	mux.with("/", pages, pages)
	return mux
}

// routeBanks routes the calls of banks and acquirers.
func (s *Server) routeBanks(mux *router) {
	for pattern, handler := range map[string]http.HandlerFunc{
		"POST " + apiRoot + "/order/3ds/{transaction_id}": s.return3DS,
		"POST " + apiRoot + "/callback/{acquirer}":        s.callback,
		"GET " + apiRoot + "/callback/{acquirer}":         s.callback,
	} {
		mux.HandleFunc(pattern, s.bank(s.bounded(s.byContract(pattern, handler)).ServeHTTP))
	}
}

// routeOps routes what operations ask for.
func (s *Server) routeOps(mux interface{ Handle(string, http.Handler) }) {
	mux.Handle("GET /readyz", http.HandlerFunc(s.readyz))
	mux.Handle("GET /readyz/pages", http.HandlerFunc(s.readyPages))
	mux.Handle("GET /metrics", s.metrics.handler())
}

// Ops returns what serves metrics, health and readiness, and nothing of the shop.
func (s *Server) Ops() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.healthz)
	s.routeOps(mux)
	return mux
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Leave makes readiness fail while everything is answered yet, so that balancers send no more
// customers here before the port closes.
func (s *Server) Leave() { s.leaving.Store(true) }

// Drain makes /readyz say that this server is going, so that no new customers are
// sent here while it finishes, and ends the streams.
func (s *Server) Drain() {
	s.drain.Do(func() {
		s.draining.Store(true)
		close(s.drained)
		s.pages.close()
	})
}
