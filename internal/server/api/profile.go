package api

import (
	"context"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/phone"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// GetUser is GET /user/get: it returns the profile of the signed-in customer.
func (s *Server) GetUser(ctx context.Context, _ wire.GetUserRequestObject) (wire.GetUserResponseObject, error) {
	v, err := s.visits.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.Customers.Profile(ctx, v.Site.Alias, v.CustomerID)
	if err != nil {
		return nil, err
	}
	return wire.GetUser200JSONResponse{User: localizerOf(v).user(p)}, nil
}

// UpdateUser is PUT /user/update: it changes the profile of the signed-in customer, stores their answers to
// consents with the network address of the request, and returns the profile. A field that the request
// leaves out stays.
func (s *Server) UpdateUser(ctx context.Context, req wire.UpdateUserRequestObject) (wire.UpdateUserResponseObject, error) {
	v, err := s.visits.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	city := v.Site.Cities[0] // a brand has at least one
	if req.Body.CityID != nil {
		if city, err = v.City(*req.Body.CityID); err != nil {
			return nil, err
		}
	}
	today := clock.DayOf(v.Now, city.Location)
	p, err := s.Customers.Update(ctx, v.Site.Alias, v.CustomerID, toChange(req.Body, city), today, request.From(ctx).ClientIP)
	if err != nil {
		return nil, err
	}
	return wire.UpdateUser200JSONResponse{User: localizerOf(v).user(p)}, nil
}

// toChange reads a change of a profile. A phone that cannot be read as one of the city is passed on
// as digits.
func toChange(b *wire.UserUpdate, city *site.City) customer.Change {
	c := customer.Change{Name: b.Name, Birthday: b.Birthday, Email: b.Email, Consents: map[customer.Kind]bool{}}
	if b.Phone != nil {
		digits, err := phone.Parse(*b.Phone, city)
		if err != nil {
			digits = phone.Digits(*b.Phone)
		}
		c.Phone = &digits
	}
	if b.Sex != nil {
		sex := customer.Sex(*b.Sex)
		if *b.Sex == wire.UserUpdateSexNone {
			sex = customer.NoSex
		}
		c.Sex = &sex
	}
	if b.IsSubscribed != nil {
		c.Consents[customer.News] = *b.IsSubscribed
	}
	if b.IsPrintFiscalReceipt != nil {
		c.Consents[customer.PaperlessReceipts] = !*b.IsPrintFiscalReceipt
	}
	if b.ConsentVersions != nil {
		c.Versions = make(map[customer.Kind]string, len(*b.ConsentVersions))
		for kind, version := range *b.ConsentVersions {
			c.Versions[customer.Kind(kind)] = version
		}
	}
	return c
}

// user converts a profile, with all consents in their current version.
func (s localizer) user(p customer.Profile) wire.User {
	w := wire.User{
		ID: p.ID, Phone: p.Phone, Name: p.Name, Sex: convert.OrNil(wire.UserSex(p.Sex)), Email: convert.OrNil(p.Email),
		IsSubscribed:         p.Consent(customer.News).IsGiven,
		IsPrintFiscalReceipt: !p.Consent(customer.PaperlessReceipts).IsGiven,
		IsBonusProgramme:     s.Site.HasBonuses(),
	}
	if !p.Birthday.IsZero() {
		w.Birthday = convert.OrNil(customer.BirthdayText(p.Birthday))
	}
	for _, kind := range customer.Kinds() {
		last := p.Consent(kind)
		c := wire.Consent{
			Kind: wire.ConsentKind(kind), Text: s.Message(kind.Text(s.Text(s.Site.Name))), Version: kind.Version(), IsGiven: last.IsGiven,
		}
		if !last.At.IsZero() {
			c.ChangedAt = &last.At
		}
		w.Consents = append(w.Consents, c)
	}
	return w
}
