// Package extract reads the streets and houses of a city from an extract of OpenStreetMap in its
// binary form (.osm.pbf).
package extract

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"

	"servery/internal/geo"
	"servery/internal/lang"
)

// Options say which city is read.
type Options struct {
	// City is the name of the city in its languages. Houses of another town within the bounds have its
	// name as their district.
	City lang.Text
	// Language is that of names without a language of their own.
	Language lang.Lang
	// Bounds leave out what lies outside of them; zero leaves out nothing.
	Bounds geo.Bounds
}

// defaultLanguages are the languages of names in countries; elsewhere it is English.
var defaultLanguages = map[string]lang.Lang{
	"RU": lang.RU, "BY": lang.RU, "KZ": lang.RU, "KG": lang.RU, "UA": lang.UK, "TR": lang.TR, "DE": lang.DE, "AT": lang.DE, "CH": lang.DE, "UZ": lang.UZ,
}

// LanguageOf returns the language in which names are written in a country, by its code.
func LanguageOf(country string) lang.Lang {
	if l, ok := defaultLanguages[country]; ok {
		return l
	}
	return lang.EN
}

// house is a house before it has a street.
type house struct {
	street, town, number, postcode string
	point                          geo.Point
}

// way is a line whose place follows from its nodes.
type way struct {
	house // without a point; its number is empty for a street
	nodes []osm.NodeID
}

// collector collects what the passes over a file find.
type collector struct {
	Options

	names map[string]lang.Text // of streets, by the name without a language
	ways  []way
	// outlines are the houses of relations, by the first way of their outline.
	outlines map[osm.WayID]house
	houses   []house
	// middles are points of streets.
	middles []house
	// districts are named points.
	districts []district
	// nodes are those that place the ways; the point is zero until addNode has found the node.
	nodes map[osm.NodeID]geo.Point
}

// district is a named part of a city, known by its middle.
type district struct {
	name  lang.Text
	point geo.Point
}

// Read returns the streets of the file that have a name, each with its houses. It reads the file three
// times: relations, ways, nodes, because relations name ways and ways name nodes.
func Read(ctx context.Context, file io.ReadSeeker, o Options) ([]geo.RegisterStreet, error) {
	c := &collector{Options: o, names: map[string]lang.Text{}, outlines: map[osm.WayID]house{}, nodes: map[osm.NodeID]geo.Point{}}
	for _, pass := range []struct {
		skip func(*osmpbf.Scanner)
		add  func(osm.Object)
	}{
		{func(s *osmpbf.Scanner) { s.SkipNodes, s.SkipWays = true, true }, c.addRelation},
		{func(s *osmpbf.Scanner) { s.SkipNodes, s.SkipRelations = true, true }, c.addWay},
		{func(s *osmpbf.Scanner) { s.SkipWays, s.SkipRelations = true, true }, c.addNode},
	} {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, fmt.Errorf("read the extract: %w", err)
		}
		scanner := osmpbf.New(ctx, file, runtime.GOMAXPROCS(0))
		pass.skip(scanner)
		for scanner.Scan() {
			pass.add(scanner.Object())
		}
		err := scanner.Err()
		if header, _ := scanner.Header(); header == nil && err == nil {
			err = io.ErrUnexpectedEOF // an empty file
		}
		if closeErr := scanner.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return nil, fmt.Errorf("read the extract: %w", err)
		}
	}
	c.placeWays()
	return c.streets(), nil
}

// addRelation stores a house that is drawn as several lines, under the first line of its outline.
func (c *collector) addRelation(o osm.Object) {
	r, ok := o.(*osm.Relation)
	if !ok {
		return
	}
	h, ok := houseOf(r.Tags)
	if !ok {
		return
	}
	for _, m := range r.Members {
		if m.Type == osm.TypeWay && m.Role != "inner" {
			c.outlines[osm.WayID(m.Ref)] = h
			return
		}
	}
}

// addWay adds a way to c.ways if it is a house, by its own tags or by those of a relation, or a street
// with a name. The nodes that place it are added to c.nodes, for addNode to find: all nodes of a house,
// the middle one of a street. For a street it also adds the texts of its name.
func (c *collector) addWay(o osm.Object) {
	w, ok := o.(*osm.Way)
	if !ok || len(w.Nodes) == 0 {
		return
	}
	h, isHouse := houseOf(w.Tags)
	if outline, isOutline := c.outlines[w.ID]; isOutline && !isHouse {
		h, isHouse = outline, true
	}
	name := w.Tags.Find("name")
	switch {
	case isHouse:
	case w.Tags.Find("highway") != "" && name != "":
		if _, isKnown := c.names[name]; !isKnown {
			c.names[name] = c.textOf(w.Tags)
		}
		middle := w.Nodes[len(w.Nodes)/2].ID
		c.nodes[middle] = geo.Point{}
		c.ways = append(c.ways, way{house: house{street: name}, nodes: []osm.NodeID{middle}})
		return
	default:
		return
	}
	line := way{house: h}
	for _, node := range w.Nodes[:max(1, len(w.Nodes)-1)] { // the last node of an outline is the first
		line.nodes = append(line.nodes, node.ID)
		c.nodes[node.ID] = geo.Point{}
	}
	c.ways = append(c.ways, line)
}

// addNode stores the place of a node that addWay needs, and the house or district that a node is.
func (c *collector) addNode(o osm.Object) {
	n, ok := o.(*osm.Node)
	if !ok {
		return
	}
	point := geo.Point{Latitude: n.Lat, Longitude: n.Lon}
	if _, isNeeded := c.nodes[n.ID]; isNeeded {
		c.nodes[n.ID] = point
	}
	if len(n.Tags) == 0 || !c.contains(point) {
		return
	}
	if h, ok := houseOf(n.Tags); ok {
		h.point = point
		c.houses = append(c.houses, h)
	}
	if isDistrict := slices.Contains([]string{"suburb", "borough", "quarter", "neighbourhood"}, n.Tags.Find("place")); isDistrict && n.Tags.Find("name") != "" {
		c.districts = append(c.districts, district{c.textOf(n.Tags), point})
	}
}

// contains reports whether a point is within the bounds. It returns true when there are no bounds.
func (c *collector) contains(p geo.Point) bool {
	return c.Bounds == geo.Bounds{} || c.Bounds.Contains(p)
}

// placeWays places each way at the mean of its nodes, and adds it to c.houses or c.middles. It leaves out
// nodes that the extract lacks, ways that have no other nodes, and ways outside of the bounds.
func (c *collector) placeWays() {
	for _, w := range c.ways {
		var sum geo.Point
		count := 0.0
		for _, id := range w.nodes {
			if p := c.nodes[id]; p.Valid() {
				sum.Latitude += p.Latitude
				sum.Longitude += p.Longitude
				count++
			}
		}
		if count == 0 {
			continue
		}
		w.point = geo.Point{Latitude: sum.Latitude / count, Longitude: sum.Longitude / count}
		switch {
		case !c.contains(w.point):
		case w.number == "":
			c.middles = append(c.middles, w.house)
		default:
			c.houses = append(c.houses, w.house)
		}
	}
	c.ways, c.nodes = nil, nil
}

// houseOf returns the house that the tags describe; false when they name no number or no street.
func houseOf(tags osm.Tags) (house, bool) {
	h := house{street: tags.Find("addr:street"), town: tags.Find("addr:city"), number: tags.Find("addr:housenumber"), postcode: tags.Find("addr:postcode")}
	if h.street == "" {
		h.street = tags.Find("addr:place") // a village without streets
	}
	return h, h.street != "" && h.number != ""
}

// textOf returns the names of the tags in the six languages. The name without a language is that of
// c.Language, unless the tags have one for it.
func (c *collector) textOf(tags osm.Tags) lang.Text {
	text := lang.Text{c.Language: tags.Find("name")}
	for _, l := range lang.All() {
		if name := tags.Find("name:" + string(l)); name != "" {
			text[l] = name
		}
	}
	return text
}

// cell is a square of about a kilometre.
type cell struct{ row, column int }

// cellOf returns the square of a point.
func cellOf(p geo.Point) cell {
	const cellsPerDegree = 100 // half as many for longitude: at 60° N a degree of it is half as long
	return cell{int(p.Latitude * cellsPerDegree), int(p.Longitude * cellsPerDegree / 2)}
}

// streets returns the streets with their houses. Houses of one name that are far apart are several
// streets. The middle of a street counts as a house, so that a street without houses is among them.
func (c *collector) streets() []geo.RegisterStreet {
	type key struct{ street, town string }
	named := map[key][]house{}
	for _, h := range slices.Concat(c.houses, c.middles) {
		if c.isCity(h.town) {
			h.town = ""
		}
		k := key{h.street, h.town}
		named[k] = append(named[k], h)
	}
	var streets []geo.RegisterStreet
	keys := slices.SortedFunc(maps.Keys(named), func(a, b key) int {
		return slices.Compare([]string{a.street, a.town}, []string{b.street, b.town})
	})
	for _, k := range keys {
		for _, cluster := range clusters(named[k]) {
			streets = append(streets, c.street(k.street, k.town, cluster))
		}
	}
	return streets
}

// isCity reports whether a town is the city itself. It returns true for an empty town.
func (c *collector) isCity(town string) bool {
	if town == "" {
		return true
	}
	for _, name := range c.City {
		if geo.SameName(name, town) {
			return true
		}
	}
	return false
}

// clusters returns the houses in groups: those whose squares touch are in one group.
func clusters(houses []house) [][]house {
	byCell := map[cell][]house{}
	for _, h := range houses {
		byCell[cellOf(h.point)] = append(byCell[cellOf(h.point)], h)
	}
	var all [][]house
	cells := slices.SortedFunc(maps.Keys(byCell), func(a, b cell) int {
		return slices.Compare([]int{a.row, a.column}, []int{b.row, b.column})
	})
	for _, first := range cells {
		var cluster []house
		for pending := []cell{first}; len(pending) > 0; {
			at := pending[len(pending)-1]
			pending = pending[:len(pending)-1]
			if _, isLeft := byCell[at]; !isLeft {
				continue
			}
			cluster = append(cluster, byCell[at]...)
			delete(byCell, at)
			for row := at.row - 1; row <= at.row+1; row++ {
				for column := at.column - 1; column <= at.column+1; column++ {
					pending = append(pending, cell{row, column})
				}
			}
		}
		if len(cluster) > 0 {
			all = append(all, cluster)
		}
	}
	return all
}

// street returns the street of a name with its houses. It stands at the house nearest to the middle of
// all. Its district is the town; when that is empty, the nearest district within three kilometres.
func (c *collector) street(name, town string, houses []house) geo.RegisterStreet {
	s := geo.RegisterStreet{Name: c.names[name]}
	if s.Name == nil {
		s.Name = lang.Text{c.Language: name}
	}
	middle, _, _ := geo.Nearest(houses, middleOf(houses), func(h house) geo.Point { return h.point }, func(house) bool { return true })
	s.Point = middle.point
	for _, h := range houses {
		if h.number != "" {
			s.Houses = append(s.Houses, geo.RegisterHouse{Number: h.number, Postcode: h.postcode, Point: h.point})
		}
	}
	const districtWithin = 3000 // metres
	switch nearest, metres, ok := geo.Nearest(c.districts, s.Point, func(d district) geo.Point { return d.point }, func(district) bool { return true }); {
	case town != "":
		s.District = lang.Text{c.Language: town}
	case ok && metres <= districtWithin:
		s.District = nearest.name
	}
	return s
}

// middleOf returns the mean of the places of houses.
func middleOf(houses []house) geo.Point {
	var sum geo.Point
	for _, h := range houses {
		sum.Latitude += h.point.Latitude
		sum.Longitude += h.point.Longitude
	}
	count := float64(len(houses))
	return geo.Point{Latitude: sum.Latitude / count, Longitude: sum.Longitude / count}
}
