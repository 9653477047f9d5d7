package content

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nyaruka/phonenumbers"

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

// countryFields is an entry of countries.yaml.
type countryFields struct {
	ID idValue `field:"id,required"`
	// ISO 3166-1 alpha-2
	Code     wordValue     `field:"code,required" match:"^[A-Z]{2}$"`
	Name     textValue     `field:"name,required"`
	Currency currencyValue `field:"currency,required"`
	// How its numbers are written
	Phone mappingOf[phoneFields] `field:"phone,required"`
	// Offered when a customer pays in cash
	Banknotes []money.Amount `field:"banknotes"`
	// Change is given of a note up to it; absent: of any
	CashLimit money.Amount `field:"cash_limit"`
	// What customers are asked to agree to before they order, each with an unticked box of its own
	Consents []mappingOf[consentFields] `field:"consents"`
	// Aliases of pages that a brand must have to sell there
	RequiredPages []string `field:"required_pages" unique:"true"`
	// What must be said of products there, where they have it; elsewhere it is not said
	ProductFacts []site.ProductFact `field:"product_facts" one:"productFacts" unique:"true"`
	// What customers are asked for besides street and house, in this order; absent: room, which is required,
	// private_house, entrance, floor and intercom
	AddressForm []mappingOf[addressFormFields] `field:"address_form" items:"1"`
}

// phoneFields is how the numbers of a country are written.
type phoneFields struct {
	Code wordValue `field:"code,required"`
	// Begins with + and the code; every # is a digit
	Mask maskValue `field:"mask,required"`
}

// placeFields is a file of places/.
type placeFields struct {
	ID    idValue    `field:"id,required"`
	Alias aliasValue `field:"alias,required"`
	// The code of a country
	Country wordValue `field:"country,required"`
	Name    textValue `field:"name,required"`
	// The city in a phrase: in Moscow
	Phrase textValue `field:"phrase,required"`
	// IANA name; all hours of the city are in it
	Timezone wordValue            `field:"timezone,required"`
	Map      mappingOf[mapFields] `field:"map,required"`
	// Shown apart in the list of cities
	Big bool `field:"big"`
	// For the built-in search for addresses
	Streets []mappingOf[streetFields] `field:"streets"`
}

// pointFields are a point on the earth.
type pointFields struct {
	Latitude  float64 `field:"latitude,required" min:"-90" max:"90"`
	Longitude float64 `field:"longitude,required" min:"-180" max:"180"`
}

// mapFields is the map of a city.
type mapFields struct {
	pointFields
	Zoom int `field:"zoom" min:"1" max:"20" default:"12"`
	// South, west, north, east
	BBox bboxValue `field:"bbox"`
	// A PMTiles file in the folder of SERVERY_MAPS, see docs/maps.md; servery maps prints this field
	File mappingOf[mapFileFields] `field:"file"`
}

// mapFileFields is the file with the tiles of a map.
type mapFileFields struct {
	Name wordValue `field:"name,required" match:"^[a-z0-9][a-z0-9._-]*\\.pmtiles$"`
	// Bytes
	Size int `field:"size,required" min:"1"`
	// The hash of its bytes in lower-case hexadecimal digits
	SHA256 wordValue `field:"sha256,required" match:"^[0-9a-f]{64}$"`
}

// streetFields is a street: a line of points, or from and to.
type streetFields struct {
	Name     textValue `field:"name,required"`
	District textValue `field:"district"`
	// The beginning
	From pointValue `field:"from" with:"to" either:"way/ends"`
	// The end
	To pointValue `field:"to" with:"from" either:"way/ends"`
	// All corners
	Line []pointValue `field:"line" items:"2" either:"way"`
	// First and last number
	Houses housesValue `field:"houses,required"`
}

// readCountries reads countries.yaml.
func (r *reader) readCountries() {
	tree, ok := r.trees[countriesFile]
	if !ok {
		return
	}
	for _, entry := range tree.toList() {
		r.document.Countries = append(r.document.Countries, r.readCountry(entry))
	}
	for i := range r.document.Countries {
		c := &r.document.Countries[i]
		r.countries[c.Code] = c
	}
}

// readCountry reads a country with its phones, cash and consents.
func (r *reader) readCountry(v value) site.Country {
	f, _ := readFields[countryFields](v)
	c := site.Country{
		ID: r.readID(f.ID, "country"), Code: f.Code.asWritten(), Name: f.Name.localizedText(sharedTexts), Currency: f.Currency.readCurrency(),
		Banknotes: f.Banknotes, CashLimit: f.CashLimit, Consents: readConsents(f.Consents), RequiredPages: f.RequiredPages,
		ProductFacts: f.ProductFacts, OwnAddressForm: readAddressForm(f.AddressForm),
	}
	v.checkUnits(c.Currency, append([]money.Amount{c.CashLimit}, c.Banknotes...)...)
	r.checkUnique(f.Code.value, "country", c.Code)
	if !f.Phone.isNull() {
		p, _ := f.Phone.readMapping()
		c.Phone = site.PhoneMask{CountryID: c.ID, CountryCode: c.Code, CountryName: c.Name, Code: p.Code.asWritten(), Mask: p.Mask.asWritten()}
		p.check(f.Code)
	}
	return c
}

// check adds the faults of how numbers of a country are written, and that of a country that has no numbers: each order
// there would be refused because of its phone.
func (p *phoneFields) check(country wordValue) {
	calling := phonenumbers.GetCountryCodeForRegion(country.asWritten())
	code, mask := p.Code.asWritten(), p.Mask.asWritten()
	switch {
	case country.isNull() || code == "" || mask == "": // a fault of its own
	case calling == 0:
		country.addFault("%q is not the code of a country by ISO 3166-1, such as GB", country.asWritten())
	case code != fmt.Sprintf("+%d", calling):
		p.Code.addFault("the numbers of %s begin with +%d", country.asWritten(), calling)
	case !strings.HasPrefix(mask, code):
		p.Mask.addFault("a phone mask begins with the code %s: %q", code, mask)
	case !strings.Contains(mask, "#"):
		p.Mask.addFault("a phone mask has a # for every digit that is typed: %q has none", mask)
	default:
		p.checkLength(country.asWritten(), int32(calling))
	}
}

// checkLength adds a fault when the mask does not have as many digits as the mobile phones of the country:
// customers could enter none of them.
func (p *phoneFields) checkLength(country string, calling int32) {
	example := phonenumbers.GetExampleNumberForType(country, phonenumbers.MOBILE)
	if example == nil {
		return
	}
	usual := len(phonenumbers.GetNationalSignificantNumber(example))
	after := strings.TrimPrefix(p.Mask.asWritten(), p.Code.asWritten())
	digits := 0
	for _, sign := range after {
		if sign == '#' || '0' <= sign && sign <= '9' {
			digits++
		}
	}
	number, err := strconv.ParseUint(strings.Repeat("1", digits), 10, 64)
	asLong := &phonenumbers.PhoneNumber{CountryCode: &calling, NationalNumber: &number}
	if err != nil || digits < usual || !phonenumbers.IsPossibleNumber(asLong) {
		p.Mask.addFault("the mask has %d digits after %s, and mobile phones of %s have %d", digits, p.Code.asWritten(), country, usual)
	}
}

// readPlace reads a file of places: a city with its map and streets.
func (r *reader) readPlace(v value) {
	f, _ := readFields[placeFields](v)
	p := &cityPlace{file: v.file, city: site.City{
		ID: r.readID(f.ID, "city"), Alias: r.readAlias(f.Alias, "city"),
		Name: f.Name.localizedText(sharedTexts), Phrase: f.Phrase.localizedText(sharedTexts),
		Timezone: f.Timezone.asWritten(), CountryCode: f.Country.asWritten(), Big: f.Big,
	}}
	if _, known := r.countries[p.city.CountryCode]; !known && p.city.CountryCode != "" && !r.unread[countriesFile] {
		f.Country.addFault("unknown country %s", p.city.CountryCode)
	}
	if _, err := time.LoadLocation(p.city.Timezone); err != nil || p.city.Timezone == "Local" {
		f.Timezone.addFault("%q is not a time zone like Europe/Moscow", p.city.Timezone)
	}
	if m := f.Map; !m.isNull() {
		p.city.Map = readMapView(m)
		if !m.checkInside(p, geo.Point{Latitude: p.city.Map.Latitude, Longitude: p.city.Map.Longitude}) {
			p.city.Map = site.MapView{} // or all that lies in the city would be a fault as well
		}
	}
	for _, street := range f.Streets {
		s := readStreet(street)
		street.checkInside(p, s.Line...)
		r.document.Streets[p.city.ID] = append(r.document.Streets[p.city.ID], s)
	}
	r.readRegister(p)
	r.places[p.city.Alias] = p
}

// registerEnding is the ending of a file of addresses, which stands beside that of its place.
const registerEnding = ".addresses"

// maxRegister is how large a file of addresses may be, in bytes: that of 250,000 has about 3 MB.
const maxRegister = 32 << 20

// registerFile returns the name of the place's file of addresses.
func (p *cityPlace) registerFile() string {
	return strings.TrimSuffix(p.file, ".yaml") + registerEnding
}

// readRegister reads the file of addresses beside that of the place, if there is one.
func (r *reader) readRegister(p *cityPlace) {
	name := p.registerFile()
	if _, isThere := slices.BinarySearch(r.names, name); !isThere {
		return
	}
	info, err := fs.Stat(r.files, name)
	if err == nil && info.Size() > maxRegister {
		r.addFault(name, 0, "more than %d MB", maxRegister>>20)
		return
	}
	data, err := fs.ReadFile(r.files, name)
	if err == nil {
		_, err = geo.DecodeRegister(data)
	}
	if err != nil {
		r.addFault(name, 0, "%v", err)
		return
	}
	r.document.Registers[p.city.ID] = data
}

// readMapView reads the map of a city; it is empty when anything is wrong with it.
func readMapView(v mappingOf[mapFields]) site.MapView {
	before := len(v.faults.list)
	f, _ := v.readMapping()
	m := site.MapView{Latitude: f.Latitude, Longitude: f.Longitude, Zoom: f.Zoom}
	if box := f.BBox; !box.isNull() {
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
	if file := f.File; !file.isNull() {
		named, _ := file.readMapping()
		m.File = &site.MapFile{Name: named.Name.asWritten(), Size: int64(named.Size), SHA256: named.SHA256.asWritten()}
	}
	if len(v.faults.list) > before {
		return site.MapView{}
	}
	return m
}

// readStreet reads a street of the local index: a line of points, or from and to.
func readStreet(v mappingOf[streetFields]) geo.Street {
	f, o := v.readMapping()
	s := geo.Street{Name: f.Name.localizedText(sharedTexts), District: f.District.localizedText(sharedTexts), Line: readPoints(f.Line)}
	if f.Line == nil && !f.From.isNull() && !f.To.isNull() {
		s.Line = readPoints([]pointValue{f.From, f.To})
	}
	if o.chosen["way"] != 1 { // exactly one of: line; from and to
		v.addFault("a street needs two points or more: line, or from and to")
	}
	if houses := f.Houses; !houses.isNull() {
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
	return s
}

// readPoints reads a list of [latitude, longitude].
func readPoints(corners []pointValue) []geo.Point {
	points := make([]geo.Point, len(corners))
	for i, c := range corners {
		points[i] = c.readCorner()
	}
	return points
}

// readCorner reads a [latitude, longitude].
func (v pointValue) readCorner() geo.Point {
	pair := v.toList()
	if len(pair) != 2 {
		v.addFault("a point is [latitude, longitude]")
		return geo.Point{}
	}
	return geo.Point{Latitude: pair[0].toFloat(-90, 90), Longitude: pair[1].toFloat(-180, 180)}
}

func (f pointFields) point() geo.Point {
	return geo.Point{Latitude: f.Latitude, Longitude: f.Longitude}
}

// readCurrency reads a currency by its ISO 4217 code; it is empty when the field is absent.
func (v currencyValue) readCurrency() money.Currency {
	if v.isNull() {
		return money.Currency{}
	}
	c, err := money.ParseCurrency(v.toText())
	switch {
	case err != nil:
		v.addFault("%v", err)
	case !c.CanBeKept():
		v.addFault("sums of %s have %d decimals, but are kept with two only: nothing can be sold in it", c, c.Decimals)
	}
	return c
}

// checkUnits adds a fault for each sum that the currency cannot have, such as half a yen.
func (v value) checkUnits(c money.Currency, sums ...money.Amount) {
	for _, sum := range sums {
		if sum%c.Unit() != 0 {
			v.addFault("%s has no decimals, so %s is not a sum of it", c, sum)
		}
	}
}

// readID returns an id, which must be unique in the folder for its kind; 0 where there is none.
func (r *reader) readID(v idValue, kind string) int64 {
	if v.isNull() {
		return 0
	}
	id := v.toInt(1, math.MaxInt64)
	r.checkUnique(v.value, kind+" id", strconv.FormatInt(id, 10))
	return id
}

// readAlias returns an alias, which must be unique for its kind; it is empty when the field is absent.
// The kind has the brand in it where the alias must be unique in a brand only (see kindOf).
func (r *reader) readAlias(v aliasValue, kind string) string {
	if v.isNull() {
		return ""
	}
	alias := v.readAlias()
	if alias == "" {
		v.addFault("alias is empty")
	}
	r.checkUnique(v.value, kind, alias)
	return alias
}

// isForAll reports whether a text of a shared file was written plainly, for all languages.
func isForAll(text lang.Text) bool {
	for _, l := range lang.All() {
		if text[l] == "" || text[l] != text[lang.All()[0]] {
			return false
		}
	}
	return true
}

// checkTranslated adds a fault where a shared text is missing in the language of a brand's texts.
func checkTranslated(v value, l lang.Lang, what string, text lang.Text) {
	if l != "" && text[l] == "" && !isForAll(text) {
		v.addFault("%s has no text in %s, the language of the brand's texts", what, l)
	}
}
