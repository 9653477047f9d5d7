package api

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/phone"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/vk"
)

// vkClient returns the brand's application at VK ID. It returns common.not_found (NotFound) where the brand
// has no sign-in with VK ID.
func (s *Server) vkClient(ctx context.Context) (*vk.Client, error) {
	st := request.From(ctx).Site
	client := s.Providers.Site(st.Alias).VK
	if client == nil || !st.Settings.IsAuthEnabled || !slices.Contains(st.Settings.NotificationChannels, site.ByVK) {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	return client, nil
}

// StartVk is POST /user/vk/start: it begins a sign-in with VK ID for the session, which it creates if need
// be, and returns the address of VK's page. [Server.FinishVk] completes it.
func (s *Server) StartVk(ctx context.Context, _ wire.StartVkRequestObject) (wire.StartVkResponseObject, error) {
	client, err := s.vkClient(ctx)
	if err != nil {
		return nil, err
	}
	session, err := s.visits.EnsureSessionToSignIn(ctx)
	if err != nil {
		return nil, err
	}
	in := request.From(ctx)
	page, err := s.VK.BeginSignIn(ctx, client, session.ID, s.siteAddresses.Origin(in, in.Site)+VKCallbackPath, in.Lang)
	if err != nil {
		return nil, err
	}
	return wire.StartVk200JSONResponse{URL: page}, nil
}

// VKCallbackPath is where VK ID sends a visitor back to. Opening it changes nothing: the page sends the
// parameters of its address in a call.
const VKCallbackPath = "/auth/vk/callback"

// errNoPhone says that a VK account has no customer yet, and no phone by which one can be found.
var errNoPhone = errors.New("the vk account needs a phone")

// FinishVk is POST /user/vk/callback. It signs in the customer of the VK account. A new account
// is linked to the customer with the phone that VK returns; without a phone it waits until the
// visitor has verified one by a code.
func (s *Server) FinishVk(ctx context.Context, req wire.FinishVkRequestObject) (wire.FinishVkResponseObject, error) {
	client, err := s.vkClient(ctx)
	if err != nil {
		return nil, err
	}
	in := request.From(ctx)
	session, err := s.visits.FindSession(ctx)
	if err != nil {
		return nil, err
	}
	succeed, err := s.countSignIn(ctx)
	if err != nil {
		return nil, err
	}
	user, err := s.VK.CompleteSignIn(ctx, client, session.ID, vk.Return{Code: req.Body.Code, State: req.Body.State, DeviceID: req.Body.DeviceID})
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			s.log.LogAttrs(ctx, slog.LevelWarn, "no sign-in with vk", slog.String("request_id", in.ID), slog.Any("cause", cause))
		}
		return nil, err
	}
	succeed()
	var device string
	signed, err := s.Sessions.SignInAs(ctx, in.Site.Alias, in.Cookie(request.SessionCookie), func(tx *db.Tx) (int64, error) {
		return s.findOrLinkVKCustomer(ctx, tx, client, user)
	}, s.joinAndRememberDevice(ctx, &device))
	if errors.Is(err, errNoPhone) {
		if err := s.VK.StorePending(ctx, in.Site.Alias, session.ID, user); err != nil {
			return nil, err
		}
		return wire.FinishVk200JSONResponse{PhoneRequired: true}, nil
	}
	if err != nil {
		return nil, err
	}
	s.visits.KeepSession(ctx, signed.Session, signed.Token)
	s.visits.KeepDevice(ctx, device)
	brief := wireUser(signed.Customer)
	return wire.FinishVk200JSONResponse{User: &brief}, nil
}

// findOrLinkVKCustomer returns the id of the customer of a VK account. It links a new account to the
// customer with its phone, who is created if need be: VK has confirmed the phone by a code. It returns
// errNoPhone for a new account without a usable phone, and for a new account of a brand that requires its
// own code.
func (s *Server) findOrLinkVKCustomer(ctx context.Context, tx *db.Tx, client *vk.Client, user vk.User) (int64, error) {
	st := request.From(ctx).Site
	id, known, err := s.VK.FindCustomer(ctx, tx, st.Alias, user)
	if err != nil || known {
		return id, err
	}
	digits, err := phone.ParseFull(user.Phone, st)
	if err != nil || client.ConfirmPhone {
		return 0, errNoPhone
	}
	c, err := s.Customers.FindOrCreate(ctx, tx, st.Alias, digits, user.Name)
	if err != nil {
		return 0, err
	}
	return c.ID, s.VK.LinkAccount(ctx, tx, st.Alias, user, c.ID)
}
