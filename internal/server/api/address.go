package api

import (
	"context"
	"math"
	"strconv"
	"strings"

	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/geocoder"
	"servery/internal/server/convert"
	"servery/internal/server/orderwire"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// owner returns the owner of the saved addresses that the visitor sees.
func owner(v visit.Context) geo.Owner {
	return geo.Owner{SessionID: v.SessionID, CustomerID: v.CustomerID, Site: v.Site.Alias}
}

// addressCheck converts an answer of the geocoder to whether its place is delivered to, not delivered to or
// unknown, or nothing but its town is known. A place that is not delivered to comes with the nearest open
// shop, and a street without a house with the message of houseProblem.
func addressCheck(v visit.Context, city *site.City, typed string, answer geo.Answer) wire.AddressCheck {
	s := localizerOf(v)
	if !answer.Found() {
		return wire.AddressCheck{Result: wire.Unknown, Message: convert.OrNil(s.Message(fault.Message{Key: "geo.address_not_found"}))}
	}
	shown := s.Address(v, answer.AddressIn(city.ID), city)
	check := wire.AddressCheck{Result: wire.Available, DeliveryAddress: &shown}
	switch {
	case answer.Precision == geo.AtLocality:
		check.Result = wire.Unknown
		check.Message = convert.OrNil(s.Message(fault.Message{Key: "geo.street_needed"}))
	case !shown.DeliveryPossible:
		check.Result = wire.NotAvailable
		check.Message = convert.OrNil(s.Message(fault.Message{Key: notDelivered(city)}))
		check.NearestShop = s.nearestShop(v, city, answer.Point)
	case answer.Precision == geo.AtStreet:
		check.Message = convert.OrNil(s.Message(fault.Message{Key: houseProblem(typed, answer)}))
	}
	return check
}

// houseProblem returns the key of the message for a typed address of which only the street was found: that it needs a
// house, or that the typed house is not known. A number in the name of the street is no house.
func houseProblem(typed string, street geo.Answer) string {
	if house := geo.HouseIn(typed); house != "" && !strings.Contains(street.Street, house) {
		return "geo.house_unknown"
	}
	return "geo.house_needed"
}

// notDelivered returns the key of the message that an address of the city is not delivered to. It offers takeaway
// where the city has it.
func notDelivered(city *site.City) string {
	if city.Sells(site.Takeaway) {
		return "geo.not_delivered_here"
	}
	return "geo.not_delivered"
}

// nearestShop returns the nearest shop where the food can be fetched now; nil when there is none and where the
// city has no takeaway.
func (s localizer) nearestShop(v visit.Context, city *site.City, from geo.Point) *wire.NearestShop {
	if !city.Sells(site.Takeaway) {
		return nil
	}
	shop, metres, ok := v.Snapshot.Atlas(v.Site).NearestShop(city.ID, from, func(shop *geo.Shop) bool {
		return shop.Takeaway && !shop.Stopped && shop.StateAt(site.Takeaway, v.Now, city.Location).Open
	})
	if !ok {
		return nil
	}
	return &wire.NearestShop{Shop: s.Shop(shop, city, v.Now), Distance: int(math.Round(metres))}
}

// suburbs is how many metres beyond what content says of a city an address still belongs to it.
const suburbs = 25_000

// geocoderOf returns the geocoder that the brand has chosen for the city. Calls to geocoders of other
// companies are limited by network address and by session; above the limit the local geocoder answers.
func (s *Server) geocoderOf(ctx context.Context, v visit.Context, city *site.City) geo.Geocoder {
	address := request.From(ctx).ClientIP
	admit := func() bool {
		if s.geocodesPerAddress.CountCall(address, v.Now) > 0 {
			return false
		}
		return v.SessionID == 0 || s.geocodesPerSession.CountCall(strconv.FormatInt(v.SessionID, 10), v.Now) == 0
	}
	bounds := v.Snapshot.Atlas(v.Site).Bounds(city.ID).Widen(suburbs).Join(boxOf(city))
	return s.geocoders.Of(s.Providers.Site(v.Site.Alias).Geocoders, geocoder.City{
		ID: city.ID, Alias: city.Alias, Name: city.Name, Country: city.CountryCode, Center: centerOf(city), Bounds: bounds,
	}, admit)
}

// SuggestAddresses is POST /geocoder/suggest: it returns addresses of the city that begin like the text, or
// the other city that the text names. It may call geocoders of other companies and changes nothing.
func (s *Server) SuggestAddresses(ctx context.Context, req wire.SuggestAddressesRequestObject) (wire.SuggestAddressesResponseObject, error) {
	v := s.visits.Context(ctx)
	city, err := v.City(req.Body.CityID)
	if err != nil {
		return nil, err
	}
	answer := wire.SuggestAddresses200JSONResponse{Suggestions: []wire.Suggestion{}}
	if answer.OtherCity = findNamedCity(v, city, req.Body.Text); answer.OtherCity != nil {
		return answer, nil
	}
	found, err := s.geocoderOf(ctx, v, city).Suggest(ctx, city.ID, req.Body.Text, v.Lang)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		answer.OtherCity = findMentionedCity(v, city, req.Body.Text)
	}
	for _, f := range found {
		suggestion := wire.Suggestion{Title: f.Title, Subtitle: f.Subtitle, Address: f.Address, HasHouse: f.HasHouse}
		if f.Point.Valid() {
			point := convert.Coordinates(f.Point)
			suggestion.Coordinates = &point
		}
		answer.Suggestions = append(answer.Suggestions, suggestion)
	}
	return answer, nil
}

// locatePin asks the geocoder for the address of a point. typed is an address that the customer entered
// before and that was not found; nil when there is none. With it the answer has the typed address at the
// point, see [geo.Answer.Pinned].
func (s *Server) locatePin(ctx context.Context, v visit.Context, city *site.City, point geo.Point, typed *string) (geo.Answer, error) {
	answer, err := s.geocoderOf(ctx, v, city).At(ctx, city.ID, point, v.Lang)
	if err != nil || typed == nil {
		return answer, err
	}
	clean, err := geo.CleanText(*typed)
	if err != nil {
		return geo.Answer{}, err
	}
	return answer.Pinned(clean, v.Lang), nil
}

// SearchByAddress is POST /geocoder/searchByAddress: it finds the place that a text names and returns
// whether it is delivered to and, when it is not, the nearest shop or the other city that it lies in. It
// saves nothing.
func (s *Server) SearchByAddress(ctx context.Context, req wire.SearchByAddressRequestObject) (wire.SearchByAddressResponseObject, error) {
	v := s.visits.Context(ctx)
	city, err := v.City(req.Body.CityID)
	if err != nil {
		return nil, err
	}
	text, err := geo.CleanText(req.Body.Address)
	if err != nil {
		return nil, err
	}
	if named := findNamedCity(v, city, text); named != nil {
		return wire.SearchByAddress200JSONResponse(offerCity(v, wire.AddressCheck{Result: wire.Unknown}, named)), nil
	}
	answer, err := s.geocoderOf(ctx, v, city).Find(ctx, city.ID, text, v.Lang)
	if err != nil {
		return nil, err
	}
	check := addressCheck(v, city, text, answer)
	if check.Result != wire.Available {
		check = offerCity(v, check, s.findOtherCity(v, city, text, answer))
	}
	return wire.SearchByAddress200JSONResponse(check), nil
}

// SearchByCoordinates is POST /geocoder/searchByCoordinates: it finds the address of a point and returns
// whether it is delivered to and, when it is not, the nearest shop or the other city that it lies in. It
// saves nothing.
func (s *Server) SearchByCoordinates(
	ctx context.Context, req wire.SearchByCoordinatesRequestObject,
) (wire.SearchByCoordinatesResponseObject, error) {
	v := s.visits.Context(ctx)
	city, err := v.City(req.Body.CityID)
	if err != nil {
		return nil, err
	}
	answer, err := s.locatePin(ctx, v, city, convert.Point(req.Body.Coordinates), req.Body.Address)
	if err != nil {
		return nil, err
	}
	// With a typed house the answer is the point, so only a street without a house is left.
	check := addressCheck(v, city, "", answer)
	if check.Result != wire.Available {
		check = offerCity(v, check, findCityAt(v, city, convert.Point(req.Body.Coordinates)))
	}
	return wire.SearchByCoordinates200JSONResponse(check), nil
}

// wireAddresses returns the saved addresses of the visitor, as toWireAddresses does.
func (s *Server) wireAddresses(ctx context.Context, v visit.Context) ([]wire.DeliveryAddress, error) {
	if v.SessionID == 0 {
		return toWireAddresses(v, nil), nil
	}
	saved, err := s.Addresses.List(ctx, owner(v))
	if err != nil {
		return nil, err
	}
	return toWireAddresses(v, saved), nil
}

// toWireAddresses returns those of the visitor's addresses that are in cities that the brand still has, with the
// details that the form of the country has.
func toWireAddresses(v visit.Context, saved []geo.Address) []wire.DeliveryAddress {
	list := []wire.DeliveryAddress{}
	for _, a := range saved {
		// A city that the brand has left is not offered any more.
		if city, ok := v.Site.City(a.CityID); ok {
			list = append(list, localizerOf(v).Address(v, a.In(city.Country.AddressForm()), city))
		}
	}
	return list
}

// ListAddresses is GET /user/addresses: it returns the saved addresses of the visitor.
func (s *Server) ListAddresses(ctx context.Context, _ wire.ListAddressesRequestObject) (wire.ListAddressesResponseObject, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.wireAddresses(ctx, v)
	return wire.ListAddresses200JSONResponse{DeliveryAddresses: list}, err
}

// RemoveAddress is DELETE /user/addresses/remove/{id}: it deletes a saved address of the visitor, also from
// the cart of its city, and returns the others.
func (s *Server) RemoveAddress(ctx context.Context, req wire.RemoveAddressRequestObject) (wire.RemoveAddressResponseObject, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	removed, err := s.Addresses.Get(ctx, owner(v), req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.Addresses.Remove(ctx, owner(v), req.ID); err != nil {
		return nil, err
	}
	if _, known := v.Site.City(removed.CityID); known {
		if err := s.Carts.ForgetAddress(ctx, v, removed.CityID, removed.ID); err != nil {
			return nil, err
		}
	}
	list, err := s.wireAddresses(ctx, v)
	return wire.RemoveAddress200JSONResponse{DeliveryAddresses: list}, err
}

// chooseAddress saves the address and makes the cart of its city a delivery to it. It returns both with
// all saved addresses and the menu. An address outside all zones is refused at the field delivery_address.
func (s *Server) chooseAddress(ctx context.Context, v visit.Context, a geo.Address) (menuChoice, error) {
	city, err := v.City(a.CityID)
	if err != nil {
		return menuChoice{}, err
	}
	zone, ok := v.Snapshot.Atlas(v.Site).FindZone(a.CityID, a.Point)
	if !ok {
		key := notDelivered(city)
		return menuChoice{}, fault.New(fault.Invalid, key, fault.Field("delivery_address", key))
	}
	a.ZoneID = zone.ID
	form := city.Country.AddressForm()
	saved, err := s.Addresses.SaveAndList(ctx, owner(v), a, form)
	if err != nil {
		return menuChoice{}, err
	}
	chosen := saved[0]
	q, err := s.Carts.SetAddress(ctx, v, chosen)
	if err != nil {
		return menuChoice{}, err
	}
	return s.chooseMenu(ctx, v, q, wire.ChosenAddress{
		DeliveryAddresses: toWireAddresses(v, saved), DeliveryAddress: localizerOf(v).Address(v, chosen.In(form), city), Cart: orderwire.Cart(v, q),
	})
}

// checkFound returns geo.address_not_found for a place that the geocoder does not know, geo.street_needed
// for a town, and the message of houseProblem for a street without a house, all Invalid at address.
func checkFound(typed string, answer geo.Answer) error {
	switch answer.Precision {
	case geo.Unknown:
		return invalidAddress("geo.address_not_found")
	case geo.AtLocality:
		return invalidAddress("geo.street_needed")
	case geo.AtStreet:
		return invalidAddress(houseProblem(typed, answer))
	case geo.AtPoint, geo.AtHouse:
	}
	return nil
}

// invalidAddress returns the fault Invalid of the key at address.
func invalidAddress(key string) error {
	return fault.New(fault.Invalid, key, fault.Field("address", key))
}

// SetAddressByAddress is POST /user/addresses/set-by-address: it saves the address that a text names and
// makes the cart of its city a delivery to it; see chooseAddress. It returns the faults of checkFound for a
// text without a place or a house, and geo.address_other_city (Invalid) for one that names another city.
func (s *Server) SetAddressByAddress(
	ctx context.Context, req wire.SetAddressByAddressRequestObject,
) (wire.SetAddressByAddressResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, noKey)
	if err != nil {
		return nil, err
	}
	city, err := v.City(b.CityID)
	if err != nil {
		return nil, err
	}
	text, err := geo.CleanText(b.Address)
	if err != nil {
		return nil, err
	}
	if findNamedCity(v, city, text) != nil {
		return nil, invalidAddress("geo.address_other_city")
	}
	answer, err := s.geocoderOf(ctx, v, city).Find(ctx, city.ID, text, v.Lang)
	if err != nil {
		return nil, err
	}
	if err := checkFound(text, answer); err != nil {
		return nil, err
	}
	details := geo.Details{
		Room: b.Room, Entrance: b.Entrance, Floor: b.Floor, Intercom: b.Intercom, Description: b.Description, IsPrivateHouse: b.PrivateHouse,
		Building: b.Building, RearBuilding: b.RearBuilding, BellName: b.BellName, Landmark: b.Landmark,
	}
	return s.chooseAddress(ctx, v, details.ApplyTo(answer.AddressIn(city.ID)))
}

// SetAddressByCoordinates is POST /user/addresses/set-by-coordinates: it saves the address of a point and
// makes the cart of its city a delivery to it; see chooseAddress.
func (s *Server) SetAddressByCoordinates(
	ctx context.Context, req wire.SetAddressByCoordinatesRequestObject,
) (wire.SetAddressByCoordinatesResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, noKey)
	if err != nil {
		return nil, err
	}
	city, err := v.City(b.CityID)
	if err != nil {
		return nil, err
	}
	answer, err := s.locatePin(ctx, v, city, geo.Point{Latitude: b.Latitude, Longitude: b.Longitude}, b.Address)
	if err != nil {
		return nil, err
	}
	details := geo.Details{
		Room: b.Room, Entrance: b.Entrance, Floor: b.Floor, Intercom: b.Intercom, Description: b.Description, IsPrivateHouse: b.PrivateHouse,
		Building: b.Building, RearBuilding: b.RearBuilding, BellName: b.BellName, Landmark: b.Landmark,
	}
	return s.chooseAddress(ctx, v, details.ApplyTo(answer.AddressIn(city.ID)))
}

// SetAddressByID is POST /user/addresses/set-by-id: it makes the cart of the city a delivery to a saved
// address of the visitor, with the details of the request; see chooseAddress.
func (s *Server) SetAddressByID(ctx context.Context, req wire.SetAddressByIDRequestObject) (wire.SetAddressByIDResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, noKey)
	if err != nil {
		return nil, err
	}
	saved, err := s.Addresses.Get(ctx, owner(v), b.DeliveryAddressID)
	if err != nil {
		return nil, err
	}
	details := geo.Details{
		Room: b.Room, Entrance: b.Entrance, Floor: b.Floor, Intercom: b.Intercom, Description: b.Description, IsPrivateHouse: b.PrivateHouse,
		Building: b.Building, RearBuilding: b.RearBuilding, BellName: b.BellName, Landmark: b.Landmark,
	}
	return s.chooseAddress(ctx, v, details.ApplyTo(saved))
}
