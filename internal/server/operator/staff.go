package operator

import (
	"context"

	"servery/internal/access"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/staff"
)

// OperatorSignIn is POST /operator/sign-in: it begins a session of a member of staff by password and code,
// and returns its token.
func (c *Calls) OperatorSignIn(ctx context.Context, req wire.OperatorSignInRequestObject) (wire.OperatorSignInResponseObject, error) {
	address, browser := c.caller(ctx)
	token, begun, p, err := c.staff.SignIn(ctx, staff.SignIn{
		Login: req.Body.Login, Password: req.Body.Password, Code: req.Body.Code, Address: address, Browser: browser,
	})
	if err != nil {
		return nil, err
	}
	return wire.OperatorSignIn200JSONResponse{Token: token, SessionID: begun.ID, ExpiresAt: begun.ExpiresAt, Self: toWireSelf(p)}, nil
}

// OperatorOpenInvitation is POST /operator/sign-in/invitation: it returns what an invitation is for, with a
// new secret for the codes of the account, in place of the secret that it has returned before.
func (c *Calls) OperatorOpenInvitation(
	ctx context.Context, req wire.OperatorOpenInvitationRequestObject,
) (wire.OperatorOpenInvitationResponseObject, error) {
	offer, err := c.staff.OpenInvitation(ctx, req.Body.Invitation)
	if err != nil {
		return nil, err
	}
	picture, err := drawQR(offer.URL)
	return wire.OperatorOpenInvitation200JSONResponse{
		Login: offer.Login, Name: offer.Name, TotpSecret: offer.Secret, TotpURL: offer.URL, TotpQr: picture,
	}, err
}

// OperatorAcceptInvitation is POST /operator/sign-in/invitation/accept: it sets the password of an invited
// account and the secret of its sign-in codes, which the code in the request proves. It ends the account's
// sessions, removes its passkeys and returns new recovery codes. The invitation cannot be used again.
func (c *Calls) OperatorAcceptInvitation(
	ctx context.Context, req wire.OperatorAcceptInvitationRequestObject,
) (wire.OperatorAcceptInvitationResponseObject, error) {
	recovery, err := c.staff.AcceptInvitation(ctx, req.Body.Invitation, req.Body.Password, req.Body.Code)
	return wire.OperatorAcceptInvitation200JSONResponse{RecoveryCodes: recovery}, err
}

// OperatorGetSelf is GET /operator/sign-in/self: it returns who the caller is, with their rights and scope.
func (c *Calls) OperatorGetSelf(ctx context.Context, _ wire.OperatorGetSelfRequestObject) (wire.OperatorGetSelfResponseObject, error) {
	return wire.OperatorGetSelf200JSONResponse(toWireSelf(access.From(ctx))), nil
}

// OperatorListSessions is GET /operator/sign-in/sessions: it returns the valid sessions of the caller's
// account, the newest first; none for a token.
func (c *Calls) OperatorListSessions(ctx context.Context, _ wire.OperatorListSessionsRequestObject) (wire.OperatorListSessionsResponseObject, error) {
	p := access.From(ctx)
	answer := wire.OperatorListSessions200JSONResponse{Sessions: []wire.StaffSession{}}
	if p.SessionID == 0 {
		return answer, nil
	}
	sessions, err := c.staff.Sessions(ctx, p.ID)
	for _, s := range sessions {
		answer.Sessions = append(answer.Sessions, wire.StaffSession{
			ID: s.ID, Browser: s.Browser, CreatedAt: s.CreatedAt, SeenAt: s.SeenAt, ExpiresAt: s.ExpiresAt, IsCurrent: s.ID == p.SessionID,
		})
	}
	return answer, err
}

// OperatorEndSession is DELETE /operator/sign-in/sessions/{id}: it ends a session of the caller's account,
// which may be the session of the call itself.
func (c *Calls) OperatorEndSession(ctx context.Context, req wire.OperatorEndSessionRequestObject) (wire.OperatorEndSessionResponseObject, error) {
	return wire.OperatorEndSession200JSONResponse{}, c.staff.EndSession(ctx, access.From(ctx), req.ID)
}

// toWireSelf converts who makes a call.
func toWireSelf(p access.Principal) wire.OperatorSelf {
	w := wire.OperatorSelf{
		Kind: wire.OperatorSelfKind(p.Kind), Name: p.Name, Person: convert.OrNil(p.Person), Role: convert.OrNil(string(p.Role)), Site: convert.OrNil(p.Site),
		Rights: make([]string, len(p.Rights)),
	}
	if len(p.Shops) > 0 {
		w.Shops = &p.Shops
	}
	for i, right := range p.Rights {
		w.Rights[i] = string(right)
	}
	return w
}
