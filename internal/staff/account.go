package staff

import (
	"context"
	"time"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/db"
)

// invitationPrefix begins each invitation.
const invitationPrefix = "invite_"

// Add stores an account with login, name, role and scope of a, and returns the invitation that opens
// it. It returns [ErrLogin], [ErrName], [ErrRole], [ErrScope] or [ErrExists]. Brand and shops must
// exist.
func (s *Service) Add(ctx context.Context, a Account) (invitation string, err error) {
	a.Login = cleanLogin(a.Login)
	if err := a.check(); err != nil {
		return "", err
	}
	invitation = newSecret(invitationPrefix)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		isNew, err := insertAccount(ctx, tx.Q, a, hashSecret(invitation), now.Add(InvitationLife), now)
		if err != nil {
			return err
		}
		if !isNew {
			return ErrExists
		}
		return audit.Record(ctx, tx, audit.Entry{Site: a.Site, Subject: "staff", ID: a.Login, After: a.fields()}, now)
	})
	return invitation, err
}

// Invite returns a new invitation and ends an older one. Accepting the invitation replaces password, codes
// and recovery codes. It returns [ErrNone] for an unknown login.
func (s *Service) Invite(ctx context.Context, login string) (invitation string, err error) {
	invitation = newSecret(invitationPrefix)
	err = s.change(ctx, login, func(tx *db.Tx, a Account, now time.Time) error {
		if err := setInvitation(ctx, tx.Q, a.Login, hashSecret(invitation), now.Add(InvitationLife)); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Site: a.Site, Subject: "staff", ID: a.Login, Before: audit.Fields{"invited": a.IsInvited}, After: audit.Fields{"invited_until": now.Add(InvitationLife).UTC().Format(time.RFC3339)},
		}, now)
	})
	return invitation, err
}

// Remove removes an account with its sessions, secrets and passkeys. It returns [ErrNone] for an unknown login.
func (s *Service) Remove(ctx context.Context, login string) error {
	return s.change(ctx, login, func(tx *db.Tx, a Account, now time.Time) error {
		if _, _, err := endWork(ctx, tx, a.ID, now); err != nil {
			return err
		}
		if err := deletePasskeys(ctx, tx.Q, a.ID); err != nil {
			return err
		}
		if err := removeAccount(ctx, tx.Q, a.ID, now); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Site: a.Site, Subject: "staff", ID: a.Login, Before: audit.Fields{"removed": false}, After: audit.Fields{"removed": true},
		}, now)
	})
}

// SignOut ends all sessions of an account and its shifts at devices, and returns how many there were. It
// returns [ErrNone] for an unknown login.
func (s *Service) SignOut(ctx context.Context, login string) (sessions, shifts int64, err error) {
	err = s.change(ctx, login, func(tx *db.Tx, a Account, now time.Time) error {
		if sessions, shifts, err = endWork(ctx, tx, a.ID, now); err != nil || sessions+shifts == 0 {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Site: a.Site, Subject: "staff", ID: a.Login,
			Before: audit.Fields{"sessions": sessions, "shifts": shifts}, After: audit.Fields{"sessions": 0, "shifts": 0},
		}, now)
	})
	return sessions, shifts, err
}

// endWork ends all sessions of an account and its shifts at devices, and returns how many there were.
func endWork(ctx context.Context, tx *db.Tx, accountID int64, now time.Time) (sessions, shifts int64, err error) {
	if sessions, err = deleteSessions(ctx, tx.Q, accountID); err != nil {
		return 0, 0, err
	}
	shifts, err = endShifts(ctx, tx.Q, accountID, now)
	return sessions, shifts, err
}

// change calls do with the account of the login in a transaction. It returns [ErrNone] for an unknown
// login.
func (s *Service) change(ctx context.Context, login string, do func(tx *db.Tx, a Account, now time.Time) error) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		a, exists, err := findAccount(ctx, tx.Q, cleanLogin(login), now)
		if err != nil {
			return err
		}
		if !exists {
			return ErrNone
		}
		return do(tx, a, now)
	})
}

// List returns all accounts in the order of their logins.
func (s *Service) List(ctx context.Context) ([]Account, error) {
	return listAccounts(ctx, s.db.Read(), s.clock.Now())
}

// Sweep deletes accounts a year after their removal, sessions that are over, requests to
// browsers that were not answered, and old counts of failures.
func (s *Service) Sweep(ctx context.Context) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error { return deleteOld(ctx, tx.Q, s.clock.Now()) })
}

// principal returns who makes calls by a session of the account.
func (a Account) principal(sessionID int64) access.Principal {
	return access.Principal{
		Scope: a.Scope, Kind: audit.Staff, ID: a.ID, SessionID: sessionID, Name: a.Login, Person: a.Name, Role: a.Role, Rights: a.Role.Rights(),
	}
}
