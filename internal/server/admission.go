package server

import (
	"cmp"
	"crypto/sha256"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/cache"
	"servery/internal/fault"
	"servery/internal/server/request"
)

const (
	// seatsPerProcessor is how many calls are at work for each processor, where no setting says
	// otherwise: most of them wait for the database.
	seatsPerProcessor = 32
	// outsidePerSeat is how many calls may wait for banks and senders for each that is at work.
	outsidePerSeat = 4
	// signInSeats is how many sign-ins of staff are at work: twice as many as passwords are hashed at once.
	signInSeats = 4
	// letInFor is how long a visitor stays let in after the last call.
	letInFor = 30 * time.Minute
	// maxLetIn bounds the memory for visitors who were let in.
	maxLetIn = 200_000
)

// admission bounds the calls at work in this process, so that many customers at once are served
// one after another and not all too late.
type admission struct {
	// seats are for calls of our own, outside for those that wait for banks and senders: a slow
	// bank holds up no cart. signIns are for sign-ins of staff, which wait for the hash of a password: strangers
	// who guess hold up no order.
	seats, outside, signIns *gate
	refused                 *prometheus.CounterVec
	door                    door
	// letIn has the visitors who were let in, by the hash of their token.
	letIn *cache.Cache[[sha256.Size]byte, struct{}]
}

// newAdmission returns an admission with the given number of seats, outsidePerSeat times as many for calls
// that wait for providers, and signInSeats for sign-ins of staff. With 0 seats it takes seatsPerProcessor
// for each processor.
func newAdmission(seats int) *admission {
	seats = cmp.Or(seats, seatsPerProcessor*runtime.GOMAXPROCS(0))
	letIn := cache.OfSize[[sha256.Size]byte, struct{}](maxLetIn, cache.Life{AfterUse: letInFor})
	return &admission{
		seats: newGate(seats), outside: newGate(outsidePerSeat * seats), signIns: newGate(signInSeats), letIn: letIn,
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "servery_calls_refused_total", Help: "Calls that were refused because too many were at work.",
		}, []string{"class"}),
	}
}

// admit stores that the visitor with the token was let in. An empty token is ignored.
func (a *admission) admit(token string) {
	if token != "" {
		a.letIn.Set(sha256.Sum256([]byte(token)), struct{}{})
	}
}

// gateOf returns the gate at which a call gets its seat.
func (a *admission) gateOf(method, path string) *gate {
	switch {
	case method == http.MethodPost && path == operatorRoot+"sign-in":
		return a.signIns
	case callsProviders(path):
		return a.outside
	}
	return a.seats
}

// classOf returns the class of a call by its path and by whether the visitor with the token was let in.
func (a *admission) classOf(path, token string) class {
	if isOrdering(path) {
		return ordering
	}
	if token != "" {
		if _, ok := a.letIn.Get(sha256.Sum256([]byte(token))); ok {
			return underway
		}
	}
	return beginning
}

// withSeat returns a handler that lets a call continue only with a seat, and answers 503 with a time to
// wait otherwise. It stores that the visitor was let in and counts refused calls. Some calls need no seat,
// see needsNoSeat.
func (s *Server) withSeat(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, apiRoot)
		if needsNoSeat(r.Method, path) {
			next.ServeHTTP(w, r)
			return
		}
		g := s.admission.gateOf(r.Method, path)
		token := request.From(r.Context()).Cookie(request.SessionCookie)
		class := s.admission.classOf(path, token)
		if !g.takeSeat(r.Context(), class) {
			s.admission.refused.WithLabelValues(class.String()).Inc()
			wait := soonestReturn
			if class == beginning {
				wait = s.admission.door.countRefused(s.clock.Now())
			}
			s.writeProblem(w, r, fault.New(fault.Unavailable, "common.busy", fault.RetryAfter(wait)))
			return
		}
		defer g.freeSeat()
		if class == beginning {
			s.admission.door.countLetIn(s.clock.Now())
		}
		s.admission.admit(token)
		next.ServeHTTP(w, r)
	})
}

// needsNoSeat reports whether a call is answered from memory, or is a stream, which has a bound
// of its own.
func needsNoSeat(method, path string) bool {
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "products", "errors":
		return true
	case "cities", "shops":
		return method == http.MethodGet
	case "order", "operator":
		return strings.HasSuffix(rest, "/events")
	}
	return false
}

// callsProviders reports whether a call waits for a bank or for a provider of codes.
func callsProviders(path string) bool {
	for _, root := range []string{"/order/pay", "/order/post3ds", "/order/3ds/", "/callback/", "/user/login", "/user/verification", "/user/check-verification-code", "/user/vk/"} {
		if strings.HasPrefix(path, root) {
			return true
		}
	}
	return false
}

// isOrdering reports whether a call is about orders or payments, or is an operator's.
func isOrdering(path string) bool {
	for _, root := range []string{"/order/", "/order-payment/", "/callback/", operatorRoot} {
		if strings.HasPrefix(path, root) {
			return true
		}
	}
	return false
}
