package content

import (
	"math"
	"strconv"
	"strings"
	"time"

	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

const countriesFile = "countries.yaml"

// place is a city as a file of places has it, before a brand sells in it.
type place struct {
	city site.City
	file string
}

func (r *reader) readCountries() {
	tree, ok := r.trees[countriesFile]
	if !ok {
		return
	}
	for _, entry := range tree.list() {
		o := entry.object()
		c := site.Country{ID: r.id(o, "country"), Code: o.needText("code"), Name: o.needWords("name", shared)}
		if code, ok := o.get("code"); ok {
			r.unique(code, "country", c.Code)
		}
		c.Currency = o.currency("currency")
		if phone, ok := o.need("phone"); ok {
			p := phone.object()
			c.Phone = site.PhoneMask{
				CountryID: c.ID, CountryCode: c.Code, CountryName: c.Name,
				Code: p.needText("code"), Mask: p.needText("mask"),
			}
			if mask, ok := p.get("mask"); ok && c.Phone.Mask != "" && !strings.Contains(c.Phone.Mask, "#") {
				mask.fault("a phone mask has a # for every digit that is typed: %q has none", c.Phone.Mask)
			}
			p.done()
		}
		for _, note := range o.list("banknotes") {
			c.Banknotes = append(c.Banknotes, note.amount())
		}
		c.CashLimit = o.amount("cash_limit")
		c.Consents = o.consents()
		o.done()
		r.document.Countries = append(r.document.Countries, c)
	}
	for i := range r.document.Countries {
		c := &r.document.Countries[i]
		r.countries[c.Code] = c
	}
}

func (r *reader) readPlace(v value) {
	o := v.object()
	p := &place{file: v.file, city: site.City{
		ID: r.id(o, "city"), Alias: r.alias(o, "city"),
		Name: o.needWords("name", shared), Phrase: o.needWords("phrase", shared),
		Timezone: o.needText("timezone"), CountryCode: o.needText("country"),
		Big: o.truth("big", false),
	}}
	if _, known := r.countries[p.city.CountryCode]; !known && p.city.CountryCode != "" && !r.unread[countriesFile] {
		o.fields["country"].fault("unknown country %s", p.city.CountryCode)
	}
	if _, err := time.LoadLocation(p.city.Timezone); err != nil || p.city.Timezone == "Local" {
		o.fields["timezone"].fault("%q is not a time zone like Europe/Moscow", p.city.Timezone)
	}
	if m, ok := o.need("map"); ok {
		p.city.Map = m.mapView()
		if !m.mustLieIn(p, geo.Point{Latitude: p.city.Map.Latitude, Longitude: p.city.Map.Longitude}) {
			p.city.Map = site.MapView{} // all that lies in the city would seem to lie outside
		}
	}
	for _, street := range o.list("streets") {
		s := street.street()
		street.mustLieIn(p, s.Line...)
		r.document.Streets[p.city.ID] = append(r.document.Streets[p.city.ID], s)
	}
	o.done()
	r.places[p.city.Alias] = p
}

// mapView reads the map of a city; it is empty when anything is wrong with it.
func (v value) mapView() site.MapView {
	before := len(v.faults.list)
	o := v.object()
	at := o.point()
	m := site.MapView{Latitude: at.Latitude, Longitude: at.Longitude, Zoom: o.whole("zoom", 12, 1, 20)}
	if box, ok := o.get("bbox"); ok {
		sides := box.list()
		if len(sides) != len(m.BBox) {
			box.fault("bbox has four numbers: south, west, north, east")
			sides = nil
		}
		for i, side := range sides {
			m.BBox[i] = side.number(-180, 180)
		}
		if m.BBox[0] > m.BBox[2] || m.BBox[1] > m.BBox[3] {
			box.fault("bbox has south and west before north and east")
		}
	}
	if o.done(); len(v.faults.list) > before {
		return site.MapView{}
	}
	return m
}

// street reads a street of the local index: a line of points, or from and to.
func (v value) street() geo.Street {
	o := v.object()
	s := geo.Street{Name: o.needWords("name", shared), District: o.words("district", shared)}
	if line, ok := o.get("line"); ok {
		s.Line = line.points()
	} else {
		for _, end := range [...]string{"from", "to"} {
			if p, ok := o.need(end); ok {
				s.Line = append(s.Line, p.corner())
			}
		}
	}
	if len(s.Line) < 2 {
		v.fault("a street needs two points or more: line, or from and to")
	}
	if houses, ok := o.need("houses"); ok {
		ends := houses.list()
		if len(ends) != len(s.Houses) {
			houses.fault("houses are the first and the last number, like [1, 54]")
			ends = nil
		}
		for i, end := range ends {
			s.Houses[i] = int(end.whole(1, 10_000))
		}
		if s.Houses[0] > s.Houses[1] {
			houses.fault("the first house is after the last")
		}
	}
	o.done()
	return s
}

// points reads a list of [latitude, longitude].
func (v value) points() []geo.Point {
	corners := v.list()
	points := make([]geo.Point, len(corners))
	for i, c := range corners {
		points[i] = c.corner()
	}
	return points
}

func (v value) corner() geo.Point {
	pair := v.list()
	if len(pair) != 2 {
		v.fault("a point is [latitude, longitude]")
		return geo.Point{}
	}
	return geo.Point{Latitude: pair[0].number(-90, 90), Longitude: pair[1].number(-180, 180)}
}

// point reads the fields latitude and longitude.
func (o *object) point() geo.Point {
	var p geo.Point
	if v, ok := o.need("latitude"); ok {
		p.Latitude = v.number(-90, 90)
	}
	if v, ok := o.need("longitude"); ok {
		p.Longitude = v.number(-180, 180)
	}
	return p
}

func (o *object) currency(name string) money.Currency {
	v, ok := o.need(name)
	if !ok {
		return money.Currency{}
	}
	c, err := money.ParseCurrency(v.text())
	if err != nil {
		v.fault("%v", err)
	}
	return c
}

func (o *object) amount(name string) money.Amount {
	if v, ok := o.get(name); ok {
		return v.amount()
	}
	return 0
}

// id reads the field id, unique in the folder for its kind.
func (r *reader) id(o *object, kind string) int64 {
	v, ok := o.need("id")
	if !ok {
		return 0
	}
	id := v.whole(1, math.MaxInt64)
	r.unique(v, kind+" id", strconv.FormatInt(id, 10))
	return id
}

// alias reads the field alias, unique for its kind; scope names the brand where the
// kind belongs to one.
func (r *reader) alias(o *object, kind string) string {
	v, ok := o.need("alias")
	if !ok {
		return ""
	}
	alias := v.alias()
	if alias == "" {
		v.fault("alias is empty")
	}
	r.unique(v, kind, alias)
	return alias
}

// speaks makes sure that a shared text is there in a brand's default language.
func speaks(v value, l lang.Lang, what string, text lang.Text) {
	if l != "" && text[l] == "" {
		v.fault("%s has no text in %s, the brand's default language", what, l)
	}
}
