package main

import (
	"maps"
	"math"

	"servery/internal/extract/pbftest"
)

// point is latitude and longitude in degrees.
type point [2]float64

// drawing is an extract that is being made.
type drawing struct {
	nodes []pbftest.Node
	ways  []pbftest.Way
	// taken are the areas in which there are no side streets and houses, roads the lines beside which there are none.
	taken [][]point
	roads [][]point
}

// metres of a degree of latitude, and of one of longitude in Berlin.
const (
	perLatitude  = 111_200.0
	perLongitude = 67_700.0
)

// addNode adds a point with tags and returns its id.
func (d *drawing) addNode(at point, tags map[string]string) int64 {
	id := int64(len(d.nodes) + 1)
	d.nodes = append(d.nodes, pbftest.Node{ID: id, Latitude: at[0], Longitude: at[1], Tags: tags})
	return id
}

// addLine adds a line with tags.
func (d *drawing) addLine(line []point, tags map[string]string) {
	ids := make([]int64, len(line))
	for i, at := range line {
		ids[i] = d.addNode(at, nil)
	}
	d.ways = append(d.ways, pbftest.Way{ID: int64(len(d.ways) + 1), Nodes: ids, Tags: tags})
}

// addArea adds an area with tags, whose last corner joins the first.
func (d *drawing) addArea(corners []point, tags map[string]string) {
	ids := make([]int64, 0, len(corners)+1)
	for _, at := range corners {
		ids = append(ids, d.addNode(at, nil))
	}
	d.ways = append(d.ways, pbftest.Way{ID: int64(len(d.ways) + 1), Nodes: append(ids, ids[0]), Tags: tags})
}

// addFreeArea adds an area that stays free of side streets and houses.
func (d *drawing) addFreeArea(corners []point, tags map[string]string) {
	d.taken = append(d.taken, corners)
	d.addArea(corners, tags)
}

// addRoad adds a main road: houses keep their distance from it.
func (d *drawing) addRoad(line []point, tags map[string]string) {
	d.roads = append(d.roads, line)
	d.addLine(line, tags)
}

// isFree reports whether a point lies in none of the taken areas.
func (d *drawing) isFree(at point) bool {
	for _, area := range d.taken {
		if contains(area, at) {
			return false
		}
	}
	return true
}

// isNearRoad reports whether a main road is nearer to the point than so many metres.
func (d *drawing) isNearRoad(at point, metres float64) bool {
	for _, line := range d.roads {
		for i := range line[1:] {
			if distance(at, line[i], line[i+1]) < metres {
				return true
			}
		}
	}
	return false
}

// contains reports whether an area contains a point.
func contains(area []point, at point) bool {
	isInside := false
	for i, a := range area {
		b := area[(i+1)%len(area)]
		if (a[0] > at[0]) != (b[0] > at[0]) && at[1] < (b[1]-a[1])*(at[0]-a[0])/(b[0]-a[0])+a[1] {
			isInside = !isInside
		}
	}
	return isInside
}

// distance returns the metres between a point and the line from a to b.
func distance(at, a, b point) float64 {
	x, y := (b[1]-a[1])*perLongitude, (b[0]-a[0])*perLatitude
	px, py := (at[1]-a[1])*perLongitude, (at[0]-a[0])*perLatitude
	part := 0.0
	if length := x*x + y*y; length > 0 {
		part = min(1, max(0, (px*x+py*y)/length))
	}
	return math.Hypot(px-part*x, py-part*y)
}

// widen returns the area of a line that is so many metres wide.
func widen(line []point, metres float64) []point {
	left, right := make([]point, len(line)), make([]point, len(line))
	for i, at := range line {
		before, after := line[max(0, i-1)], line[min(len(line)-1, i+1)]
		x, y := (after[1]-before[1])*perLongitude, (after[0]-before[0])*perLatitude
		length := math.Hypot(x, y)
		dx, dy := -y/length*metres/2/perLongitude, x/length*metres/2/perLatitude
		left[i] = point{at[0] + dy, at[1] + dx}
		right[len(line)-1-i] = point{at[0] - dy, at[1] - dx}
	}
	return append(left, right...)
}

// named returns the tags with a name, and the names in other languages.
func named(tags, names map[string]string, own string) map[string]string {
	result := maps.Clone(tags)
	for language, name := range names {
		result["name:"+language] = name
	}
	result["name"] = names[own]
	return result
}
