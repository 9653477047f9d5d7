package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/phone"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/vk"
)

// vkClient gives the brand's application at VK ID.
//
// Fault: common.not_found where nobody signs in with VK ID.
func (s *Server) vkClient(ctx context.Context) (*vk.Client, error) {
	st := from(ctx).site
	client := s.Providers.Site(st.Alias).VK
	if client == nil || !st.Settings.IsAuthEnabled || !slices.Contains(st.Settings.NotificationChannels, site.ByVK) {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	return client, nil
}

// StartVk is POST /user/vk/start.
func (s *Server) StartVk(ctx context.Context, _ wire.StartVkRequestObject) (wire.StartVkResponseObject, error) {
	client, err := s.vkClient(ctx)
	if err != nil {
		return nil, err
	}
	session, err := s.ensureSession(ctx)
	if err != nil {
		return nil, err
	}
	in := from(ctx)
	page, err := s.VK.Begin(ctx, client, session.ID, s.siteAddress(in.visitor.r, in.site)+vkCallbackPath, in.lang)
	if err != nil {
		return nil, err
	}
	return wire.StartVk200JSONResponse{URL: page}, nil
}

// errNoPhone says that a VK account has no customer yet and no phone to be one by.
var errNoPhone = errors.New("the vk account needs a phone")

// FinishVk is POST /user/vk/callback. An account that was here before is its customer's;
// a new one is the customer's whose phone VK tells, and waits for a code without one.
func (s *Server) FinishVk(ctx context.Context, req wire.FinishVkRequestObject) (wire.FinishVkResponseObject, error) {
	client, err := s.vkClient(ctx)
	if err != nil {
		return nil, err
	}
	in := from(ctx)
	session, err := s.session(ctx)
	if err != nil {
		return nil, err
	}
	succeed, err := s.trySignIn(ctx)
	if err != nil {
		return nil, err
	}
	user, err := s.VK.Complete(ctx, client, session.ID, vk.Return{Code: req.Body.Code, State: req.Body.State, DeviceID: req.Body.DeviceID})
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			s.log.LogAttrs(ctx, slog.LevelWarn, "no sign-in with vk", slog.String("request_id", in.requestID), slog.Any("cause", cause))
		}
		return nil, err
	}
	succeed()
	var device string
	signed, err := s.Sessions.SignInAs(ctx, in.site.Alias, s.sessionToken(in.visitor.r), func(tx *db.Tx) (int64, error) {
		return s.vkCustomer(ctx, tx, client, user)
	}, s.joinKnown(ctx, &device))
	if errors.Is(err, errNoPhone) {
		if err := s.VK.StorePending(ctx, in.site.Alias, session.ID, user); err != nil {
			return nil, err
		}
		return wire.FinishVk200JSONResponse{PhoneRequired: true}, nil
	}
	if err != nil {
		return nil, err
	}
	s.keepSession(ctx, signed.Session, signed.Token)
	s.keepDevice(ctx, device)
	brief := wireUser(signed.Customer)
	return wire.FinishVk200JSONResponse{User: &brief}, nil
}

// vkCustomer gives whose account it is. VK lets nobody have a phone that he did not prove
// there by a code, so it is believed as ours would be, unless the brand wants its own code.
func (s *Server) vkCustomer(ctx context.Context, tx *db.Tx, client *vk.Client, user vk.User) (int64, error) {
	st := from(ctx).site
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
	return c.ID, s.VK.Link(ctx, tx, st.Alias, user, c.ID)
}

// siteAddress is where a browser finds the site, without a slash at its end. It is made of
// the settings and of content alone: what a caller writes into Host only chooses among
// them.
func (s *Server) siteAddress(r *http.Request, st *site.Site) string {
	host := hostOf(r)
	if !slices.Contains(st.Hosts, host) {
		if s.publicURL != "" && st.Default || len(st.Hosts) == 0 {
			return s.publicURL
		}
		host = st.Hosts[0]
	}
	if port := s.portOf(r); port != "" {
		host = net.JoinHostPort(host, port)
	}
	if strings.HasPrefix(s.publicURL, "https:") || s.proxies.secure(r) {
		return "https://" + host
	}
	return "http://" + host
}

// publicAddress returns where search engines find a brand, without a slash at its end: one
// address whatever host a visitor came by. Without a public address it is empty.
func (s *Server) publicAddress(st *site.Site) string {
	if s.publicURL == "" || st.Default || len(st.Hosts) == 0 {
		return s.publicURL
	}
	scheme, _, _ := strings.Cut(s.publicURL, "://")
	host := st.Hosts[0]
	if s.publicPort != "" {
		host = net.JoinHostPort(host, s.publicPort)
	}
	return scheme + "://" + host
}

// siteHost gives the name in the site's address; empty where neither settings nor content
// name one.
func (s *Server) siteHost(r *http.Request, st *site.Site) string {
	address, err := url.Parse(s.siteAddress(r, st))
	if err != nil {
		return ""
	}
	return address.Hostname()
}
