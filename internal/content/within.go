package content

import (
	"fmt"
	"math"

	"servery/internal/geo"
	"servery/internal/site"
)

// nearby is how far from the middle of its map a city reaches where the map has no bbox, in
// degrees: some hundred kilometres, more than any delivery.
const nearby = 1

// placeOf returns the place that a brand names. When there is none, it returns false, and adds a fault
// unless a file of places/ could not be read.
func (r *reader) placeOf(ref value) (*cityPlace, bool) {
	alias := ref.toText()
	p, known := r.places[alias]
	if !known && alias != "" && !r.unread["places"] {
		ref.addFault("unknown place %s: there is no such alias in places/", alias)
	}
	return p, known
}

// checkInside reports whether all points are inside of the city, and adds a fault for the first that
// is not. GeoJSON and many maps write the longitude first, and a zone in another country would reach
// no customer.
func (v value) checkInside(p *cityPlace, points ...geo.Point) bool {
	if p.city.Map == (site.MapView{}) {
		return true // what is wrong with the map is a fault of its own
	}
	for _, at := range points {
		if inView(p.city.Map, at) {
			continue
		}
		swapped := geo.Point{Latitude: at.Longitude, Longitude: at.Latitude}
		v.addFault("%v, %v is outside of %s%s", at.Latitude, at.Longitude, p.city.Alias, adviceOn(p, swapped))
		return false
	}
	return true
}

// adviceOn returns the end of a fault about a point outside of a place. swapped is the point with
// its latitude and longitude exchanged.
func adviceOn(p *cityPlace, swapped geo.Point) string {
	switch {
	case inView(p.city.Map, swapped):
		return ": did you swap latitude and longitude? The latitude stands first"
	case p.city.Map.BBox == [4]float64{}:
		return fmt.Sprintf(", whose map in %s has its middle at %v, %v", p.file, p.city.Map.Latitude, p.city.Map.Longitude)
	}
	return fmt.Sprintf(": the map in %s has the bbox %v", p.file, p.city.Map.BBox)
}

// inView reports whether a point is on the map of a city.
func inView(m site.MapView, at geo.Point) bool {
	if m.BBox == [4]float64{} {
		return math.Abs(at.Latitude-m.Latitude) <= nearby && math.Abs(at.Longitude-m.Longitude) <= nearby
	}
	return m.BBox[0] <= at.Latitude && at.Latitude <= m.BBox[2] && m.BBox[1] <= at.Longitude && at.Longitude <= m.BBox[3]
}
