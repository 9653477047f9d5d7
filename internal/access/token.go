package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"servery/internal/audit"
	"servery/internal/clock"
	"servery/internal/db"
)

const (
	// tokenPrefix begins each token, so that one that was published by mistake can be recognized.
	tokenPrefix = "servery_"
	// usedEvery is how long after a stored use of a token the next one is stored.
	usedEvery = time.Hour
	// tokenTerm is how long a token is stored after its end.
	tokenTerm = 365 * 24 * time.Hour
	// MaxTokenLife is how long a token is valid at most.
	MaxTokenLife = 2 * 365 * 24 * time.Hour
)

// Faults of a new token.
var (
	ErrTokenName   = errors.New("a token's name has up to 64 letters, digits, dots, dashes and underscores")
	ErrTokenExists = errors.New("a token with this name is in use: revoke it first, or take another name")
	ErrTokenEnd    = errors.New("a token ends within two years")
	ErrTokenScope  = errors.New("a token for shops needs their brand")
	ErrTokenRights = errors.New("a token needs a right")
	ErrNoToken     = errors.New("no token in use has this name")
)

// SettingsToken is the name of the token that stands in the settings.
const SettingsToken = "SERVERY_OPERATOR_TOKEN"

// Token is what a system signs its calls with, without its secret.
type Token struct {
	Scope

	ID        int64
	Name      string
	Rights    Rights
	CreatedAt time.Time
	ExpiresAt time.Time
	// RevokedAt is zero for a token that was not revoked. UsedAt is zero for one that was never used; it
	// is exact to the hour.
	RevokedAt, UsedAt time.Time
}

// IsValid reports whether the token may be used.
func (t Token) IsValid(now time.Time) bool { return t.RevokedAt.IsZero() && now.Before(t.ExpiresAt) }

// principal returns who makes calls with the token.
func (t Token) principal() Principal {
	return Principal{Scope: t.Scope, Kind: audit.Token, ID: t.ID, Name: t.Name, Rights: t.Rights}
}

// Tokens stores the tokens of systems. It is safe for concurrent use.
type Tokens struct {
	db    *db.DB
	clock clock.Clock
}

// NewTokens returns the tokens of a migrated database.
func NewTokens(d *db.DB, c clock.Clock) *Tokens { return &Tokens{d, c} }

var tokenName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Add stores a token with name, scope, rights and end of t, and returns its secret, of which only a hash
// is stored. It returns [ErrTokenName], [ErrTokenEnd], [ErrTokenScope], [ErrTokenRights] or, when one in use has the name,
// [ErrTokenExists]. The caller must have checked that brand, shops and rights exist.
func (s *Tokens) Add(ctx context.Context, t Token) (secret string, err error) {
	now := s.clock.Now()
	switch {
	case !tokenName.MatchString(t.Name) || t.Name == SettingsToken:
		return "", ErrTokenName
	case !t.ExpiresAt.After(now) || t.ExpiresAt.After(now.Add(MaxTokenLife)):
		return "", ErrTokenEnd
	case t.Site == "" && len(t.Shops) > 0:
		return "", ErrTokenScope
	case len(t.Rights) == 0:
		return "", ErrTokenRights
	}
	secret = tokenPrefix + rand.Text()
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		isNew, err := insertToken(ctx, tx.Q, t, hashToken(secret), now)
		if err != nil {
			return err
		}
		if !isNew {
			return ErrTokenExists
		}
		return audit.Record(ctx, tx, audit.Entry{Site: t.Site, Subject: "token", ID: t.Name, After: tokenFields(t)}, now)
	})
	return secret, err
}

// tokenFields returns what the audit log says of a token.
func tokenFields(t Token) audit.Fields {
	return audit.Fields{"shops": JoinShops(t.Shops), "rights": JoinRights(t.Rights), "expires_at": t.ExpiresAt.UTC().Format(time.RFC3339)}
}

// List returns all stored tokens, the newest first.
func (s *Tokens) List(ctx context.Context) ([]Token, error) { return listTokens(ctx, s.db.Read()) }

// Revoke ends the token in use that has the name: no process accepts it from then on. It returns
// [ErrNoToken] when there is none.
func (s *Tokens) Revoke(ctx context.Context, name string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		site, wasInUse, err := revokeToken(ctx, tx.Q, name, now)
		if err != nil {
			return err
		}
		if !wasInUse {
			return ErrNoToken
		}
		return audit.Record(ctx, tx, audit.Entry{
			Site: site, Subject: "token", ID: name, Before: audit.Fields{"revoked": false}, After: audit.Fields{"revoked": true},
		}, now)
	})
}

// Find returns the principal of a secret, and false when no valid token has the secret. It stores that
// the token was used, once an hour.
func (s *Tokens) Find(ctx context.Context, secret string) (Principal, bool, error) {
	if !strings.HasPrefix(secret, tokenPrefix) {
		return Principal{}, false, nil
	}
	t, exists, err := findToken(ctx, s.db.Read(), hashToken(secret))
	now := s.clock.Now()
	if err != nil || !exists || !t.IsValid(now) {
		return Principal{}, false, err
	}
	if now.Sub(t.UsedAt) >= usedEvery {
		err = s.db.InTx(ctx, func(tx *db.Tx) error { return setTokenUsed(ctx, tx.Q, t.ID, now) })
	}
	return t.principal(), true, err
}

// IsValid reports whether the token of a principal that Find returned is still valid. A call that
// lasts, such as a stream, has to check this repeatedly.
func (s *Tokens) IsValid(ctx context.Context, p Principal) (bool, error) {
	if p.ID == 0 {
		return p.Kind == audit.Token, nil // the token of the settings, which no running process changes
	}
	t, exists, err := findTokenByID(ctx, s.db.Read(), p.ID)
	return exists && t.IsValid(s.clock.Now()), err
}

// Sweep deletes tokens a year after their end.
func (s *Tokens) Sweep(ctx context.Context) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error { return deleteOldTokens(ctx, tx.Q, s.clock.Now().Add(-tokenTerm)) })
}

// hashToken returns what is stored of a secret. A secret is random and long, so that it needs no salt.
func hashToken(secret string) []byte {
	hash := sha256.Sum256([]byte(secret))
	return hash[:]
}

// ParseRights returns the rights of a list with commas or spaces between. "usual" stands for
// [UsualRights].
func ParseRights(list string) (Rights, error) {
	var rights Rights
	for _, name := range splitList(list) {
		switch {
		case name == "usual":
			rights = append(rights, UsualRights()...)
		case AllRights().Has(Right(name)):
			rights = append(rights, Right(name))
		default:
			return nil, fmt.Errorf("there is no right %q; there are: %s, and usual for all but %s", name, JoinRights(AllRights()), SignInCustomers)
		}
	}
	return rights, nil
}

// ParseShops returns the ids of a list with commas or spaces between.
func ParseShops(list string) ([]int64, error) {
	var shops []int64
	for _, text := range splitList(list) {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id < 1 {
			return nil, fmt.Errorf("%q is not the id of a shop", text)
		}
		shops = append(shops, id)
	}
	return shops, nil
}

// splitList returns the parts of a list with commas or spaces between.
func splitList(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// JoinShops returns the list that [ParseShops] reads.
func JoinShops(shops []int64) string {
	texts := make([]string, len(shops))
	for i, id := range shops {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(texts, " ")
}

// JoinRights returns the list that [ParseRights] reads.
func JoinRights(rights Rights) string {
	texts := make([]string, len(rights))
	for i, right := range rights {
		texts[i] = string(right)
	}
	return strings.Join(texts, " ")
}
