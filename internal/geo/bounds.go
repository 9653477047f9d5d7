package geo

import (
	"math"
	"slices"
)

// Bounds are the sides of a rectangle on the map, in degrees. The zero value contains nothing.
type Bounds struct{ South, West, North, East float64 }

// boundsOf returns the smallest bounds that contain the points; zero for no points.
func boundsOf(points []Point) Bounds {
	if len(points) == 0 {
		return Bounds{}
	}
	b := Bounds{South: math.Inf(1), West: math.Inf(1), North: math.Inf(-1), East: math.Inf(-1)}
	for _, p := range points {
		b.South, b.North = min(b.South, p.Latitude), max(b.North, p.Latitude)
		b.West, b.East = min(b.West, p.Longitude), max(b.East, p.Longitude)
	}
	return b
}

// Contains reports whether the point is within the bounds or on a side.
func (b Bounds) Contains(p Point) bool {
	return b != Bounds{} && p.Latitude >= b.South && p.Latitude <= b.North && p.Longitude >= b.West && p.Longitude <= b.East
}

// Join returns the smallest bounds that contain both.
func (b Bounds) Join(other Bounds) Bounds {
	switch {
	case b == Bounds{}:
		return other
	case other == Bounds{}:
		return b
	}
	return Bounds{
		South: min(b.South, other.South), West: min(b.West, other.West), North: max(b.North, other.North), East: max(b.East, other.East),
	}
}

// Widen returns the bounds with each side moved outwards by the metres. Bounds that contain
// nothing stay so.
func (b Bounds) Widen(metres float64) Bounds {
	if b == (Bounds{}) {
		return b
	}
	north := metres / metresPerDegree
	const leastScale = 0.1 // near the poles the bounds would reach around the Earth
	east := north / max(leastScale, math.Cos((b.South+b.North)/2*math.Pi/180))
	return Bounds{South: b.South - north, West: b.West - east, North: b.North + north, East: b.East + east}
}

// Bounds returns the bounds of what content says of a city: its shops, zones and streets. They
// contain nothing for a city without any.
func (a *Atlas) Bounds(cityID int64) Bounds {
	city, ok := a.byCity[cityID]
	if !ok {
		return Bounds{}
	}
	return city.bounds
}

// findBounds returns the bounds of the shops, the zones and the streets with a line. The houses of a
// register do not count.
func (c *cityMap) findBounds() Bounds {
	var points []Point
	for _, shop := range c.shops {
		points = append(points, shop.Point)
	}
	for _, zone := range c.zones {
		points = slices.Concat(points, zone.Area)
	}
	for i := range c.streets {
		points = append(points, c.streets[i].Line...)
	}
	return boundsOf(points)
}
