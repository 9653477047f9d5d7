package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"servery/internal/citymap"
)

// describeMap prints what content says of the map of a city, a PMTiles file. When args name an .mbtiles file
// and then a PMTiles file, it first writes the tiles of the one into the other.
func describeMap(ctx context.Context, args []string, out io.Writer) error {
	var name string
	switch {
	case len(args) == 1 && isMapName(args[0]):
		name = args[0]
	case len(args) == 2 && !isMapName(args[0]) && isMapName(args[1]):
		name = args[1]
		if err := packMap(ctx, args[0], name); err != nil {
			return err
		}
	default:
		return errors.New("maps takes a .pmtiles file, or an .mbtiles file and the .pmtiles file to write")
	}
	file, err := os.Open(name) //nolint:gosec // who calls the program names the file
	if err != nil {
		return fmt.Errorf("cannot read the map: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	d, err := citymap.Describe(file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = fmt.Fprintf(out, "%s: zoom %d to %d, %d tiles, %d KB; put it into the folder of SERVERY_MAPS, and into the map of the city:\n  file: {name: %s, size: %d, sha256: %s}\n",
		name, d.Header.MinZoom, d.Header.MaxZoom, d.Header.AddressedTiles, (d.Size+1023)>>10, filepath.Base(name), d.Size, d.SHA256)
	return err
}

// isMapName reports whether a file has the name of a PMTiles file.
func isMapName(name string) bool { return strings.HasSuffix(name, citymap.Ending) }

// packMap writes the tiles of an .mbtiles file into the file target, which is replaced only when all are written.
func packMap(ctx context.Context, name, target string) error {
	if _, err := os.Stat(name); err != nil { //nolint:gosec // who calls the program names the files
		return fmt.Errorf("cannot read the tiles: %w", err)
	}
	err := replaceFile(target, func(w io.Writer) error {
		if err := citymap.Pack(ctx, name, w); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write the map: %w", err)
	}
	return nil
}
