package convert

import (
	"servery/internal/geo"
	"servery/internal/server/wire"
)

// Coordinates returns a point as the contract has it.
func Coordinates(p geo.Point) wire.Coordinates {
	return wire.Coordinates{Latitude: p.Latitude, Longitude: p.Longitude}
}

// Point returns the point of a request's coordinates.
func Point(c wire.Coordinates) geo.Point {
	return geo.Point{Latitude: c.Latitude, Longitude: c.Longitude}
}
