package operator

import (
	"context"
	"encoding/json"
	"fmt"

	"servery/internal/access"
	"servery/internal/server/wire"
	"servery/internal/staff"
)

// OperatorBeginPasskey is POST /operator/sign-in/passkeys/begin: it stores and returns a request to the
// browser to make a passkey for the caller, in place of an earlier request.
func (c *Calls) OperatorBeginPasskey(ctx context.Context, _ wire.OperatorBeginPasskeyRequestObject) (wire.OperatorBeginPasskeyResponseObject, error) {
	begun, err := c.staff.BeginPasskey(ctx, access.From(ctx), c.origin(ctx))
	if err != nil {
		return nil, err
	}
	w, err := toWireCeremony(begun)
	return wire.OperatorBeginPasskey200JSONResponse(w), err
}

// OperatorAddPasskey is POST /operator/sign-in/passkeys: it stores the passkey that the caller's browser has
// made.
func (c *Calls) OperatorAddPasskey(ctx context.Context, req wire.OperatorAddPasskeyRequestObject) (wire.OperatorAddPasskeyResponseObject, error) {
	b := req.Body
	err := c.staff.AddPasskey(ctx, access.From(ctx), c.origin(ctx), b.Ceremony, b.Name, []byte(b.Credential))
	return wire.OperatorAddPasskey200JSONResponse{}, err
}

// OperatorListPasskeys is GET /operator/sign-in/passkeys: it returns the passkeys of the caller's account,
// the newest first; none for a token.
func (c *Calls) OperatorListPasskeys(ctx context.Context, _ wire.OperatorListPasskeysRequestObject) (wire.OperatorListPasskeysResponseObject, error) {
	p := access.From(ctx)
	answer := wire.OperatorListPasskeys200JSONResponse{Passkeys: []wire.StaffPasskey{}}
	if p.SessionID == 0 {
		return answer, nil
	}
	passkeys, err := c.staff.Passkeys(ctx, p.ID)
	for _, k := range passkeys {
		shown := wire.StaffPasskey{ID: k.ID, Name: k.Name, CreatedAt: k.CreatedAt}
		if !k.UsedAt.IsZero() {
			shown.UsedAt = &k.UsedAt
		}
		answer.Passkeys = append(answer.Passkeys, shown)
	}
	return answer, err
}

// OperatorRemovePasskey is DELETE /operator/sign-in/passkeys/{id}: it removes a passkey of the caller's
// account. Sessions that began with it go on.
func (c *Calls) OperatorRemovePasskey(ctx context.Context, req wire.OperatorRemovePasskeyRequestObject) (wire.OperatorRemovePasskeyResponseObject, error) {
	return wire.OperatorRemovePasskey200JSONResponse{}, c.staff.RemovePasskey(ctx, access.From(ctx), req.ID)
}

// OperatorBeginPasskeySignIn is POST /operator/sign-in/passkey/begin: it stores and returns a request to the
// browser to sign in with a passkey.
func (c *Calls) OperatorBeginPasskeySignIn(
	ctx context.Context, _ wire.OperatorBeginPasskeySignInRequestObject,
) (wire.OperatorBeginPasskeySignInResponseObject, error) {
	address, _ := c.caller(ctx)
	begun, err := c.staff.BeginPasskeySignIn(ctx, c.origin(ctx), address)
	if err != nil {
		return nil, err
	}
	w, err := toWireCeremony(begun)
	return wire.OperatorBeginPasskeySignIn200JSONResponse(w), err
}

// OperatorSignInWithPasskey is POST /operator/sign-in/passkey: it begins a session of a member of staff by
// what their browser has signed, and returns its token.
func (c *Calls) OperatorSignInWithPasskey(
	ctx context.Context, req wire.OperatorSignInWithPasskeyRequestObject,
) (wire.OperatorSignInWithPasskeyResponseObject, error) {
	address, browser := c.caller(ctx)
	token, begun, p, err := c.staff.SignInWithPasskey(ctx, c.origin(ctx), req.Body.Ceremony, []byte(req.Body.Credential), staff.SignIn{
		Address: address, Browser: browser,
	})
	if err != nil {
		return nil, err
	}
	return wire.OperatorSignInWithPasskey200JSONResponse{Token: token, SessionID: begun.ID, ExpiresAt: begun.ExpiresAt, Self: toWireSelf(p)}, nil
}

// toWireCeremony converts a ceremony: its secret, and the request to the browser that it begins with.
func toWireCeremony(begun staff.Ceremony) (wire.PasskeyCeremony, error) {
	w := wire.PasskeyCeremony{Ceremony: begun.Secret}
	if err := json.Unmarshal(begun.Options, &w.Options); err != nil {
		return w, fmt.Errorf("read the options of a passkey: %w", err)
	}
	return w, nil
}
