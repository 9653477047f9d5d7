package geo

import (
	"errors"
	"fmt"
	"math"
)

// metresPerDegree is the length of a degree of latitude.
const metresPerDegree = 111_195

// pointAlong returns the point at a share of the line's length: 0 is its beginning, 1 its end.
func pointAlong(line []Point, share float64) Point {
	left := share * lineLength(line)
	for i := 1; i < len(line); i++ {
		from, to := line[i-1], line[i]
		length := DistanceMetres(from, to)
		if left <= length && length > 0 {
			return interpolate(from, to, left/length)
		}
		left -= length
	}
	return line[len(line)-1]
}

// closestPoint returns the distance in metres from the point to the line, the nearest point of
// the line, and its share of the line's length: 0 is the beginning, 1 the end. Where a line runs
// there and back, it returns the share on the way there. The line must have a point.
func closestPoint(line []Point, point Point) (metres float64, nearest Point, share float64) {
	metres = math.Inf(1)
	total, lengthBefore := lineLength(line), 0.0
	if len(line) == 1 || total == 0 {
		return DistanceMetres(line[0], point), line[0], 0
	}
	// A street is short enough for plane geometry: x and y are degrees of latitude from the point.
	longitudeScale := math.Cos(point.Latitude * math.Pi / 180)
	plane := func(p Point) (x, y float64) {
		return (p.Longitude - point.Longitude) * longitudeScale, p.Latitude - point.Latitude
	}
	for i := 1; i < len(line); i++ {
		ax, ay := plane(line[i-1])
		bx, by := plane(line[i])
		dx, dy := bx-ax, by-ay
		t := 0.0 // the share of this segment at which its nearest point is
		if square := dx*dx + dy*dy; square > 0 {
			t = max(0, min(1, -(ax*dx+ay*dy)/square))
		}
		length := DistanceMetres(line[i-1], line[i])
		// The way back must be nearer by a centimetre: where it is as near, the way there wins.
		if d := math.Hypot(ax+t*dx, ay+t*dy) * metresPerDegree; d < metres-0.01 {
			metres, nearest, share = d, interpolate(line[i-1], line[i], t), (lengthBefore+t*length)/total
		}
		lengthBefore += length
	}
	return metres, nearest, share
}

// interpolate returns the point at the share t of the way from a to b.
func interpolate(a, b Point, t float64) Point {
	return Point{
		Latitude:  a.Latitude + t*(b.Latitude-a.Latitude),
		Longitude: a.Longitude + t*(b.Longitude-a.Longitude),
	}
}

// lineLength returns the length of the line in metres.
func lineLength(line []Point) float64 {
	length := 0.0
	for i := 1; i < len(line); i++ {
		length += DistanceMetres(line[i-1], line[i])
	}
	return length
}

// houseNumbered returns where the house with the number stands, false when the street has no
// such number. Houses stand at equal distances along the street's line; an only house stands in its
// middle.
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

// houseAt returns the number of the house nearest to the share of the line's length; 0 is the
// beginning of the line, 1 its end.
func (s *Street) houseAt(share float64) int {
	return s.Houses[0] + int(math.Round(share*float64(s.Houses[1]-s.Houses[0])))
}

// middlePoint returns the point halfway along the street; for a street of a register, the point that
// is stored there.
func (s *Street) middlePoint() Point {
	if s.block != nil {
		return s.block.middle
	}
	return pointAlong(s.Line, 0.5)
}

// Check returns an error about the first mistake in a street, worded for content authors; nil
// when there is none.
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
