// Package api answers the calls of customers that the contract has: each turns the request into a
// call of an area, and the area's answer into the contract's JSON in the visitor's language. It
// holds no rule of the trade.
package api

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/bonus"
	"servery/internal/cart/carts"
	"servery/internal/catalog"
	"servery/internal/citymap"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/feedback"
	"servery/internal/geo"
	"servery/internal/geocoder"
	"servery/internal/guess"
	"servery/internal/limit"
	"servery/internal/login"
	"servery/internal/order/follow"
	"servery/internal/order/history"
	"servery/internal/order/orders"
	"servery/internal/order/repeat"
	"servery/internal/payment"
	"servery/internal/payment/payments"
	"servery/internal/phone"
	"servery/internal/provider"
	"servery/internal/push"
	"servery/internal/report"
	"servery/internal/retention"
	"servery/internal/server/precompressed"
	"servery/internal/server/request"
	"servery/internal/server/session"
	"servery/internal/server/stream"
	"servery/internal/server/wire"
	"servery/internal/vk"
)

// menusMemory bounds the memory for compressed menus of every place and language.
const menusMemory = 32 << 20

// Areas are what the calls use.
type Areas struct {
	Catalog   *catalog.Catalog
	Sessions  *customer.Sessions
	Customers *customer.Customers
	Bonuses   *bonus.Service
	Carts     *carts.Service
	Addresses *geo.Addresses
	Orders    *orders.Service
	History   *history.Service
	Follow    *follow.Service
	Payments  *payments.Service
	Feedback  *feedback.Service
	Push      *push.Service
	Login     *login.Service
	VK        *vk.Accounts
	Providers provider.Book
	// Maps are the files with the maps of cities; nil for none.
	Maps *citymap.Files
	// Marks stand for phones in what each phone gets once.
	Marks phone.Marks
	// AddressMarks stand for network addresses in what is counted by them.
	AddressMarks limit.Marks
}

// Rooms returns the areas that store personal data.
func (a Areas) Rooms() retention.Rooms {
	return retention.Rooms{
		Customers: a.Customers, Carts: a.Carts, Addresses: a.Addresses, Bonuses: a.Bonuses,
		Feedback: a.Feedback, Login: a.Login, VK: a.VK, Marks: a.Marks,
	}
}

// Options are the settings of a [Server] and what it reports to.
type Options struct {
	Log           *slog.Logger
	Clock         clock.Clock
	SiteAddresses request.SiteAddresses
	// Limits bound what guests may take without paying.
	Limits limit.Limits
	// Problem answers where a call is no operation of the contract.
	Problem request.ProblemWriter
	// Visits make the context of each request.
	Visits *session.Visits
	// Paid counts the answer to a customer who paid, or the refusal.
	Paid func(p payment.View, err error)
	// Streams counts the customers that follow an order.
	Streams prometheus.Gauge
	// Drained is closed when the server begins to drain, to end streams.
	Drained <-chan struct{}
	// Beats returns the beats of an event stream, and what ends them; nil for one in 25 seconds.
	Beats func() (beats <-chan time.Time, stop func())
	// Reports sends the errors of pages on; nil where none are reported.
	Reports *report.Reporter
}

// Server answers the operations of the contract. Make it with [New]. It is safe for concurrent use.
type Server struct {
	Areas

	log           *slog.Logger
	clock         clock.Clock
	siteAddresses request.SiteAddresses
	problem       request.ProblemWriter
	visits        *session.Visits
	repeats       *repeat.Service
	// countPayAnswer counts the answer to a customer who paid, or the refusal.
	countPayAnswer func(p payment.View, err error)
	streams        prometheus.Gauge
	drained        <-chan struct{}
	beats          func() (beats <-chan time.Time, stop func())
	// badSignIns bounds the sign-in links that do not work and the returns from VK ID.
	badSignIns *guess.Limiter
	// forms bounds the forms that come from an address.
	forms *request.RateLimiter
	// exportPause is how long a customer waits between two exports of their data.
	exportPause time.Duration
	local       *geo.Local
	geocoders   *geocoder.Geocoders
	// geocodesPerAddress and geocodesPerSession bound the calls to geocoders of other companies.
	geocodesPerAddress, geocodesPerSession *request.RateLimiter
	// reports sends the errors of pages on; nil where none are reported. errors bounds those of an address.
	reports *report.Reporter
	errors  *request.RateLimiter
	menus   *precompressed.Cache[menuKey]
	// knownMenus are the calls of menus that were answered.
	knownMenus knownCalls
}

// noKey is for calls that have no Idempotency-Key in the contract.
var noKey *wire.IdempotencyKey

// New returns a server that answers by the areas.
func New(areas Areas, o Options) *Server {
	local := newLocalGeocoder(areas.Catalog)
	if o.Beats == nil {
		o.Beats = stream.EveryBeat
	}
	return &Server{
		Areas: areas, log: o.Log, clock: o.Clock, siteAddresses: o.SiteAddresses, problem: o.Problem, visits: o.Visits, repeats: repeat.New(areas.Orders, areas.Carts, areas.Addresses), countPayAnswer: o.Paid,
		streams: o.Streams, drained: o.Drained, beats: o.Beats,
		badSignIns: guess.NewLimiter(signInLimits), forms: request.NewHourlyRateLimiter(o.Limits.FormsPerAddress),
		exportPause: time.Duration(o.Limits.ExportPause) * time.Second, local: local, geocoders: geocoder.New(local, o.Log, o.Clock),
		menus:              precompressed.NewCache[menuKey](menusMemory, precompressed.CompressObject),
		geocodesPerAddress: request.NewHourlyRateLimiter(o.Limits.GeocodesPerAddress), geocodesPerSession: request.NewHourlyRateLimiter(o.Limits.GeocodesPerSession),
		reports: o.Reports, errors: request.NewHourlyRateLimiter(errorsPerHour),
	}
}

// newLocalGeocoder makes the local geocoder over the streets of the current content. A city
// has the same id and streets in every brand, so the first brand that has it serves.
func newLocalGeocoder(c *catalog.Catalog) *geo.Local {
	return geo.NewLocal(func(cityID int64) (geo.Place, bool) {
		snapshot := c.Current()
		for _, brand := range snapshot.Sites.All() {
			if city, ok := brand.City(cityID); ok {
				return geo.Place{Name: city.Name, Country: city.Country.Name, Streets: snapshot.SearchedStreets(cityID)}, true
			}
		}
		return geo.Place{}, false
	})
}
