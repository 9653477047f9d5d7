// Package session makes the context that areas get of a request: its site and language, and the
// session of its visitor, which it finds, begins, replaces and drops together with the cookie.
package session

import (
	"context"
	"strings"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/fault"
	"servery/internal/login"
	"servery/internal/phone"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

// Options are what [Visits] use.
type Options struct {
	Clock    clock.Clock
	Catalog  *catalog.Catalog
	Sessions *customer.Sessions
	// Marks stand for phones in what each phone gets once.
	Marks phone.Marks
	// PerAddress bounds the sessions that an address begins in an hour.
	PerAddress int
	// Admit is called with the token of each session that begins or changes.
	Admit func(token string)
}

// Visits makes the context of each request. Make it with [New]. It is safe for concurrent use.
type Visits struct {
	clock    clock.Clock
	catalog  *catalog.Catalog
	sessions *customer.Sessions
	marks    phone.Marks
	// begun bounds the sessions that an address begins.
	begun *request.RateLimiter
	admit func(token string)
}

// New returns the visits of a server.
func New(o Options) *Visits {
	return &Visits{
		clock: o.Clock, catalog: o.Catalog, sessions: o.Sessions, marks: o.Marks,
		begun: request.NewHourlyRateLimiter(o.PerAddress), admit: o.Admit,
	}
}

// Context returns the context of the request for the areas. The session is left out: a handler that
// needs it calls [Visits.ReadOnly] or [Visits.WithSession].
func (s *Visits) Context(ctx context.Context) visit.Context {
	in := request.From(ctx)
	v := visit.Context{Snapshot: s.catalog.Current(), Site: in.Site, Lang: in.Lang, Now: s.clock.Now(), Marks: s.marks}
	// The snapshot may have been swapped since the middleware chose the site.
	if current, ok := v.Snapshot.Sites.ByAlias(in.Site.Alias); ok {
		v.Site = current
	}
	return v
}

// ReadOnly returns the context of a call that changes nothing, with the visitor's session if there
// is one; none is begun.
func (s *Visits) ReadOnly(ctx context.Context) (visit.Context, error) {
	v := s.Context(ctx)
	found, err := s.FindSession(ctx)
	return WithCustomer(v, found), err
}

// WithSession returns the context of a call that changes something: with a session, which is begun
// if need be, and with the key that makes the change happen once. It returns the faults of
// [Visits.EnsureSession], and Invalid for a key that the contract forbids.
func (s *Visits) WithSession(ctx context.Context, key *wire.IdempotencyKey) (visit.Context, error) {
	v := s.Context(ctx)
	var err error
	if v.IdempotencyKey, err = ReadKey(key); err != nil {
		return v, err
	}
	found, err := s.EnsureSession(ctx)
	return WithCustomer(v, found), err
}

// WithCartSession is [Visits.WithSession] for calls that write nothing but the visitor's cart. A session that
// has to begin is stored with the cart: the context has its BeginSession, and keep, which must be called
// after the cart was saved, makes it the visitor's. A refused call begins none.
func (s *Visits) WithCartSession(ctx context.Context, key *wire.IdempotencyKey) (v visit.Context, keep func(), err error) {
	v = s.Context(ctx)
	if v.IdempotencyKey, err = ReadKey(key); err != nil {
		return v, nil, err
	}
	found, err := s.FindSession(ctx)
	if err != nil || found.ID != 0 {
		return WithCustomer(v, found), func() {}, err
	}
	in := request.From(ctx)
	if err := s.countBegun(in); err != nil {
		return v, nil, err
	}
	prepared, err := s.sessions.Prepare(ctx, in.Site.Alias, in.Cookie(request.SessionCookie))
	if err != nil {
		return v, nil, err
	}
	v.BeginSession = prepared.Insert
	return v, func() {
		begun, token := s.sessions.Keep(prepared)
		s.KeepSession(ctx, begun, token)
	}, nil
}

// countBegun counts a session that the caller begins. It returns common.too_many_requests (TooMany) when the
// address has begun too many.
func (s *Visits) countBegun(in *request.Info) error {
	if wait := s.begun.CountCall(in.ClientIP, s.clock.Now()); wait > 0 {
		return fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait))
	}
	return nil
}

// SignedIn returns the context of a call of a customer who has signed in. It returns
// [customer.ErrSignInFirst] for any other visitor.
func (s *Visits) SignedIn(ctx context.Context) (visit.Context, error) {
	v, err := s.ReadOnly(ctx)
	if err == nil && v.CustomerID == 0 {
		err = customer.ErrSignInFirst
	}
	return v, err
}

// WithCustomer returns the context with the session and, where somebody has signed in, with the
// customer.
func WithCustomer(v visit.Context, session customer.Session) visit.Context {
	v.SessionID, v.CustomerID, v.CustomerPhone = session.ID, session.CustomerID, session.Phone
	return v
}

// Bounds of an Idempotency-Key, as the contract has them.
const shortestKey, longestKey = 8, 64

// ReadKey returns the value of an Idempotency-Key, empty when there is none. It returns
// common.not_allowed (Invalid) for a key that the contract forbids.
func ReadKey(key *wire.IdempotencyKey) (string, error) {
	if key == nil {
		return "", nil
	}
	isForbidden := func(r rune) bool { return r <= ' ' || r > '~' }
	if n := len(*key); n < shortestKey || n > longestKey || strings.ContainsFunc(*key, isForbidden) {
		return "", fault.New(fault.Invalid, "common.invalid", fault.Field("Idempotency-Key", "common.not_allowed"))
	}
	return *key, nil
}

// FindSession returns the visitor's session, the zero session when there is none. It looks the session up
// once for a request.
func (s *Visits) FindSession(ctx context.Context) (customer.Session, error) {
	in := request.From(ctx)
	if in.Session != nil {
		return *in.Session, nil
	}
	found, err := s.sessions.Find(ctx, in.Site.Alias, in.Cookie(request.SessionCookie))
	if err != nil {
		return customer.Session{}, err
	}
	in.Session = &found
	return found, nil
}

// EnsureSession returns the visitor's session, and begins one when there is none. It is for calls
// that change something: reading needs no session and stores none. A call whose session a sign-in
// has replaced in the same moment is refused, and gets no cookie. It returns
// common.too_many_requests (TooMany) when the address has begun too many sessions; visitors who
// have a session are not affected.
func (s *Visits) EnsureSession(ctx context.Context) (customer.Session, error) {
	return s.ensureSession(ctx, request.From(ctx).Cookie(request.SessionCookie))
}

// EnsureSessionToSignIn is [Visits.EnsureSession] for calls by which a visitor begins to sign in. It begins a session
// also in place of one that a sign-in has replaced: the visitor begins again because the answer to that sign-in was
// lost, and the new cookie with it.
func (s *Visits) EnsureSessionToSignIn(ctx context.Context) (customer.Session, error) {
	return s.ensureSession(ctx, "")
}

// ensureSession returns the visitor's session, and begins one when there is none and no sign-in has replaced
// the token in the same moment.
func (s *Visits) ensureSession(ctx context.Context, token string) (customer.Session, error) {
	found, err := s.FindSession(ctx)
	if err != nil || found.ID != 0 {
		return found, err
	}
	in := request.From(ctx)
	if err := s.countBegun(in); err != nil {
		return customer.Session{}, err
	}
	begun, given, err := s.sessions.Begin(ctx, in.Site.Alias, token)
	if err != nil {
		return customer.Session{}, err
	}
	s.KeepSession(ctx, begun, given)
	return begun, nil
}

// KeepSession makes the session the visitor's: in this request, in the cookie of the browser, and among
// the visitors who were let in.
func (s *Visits) KeepSession(ctx context.Context, session customer.Session, token string) {
	in := request.From(ctx)
	in.Session = &session
	s.admit(token)
	in.SetCookie(request.SessionCookie, token, customer.SessionLife)
}

// DropSession leaves the visitor without a session, in this request and in the browser.
func (s *Visits) DropSession(ctx context.Context) {
	in := request.From(ctx)
	in.Session = &customer.Session{}
	in.DeleteCookie(request.SessionCookie)
}

// KeepDevice sets the cookie with the secret of a browser that has signed in. A logout leaves the cookie.
func (*Visits) KeepDevice(ctx context.Context, secret string) {
	request.From(ctx).SetCookie(request.DeviceCookie, secret, login.DeviceLife)
}
