package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"servery/internal/access"
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

// badTokens bounds guesses at tokens of the operator's calls. The same wrong token sent again and again, as by a
// system that still has an old one, counts once, since a guesser learns nothing from it. It is safe
// for concurrent use.
type badTokens struct {
	limiter *guess.Limiter
	mu      sync.Mutex
	// last is the last wrong token of each address.
	last map[string]tokenHash
}

// newBadTokens returns an empty count.
func newBadTokens() *badTokens {
	return &badTokens{limiter: guess.NewLimiter(guess.Limits{PerAddress: badTokensPerAddress}), last: map[string]tokenHash{}}
}

// countToken counts a token that an address sent. It returns 0 when the call may go on, and otherwise how
// long the address has to wait: after too many wrong tokens a right one is refused too.
func (b *badTokens) countToken(address string, token tokenHash, isRight bool, now time.Time) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	g := guess.Guess{Address: address}
	if wait, by := b.limiter.Attempt(g, now); by != guess.Unbound {
		return wait
	}
	if isRight {
		b.limiter.Succeed(g)
		return 0
	}
	if last, ok := b.last[address]; ok && last == token {
		b.limiter.Succeed(g) // takes the count back
		return 0
	}
	if len(b.last) >= maxLastTokens {
		clear(b.last)
	}
	b.last[address] = token
	return 0
}

// operatorRoot is where the operator's calls begin in the contract.
const operatorRoot = "/operator/"

// operatorOnly returns a handler that calls next only for a bearer token whose principal has the right, and
// bounds the wrong tokens of an address. The context of next has the principal and, for the audit log, the
// origin of the call. A public call needs no token and has no principal; a self call needs a token, and
// no right.
func (s *Server) operatorOnly(right access.Right, next http.HandlerFunc) http.HandlerFunc {
	if right == publicCall {
		return func(w http.ResponseWriter, r *http.Request) {
			next(w, r.WithContext(audit.With(r.Context(), audit.Origin{Kind: audit.Program, Call: r.Pattern})))
		}
	}
	return func(w http.ResponseWriter, r *http.Request) {
		token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !isBearer {
			s.refuseOperator(w, r)
			return
		}
		p, isRight, err := s.findPrincipal(r.Context(), token)
		if err != nil {
			s.writeProblem(w, r, err)
			return
		}
		wait := s.badTokens.countToken(request.From(r.Context()).ClientIP, sha256.Sum256([]byte(token)), isRight, s.clock.Now())
		switch {
		case wait > 0:
			s.writeProblem(w, r, fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait)))
		case !isRight:
			s.refuseOperator(w, r)
		case right != selfCall && !p.May(right):
			s.writeProblem(w, r, fault.New(fault.Forbidden, "common.forbidden"))
		default:
			ctx := audit.With(access.With(r.Context(), p), audit.Origin{Kind: p.Kind, Name: p.Name, Person: p.Person, Call: r.Pattern})
			next(w, r.WithContext(ctx))
		}
	}
}

// findPrincipal returns the principal of a token of the settings, a system, a device or a signed-in person.
// exists is false for any other token.
func (s *Server) findPrincipal(ctx context.Context, token string) (p access.Principal, exists bool, err error) {
	// Hashes have one length, so the time of the comparison does not show the token.
	sentHash, settingsHash := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(s.operator))
	if s.operator != "" && subtle.ConstantTimeCompare(sentHash[:], settingsHash[:]) == 1 {
		return access.Principal{Kind: audit.Token, Name: access.SettingsToken, Rights: access.AllRights()}, true, nil
	}
	if p, exists, err = s.Tokens.Find(ctx, token); err != nil || exists {
		return p, exists, err
	}
	return s.Staff.Find(ctx, token)
}

// withActor returns the request with its actor, the person who makes it. The name of a signed-in person
// replaces the actor in the body. Without a signed-in person, the audit log gets the actor of the body.
func withActor(r *http.Request, o operation, body any) (*http.Request, error) {
	fields, _ := body.(map[string]any)
	p, origin := access.From(r.Context()), audit.From(r.Context())
	if p.Person == "" {
		origin.Person, _ = fields["actor"].(string)
		return r.WithContext(audit.With(r.Context(), origin)), nil
	}
	if o.body == nil || o.body.Properties["actor"] == nil {
		return r, nil
	}
	fields["actor"] = p.Person
	named, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("name who makes a call: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(named))
	return r, nil
}

// refuseOperator answers a call without a valid token.
func (s *Server) refuseOperator(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	s.writeProblem(w, r, fault.New(fault.Unauthenticated, "common.unauthenticated"))
}
