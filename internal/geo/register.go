package geo

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"servery/internal/lang"
)

// A register is the streets and houses of a city in one text of bytes, a few for each house. It is
// written once from a map and read at each start; streets that are read keep their houses packed.
//
// It is: registerMagic; the texts (languages, names, postcodes) with their number before them; the
// number of streets; and for each street the names by language, the districts by language, the
// middle, the number of houses, the length of the houses and the houses, sorted. A house is its
// number, the steps of its place from the house before it (the first from the middle) and its
// postcode. Numbers are varints, a text is its length and bytes, and texts are named by their place in
// the list.

// registerMagic begins each register; its last byte is the version.
const registerMagic = "servery addresses 1\n"

// registerScale is how many steps a degree has: a step is 1.1 m of latitude.
const registerScale = 100_000

// RegisterStreet is a street to be written into a register.
type RegisterStreet struct {
	Name, District lang.Text
	// Point is the middle of the street.
	Point  Point
	Houses []RegisterHouse
}

// RegisterHouse is a house to be written into a register.
type RegisterHouse struct {
	// Number is as people write it, such as "12 корп. 1"; Postcode may be empty.
	Number, Postcode string
	Point            Point
}

// houseBlock is the houses of a street of a register.
type houseBlock struct {
	packed []byte
	count  int
	middle Point    // of the street
	bounds Bounds   // of the houses and the middle
	texts  []string // of the register
}

// registerHouse is a house that was read from a block.
type registerHouse struct {
	number, postcode string
	point            Point
}

// EncodeRegister returns the streets as a register. It leaves out a house without a number, and the
// second of two houses of a street with the same number.
func EncodeRegister(streets []RegisterStreet) []byte {
	w := &registerWriter{index: map[string]uint64{}}
	var body registerBody
	body.number(uint64(len(streets)))
	for _, s := range streets {
		for _, text := range []lang.Text{s.Name, s.District} {
			body.number(uint64(len(text)))
			for _, l := range slices.Sorted(maps.Keys(text)) {
				body.number(w.text(string(l)))
				body.number(w.text(text[l]))
			}
		}
		latitude, longitude := steps(s.Point.Latitude), steps(s.Point.Longitude)
		body.step(latitude)
		body.step(longitude)
		var houses registerBody
		count := uint64(0)
		before := ""
		for _, h := range sortHouses(s.Houses) {
			number := houseText(h.Number)
			if number == "" || number == before {
				continue
			}
			before = number
			count++
			houses.text(number)
			houses.step(steps(h.Point.Latitude) - latitude)
			houses.step(steps(h.Point.Longitude) - longitude)
			latitude, longitude = steps(h.Point.Latitude), steps(h.Point.Longitude)
			houses.number(w.text(h.Postcode))
		}
		body.number(count)
		body.number(uint64(len(houses.bytes)))
		body.bytes = append(body.bytes, houses.bytes...)
	}
	all := registerBody{bytes: []byte(registerMagic)}
	all.number(uint64(len(w.texts)))
	for _, text := range w.texts {
		all.text(text)
	}
	return append(all.bytes, body.bytes...)
}

// sortHouses returns the houses by their leading numbers and then by what follows.
func sortHouses(houses []RegisterHouse) []RegisterHouse {
	sorted := slices.Clone(houses)
	slices.SortStableFunc(sorted, func(a, b RegisterHouse) int {
		x, y := houseText(a.Number), houseText(b.Number)
		return cmp.Or(cmp.Compare(leadingNumber(x), leadingNumber(y)), cmp.Compare(x, y))
	})
	return sorted
}

// leadingNumber returns the number that a house number begins with, 0 where there is none. Of one that is
// too long for an int it returns the beginning.
func leadingNumber(house string) int {
	n := 0
	for _, r := range house {
		if r < '0' || r > '9' || n > math.MaxInt32/10 {
			break
		}
		n = n*10 + int(r-'0')
	}
	return n
}

// steps returns a coordinate in steps of the register.
func steps(degrees float64) int64 { return int64(math.Round(degrees * registerScale)) }

// degreesOf returns in degrees a coordinate that is in steps.
func degreesOf(steps int64) float64 { return float64(steps) / registerScale }

// registerWriter numbers the texts of a register.
type registerWriter struct {
	texts []string
	index map[string]uint64
}

// text returns the index of a text in the list, and adds it when it is not there.
func (w *registerWriter) text(text string) uint64 {
	i, ok := w.index[text]
	if !ok {
		i = uint64(len(w.texts))
		w.index[text] = i
		w.texts = append(w.texts, text)
	}
	return i
}

// registerBody is what a register is written to.
type registerBody struct{ bytes []byte }

// number writes a number without a sign.
func (b *registerBody) number(n uint64) { b.bytes = binary.AppendUvarint(b.bytes, n) }

// step writes a number with a sign.
func (b *registerBody) step(n int64) { b.bytes = binary.AppendVarint(b.bytes, n) }

// text writes the length of a text and its bytes.
func (b *registerBody) text(text string) {
	b.number(uint64(len(text)))
	b.bytes = append(b.bytes, text...)
}

// errRegister says that a register was cut off or changed.
var errRegister = errors.New("this is no whole file of addresses: delete it, and write it again with servery addresses")

// DecodeRegister returns the streets of a register. It returns an error when data is no register. The
// streets share data, which must not be changed afterwards.
func DecodeRegister(data []byte) ([]Street, error) {
	if !bytes.HasPrefix(data, []byte(registerMagic)) {
		return nil, errRegister
	}
	r := &registerReader{unread: data[len(registerMagic):]}
	texts := make([]string, r.count())
	for i := range texts {
		texts[i] = string(r.read(r.count()))
	}
	r.texts = texts
	streets := make([]Street, 0, r.count())
	for range cap(streets) {
		streets = append(streets, r.street())
	}
	if r.isBroken || len(r.unread) > 0 {
		return nil, errRegister
	}
	return streets, nil
}

// registerReader reads a register, or a block of houses. What it reads after a fault is zero.
type registerReader struct {
	unread   []byte
	texts    []string
	isBroken bool
}

// number reads a number without a sign.
func (r *registerReader) number() uint64 {
	n, size := binary.Uvarint(r.unread)
	if size <= 0 {
		r.isBroken, r.unread = true, nil
		return 0
	}
	r.unread = r.unread[size:]
	return n
}

// count reads how many bytes or entries follow. Each takes a byte at least, so a number above the rest of
// the bytes is a fault.
func (r *registerReader) count() int {
	n := r.number()
	if n > uint64(len(r.unread)) {
		r.isBroken, r.unread = true, nil
		return 0
	}
	return int(n)
}

// step reads a number with a sign.
func (r *registerReader) step() int64 {
	n, size := binary.Varint(r.unread)
	if size <= 0 {
		r.isBroken, r.unread = true, nil
		return 0
	}
	r.unread = r.unread[size:]
	return n
}

// read returns the next count bytes, or all that are left when these are fewer.
func (r *registerReader) read(count int) []byte {
	count = min(count, len(r.unread))
	taken := r.unread[:count:count]
	r.unread = r.unread[count:]
	return taken
}

// text reads the index of a text and returns the text.
func (r *registerReader) text() string {
	i := r.number()
	if i >= uint64(len(r.texts)) {
		r.isBroken = true
		return ""
	}
	return r.texts[i]
}

// localized reads texts by language.
func (r *registerReader) localized() lang.Text {
	count := r.count()
	if count == 0 {
		return nil
	}
	texts := make(lang.Text, count)
	for range count {
		l := lang.Lang(r.text())
		texts[l] = r.text()
	}
	return texts
}

// street reads a street. It sets r.isBroken when the street has no name or its middle is no place on
// Earth.
func (r *registerReader) street() Street {
	s := Street{Name: r.localized(), District: r.localized()}
	block := &houseBlock{texts: r.texts}
	block.middle = Point{Latitude: degreesOf(r.step()), Longitude: degreesOf(r.step())}
	// The houses are in packed, which is read next. Each takes a byte at least, so only a damaged file has
	// more houses than bytes.
	block.count = int(min(r.number(), uint64(len(r.unread))))
	block.packed = r.read(r.count())
	points := []Point{block.middle}
	for h := range block.houses() {
		points = append(points, h.point)
	}
	block.bounds = boundsOf(points)
	if s.Name.IsZero() || !block.middle.Valid() {
		r.isBroken = true
	}
	s.block = block
	return s
}
