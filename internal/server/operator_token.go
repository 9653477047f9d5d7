package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
	"sync"
	"time"

	"servery/internal/audit"
	"servery/internal/fault"
	"servery/internal/guess"
	"servery/internal/server/request"
)

const (
	// badTokensPerAddress is how many different wrong tokens an address may send in ten minutes.
	badTokensPerAddress = 10
	// maxLastTokens bounds the memory that callers without a token can fill.
	maxLastTokens = 10_000
)

type tokenHash = [sha256.Size]byte

// badTokens bounds guesses at the operator's token. The same wrong token sent again and again, as by a
// system that still has an old one, counts once, since a guesser learns nothing from it. It is safe
// for concurrent use.
type badTokens struct {
	limiter *guess.Limiter
	mu      sync.Mutex
	// last is the last wrong one of each address.
	last map[string]tokenHash
}

// newBadTokens returns an empty count.
func newBadTokens() *badTokens {
	return &badTokens{limiter: guess.NewLimiter(guess.Limits{PerAddress: badTokensPerAddress}), last: map[string]tokenHash{}}
}

// checkToken reports whether the token that an address sent is the wanted one. After too many
// wrong tokens it does not compare, and returns how long the address has to wait.
func (b *badTokens) checkToken(address string, got, want tokenHash, now time.Time) (isRight bool, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	g := guess.Guess{Address: address}
	if wait, by := b.limiter.Attempt(g, now); by != guess.Unbound {
		return false, wait
	}
	if subtle.ConstantTimeCompare(got[:], want[:]) == 1 {
		b.limiter.Succeed(g)
		return true, 0
	}
	if last, ok := b.last[address]; ok && last == got {
		// The same wrong token again counts once: there is nothing to learn from it.
		b.limiter.Succeed(g)
		return false, 0
	}
	if len(b.last) >= maxLastTokens {
		clear(b.last)
	}
	b.last[address] = got
	return false, 0
}

// operatorRoot is where the operator's calls begin in the contract.
const operatorRoot = "/operator/"

// operatorOnly returns a handler that requires the operator's token and bounds the wrong tokens
// of an address. Without a token in the settings it refuses every call.
func (s *Server) operatorOnly(next http.HandlerFunc) http.HandlerFunc {
	want := sha256.Sum256([]byte(s.operator))
	return func(w http.ResponseWriter, r *http.Request) {
		token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !bearer || s.operator == "" {
			s.refuseOperator(w, r)
			return
		}
		isRight, wait := s.badTokens.checkToken(request.From(r.Context()).ClientIP, sha256.Sum256([]byte(token)), want, s.clock.Now())
		switch {
		case wait > 0:
			s.writeProblem(w, r, fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait)))
		case !isRight:
			s.refuseOperator(w, r)
		default:
			origin := audit.Origin{Kind: audit.Token, Name: settingsToken, Call: r.Pattern}
			next(w, r.WithContext(audit.With(r.Context(), origin)))
		}
	}
}

// settingsToken is the name of the token that stands in the settings.
const settingsToken = "SERVERY_OPERATOR_TOKEN"

// withActor returns the request of an operator with the person that its body names.
func withActor(r *http.Request, body any) *http.Request {
	fields, _ := body.(map[string]any)
	origin := audit.From(r.Context())
	origin.Person, _ = fields["actor"].(string)
	return r.WithContext(audit.With(r.Context(), origin))
}

// refuseOperator answers a call without the operator's token.
func (s *Server) refuseOperator(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	s.writeProblem(w, r, fault.New(fault.Unauthenticated, "common.unauthenticated"))
}
