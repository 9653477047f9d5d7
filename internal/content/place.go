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

// cityPlace is a city as a file of places has it, before a brand sells in it.
type cityPlace struct {
	city site.City
	file string
}

// readCountries reads countries.yaml.
func (r *reader) readCountries() {
	tree, ok := r.trees[countriesFile]
	if !ok {
		return
	}
	for _, entry := range tree.toList() {
		o := entry.toObject()
		c := site.Country{ID: r.readID(o, "country"), Code: o.requiredText("code"), Name: o.requiredLocalizedText("name", sharedTexts)}
		if code, ok := o.optional("code"); ok {
			r.checkUnique(code, "country", c.Code)
		}
		c.Currency = o.readCurrency("currency")
		if phone, ok := o.required("phone"); ok {
			p := phone.toObject()
			c.Phone = site.PhoneMask{
				CountryID: c.ID, CountryCode: c.Code, CountryName: c.Name,
				Code: p.requiredText("code"), Mask: p.requiredText("mask"),
			}
			if mask, ok := p.optional("mask"); ok && c.Phone.Mask != "" && !strings.Contains(c.Phone.Mask, "#") {
				mask.addFault("a phone mask has a # for every digit that is typed: %q has none", c.Phone.Mask)
			}
			p.checkFields()
		}
		for _, note := range o.optionalList("banknotes") {
			c.Banknotes = append(c.Banknotes, note.toAmount())
		}
		c.CashLimit = o.optionalAmount("cash_limit")
		c.Consents = o.readConsents()
		o.checkFields()
		r.document.Countries = append(r.document.Countries, c)
	}
	for i := range r.document.Countries {
		c := &r.document.Countries[i]
		r.countries[c.Code] = c
	}
}

// readPlace reads a file of places: a city with its map and streets.
func (r *reader) readPlace(v value) {
	o := v.toObject()
	p := &cityPlace{file: v.file, city: site.City{
		ID: r.readID(o, "city"), Alias: r.readAlias(o, "city"),
		Name: o.requiredLocalizedText("name", sharedTexts), Phrase: o.requiredLocalizedText("phrase", sharedTexts),
		Timezone: o.requiredText("timezone"), CountryCode: o.requiredText("country"),
		Big: o.optionalBool("big", false),
	}}
	if _, known := r.countries[p.city.CountryCode]; !known && p.city.CountryCode != "" && !r.unread[countriesFile] {
		o.fields["country"].addFault("unknown country %s", p.city.CountryCode)
	}
	if _, err := time.LoadLocation(p.city.Timezone); err != nil || p.city.Timezone == "Local" {
		o.fields["timezone"].addFault("%q is not a time zone like Europe/Moscow", p.city.Timezone)
	}
	if m, ok := o.required("map"); ok {
		p.city.Map = m.readMapView()
		if !m.checkInside(p, geo.Point{Latitude: p.city.Map.Latitude, Longitude: p.city.Map.Longitude}) {
			p.city.Map = site.MapView{} // all that lies in the city would seem to lie outside
		}
	}
	for _, street := range o.optionalList("streets") {
		s := street.readStreet()
		street.checkInside(p, s.Line...)
		r.document.Streets[p.city.ID] = append(r.document.Streets[p.city.ID], s)
	}
	o.checkFields()
	r.places[p.city.Alias] = p
}

// readMapView reads the map of a city; it is empty when anything is wrong with it.
func (v value) readMapView() site.MapView {
	before := len(v.faults.list)
	o := v.toObject()
	at := o.readPoint()
	m := site.MapView{Latitude: at.Latitude, Longitude: at.Longitude, Zoom: o.optionalInt("zoom", 12, 1, 20)}
	if box, ok := o.optional("bbox"); ok {
		sides := box.toList()
		if len(sides) != len(m.BBox) {
			box.addFault("bbox has four numbers: south, west, north, east")
			sides = nil
		}
		for i, side := range sides {
			m.BBox[i] = side.toFloat(-180, 180)
		}
		if m.BBox[0] > m.BBox[2] || m.BBox[1] > m.BBox[3] {
			box.addFault("bbox has south and west before north and east")
		}
	}
	if o.checkFields(); len(v.faults.list) > before {
		return site.MapView{}
	}
	return m
}

// readStreet reads a street of the local index: a line of points, or from and to.
func (v value) readStreet() geo.Street {
	o := v.toObject()
	s := geo.Street{Name: o.requiredLocalizedText("name", sharedTexts), District: o.localizedText("district", sharedTexts)}
	if line, ok := o.optional("line"); ok {
		s.Line = line.readPoints()
	} else {
		for _, end := range [...]string{"from", "to"} {
			if p, ok := o.required(end); ok {
				s.Line = append(s.Line, p.readCorner())
			}
		}
	}
	if len(s.Line) < 2 {
		v.addFault("a street needs two points or more: line, or from and to")
	}
	if houses, ok := o.required("houses"); ok {
		ends := houses.toList()
		if len(ends) != len(s.Houses) {
			houses.addFault("houses are the first and the last number, like [1, 54]")
			ends = nil
		}
		for i, end := range ends {
			s.Houses[i] = int(end.toInt(1, 10_000))
		}
		if s.Houses[0] > s.Houses[1] {
			houses.addFault("the first house is after the last")
		}
	}
	o.checkFields()
	return s
}

// readPoints reads a list of [latitude, longitude].
func (v value) readPoints() []geo.Point {
	corners := v.toList()
	points := make([]geo.Point, len(corners))
	for i, c := range corners {
		points[i] = c.readCorner()
	}
	return points
}

func (v value) readCorner() geo.Point {
	pair := v.toList()
	if len(pair) != 2 {
		v.addFault("a point is [latitude, longitude]")
		return geo.Point{}
	}
	return geo.Point{Latitude: pair[0].toFloat(-90, 90), Longitude: pair[1].toFloat(-180, 180)}
}

// readPoint reads the fields latitude and longitude.
func (o *object) readPoint() geo.Point {
	var p geo.Point
	if v, ok := o.required("latitude"); ok {
		p.Latitude = v.toFloat(-90, 90)
	}
	if v, ok := o.required("longitude"); ok {
		p.Longitude = v.toFloat(-180, 180)
	}
	return p
}

// readCurrency reads a currency by its ISO 4217 code.
func (o *object) readCurrency(name string) money.Currency {
	v, ok := o.required(name)
	if !ok {
		return money.Currency{}
	}
	c, err := money.ParseCurrency(v.toText())
	if err != nil {
		v.addFault("%v", err)
	}
	return c
}

func (o *object) optionalAmount(name string) money.Amount {
	if v, ok := o.optional(name); ok {
		return v.toAmount()
	}
	return 0
}

// readID reads the field id, unique in the folder for its kind.
func (r *reader) readID(o *object, kind string) int64 {
	v, ok := o.required("id")
	if !ok {
		return 0
	}
	id := v.toInt(1, math.MaxInt64)
	r.checkUnique(v, kind+" id", strconv.FormatInt(id, 10))
	return id
}

// readAlias reads the field alias, unique for its kind; the kind names the brand where aliases
// belong to one.
func (r *reader) readAlias(o *object, kind string) string {
	v, ok := o.required("alias")
	if !ok {
		return ""
	}
	alias := v.readAlias()
	if alias == "" {
		v.addFault("alias is empty")
	}
	r.checkUnique(v, kind, alias)
	return alias
}

// checkTranslated adds a fault where a shared text is missing in a brand's default language.
func checkTranslated(v value, l lang.Lang, what string, text lang.Text) {
	if l != "" && text[l] == "" {
		v.addFault("%s has no text in %s, the brand's default language", what, l)
	}
}
