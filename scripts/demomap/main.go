// Command demomap writes the made city of the demo's map: an extract in the binary form of OpenStreetMap with the
// streets that the demo's Berlin has, and parks, water, side streets and houses around them that are made up. It holds
// nothing of OpenStreetMap. The same content always has the same result.
//
//	go run ./scripts/demomap FILE.osm.pbf
//
// deploy/maps/demo.sh makes the map of the demo from it.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/goccy/go-yaml"

	"servery/internal/extract/pbftest"
)

const place = "content/demo/places/berlin.yaml"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "demomap:", err)
		os.Exit(1)
	}
}

// run writes the extract into the file that args name.
func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: demomap FILE.osm.pbf")
	}
	text, err := os.ReadFile(place)
	if err != nil {
		return err
	}
	var content struct {
		Streets []street `yaml:"streets"`
	}
	if err := yaml.Unmarshal(text, &content); err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	var d drawing
	d.drawGround()
	d.drawPlaces()
	for _, s := range content.Streets {
		d.drawStreet(s)
	}
	d.drawMainRoads()
	d.drawSideStreets()
	d.drawHouses()
	return os.WriteFile(args[0], pbftest.Write(d.nodes, d.ways, nil), 0o644) //nolint:gosec // who calls the program names the file
}

// street is a street of the demo's Berlin.
type street struct {
	Name     map[string]string `yaml:"name"`
	From, To []float64
	Line     [][]float64
}
