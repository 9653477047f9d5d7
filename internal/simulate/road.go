package simulate

import "math"

// point is a place in degrees, as it goes over the wire.
type point struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// bend is how far the road goes beside the straight line at most, as a share of its length.
const bend = 0.12

// positionOnRoad returns where the courier is at a share of the road: 0 at the shop, 1 at the door.
// The road is one wave of a sine along the straight line, so that it looks like a road.
func positionOnRoad(from, to point, share float64) point {
	dy, dx := to.Latitude-from.Latitude, to.Longitude-from.Longitude
	sideways := bend * math.Sin(2*math.Pi*share)
	return point{
		Latitude:  from.Latitude + dy*share + dx*sideways,
		Longitude: from.Longitude + dx*share - dy*sideways,
	}
}
