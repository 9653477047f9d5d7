package staff

import (
	"context"
	"slices"
	"strings"
	"time"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/fault"
)

// sessionPrefix begins the secret of each session.
const sessionPrefix = "staff_"

// SignIn is what a person signs in with.
type SignIn struct {
	Login, Password string
	// Code is one of the app's or a recovery code.
	Code string
	// Address is where the call comes from, Browser what it is made with.
	Address, Browser string
}

// Session is a sign-in.
type Session struct {
	ID                           int64
	Browser                      string
	CreatedAt, SeenAt, ExpiresAt time.Time
}

// wrongSignIn returns staff.wrong_sign_in (Invalid), which does not say what was wrong.
func wrongSignIn() error { return fault.New(fault.Invalid, "staff.wrong_sign_in") }

// SignIn begins a session and returns it with its secret and the principal of its calls. An unknown login,
// a wrong password and a wrong code are refused alike and after the same time, with staff.wrong_sign_in
// (Invalid). It returns common.too_many_requests (TooMany), without a hash of the password, after too many
// failures in a quarter of an hour: of the login from the address, of any logins from the address, or of the
// login from all addresses. A login that does not exist is counted alike.
func (s *Service) SignIn(ctx context.Context, in SignIn) (secret string, begun Session, who access.Principal, err error) {
	login := cleanLogin(in.Login)
	counted := signInCounters(login, in.Address)
	if err := s.countFailure(ctx, counted); err != nil {
		return "", Session{}, access.Principal{}, err
	}
	now := s.clock.Now()
	a, _, err := findAccount(ctx, s.db.Read(), login, now) // an unknown login is an account without secrets
	if err != nil {
		return "", Session{}, access.Principal{}, err
	}
	isPassword, err := s.isPassword(ctx, a.secrets.password, in.Password)
	if err != nil {
		return "", Session{}, access.Principal{}, err
	}
	code, isCode := a.secrets.match(in.Code, now)
	if !isPassword || !isCode {
		return "", Session{}, access.Principal{}, wrongSignIn()
	}
	secret = newSecret(sessionPrefix)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := useCode(ctx, tx, a, code); err != nil {
			return err
		}
		begun, err = beginSession(ctx, tx, a, secret, in.Browser, now)
		return err
	})
	if err != nil {
		return "", Session{}, access.Principal{}, err
	}
	return secret, begun, a.principal(begun.ID), s.uncountFailure(ctx, counted)
}

// beginSession stores a session of the account with the secret, and that it began in the audit log.
func beginSession(ctx context.Context, tx *db.Tx, a Account, secret, browser string, now time.Time) (Session, error) {
	begun := Session{Browser: cutBrowser(browser), CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(sessionLife)}
	var err error
	if begun.ID, err = insertSession(ctx, tx.Q, a.ID, hashSecret(secret), begun); err != nil {
		return Session{}, err
	}
	ctx = audit.With(ctx, a.origin(audit.From(ctx).Call))
	return begun, audit.Record(ctx, tx, audit.Entry{Site: a.Site, Subject: "staff", ID: a.Login, After: audit.Fields{"session": begun.ID}}, now)
}

// matched is a code that was right: one of the app by its step, or a recovery code by what is left without
// it.
type matched struct {
	step       int64
	isRecovery bool
	left       string
}

// match reports whether a code is right: the code of the app, or one of the recovery codes.
func (s secrets) match(code string, now time.Time) (matched, bool) {
	code = strings.ReplaceAll(strings.TrimSpace(code), " ", "")
	step, isRight := matchTOTP(s.totp, code, now, s.step)
	hashes := strings.Fields(s.recovery)
	if i := slices.Index(hashes, hashRecovery(code)); i >= 0 {
		return matched{isRecovery: true, left: strings.Join(slices.Delete(hashes, i, i+1), " ")}, true
	}
	return matched{step: step}, isRight
}

// useCode uses up a code. It returns staff.wrong_sign_in (Invalid) when another call was first.
func useCode(ctx context.Context, tx *db.Tx, a Account, code matched) error {
	var isFirst bool
	var err error
	if code.isRecovery {
		isFirst, err = useRecovery(ctx, tx.Q, a.ID, a.secrets.recovery, code.left)
	} else {
		isFirst, err = useStep(ctx, tx.Q, a.ID, code.step)
	}
	if err == nil && !isFirst {
		err = wrongSignIn()
	}
	return err
}

// maxBrowser is how much of a browser's own name is stored.
const maxBrowser = 200

// cutBrowser returns the name of a browser as it is stored.
func cutBrowser(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), maxBrowser)], "")
}

// Find returns the principal of a secret, and false when no valid session or device has the secret. It stores
// that the session or the device was used, once in five minutes.
func (s *Service) Find(ctx context.Context, secret string) (access.Principal, bool, error) {
	if strings.HasPrefix(secret, devicePrefix) {
		return s.findDevice(ctx, secret)
	}
	if !strings.HasPrefix(secret, sessionPrefix) {
		return access.Principal{}, false, nil
	}
	session, a, exists, err := findSession(ctx, s.db.Read(), hashSecret(secret))
	now := s.clock.Now()
	if err != nil || !exists || !session.isValid(now) {
		return access.Principal{}, false, err
	}
	if now.Sub(session.SeenAt) >= seenEvery {
		err = s.db.InTx(ctx, func(tx *db.Tx) error { return setSeen(ctx, tx.Q, session.ID, now) })
	}
	return a.principal(session.ID), true, err
}

// isValid reports whether the session is neither over nor idle.
func (s Session) isValid(now time.Time) bool {
	return now.Before(s.ExpiresAt) && now.Sub(s.SeenAt) < sessionIdle
}

// IsValid reports whether the session or device of a principal that Find returned is still valid.
func (s *Service) IsValid(ctx context.Context, p access.Principal) (bool, error) {
	if p.Kind == audit.Device {
		return isDevice(ctx, s.db.Read(), p.ID)
	}
	session, exists, err := getSession(ctx, s.db.Read(), p.SessionID, p.ID)
	return exists && session.isValid(s.clock.Now()), err
}

// Sessions returns the sessions of an account that are still valid, the newest first.
func (s *Service) Sessions(ctx context.Context, accountID int64) ([]Session, error) {
	sessions, err := listSessions(ctx, s.db.Read(), accountID)
	now := s.clock.Now()
	return slices.DeleteFunc(sessions, func(one Session) bool { return !one.isValid(now) }), err
}

// EndSession ends a session of the principal's account. It returns common.not_found (NotFound) for a
// session of another account, and for a principal without a session.
func (s *Service) EndSession(ctx context.Context, p access.Principal, id int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		existed, err := deleteSession(ctx, tx.Q, id, p.ID)
		if err != nil {
			return err
		}
		if !existed || p.SessionID == 0 { // the fault also takes the deletion back
			return fault.New(fault.NotFound, "common.not_found", fault.Field("id", "common.not_found"))
		}
		return audit.Record(ctx, tx, audit.Entry{Site: p.Site, Subject: "staff", ID: p.Name, Before: audit.Fields{"session": id}}, s.clock.Now())
	})
}
