package geo

import (
	"math"
	"testing"
)

// newSquare returns the rectangle between two latitudes and two longitudes.
func newSquare(south, west, north, east float64) Polygon {
	return Polygon{{south, west}, {south, east}, {north, east}, {north, west}}
}

// Points in, on and beside an area in the form of an L are tested. An empty polygon contains
// nothing.
func TestPolygon_containsItsEdgesAndCorners(t *testing.T) {
	t.Parallel()
	// An L: the upper right quarter is missing.
	l := Polygon{{0, 0}, {0, 2}, {1, 2}, {1, 1}, {2, 1}, {2, 0}}
	for _, c := range []struct {
		at   Point
		want bool
	}{
		{Point{0.5, 0.5}, true},
		{Point{0.5, 1.5}, true},
		{Point{1.5, 1.5}, false},
		{Point{0, 1}, true},
		{Point{1, 1.5}, true},
		{Point{1, 1}, true},
		{Point{2, 0}, true},
		{Point{2.0001, 0}, false},
		{Point{-1, 1}, false},
	} {
		if got := l.Contains(c.at); got != c.want {
			t.Errorf("%v: got %v", c.at, got)
		}
	}
	if (Polygon{}).Contains(Point{1, 1}) {
		t.Error("nothing contains something")
	}
}

// Six polygons with a mistake are refused; a square, a closed triangle and an L are not.
func TestPolygon_Check_refusesWhatIsNoArea(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]Polygon{
		"two corners": {{1, 1}, {2, 2}},
		"a line":      {{1, 1}, {2, 2}, {3, 3}},
		"a bow tie":   {{0, 1}, {2, 3}, {2, 1}, {0, 3}},
		"off Earth":   {{1, 1}, {91, 1}, {1, 2}},
		"no number":   {{1, 1}, {math.NaN(), 1}, {1, 2}},
		"touches":     {{0, 1}, {0, 4}, {2, 4}, {0, 2}, {2, 1}},
	} {
		if p.Check() == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	for name, p := range map[string]Polygon{
		"square": newSquare(1, 1, 2, 2),
		"closed": {{1, 1}, {1, 2}, {2, 2}, {1, 1}},
		"L":      {{1, 1}, {1, 3}, {2, 3}, {2, 2}, {3, 2}, {3, 1}},
	} {
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of overlapping zones the one with the highest priority is found, then the one with the lowest
// id. Zones of another city are not.
func TestAtlas_FindZone_byPriorityThenID(t *testing.T) {
	t.Parallel()
	atlas := NewAtlas(nil, []Zone{
		{ID: 3, CityID: 1, Priority: 1, Area: newSquare(0, 0, 10, 10)},
		{ID: 2, CityID: 1, Priority: 5, Area: newSquare(0, 0, 5, 5)},
		{ID: 1, CityID: 1, Priority: 1, Area: newSquare(5, 5, 10, 10)},
		{ID: 9, CityID: 2, Priority: 9, Area: newSquare(0, 0, 10, 10)},
	}, nil)
	for at, want := range map[Point]int64{{1, 1}: 2, {8, 8}: 1, {8, 1}: 3, {5, 5}: 2, {11, 1}: 0} {
		var got int64
		if z, ok := atlas.FindZone(1, at); ok {
			got = z.ID
		}
		if got != want {
			t.Errorf("%v: got zone %d, want %d", at, got, want)
		}
	}
	if _, ok := atlas.FindZone(7, Point{1, 1}); ok {
		t.Error("an unknown city has a zone")
	}
}

// The nearest shop does not sell for takeaway, so the next one is returned, with its distance.
// Without a shop that passes it reports false.
func TestAtlas_NearestShop_isAmongThoseThatPass(t *testing.T) {
	t.Parallel()
	atlas := NewAtlas([]Shop{
		{ID: 1, CityID: 1, Point: Point{55.75, 37.61}, Takeaway: true},
		{ID: 2, CityID: 1, Point: Point{55.76, 37.61}},
		{ID: 3, CityID: 1, Point: Point{55.90, 37.61}, Takeaway: true},
	}, nil, nil)
	from := Point{55.765, 37.61}
	got, metres, ok := atlas.NearestShop(1, from, func(s *Shop) bool { return s.Takeaway })
	if !ok || got.ID != 1 || math.Abs(metres-1668) > 3 {
		t.Errorf("got %+v, %v m, %v", got, metres, ok)
	}
	if _, _, ok := atlas.NearestShop(1, from, func(*Shop) bool { return false }); ok {
		t.Error("found a shop that does not pass")
	}
}

// From Moscow to Berlin it is 1608 km, to within 5 km.
func TestDistanceMetres_isOfTheGreatCircle(t *testing.T) {
	t.Parallel()
	moscow, berlin := Point{55.7558, 37.6173}, Point{52.52, 13.405}
	if d := DistanceMetres(moscow, berlin); math.Abs(d-1_608_000) > 5_000 {
		t.Errorf("got %v", d)
	}
}

// A point within a random triangle is in it, and the point mirrored at its first corner is not.
// Thin triangles are skipped, because of rounding.
func FuzzPolygon_Contains(f *testing.F) {
	f.Add(55.7, 37.5, 55.8, 37.6, 55.7, 37.7, 0.3, 0.3)
	f.Add(-1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 0.1, 0.8)
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g, u, v float64) {
		p := Polygon{{a, b}, {c, d}, {e, g}}
		if p.Check() != nil || !(u > 0.01 && v > 0.01 && u+v < 0.99) {
			t.Skip("not an input that the rule is about")
		}
		// Thin triangles have no inside that rounding would not leave.
		if area := math.Abs((c-a)*(g-b) - (e-a)*(d-b)); area < 1e-6 {
			t.Skip("not an input that the rule is about")
		}
		in := Point{a + u*(c-a) + v*(e-a), b + u*(d-b) + v*(g-b)}
		if !p.Contains(in) {
			t.Errorf("%v does not hold %v", p, in)
		}
		out := Point{a - u*(c-a) - v*(e-a), b - u*(d-b) - v*(g-b)}
		if p.Contains(out) {
			t.Errorf("%v holds %v", p, out)
		}
	})
}
