package geo

import (
	"errors"
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// Check returns an error about the first mistake in an area, worded for content authors:
// coordinates that do not exist, fewer than three corners, a border that encloses nothing or
// crosses itself. It returns nil when there is none.
func (p Polygon) Check() error {
	for _, c := range p {
		if !c.Valid() {
			return fmt.Errorf("there is no place at %v, %v", c.Latitude, c.Longitude)
		}
	}
	ring := p.closedRing()
	if len(ring) < 4 { // the first corner is in it twice
		return errors.New("an area needs three corners or more")
	}
	if planar.Area(ring) == 0 {
		return errors.New("the corners enclose nothing")
	}
	if i, j, crossed := findCrossing(ring); crossed {
		return fmt.Errorf("the border crosses itself: side %d meets side %d", i+1, j+1)
	}
	return nil
}

// Contains reports whether the point is in the area or on its border. The corners may run in either
// direction.
func (p Polygon) Contains(point Point) bool { return newArea(p).containsPoint(point) }

// closedRing returns the border with the first corner repeated at the end.
func (p Polygon) closedRing() orb.Ring {
	ring := make(orb.Ring, 0, len(p)+1)
	for _, c := range p {
		ring = append(ring, c.orbPoint())
	}
	if len(ring) > 0 && !ring.Closed() {
		ring = append(ring, ring[0])
	}
	return ring
}

// area is a polygon prepared for many lookups.
type area struct {
	ring  orb.Ring
	bound orb.Bound
}

// newArea returns the polygon with its closed border and its bounding box.
func newArea(p Polygon) area {
	ring := p.closedRing()
	return area{ring: ring, bound: ring.Bound()}
}

// containsPoint reports whether the point is in the area or on its border. Most points are outside
// of the bounding box, which is checked first because that is cheap.
func (a area) containsPoint(point Point) bool {
	p := point.orbPoint()
	return len(a.ring) > 0 && a.bound.Contains(p) && planar.RingContains(a.ring, p)
}

// findCrossing returns the indexes of two sides of a closed ring that meet although they are not
// neighbours, and false when there are none.
func findCrossing(ring orb.Ring) (int, int, bool) {
	sides := len(ring) - 1
	for i := range sides {
		for j := i + 2; j < sides; j++ {
			if i == 0 && j == sides-1 {
				continue // the last side and the first share a corner
			}
			if segmentsMeet(ring[i], ring[i+1], ring[j], ring[j+1]) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// segmentsMeet reports whether the segments ab and cd have a point in common.
func segmentsMeet(a, b, c, d orb.Point) bool {
	sideOfC, sideOfD := sideOf(a, b, c), sideOf(a, b, d)
	sideOfA, sideOfB := sideOf(c, d, a), sideOf(c, d, b)
	if sideOfC*sideOfD < 0 && sideOfA*sideOfB < 0 {
		return true // the ends of each are on different sides of the other
	}
	// Else they meet only where an end of one is on the other: on its line and within its bounds.
	isWithin := func(p, q, x orb.Point) bool { return orb.MultiPoint{p, q}.Bound().Contains(x) }
	return sideOfC == 0 && isWithin(a, b, c) || sideOfD == 0 && isWithin(a, b, d) ||
		sideOfA == 0 && isWithin(c, d, a) || sideOfB == 0 && isWithin(c, d, b)
}

// sideOf returns on which side of the line from a to b the point c is: 1 left, -1 right, 0 on the
// line.
func sideOf(a, b, c orb.Point) int {
	switch area := (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]); {
	case area > 0:
		return 1
	case area < 0:
		return -1
	}
	return 0
}
