package simulate

import "math"

// point is a place in degrees, as it goes over the wire.
type point struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// bend is how far the road leaves the straight line, as a part of its length.
const bend = 0.12

// along returns where the courier is after a part of the road, 0 at the shop and 1 at
// the door. The road swings to one side and then to the other, as roads do.
func along(from, to point, part float64) point {
	dy, dx := to.Latitude-from.Latitude, to.Longitude-from.Longitude
	aside := bend * math.Sin(2*math.Pi*part)
	return point{
		Latitude:  from.Latitude + dy*part + dx*aside,
		Longitude: from.Longitude + dx*part - dy*aside,
	}
}
