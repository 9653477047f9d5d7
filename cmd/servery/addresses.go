package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"servery/internal/app"
	"servery/internal/content"
	"servery/internal/extract"
	"servery/internal/geo"
	"servery/internal/site"
)

// writeAddresses reads the streets and houses of a city from an extract of OpenStreetMap and writes them into the
// content folder, beside the file of the city. args are the extract, the folder and the alias of the city. It
// returns an error when the extract has no house of the city.
func writeAddresses(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 3 {
		return errors.New("addresses takes an extract of OpenStreetMap, a content folder and the alias of a city in it")
	}
	extractName, dir, alias := args[0], args[1], args[2]
	folder, _, err := app.OpenFolder(dir)
	if err != nil {
		return err
	}
	read, found := content.Read(folder)
	if err := printFaults(found, out); err != nil {
		return err
	}
	if read == nil {
		return errPrinted
	}
	city, file, ok := read.FindPlace(alias)
	if !ok {
		return fmt.Errorf("%s has no city %q", dir, alias)
	}
	streets, err := readExtract(ctx, extractName, city)
	if err != nil {
		return err
	}
	houses := 0
	for _, s := range streets {
		houses += len(s.Houses)
	}
	if houses == 0 {
		return fmt.Errorf("%s has no house within the bbox of %s", extractName, alias)
	}
	target := filepath.Join(dir, filepath.FromSlash(file))
	register := geo.EncodeRegister(streets)
	err = replaceFile(target, func(w io.Writer) error {
		_, err := w.Write(register)
		return err
	})
	if err != nil {
		return fmt.Errorf("write the addresses: %w", err)
	}
	_, err = fmt.Fprintf(out, "%s: %d streets, %d houses, %d KB; bring it in with servery import %s\n", target, len(streets), houses, len(register)>>10, dir)
	return err
}

// readExtract returns the streets with houses that the file has within the bbox of the city.
func readExtract(ctx context.Context, name string, city *site.City) ([]geo.RegisterStreet, error) {
	file, err := os.Open(name) //nolint:gosec // who calls the program names the file
	if err != nil {
		return nil, fmt.Errorf("cannot read the extract: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	box := city.Map.BBox
	streets, err := extract.Read(ctx, file, extract.Options{
		City: city.Name, Language: extract.LanguageOf(city.CountryCode),
		Bounds: geo.Bounds{South: box[0], West: box[1], North: box[2], East: box[3]},
	})
	if err != nil {
		return nil, fmt.Errorf("%s is no whole extract of OpenStreetMap (.osm.pbf): load it again: %w", name, err)
	}
	return streets, nil
}
