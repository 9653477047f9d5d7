package staff

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"servery/internal/access"
	"servery/internal/db"
	"servery/internal/db/gen"
)

// getAccount returns the account with the id, and false when there is none.
func getAccount(ctx context.Context, q *gen.Queries, id int64, now time.Time) (Account, bool, error) {
	row, err := q.GetStaffAccount(ctx, id)
	return readAccount(row, err, now)
}

// findOwner returns the account of a principal with its passkeys.
func findOwner(ctx context.Context, q *gen.Queries, p access.Principal) (owner, error) {
	passkeys, err := listPasskeys(ctx, q, p.ID)
	return owner{id: p.ID, login: p.Name, name: p.Person, passkeys: passkeys}, err
}

// insertChallenge stores a request to a browser, in place of an earlier one for the same account; those of
// noAccount all stay.
func insertChallenge(ctx context.Context, q *gen.Queries, hash []byte, accountID int64, asked *webauthn.SessionData, until time.Time) error {
	data, err := json.Marshal(asked)
	if err != nil {
		return wrap("write a request to a browser", err)
	}
	err = q.InsertStaffChallenge(ctx, gen.InsertStaffChallengeParams{Hash: hash, AccountID: accountID, Data: string(data), ExpiresAt: until})
	return wrap("store a request to a browser", err)
}

// takeChallenge deletes a request to a browser and returns it; false when it was answered, is over or is of
// another account.
func takeChallenge(ctx context.Context, q *gen.Queries, hash []byte, accountID int64, now time.Time) (asked webauthn.SessionData, exists bool, err error) {
	data, err := q.TakeStaffChallenge(ctx, gen.TakeStaffChallengeParams{Hash: hash, AccountID: accountID, Now: now})
	if errors.Is(err, db.ErrNotFound) {
		return asked, false, nil
	}
	if err != nil {
		return asked, false, wrap("find a request to a browser", err)
	}
	return asked, true, wrap("read a request to a browser", json.Unmarshal([]byte(data), &asked))
}

// deleteChallenges deletes the requests to the browsers of an account.
func deleteChallenges(ctx context.Context, q *gen.Queries, accountID int64) error {
	return wrap("end a request to a browser", q.DeleteStaffChallenges(ctx, accountID))
}

// insertPasskey stores a passkey, and reports false when it is stored already.
func insertPasskey(ctx context.Context, q *gen.Queries, accountID int64, p Passkey) (isNew bool, err error) {
	credential, err := json.Marshal(p.credential)
	if err != nil {
		return false, wrap("write a passkey", err)
	}
	rows, err := q.InsertStaffPasskey(ctx, gen.InsertStaffPasskeyParams{
		AccountID: accountID, CredentialID: p.credential.ID, Credential: string(credential), Name: p.Name, Now: p.CreatedAt,
	})
	return rows == 1, wrap("store a passkey", err)
}

// listPasskeys returns the passkeys of an account, the newest first.
func listPasskeys(ctx context.Context, q *gen.Queries, accountID int64) ([]Passkey, error) {
	rows, err := q.ListStaffPasskeys(ctx, accountID)
	if err != nil {
		return nil, wrap("list passkeys", err)
	}
	passkeys := make([]Passkey, len(rows))
	for i, row := range rows {
		passkeys[i] = Passkey{ID: row.ID, Name: row.Name, CreatedAt: row.CreatedAt, UsedAt: row.UsedAt.Time}
		if err := json.Unmarshal([]byte(row.Credential), &passkeys[i].credential); err != nil {
			return nil, wrap("read a passkey", err)
		}
	}
	return passkeys, nil
}

// usePasskey stores that a passkey was used, and the credential with which it is verified from now on. It
// returns staff.wrong_sign_in (Invalid) for a passkey that is removed.
func usePasskey(ctx context.Context, q *gen.Queries, c webauthn.Credential, now time.Time) error {
	credential, err := json.Marshal(c)
	if err != nil {
		return wrap("write a passkey", err)
	}
	rows, err := q.UseStaffPasskey(ctx, gen.UseStaffPasskeyParams{CredentialID: c.ID, Credential: string(credential), Now: instant(now)})
	if err == nil && rows == 0 {
		return wrongSignIn()
	}
	return wrap("store the use of a passkey", err)
}

func deletePasskey(ctx context.Context, q *gen.Queries, id, accountID int64) (existed bool, err error) {
	rows, err := q.DeleteStaffPasskey(ctx, gen.DeleteStaffPasskeyParams{ID: id, AccountID: accountID})
	return rows == 1, wrap("remove a passkey", err)
}

// deletePasskeys deletes the passkeys of an account and the requests to its browsers.
func deletePasskeys(ctx context.Context, q *gen.Queries, accountID int64) error {
	if err := deleteChallenges(ctx, q, accountID); err != nil {
		return err
	}
	return wrap("remove passkeys", q.DeleteStaffPasskeys(ctx, accountID))
}
