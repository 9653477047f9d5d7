package main

import "math"

// The sizes of the blocks of houses between side streets, and how far from the centre there are any, in metres.
const (
	blockLength  = 260.0
	blockWidth   = 170.0
	streetsReach = 7_500.0
	housesReach  = 3_600.0
	step         = 20.0
	pavement     = 16.0
)

// centre is the middle of what the demo's kitchens deliver to.
var centre = point{52.5130, 13.4100}

// grid is the side streets of a district: their cross, in metres from its middle.
type grid struct {
	middle   point
	cos, sin float64
}

// at returns the point so many metres along the two directions of the grid.
func (g grid) at(along, across float64) point {
	return point{
		g.middle[0] + (along*g.sin+across*g.cos)/perLatitude,
		g.middle[1] + (along*g.cos-across*g.sin)/perLongitude,
	}
}

// drawSideStreets draws a grid of side streets in each district.
func (d *drawing) drawSideStreets() {
	d.eachGrid(func(i int, g grid) {
		const reach = 6_000.0
		tags := map[string]string{"highway": "residential"}
		for across := -reach; across <= reach; across += blockWidth {
			d.drawPieces(func(along float64) point { return g.at(along, across) }, i, tags)
		}
		for along := -reach; along <= reach; along += blockLength {
			d.drawPieces(func(across float64) point { return g.at(along, across) }, i, tags)
		}
	})
}

// drawPieces draws the pieces of a line that lie in the district and are free.
func (d *drawing) drawPieces(at func(metres float64) point, district int, tags map[string]string) {
	const reach = 6_000.0
	var piece []point
	end := func() {
		if len(piece) >= 5 { // shorter ones lead nowhere
			d.addLine([]point{piece[0], piece[len(piece)-1]}, tags)
		}
		piece = nil
	}
	for metres := -reach; metres <= reach; metres += step {
		p := at(metres)
		if d.isBuilt(p, district, streetsReach) {
			piece = append(piece, p)
		} else {
			end()
		}
	}
	end()
}

// drawHouses draws a block of houses between the side streets near the centre.
func (d *drawing) drawHouses() {
	tags := map[string]string{"building": "apartments"}
	d.eachGrid(func(i int, g grid) {
		for row := -24.0; row < 24; row++ {
			for column := -16.0; column < 16; column++ {
				left, bottom := column*blockLength+pavement, row*blockWidth+pavement
				right, top := left+blockLength-2*pavement, bottom+blockWidth-2*pavement
				corners := []point{g.at(left, bottom), g.at(right, bottom), g.at(right, top), g.at(left, top)}
				if d.fits(corners, g.at((left+right)/2, (bottom+top)/2), i) {
					d.addArea(corners, tags)
				}
			}
		}
	})
}

// fits reports whether a block of houses stands free: all of it in the district, and beside the main roads.
func (d *drawing) fits(corners []point, middle point, district int) bool {
	for _, at := range append(corners, middle) {
		if !d.isBuilt(at, district, housesReach) || d.isNearRoad(at, 22) {
			return false
		}
	}
	// A main road that crosses the block comes near one of these.
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		for part := 0.1; part < 1; part += 0.1 {
			edge := point{a[0] + part*(b[0]-a[0]), a[1] + part*(b[1]-a[1])}
			inside := point{(edge[0] + middle[0]) / 2, (edge[1] + middle[1]) / 2}
			if d.isNearRoad(edge, 16) || d.isNearRoad(inside, 16) {
				return false
			}
		}
	}
	return true
}

// eachGrid calls draw with the grid of each district and its index.
func (d *drawing) eachGrid(draw func(i int, g grid)) {
	for i, district := range districts {
		turn := district.turn * math.Pi / 180
		draw(i, grid{middle: district.at, cos: math.Cos(turn), sin: math.Sin(turn)})
	}
}

// isBuilt reports whether a point belongs to the district, is free, and lies so near to the centre.
func (d *drawing) isBuilt(at point, district int, reach float64) bool {
	if metres(at, centre) > reach {
		return false
	}
	nearest, least := 0, math.Inf(1)
	for i, other := range districts {
		if far := metres(at, other.at); far < least {
			nearest, least = i, far
		}
	}
	return nearest == district && d.isFree(at)
}

// metres returns the distance of two points.
func metres(a, b point) float64 {
	return math.Hypot((a[0]-b[0])*perLatitude, (a[1]-b[1])*perLongitude)
}
