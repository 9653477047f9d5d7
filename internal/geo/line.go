package geo

import (
	"errors"
	"fmt"
	"math"
)

// metresPerDegree is the length of a degree of latitude.
const metresPerDegree = 111_195

// pointAlong returns the point at a share of the line's length, 0 being its beginning.
func pointAlong(line []Point, share float64) Point {
	left := share * lineLength(line)
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := DistanceMetres(a, b)
		if left <= length && length > 0 {
			return interpolate(a, b, left/length)
		}
		left -= length
	}
	return line[len(line)-1]
}

// closestPoint returns how far the point is from the line, the nearest point of the line and the
// share of its length at which that lies. Where it runs there and back, the way there counts.
func closestPoint(line []Point, point Point) (metres float64, at Point, share float64) {
	metres = math.Inf(1)
	total, passed := lineLength(line), 0.0
	if len(line) == 1 || total == 0 {
		return DistanceMetres(line[0], point), line[0], 0
	}
	// A street is short enough to be drawn on a plane.
	east := math.Cos(point.Latitude * math.Pi / 180)
	plane := func(p Point) (x, y float64) {
		return (p.Longitude - point.Longitude) * east, p.Latitude - point.Latitude
	}
	for i := 1; i < len(line); i++ {
		ax, ay := plane(line[i-1])
		bx, by := plane(line[i])
		dx, dy := bx-ax, by-ay
		t := 0.0
		if square := dx*dx + dy*dy; square > 0 {
			t = max(0, min(1, -(ax*dx+ay*dy)/square))
		}
		length := DistanceMetres(line[i-1], line[i])
		if d := math.Hypot(ax+t*dx, ay+t*dy) * metresPerDegree; d < metres-0.01 {
			metres, at, share = d, interpolate(line[i-1], line[i], t), (passed+t*length)/total
		}
		passed += length
	}
	return metres, at, share
}

func interpolate(a, b Point, t float64) Point {
	return Point{
		Latitude:  a.Latitude + t*(b.Latitude-a.Latitude),
		Longitude: a.Longitude + t*(b.Longitude-a.Longitude),
	}
}

func lineLength(line []Point) float64 {
	length := 0.0
	for i := 1; i < len(line); i++ {
		length += DistanceMetres(line[i-1], line[i])
	}
	return length
}

// houseNumbered returns where the house of that number stands, and false when the street has none.
func (s *Street) houseNumbered(number int) (Point, bool) {
	first, last := s.Houses[0], s.Houses[1]
	if number < first || number > last || len(s.Line) == 0 {
		return Point{}, false
	}
	if first == last {
		return s.middlePoint(), true
	}
	return pointAlong(s.Line, float64(number-first)/float64(last-first)), true
}

// houseAt returns the number of the house at a share of the line's length.
func (s *Street) houseAt(share float64) int {
	return s.Houses[0] + int(math.Round(share*float64(s.Houses[1]-s.Houses[0])))
}

// middlePoint returns a point that stands for the whole street.
func (s *Street) middlePoint() Point { return pointAlong(s.Line, 0.5) }

// Check returns what is wrong with a street, worded for content authors.
func (s *Street) Check() error {
	switch {
	case s.Name.IsZero():
		return errors.New("a street needs a name")
	case len(s.Line) < 2:
		return errors.New("a street needs a line of two points or more")
	case s.Houses[0] < 1 || s.Houses[1] < s.Houses[0]:
		return errors.New("houses are the first and the last number, such as [1, 54]")
	}
	for _, p := range s.Line {
		if !p.Valid() {
			return fmt.Errorf("there is no place at %v, %v", p.Latitude, p.Longitude)
		}
	}
	return nil
}
