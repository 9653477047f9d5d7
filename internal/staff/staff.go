// Package staff has the people who work at the restaurant: accounts with roles, invitations, sign-ins by
// password and code, the sessions that follow, and the devices of shops at which people work by a PIN.
package staff

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/clock"
	"servery/internal/db"
)

const (
	// InvitationLife is how long an invitation can be accepted.
	InvitationLife = 3 * 24 * time.Hour
	// sessionLife is how long a session lasts at most, sessionIdle how long without a call.
	sessionLife = 30 * 24 * time.Hour
	sessionIdle = 12 * time.Hour
	// seenEvery is how exactly the last call of a session is stored.
	seenEvery = 5 * time.Minute
	// accountTerm is how long a removed account is stored.
	accountTerm = 365 * 24 * time.Hour
)

// Faults of a new account.
var (
	ErrLogin  = errors.New("a login has 3 to 64 of: letters a to z, digits, dot, dash, underscore, @")
	ErrName   = errors.New("an account needs the person's name, of up to 64 characters")
	ErrRole   = errors.New("a role is owner, manager, kitchen, courier or support")
	ErrScope  = errors.New("a manager, a kitchen and a courier need a brand; shops need theirs")
	ErrExists = errors.New("an account with this login exists: remove it first, or take another login")
	// ErrNone says that no account has the login.
	ErrNone = errors.New("no account has this login")
)

// Account is a person who works at the restaurant.
type Account struct {
	access.Scope

	ID int64
	// Login is what they sign in with, in lower case; Name is how the log and the orders name them.
	Login, Name string
	Role        access.Role
	CreatedAt   time.Time
	// HasPassword is set once an invitation was accepted, IsInvited while one waits.
	HasPassword, IsInvited bool

	secrets secrets
}

// secrets are what an account signs in with.
type secrets struct {
	password, totp, newTOTP, recovery string
	step                              int64
}

// origin returns the account as the audit log names it.
func (a Account) origin(call string) audit.Origin {
	return audit.Origin{Kind: audit.Staff, Name: a.Login, Person: a.Name, Call: call}
}

// fields returns what the audit log says of an account. The name is not among them; the log has it
// as the origin of changes.
func (a Account) fields() audit.Fields {
	return audit.Fields{"role": string(a.Role), "shops": access.JoinShops(a.Shops)}
}

var loginPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._@-]{2,63}$`)

// maxName is how many characters the name of a person may have.
const maxName = 64

// check returns why the account cannot be added, nil when it can.
func (a Account) check() error {
	_, isRole := access.ParseRole(string(a.Role))
	switch {
	case !loginPattern.MatchString(a.Login):
		return ErrLogin
	case strings.TrimSpace(a.Name) == "" || utf8.RuneCountInString(a.Name) > maxName:
		return ErrName
	case !isRole:
		return ErrRole
	case a.Site == "" && (len(a.Shops) > 0 || a.Role != access.Owner && a.Role != access.Support):
		return ErrScope
	}
	return nil
}

// cleanLogin returns a login as it is stored.
func cleanLogin(login string) string { return strings.ToLower(strings.TrimSpace(login)) }

// Service has accounts and sessions. It is safe for concurrent use.
type Service struct {
	db    *db.DB
	clock clock.Clock
	// hashing bounds the hashes of passwords at work: each takes much memory.
	hashing chan struct{}
}

// hashesAtOnce is how many passwords are hashed at once.
const hashesAtOnce = 2

// New returns the service on a migrated database.
func New(d *db.DB, c clock.Clock) *Service {
	return &Service{db: d, clock: c, hashing: make(chan struct{}, hashesAtOnce)}
}

// newSecret returns a random secret of 130 bits behind a prefix that says what it is for.
func newSecret(prefix string) string { return prefix + rand.Text() }

// hashSecret returns what is stored of a secret. A secret is random and long, so that it needs no salt.
func hashSecret(secret string) []byte {
	hash := sha256.Sum256([]byte(secret))
	return hash[:]
}
