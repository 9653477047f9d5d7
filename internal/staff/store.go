package staff

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/access"
	"servery/internal/db"
	"servery/internal/db/gen"
)

// insertAccount stores an account with the hash of its invitation, which holds until the instant. isNew is
// false, and nothing is stored, when an account in use has the login.
func insertAccount(ctx context.Context, q *gen.Queries, a Account, invitation []byte, until, now time.Time) (isNew bool, err error) {
	rows, err := q.InsertStaffAccount(ctx, gen.InsertStaffAccountParams{
		Login: a.Login, Name: a.Name, Role: string(a.Role), Site: a.Site, Shops: access.JoinShops(a.Shops),
		InvitationHash: invitation, InvitationUntil: instant(until), Now: now,
	})
	return rows == 1, wrap("store an account", err)
}

// findAccount returns the account of the login, and false when there is none.
func findAccount(ctx context.Context, q *gen.Queries, login string, now time.Time) (Account, bool, error) {
	row, err := q.FindStaffAccount(ctx, login)
	return readAccount(row, err, now)
}

// findInvited returns the account of the invitation, and false when there is none in force.
func findInvited(ctx context.Context, q *gen.Queries, invitation []byte, now time.Time) (Account, bool, error) {
	row, err := q.FindInvitedStaff(ctx, gen.FindInvitedStaffParams{Hash: invitation, Now: instant(now)})
	return readAccount(row, err, now)
}

// listAccounts returns all accounts. now decides which of them still have an invitation in force.
func listAccounts(ctx context.Context, q *gen.Queries, now time.Time) ([]Account, error) {
	rows, err := q.ListStaffAccounts(ctx)
	if err != nil {
		return nil, wrap("list accounts", err)
	}
	accounts := make([]Account, len(rows))
	for i, row := range rows {
		if accounts[i], _, err = readAccount(row, nil, now); err != nil {
			return nil, err
		}
	}
	return accounts, nil
}

// readAccount returns the account of a row that a query returned with err, and false for [db.ErrNotFound].
func readAccount(row gen.StaffAccount, err error, now time.Time) (Account, bool, error) {
	if errors.Is(err, db.ErrNotFound) {
		return Account{}, false, nil
	}
	if err != nil {
		return Account{}, false, wrap("find an account", err)
	}
	shops, err := access.ParseShops(row.Shops)
	if err != nil {
		return Account{}, false, fmt.Errorf("read the shops of account %d: %w", row.ID, err)
	}
	return Account{
		Scope: access.Scope{Site: row.Site, Shops: shops}, ID: row.ID, Login: row.Login, Name: row.Name, Role: access.Role(row.Role),
		CreatedAt: row.CreatedAt, HasPassword: row.Password != "", IsInvited: row.InvitationHash != nil && now.Before(row.InvitationUntil.Time),
		secrets: secrets{password: row.Password, totp: row.TotpSecret, newTOTP: row.NewTotp, recovery: row.Recovery, step: row.TotpStep},
	}, true, nil
}

// setInvitation stores the hash of a new invitation of the account with the login, and deletes the secret
// that was offered with an earlier one.
func setInvitation(ctx context.Context, q *gen.Queries, login string, hash []byte, until time.Time) error {
	_, err := q.InviteStaff(ctx, gen.InviteStaffParams{Login: login, Hash: hash, Until: instant(until)})
	return wrap("store an invitation", err)
}

// offerTOTP stores the secret for codes that is offered with an invitation, in place of an earlier one.
func offerTOTP(ctx context.Context, q *gen.Queries, id int64, invitation []byte, secret string) error {
	return wrap("store a secret for codes", q.OfferStaffTOTP(ctx, gen.OfferStaffTOTPParams{ID: id, Hash: invitation, Secret: secret}))
}

// acceptInvitation stores password, recovery codes and step of s, makes the secret that was offered last the
// account's, and ends the invitation. It reports false, and stores nothing, when the invitation is used.
func acceptInvitation(ctx context.Context, q *gen.Queries, id int64, invitation []byte, s secrets) (isFirst bool, err error) {
	rows, err := q.AcceptStaffInvitation(ctx, gen.AcceptStaffInvitationParams{
		ID: id, Hash: invitation, Password: s.password, Step: s.step, Recovery: s.recovery,
	})
	return rows == 1, wrap("accept an invitation", err)
}

// removeAccount marks an account as removed and deletes its secrets. The row stays.
func removeAccount(ctx context.Context, q *gen.Queries, id int64, now time.Time) error {
	_, err := q.RemoveStaffAccount(ctx, gen.RemoveStaffAccountParams{ID: id, Now: instant(now)})
	return wrap("remove an account", err)
}

// useStep stores the step of a code, and reports false when that step or a later one was used.
func useStep(ctx context.Context, q *gen.Queries, id, step int64) (isUnused bool, err error) {
	rows, err := q.UseStaffCode(ctx, gen.UseStaffCodeParams{ID: id, Step: step})
	return rows == 1, wrap("use a code", err)
}

// useRecovery stores the recovery codes that are left, and reports false when another call was first.
func useRecovery(ctx context.Context, q *gen.Queries, id int64, was, became string) (isUnused bool, err error) {
	rows, err := q.UseStaffRecovery(ctx, gen.UseStaffRecoveryParams{ID: id, Was: was, Became: became})
	return rows == 1, wrap("use a recovery code", err)
}

// insertSession stores a session of an account with the hash of its token, and returns its id.
func insertSession(ctx context.Context, q *gen.Queries, accountID int64, hash []byte, s Session) (int64, error) {
	id, err := q.InsertStaffSession(ctx, gen.InsertStaffSessionParams{
		Hash: hash, AccountID: accountID, Browser: s.Browser, Now: s.CreatedAt, ExpiresAt: s.ExpiresAt,
	})
	return id, wrap("store a session", err)
}

// findSession returns the session with the hash and its account, and false when there is none.
func findSession(ctx context.Context, q *gen.Queries, hash []byte) (Session, Account, bool, error) {
	row, err := q.FindStaffSession(ctx, hash)
	if errors.Is(err, db.ErrNotFound) {
		return Session{}, Account{}, false, nil
	}
	if err != nil {
		return Session{}, Account{}, false, wrap("find a session", err)
	}
	shops, err := access.ParseShops(row.Shops)
	return Session{ID: row.ID, SeenAt: row.SeenAt, ExpiresAt: row.ExpiresAt}, Account{
		Scope: access.Scope{Site: row.Site, Shops: shops}, ID: row.AccountID, Login: row.Login, Name: row.Name, Role: access.Role(row.Role),
	}, err == nil, wrap("read the shops of an account", err)
}

// getSession returns a session of an account, and false when there is none.
func getSession(ctx context.Context, q *gen.Queries, id, accountID int64) (Session, bool, error) {
	row, err := q.GetStaffSession(ctx, gen.GetStaffSessionParams{ID: id, AccountID: accountID})
	if errors.Is(err, db.ErrNotFound) {
		return Session{}, false, nil
	}
	return Session{ID: row.ID, SeenAt: row.SeenAt, ExpiresAt: row.ExpiresAt}, err == nil, wrap("find a session", err)
}

// listSessions returns the sessions of an account, the newest first.
func listSessions(ctx context.Context, q *gen.Queries, accountID int64) ([]Session, error) {
	rows, err := q.ListStaffSessions(ctx, accountID)
	sessions := make([]Session, len(rows))
	for i, row := range rows {
		sessions[i] = Session(row)
	}
	return sessions, wrap("list sessions", err)
}

func setSeen(ctx context.Context, q *gen.Queries, id int64, now time.Time) error {
	return wrap("store the use of a session", q.SetStaffSessionSeen(ctx, gen.SetStaffSessionSeenParams{ID: id, Now: now}))
}

// deleteSession deletes a session of an account, and reports false when there is none.
func deleteSession(ctx context.Context, q *gen.Queries, id, accountID int64) (existed bool, err error) {
	rows, err := q.DeleteStaffSession(ctx, gen.DeleteStaffSessionParams{ID: id, AccountID: accountID})
	return rows == 1, wrap("end a session", err)
}

// deleteSessions deletes all sessions of an account, and returns how many.
func deleteSessions(ctx context.Context, q *gen.Queries, accountID int64) (ended int64, err error) {
	ended, err = q.DeleteStaffSessions(ctx, accountID)
	return ended, wrap("end sessions", err)
}

// countFailure counts an attempt under a key, and returns the count with the instant that it began. A count
// that began before the instant over begins again.
func countFailure(ctx context.Context, q *gen.Queries, key []byte, now, over time.Time) (count int64, since time.Time, err error) {
	row, err := q.CountStaffFailure(ctx, gen.CountStaffFailureParams{Key: key, Now: now, Over: over})
	return row.Count, row.Since, wrap("count an attempt", err)
}

// uncountFailure takes one attempt back from the count of a key.
func uncountFailure(ctx context.Context, q *gen.Queries, key []byte) error {
	return wrap("uncount an attempt", q.UncountStaffFailure(ctx, key))
}

// deleteOld deletes what is over its term.
func deleteOld(ctx context.Context, q *gen.Queries, now time.Time) error {
	err := errors.Join(
		q.DeleteOldStaffAccounts(ctx, instant(now.Add(-accountTerm))),
		q.DeleteOldStaffSessions(ctx, gen.DeleteOldStaffSessionsParams{Now: now, IdleSince: now.Add(-sessionIdle)}),
		q.DeleteOldStaffDevices(ctx, gen.DeleteOldStaffDevicesParams{Before: instant(now.Add(-deviceTerm)), CodeBefore: now}),
		q.DeleteOldStaffFailures(ctx, now.Add(-24*time.Hour)),
		q.DeleteOldStaffChallenges(ctx, now),
	)
	return wrap("delete old accounts and sessions", err)
}

// instant returns a time for a column that may be NULL.
func instant(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: true} }

// wrap returns the error with what was done; nil for nil.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
