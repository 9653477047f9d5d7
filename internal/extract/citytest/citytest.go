// Package citytest makes cities of any size for tests and benchmarks: streets with names in two scripts,
// and their houses, as an extract of OpenStreetMap has them.
package citytest

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"servery/internal/extract/pbftest"
	"servery/internal/geo"
)

// Street is a street of a city.
type Street struct {
	// Cyrillic and Latin are its name, with the kind before it.
	Cyrillic string `json:"cyrillic"`
	Latin    string `json:"latin"`
	// Middle is where its middle house stands.
	Middle geo.Point `json:"middle"`
}

// City is a city with its extract.
type City struct {
	Streets []Street
	// Extract is a file in the binary form of OpenStreetMap.
	Extract []byte
}

// sounds are what names are made of, in Cyrillic and in Latin.
var sounds = [][2]string{
	{"ба", "ba"},
	{"ве", "ve"},
	{"го", "go"},
	{"ду", "du"},
	{"жи", "zhi"},
	{"за", "za"},
	{"ка", "ka"},
	{"ле", "le"},
	{"мо", "mo"},
	{"ни", "ni"},
	{"по", "po"},
	{"ра", "ra"},
	{"со", "so"},
	{"ту", "tu"},
	{"фи", "fi"},
	{"ха", "ha"},
	{"че", "che"},
	{"ши", "shi"},
	{"бор", "bor"},
	{"град", "grad"},
}

// kinds are the kinds of streets; most are of the first.
var kinds = [][2]string{{"улица", "ulitsa"}, {"улица", "ulitsa"}, {"улица", "ulitsa"}, {"переулок", "pereulok"}, {"проспект", "prospekt"}}

// New returns a city with so many streets of so many houses each, spread over the bounds. Its streets
// and houses are the same for the same arguments. No two streets have one name.
func New(streets, houses int, bounds geo.Bounds) City {
	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // names that are the same in each run, and no secret
	c := City{Streets: make([]Street, 0, streets)}
	rows := int(math.Ceil(math.Sqrt(float64(streets))))
	height, width := (bounds.North-bounds.South)/float64(rows), (bounds.East-bounds.West)/float64(rows)
	isNamed := map[string]bool{}
	var nodes []pbftest.Node
	var ways []pbftest.Way
	for i := range streets {
		street := newStreet(dice)
		for isNamed[street.Cyrillic] {
			street = newStreet(dice)
		}
		isNamed[street.Cyrillic] = true
		south, west := bounds.South+height*float64(i/rows), bounds.West+width*float64(i%rows)
		at := func(house int) geo.Point {
			return geo.Point{Latitude: south + height/2, Longitude: west + width*float64(house+1)/float64(houses+2)}
		}
		street.Middle = at(houses / 2)
		c.Streets = append(c.Streets, street)
		first := int64(len(nodes) + 1)
		for h := range houses {
			place := at(h)
			nodes = append(nodes, pbftest.Node{
				ID: first + int64(h), Latitude: place.Latitude, Longitude: place.Longitude,
				Tags: map[string]string{"addr:street": street.Cyrillic, "addr:housenumber": houseNumber(h), "addr:postcode": strconv.Itoa(420000 + i/50)},
			})
		}
		ways = append(ways, pbftest.Way{
			ID: int64(i + 1), Nodes: []int64{first, int64(len(nodes))},
			Tags: map[string]string{"highway": "residential", "name": street.Cyrillic, "name:en": street.Latin},
		})
	}
	c.Extract = pbftest.Write(nodes, ways, nil)
	return c
}

// Nearest returns the street whose middle is nearest to the point.
func (c City) Nearest(point geo.Point) Street {
	nearest, _, _ := geo.Nearest(c.Streets, point, func(s Street) geo.Point { return s.Middle }, func(Street) bool { return true })
	return nearest
}

// newStreet returns a street with a name by chance.
func newStreet(dice *rand.Rand) Street {
	kind, cyrillic, latin := kinds[dice.IntN(len(kinds))], "", ""
	for range 2 + dice.IntN(3) {
		sound := sounds[dice.IntN(len(sounds))]
		cyrillic, latin = cyrillic+sound[0], latin+sound[1]
	}
	const firstLetter = len("б")
	cyrillic = strings.ToUpper(cyrillic[:firstLetter]) + cyrillic[firstLetter:]
	return Street{Cyrillic: kind[0] + " " + cyrillic + "ская", Latin: kind[1] + " " + latin + "skaia"}
}

// houseNumber returns the number of a house; every seventh is a building beside its house.
func houseNumber(house int) string {
	if house%7 == 0 {
		return strconv.Itoa(house+1) + " к2"
	}
	return strconv.Itoa(house + 1)
}
