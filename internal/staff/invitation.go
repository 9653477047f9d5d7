package staff

import (
	"context"
	"crypto/rand"
	"strings"
	"unicode/utf8"

	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/fault"
)

const (
	// LeastPassword is how many characters a password has at least.
	LeastPassword = 10
	// MostPassword is how many characters a password has at most.
	MostPassword = 128
	// recoveryCodes is how many recovery codes an account gets: each can be entered once in place of a code of
	// the app, as when the phone with the app is lost.
	recoveryCodes = 8
)

// InvitationPath is the path of the page on which a person accepts an invitation. The invitation stands
// behind it as the fragment of the address, which browsers do not send.
const InvitationPath = "/staff/invitation"

// Offer is what an invitation offers: a secret for an app that makes codes.
type Offer struct {
	Login, Name string
	// Secret is in base32; URL has it as apps read it from a QR code.
	Secret, URL string
}

// invitationOver returns staff.invitation_over (NotFound).
func invitationOver() error { return fault.New(fault.NotFound, "staff.invitation_over") }

// OpenInvitation returns what an invitation offers. Each call offers a new secret, and only the last one can
// be accepted. It returns staff.invitation_over (NotFound) for one that was used, replaced or never made.
func (s *Service) OpenInvitation(ctx context.Context, invitation string) (Offer, error) {
	var offer Offer
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		a, exists, err := findInvited(ctx, tx.Q, hashSecret(invitation), s.clock.Now())
		if err != nil {
			return err
		}
		if !exists {
			return invitationOver()
		}
		secret, url, err := newTOTP(a.Login)
		if err != nil {
			return err
		}
		offer = Offer{Login: a.Login, Name: a.Name, Secret: secret, URL: url}
		if err := offerTOTP(ctx, tx.Q, a.ID, hashSecret(invitation), secret); err != nil {
			return err
		}
		if a.secrets.newTOTP != "" {
			return nil // it was opened before, which is in the log already
		}
		ctx := audit.With(ctx, a.origin(audit.From(ctx).Call))
		return audit.Record(ctx, tx, audit.Entry{
			Site: a.Site, Subject: "staff", ID: a.Login, Before: audit.Fields{"opened": false}, After: audit.Fields{"opened": true},
		}, s.clock.Now())
	})
	return offer, err
}

// AcceptInvitation sets the password of an account and the secret that OpenInvitation has offered; code
// must be the present code of that secret. It ends the sessions and shifts of the account, removes its passkeys and
// returns new recovery codes; each can be entered once in place of a code. The invitation cannot be used
// again. A call counts as a failure before its code is compared, and no longer once it has succeeded, so
// that codes cannot be guessed. Faults:
// staff.invitation_over (NotFound); common.invalid (Invalid) with staff.password_length at password or
// staff.wrong_code at code; common.too_many_requests (TooMany).
func (s *Service) AcceptInvitation(ctx context.Context, invitation, password, code string) (recovery []string, err error) {
	hash := hashSecret(invitation)
	a, exists, err := findInvited(ctx, s.db.Read(), hash, s.clock.Now())
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, invitationOver()
	}
	if n := utf8.RuneCountInString(password); n < LeastPassword || n > MostPassword {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("password", "staff.password_length", fault.Args{"min": LeastPassword, "max": MostPassword}))
	}
	counted := counters{{"invitation " + string(hash), maxFailures}}
	if err := s.countFailure(ctx, counted); err != nil {
		return nil, err
	}
	const noStep = 0 // no code of the new secret was used yet
	step, isRight := matchTOTP(a.secrets.newTOTP, code, s.clock.Now(), noStep)
	if !isRight {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("code", "staff.wrong_code"))
	}
	stored, err := s.hashPassword(ctx, password)
	if err != nil {
		return nil, err
	}
	recovery, hashes := newRecovery()
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		isFirst, err := acceptInvitation(ctx, tx.Q, a.ID, hash, secrets{password: stored, step: step, recovery: hashes})
		if err != nil {
			return err
		}
		if !isFirst {
			return invitationOver()
		}
		if _, _, err := endWork(ctx, tx, a.ID, s.clock.Now()); err != nil {
			return err
		}
		if err := deletePasskeys(ctx, tx.Q, a.ID); err != nil {
			return err
		}
		ctx := audit.With(ctx, a.origin(audit.From(ctx).Call))
		return audit.Record(ctx, tx, audit.Entry{
			Site: a.Site, Subject: "staff", ID: a.Login, Before: audit.Fields{"has_password": a.HasPassword, "invited": true}, After: audit.Fields{"has_password": true, "invited": false},
		}, s.clock.Now())
	})
	if err != nil {
		return nil, err
	}
	return recovery, s.uncountFailure(ctx, counted)
}

// newRecovery returns new recovery codes and the list of their hashes.
func newRecovery() (codes []string, hashes string) {
	list := make([]string, recoveryCodes)
	for range recoveryCodes {
		codes = append(codes, strings.ToLower(rand.Text()[:16]))
	}
	for i, code := range codes {
		list[i] = hashRecovery(code)
	}
	return codes, strings.Join(list, " ")
}
