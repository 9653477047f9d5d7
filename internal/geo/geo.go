// Package geo locates shops, delivery zones, streets and houses. It finds the zone of a point and
// the address of a text or a point, and stores the addresses that a visitor has used.
//
// Shops, zones and the index of streets are filled by content and never changed
// after that, so they may be read from any goroutine.
package geo

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geo"
)

// Valid reports whether the coordinates exist on the Earth and are not both zero: the zero Point is
// what a missing field looks like.
func (p Point) Valid() bool {
	return p != Point{} && math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 180
}

// orbPoint returns the point in the type of package orb, longitude first.
func (p Point) orbPoint() orb.Point { return orb.Point{p.Longitude, p.Latitude} }

// DistanceMetres returns the great-circle distance between two points.
func DistanceMetres(a, b Point) float64 { return geo.DistanceHaversine(a.orbPoint(), b.orbPoint()) }

// Nearest returns the item that is nearest to a point, of those for which passes returns true, and
// its distance in metres. pointOf returns where an item is. It reports false when no item passes.
// Of items at the same distance the first wins.
func Nearest[T any](items []T, from Point, pointOf func(T) Point, passes func(T) bool) (nearest T, metres float64, found bool) {
	for _, item := range items {
		if !passes(item) {
			continue
		}
		if d := DistanceMetres(from, pointOf(item)); !found || d < metres {
			nearest, metres, found = item, d, true
		}
	}
	return nearest, metres, found
}
