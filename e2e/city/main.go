// Command city writes the extract of a made city, as OpenStreetMap has it, and prints the street that is
// nearest to a point, for journeys that type its name:
//
//	go run ./e2e/city -streets 6250 -houses 40 -box 55.71,48.96,55.88,49.29 -near 55.787,49.125 kazan.osm.pbf
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"servery/internal/extract/citytest"
	"servery/internal/geo"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "city:", err)
		os.Exit(1)
	}
}

// run writes the city that the arguments describe, and prints the street.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("city", flag.ContinueOnError)
	streets := flags.Int("streets", 6250, "number of streets")
	houses := flags.Int("houses", 40, "number of houses of each street")
	box := flags.String("box", "", "south, west, north and east, in degrees")
	near := flags.String("near", "", "latitude and longitude of the street to print")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("read the arguments: %w", err)
	}
	sides, err := degreesOf(*box, 4)
	if err != nil {
		return err
	}
	point, err := degreesOf(*near, 2)
	if err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("name the file to write")
	}
	city := citytest.New(*streets, *houses, geo.Bounds{South: sides[0], West: sides[1], North: sides[2], East: sides[3]})
	if err := os.WriteFile(flags.Arg(0), city.Extract, 0o600); err != nil {
		return fmt.Errorf("write the extract: %w", err)
	}
	if err := json.NewEncoder(out).Encode(city.Nearest(geo.Point{Latitude: point[0], Longitude: point[1]})); err != nil {
		return fmt.Errorf("print the street: %w", err)
	}
	return nil
}

// degreesOf returns so many numbers, which have commas between them.
func degreesOf(text string, count int) ([]float64, error) {
	parts := strings.Split(text, ",")
	if len(parts) != count {
		return nil, fmt.Errorf("%q is not %d numbers", text, count)
	}
	numbers := make([]float64, count)
	for i, part := range parts {
		number, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not %d numbers", text, count)
		}
		numbers[i] = number
	}
	return numbers, nil
}
