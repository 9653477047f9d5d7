// Package orderwire converts addresses, carts and orders into the contract's types.
package orderwire

import (
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/server/contentwire"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// Localizer converts what the areas return into the contract's types, for one brand in one language.
type Localizer struct{ contentwire.Localizer }

// New returns the localizer for a brand in a language.
func New(st *site.Site, l lang.Lang) Localizer {
	return Localizer{contentwire.Localizer{Localizer: convert.Localizer{Site: st, Lang: l}}}
}

// Of returns the localizer of a request.
func Of(v visit.Context) Localizer { return New(v.Site, v.Lang) }

// Address converts an address, with the prices, time and shop of its delivery zone as they are now; an
// address that is not delivered to has none of these. Of a town without a street only the name is shown,
// at the middle of the city. A point without an address is named as one on the map.
func (s Localizer) Address(v visit.Context, a geo.Address, city *site.City) wire.DeliveryAddress {
	kind := wire.AddressPrecision(a.Precision)
	w := wire.DeliveryAddress{
		ID: convert.OrNil(a.ID), City: s.CityBrief(city), Address: a.Address, FullAddress: a.FullAddress, Found: a.Precision != geo.Unknown,
		Type: convert.OrNil(kind), Locality: convert.OrNil(a.Locality), District: convert.OrNil(a.District), Street: convert.OrNil(a.Street), House: convert.OrNil(a.House),
		Room: convert.OrNil(a.Room), Floor: convert.OrNil(a.Floor), Entrance: convert.OrNil(a.Entrance), Intercom: convert.OrNil(a.Intercom),
		PrivateHouse: convert.OrNil(a.IsPrivateHouse), Building: convert.OrNil(a.Building), RearBuilding: convert.OrNil(a.RearBuilding),
		BellName: convert.OrNil(a.BellName), Landmark: convert.OrNil(a.Landmark),
		Description: convert.OrNil(a.Description), Map: wire.MapView{Coordinates: convert.Coordinates(a.Point), Zoom: contentwire.ShopZoom},
	}
	if a.Precision == geo.AtLocality {
		w.Address, w.Map = a.Locality, wire.MapView{Coordinates: convert.Coordinates(geo.Point{Latitude: city.Map.Latitude, Longitude: city.Map.Longitude}), Zoom: city.Map.Zoom}
		return w
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

// DayMonth formats the date of a day without its year.
func (s Localizer) DayMonth(d clock.Day) string { return lang.FormatDay(s.Lang, d) }

// PaymentType converts a payment type. The name of a type that is paid at the hand-over depends on the
// order type.
func (s Localizer) PaymentType(alias string, orderType site.OrderType) wire.PaymentType {
	key, isOnline := "payment."+alias, site.IsOnline(alias)
	if !isOnline {
		key += "_" + string(orderType) // the name says whether the courier or the shop is paid
	}
	return wire.PaymentType{Alias: wire.PaymentTypeAlias(alias), Name: s.Message(fault.Message{Key: key}), IsOnline: isOnline}
}
