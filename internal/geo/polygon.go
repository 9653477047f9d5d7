package geo

import (
	"errors"
	"fmt"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// Check returns what is wrong with an area, worded for content authors: fewer than three corners,
// places that do not exist, a border that crosses itself or encloses nothing.
func (p Polygon) Check() error {
	for _, c := range p {
		if !c.Valid() {
			return fmt.Errorf("there is no place at %v, %v", c.Latitude, c.Longitude)
		}
	}
	ring := p.closedRing()
	if len(ring) < 4 {
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

// Contains reports whether the point lies in the area, its edges and corners
// included. Corners may be given in either direction.
func (p Polygon) Contains(point Point) bool { return newArea(p).containsPoint(point) }

// closedRing returns the closed border; the first corner may be repeated as the last.
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

func newArea(p Polygon) area {
	ring := p.closedRing()
	return area{ring: ring, bound: ring.Bound()}
}

func (a area) containsPoint(point Point) bool {
	at := point.orbPoint()
	return len(a.ring) > 0 && a.bound.Contains(at) && planar.RingContains(a.ring, at)
}

// findCrossing returns two sides of a closed ring that meet although they are not neighbours.
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
	turns := [...]int{sideOf(a, b, c), sideOf(a, b, d), sideOf(c, d, a), sideOf(c, d, b)}
	if turns[0]*turns[1] < 0 && turns[2]*turns[3] < 0 {
		return true
	}
	if !slices.Contains(turns[:], 0) {
		return false
	}
	within := func(p, q, x orb.Point) bool { return orb.MultiPoint{p, q}.Bound().Contains(x) }
	return turns[0] == 0 && within(a, b, c) || turns[1] == 0 && within(a, b, d) ||
		turns[2] == 0 && within(c, d, a) || turns[3] == 0 && within(c, d, b)
}

// sideOf returns on which side of the line from a to b the point c lies: -1, 0 or 1.
func sideOf(a, b, c orb.Point) int {
	switch area := (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]); {
	case area > 0:
		return 1
	case area < 0:
		return -1
	}
	return 0
}
