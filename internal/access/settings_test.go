package access_test

import (
	"errors"
	"testing"
	"time"

	"servery/internal/access"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

const (
	long, longer = "operator-token-of-the-kitchen", "another-token-of-the-kitchen"
	short, other = "swordfish", "marlin-marlin"
)

var fake = clock.NewFake(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC))

// expectAccept fails the test unless accepting the token returns want, and wantShort when want is nil.
func expectAccept(t *testing.T, d *db.DB, token string, wantShort bool, want error) {
	t.Helper()
	isShort, err := access.AcceptToken(t.Context(), d, fake, token)
	if !errors.Is(err, want) || err == nil && isShort != wantShort {
		t.Errorf("%s: short %v, %v", token, isShort, err)
	}
}

func TestAcceptToken_refusesAShortTokenThatIsNew(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		expectAccept(t, d, short, true, access.ErrShortToken)
		expectAccept(t, d, long[:23], true, access.ErrShortToken)
		expectAccept(t, d, long[:24], false, nil)
		for _, token := range []string{long, long, longer} {
			expectAccept(t, d, token, false, nil)
		}
		expectAccept(t, d, short, true, access.ErrShortToken)
	})
}

func TestAcceptToken_letsTheShortTokenInUseGoOnUntilItIsChanged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "INSERT INTO secret (name, value, created_at) VALUES ($1, $2, $3)", "operator token", []byte{}, fake.Now())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			expectAccept(t, d, short, true, nil)
			expectAccept(t, d, other, true, access.ErrShortToken)
		}
		expectAccept(t, d, long, false, nil)
		expectAccept(t, d, short, true, access.ErrShortToken)
	})
}
