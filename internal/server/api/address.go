package api

import (
	"context"
	"math"
	"strconv"

	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/geocoder"
	"servery/internal/server/contentwire"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// owner returns the owner of the saved addresses that the visitor sees.
func owner(v visit.Context) geo.Owner {
	return geo.Owner{SessionID: v.SessionID, CustomerID: v.CustomerID, Site: v.Site.Alias}
}

// address converts an address, with the prices, time and shop of its delivery zone as they are now.
func (s localizer) address(v visit.Context, a geo.Address, city *site.City) wire.DeliveryAddress {
	kind := wire.DeliveryAddressType(a.Precision)
	w := wire.DeliveryAddress{
		ID: convert.OrNil(a.ID), City: s.CityBrief(city), Address: a.Address, FullAddress: a.FullAddress, Found: a.Precision != geo.Unknown,
		Type: convert.OrNil(kind), Locality: convert.OrNil(a.Locality), District: convert.OrNil(a.District), Street: convert.OrNil(a.Street), House: convert.OrNil(a.House),
		Room: convert.OrNil(a.Room), Floor: convert.OrNil(a.Floor), Entrance: convert.OrNil(a.Entrance), Intercom: convert.OrNil(a.Intercom),
		Description: convert.OrNil(a.Description), Map: wire.MapView{Coordinates: convert.Coordinates(a.Point), Zoom: contentwire.ShopZoom},
	}
	if a.Address == "" && a.Precision == geo.AtPoint {
		w.Address = s.Message(fault.Message{Key: "geo.point_on_map"})
		w.FullAddress = w.City.Name + ", " + w.Address
	}
	atlas := v.Snapshot.Atlas(v.Site)
	zone, ok := atlas.FindZone(city.ID, a.Point)
	if !ok || !city.Delivery {
		return w
	}
	prices := contentwire.ZonePrices(zone)
	w.DeliveryPossible, w.DeliveryZoneID, w.DeliveryPrices = true, &zone.ID, &prices
	if shop, ok := atlas.Shop(zone.ShopID); ok {
		minutes := shop.CookingMinutes + zone.DeliveryMinutes + contentwire.MinutesOf(shop.Kitchens[site.Delivery].Delay(v.Now))
		w.DeliveryTime, w.ShopAddress = &minutes, s.Optional(shop.Street)
		w.CompanyName, w.Inn, w.Ogrn = convert.OrNil(shop.CompanyName), convert.OrNil(shop.INN), convert.OrNil(shop.OGRN)
		w.Alert = s.DeliveryPause(shop, city, v.Now)
		if w.Alert == nil {
			w.Alert = s.Optional(shop.Alert)
		}
	}
	return w
}

// addressCheck converts what the geocoder has found: whether the place is delivered to and, when it is
// not, the nearest shop; or that the place is unknown.
func addressCheck(v visit.Context, city *site.City, answer geo.Answer) wire.AddressCheck {
	s := localizerOf(v)
	if !answer.Found() {
		return wire.AddressCheck{Result: wire.Unknown, Message: convert.OrNil(s.Message(fault.Message{Key: "geo.address_not_found"}))}
	}
	shown := s.address(v, answer.AddressIn(city.ID), city)
	check := wire.AddressCheck{Result: wire.Available, DeliveryAddress: &shown}
	switch {
	case !shown.DeliveryPossible:
		check.Result = wire.NotAvailable
		check.Message = convert.OrNil(s.Message(fault.Message{Key: "geo.not_delivered_here"}))
		check.NearestShop = s.nearestShop(v, city, answer.Point)
	case answer.Precision == geo.AtStreet:
		check.Message = convert.OrNil(s.Message(fault.Message{Key: "geo.house_needed"}))
	}
	return check
}

// nearestShop returns the nearest shop where the food can be fetched now.
func (s localizer) nearestShop(v visit.Context, city *site.City, from geo.Point) *wire.NearestShop {
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
	center, box := geo.Point{Latitude: city.Map.Latitude, Longitude: city.Map.Longitude}, city.Map.BBox
	bounds := v.Snapshot.Atlas(v.Site).Bounds(city.ID).Widen(suburbs).Join(geo.Bounds{South: box[0], West: box[1], North: box[2], East: box[3]})
	return s.geocoders.Of(s.Providers.Site(v.Site.Alias).Geocoders, geocoder.City{
		ID: city.ID, Alias: city.Alias, Name: city.Name, Country: city.CountryCode, Center: center, Bounds: bounds,
	}, admit)
}

// SuggestAddresses is POST /geocoder/suggest: it returns addresses of the city that begin like the text. It
// may call geocoders of other companies and changes nothing.
func (s *Server) SuggestAddresses(ctx context.Context, req wire.SuggestAddressesRequestObject) (wire.SuggestAddressesResponseObject, error) {
	v := s.visits.Context(ctx)
	city, err := v.City(req.Body.CityID)
	if err != nil {
		return nil, err
	}
	found, err := s.geocoderOf(ctx, v, city).Suggest(ctx, city.ID, req.Body.Text, v.Lang)
	if err != nil {
		return nil, err
	}
	answer := wire.SuggestAddresses200JSONResponse{Suggestions: []wire.Suggestion{}}
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

// geocode asks the geocoder for the place that a text names.
func (s *Server) geocode(ctx context.Context, v visit.Context, city *site.City, text string) (geo.Answer, error) {
	clean, err := geo.CleanText(text)
	if err != nil {
		return geo.Answer{}, err
	}
	return s.geocoderOf(ctx, v, city).Find(ctx, city.ID, clean, v.Lang)
}

// locatePin asks the geocoder for the address of a point. typed is the text that the customer typed
// before, when that was not found; nil when there is none.
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
// whether it is delivered to and, when it is not, the nearest shop. It saves nothing.
func (s *Server) SearchByAddress(ctx context.Context, req wire.SearchByAddressRequestObject) (wire.SearchByAddressResponseObject, error) {
	v := s.visits.Context(ctx)
	city, err := v.City(req.Body.CityID)
	if err != nil {
		return nil, err
	}
	answer, err := s.geocode(ctx, v, city, req.Body.Address)
	if err != nil {
		return nil, err
	}
	return wire.SearchByAddress200JSONResponse(addressCheck(v, city, answer)), nil
}

// SearchByCoordinates is POST /geocoder/searchByCoordinates: it finds the address of a point and returns
// whether it is delivered to and, when it is not, the nearest shop. It saves nothing.
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
	return wire.SearchByCoordinates200JSONResponse(addressCheck(v, city, answer)), nil
}

// wireAddresses returns the saved addresses of the visitor, in cities that the brand still has.
func (s *Server) wireAddresses(ctx context.Context, v visit.Context) ([]wire.DeliveryAddress, error) {
	list := []wire.DeliveryAddress{}
	if v.SessionID == 0 {
		return list, nil
	}
	saved, err := s.Addresses.List(ctx, owner(v))
	if err != nil {
		return nil, err
	}
	for _, a := range saved {
		// A city that the brand has left is not offered any more.
		if city, ok := v.Site.City(a.CityID); ok {
			list = append(list, localizerOf(v).address(v, a, city))
		}
	}
	return list, nil
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

// withDetails returns the address with the details of the request; a detail that the request leaves
// out stays as it was.
func withDetails(a geo.Address, d wire.AddressDetails) geo.Address {
	set := func(into *string, value *string) {
		if value != nil {
			*into = *value
		}
	}
	set(&a.Room, d.Room)
	set(&a.Entrance, d.Entrance)
	set(&a.Floor, d.Floor)
	set(&a.Intercom, d.Intercom)
	set(&a.Description, d.Description)
	return a
}

// chooseAddress saves the address and makes the cart of its city a delivery to it. An
// address outside all zones is refused at the field delivery_address.
func (s *Server) chooseAddress(ctx context.Context, v visit.Context, a geo.Address) (wire.AddressChoice, error) {
	zone, ok := v.Snapshot.Atlas(v.Site).FindZone(a.CityID, a.Point)
	if !ok {
		return wire.AddressChoice{}, fault.New(fault.Invalid, "geo.not_delivered_here", fault.Field("delivery_address", "geo.not_delivered_here"))
	}
	a.ZoneID = zone.ID
	saved, err := s.Addresses.Save(ctx, owner(v), a)
	if err != nil {
		return wire.AddressChoice{}, err
	}
	q, err := s.Carts.SetAddress(ctx, v, saved)
	if err != nil {
		return wire.AddressChoice{}, err
	}
	list, err := s.wireAddresses(ctx, v)
	if err != nil {
		return wire.AddressChoice{}, err
	}
	menu := s.wireMenu(ctx, requestPlace{localizerOf(v), v, q.Spot.City, q.Spot, q.Menu})
	return wire.AddressChoice{
		DeliveryAddresses: list, DeliveryAddress: localizerOf(v).address(v, saved, q.Spot.City), Cart: toWireCart(v, q),
		ProductGroups: menu.ProductGroups, PopularProducts: menu.PopularProducts,
	}, nil
}

// checkFound returns geo.address_not_found for a place that the geocoder does not know, and
// geo.house_needed for a street without a house, both Invalid at address.
func checkFound(answer geo.Answer) error {
	switch {
	case !answer.Found():
		return fault.New(fault.Invalid, "geo.address_not_found", fault.Field("address", "geo.address_not_found"))
	case answer.Precision == geo.AtStreet:
		return fault.New(fault.Invalid, "geo.house_needed", fault.Field("address", "geo.house_needed"))
	}
	return nil
}

// SetAddressByAddress is POST /user/addresses/set-by-address: it saves the address that a text names and
// makes the cart of its city a delivery to it; see chooseAddress. It returns the faults of checkFound for a
// text without a place or a house.
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
	answer, err := s.geocode(ctx, v, city, b.Address)
	if err != nil {
		return nil, err
	}
	if err := checkFound(answer); err != nil {
		return nil, err
	}
	details := wire.AddressDetails{Room: b.Room, Entrance: b.Entrance, Floor: b.Floor, Intercom: b.Intercom, Description: b.Description}
	choice, err := s.chooseAddress(ctx, v, withDetails(answer.AddressIn(city.ID), details))
	return wire.SetAddressByAddress200JSONResponse(choice), err
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
	details := wire.AddressDetails{Room: b.Room, Entrance: b.Entrance, Floor: b.Floor, Intercom: b.Intercom, Description: b.Description}
	choice, err := s.chooseAddress(ctx, v, withDetails(answer.AddressIn(city.ID), details))
	return wire.SetAddressByCoordinates200JSONResponse(choice), err
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
	details := wire.AddressDetails{Room: b.Room, Entrance: b.Entrance, Floor: b.Floor, Intercom: b.Intercom, Description: b.Description}
	choice, err := s.chooseAddress(ctx, v, withDetails(saved, details))
	return wire.SetAddressByID200JSONResponse(choice), err
}
