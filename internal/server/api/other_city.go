package api

import (
	"slices"

	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// otherCities returns the other cities of the brand that take orders for delivery. Customers are offered
// no others.
func otherCities(v visit.Context, city *site.City) []*site.City {
	isOpen := func(c *site.City) bool { return c.ID != city.ID && !c.Stopped && c.Delivery }
	return slices.DeleteFunc(slices.Clone(v.Site.Cities), func(c *site.City) bool { return !isOpen(c) })
}

// findNamedCity returns the other city that a typed address names between commas, nil when it names none, or
// the city of the request too. Such a text is of that city whatever a geocoder finds here. A text without a
// street is not: "Kazan, 5" may be a street.
func findNamedCity(v visit.Context, city *site.City, text string) *wire.OtherCity {
	return findCityIn(v, city, text, func(name lang.Text) (rest string, isNamed bool) {
		rest, isNamed = geo.CutCity(text, name)
		return rest, isNamed && geo.NamesStreet(rest)
	})
}

// findMentionedCity returns the other city that a typed address names anywhere at its beginning or end, or
// that is all of the text; nil when there is none. A street of the request's city may have the same name:
// this must be asked only for a text that was not found there.
func findMentionedCity(v visit.Context, city *site.City, text string) *wire.OtherCity {
	return findCityIn(v, city, text, func(name lang.Text) (rest string, isNamed bool) {
		if rest, isNamed = geo.CutCity(text, name); isNamed {
			return rest, true
		}
		return geo.CutCityWords(text, name)
	})
}

// findCityIn returns the first of the other cities whose name cut finds in the text, nil when it finds none or
// the text names the city of the request.
func findCityIn(v visit.Context, city *site.City, text string, cut func(name lang.Text) (rest string, isNamed bool)) *wire.OtherCity {
	if _, isHere := geo.CutCity(text, city.Name); isHere {
		return nil
	}
	for _, other := range otherCities(v, city) {
		if rest, isNamed := cut(other.Name); isNamed {
			return toOtherCity(v, other, rest)
		}
	}
	return nil
}

// findCityAt returns the other city that a point lies in: the one whose zone contains it, else, for a point
// outside the bounds of the city, the nearest of those within whose bounds it lies. It returns nil when there
// is none.
func findCityAt(v visit.Context, city *site.City, point geo.Point) *wire.OtherCity {
	atlas, others := v.Snapshot.Atlas(v.Site), otherCities(v, city)
	for _, other := range others {
		if _, isDelivered := atlas.FindZone(other.ID, point); isDelivered {
			return toOtherCity(v, other, "")
		}
	}
	if boundsOf(v, city).Contains(point) {
		return nil
	}
	nearest, _, ok := geo.Nearest(others, point, centerOf, func(c *site.City) bool { return boundsOf(v, c).Contains(point) })
	if !ok {
		return nil
	}
	return toOtherCity(v, nearest, "")
}

// findOtherCity returns the other city of an address that is not delivered to from the city: the one in which
// the place of the answer lies or, for an answer without a place, the one that the text mentions, else the only
// one whose local index has the house. It returns nil when there is none.
func (s *Server) findOtherCity(v visit.Context, city *site.City, text string, answer geo.Answer) *wire.OtherCity {
	if answer.Precision != geo.Unknown && answer.Precision != geo.AtLocality {
		return findCityAt(v, city, answer.Point)
	}
	if mentioned := findMentionedCity(v, city, text); mentioned != nil {
		return mentioned
	}
	var ids []int64
	for _, other := range otherCities(v, city) {
		ids = append(ids, other.ID)
	}
	id, ok := s.local.FindCity(ids, text)
	if !ok {
		return nil
	}
	other, _ := v.Site.City(id)
	return toOtherCity(v, other, text)
}

// toOtherCity converts a city; address is what is to be looked up there, empty for a point.
func toOtherCity(v visit.Context, city *site.City, address string) *wire.OtherCity {
	l := localizerOf(v)
	return &wire.OtherCity{
		ID: city.ID, Alias: city.Alias, Name: l.Text(city.Name), Where: l.Text(city.Phrase), Address: convert.OrNil(address),
	}
}

// offerCity puts the other city into the check of an address, with a message that names it in place of the
// check's own, and removes the nearest shop. It changes nothing when other is nil.
func offerCity(v visit.Context, check wire.AddressCheck, other *wire.OtherCity) wire.AddressCheck {
	if other == nil {
		return check
	}
	message := localizerOf(v).Message(fault.Message{Key: "geo.in_other_city", Args: fault.Args{"where": other.Where}})
	check.OtherCity, check.Message, check.NearestShop = other, &message, nil
	return check
}

// centerOf returns the middle of the map of a city.
func centerOf(c *site.City) geo.Point {
	return geo.Point{Latitude: c.Map.Latitude, Longitude: c.Map.Longitude}
}

// boundsOf returns the bounds of what content says of a city, with those of its map.
func boundsOf(v visit.Context, c *site.City) geo.Bounds {
	return v.Snapshot.Atlas(v.Site).Bounds(c.ID).Join(boxOf(c))
}

// boxOf returns the bounds of the map of a city; they contain nothing where content has none.
func boxOf(c *site.City) geo.Bounds {
	box := c.Map.BBox
	return geo.Bounds{South: box[0], West: box[1], North: box[2], East: box[3]}
}
