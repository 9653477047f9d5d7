package citymap_test

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"servery/internal/citymap"
)

// writeTiles returns the name of an .mbtiles file with the statements run on its tables.
func writeTiles(t *testing.T, statements ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a city.mbtiles")
	d, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	for _, statement := range append([]string{
		`CREATE TABLE metadata (name text, value text)`,
		`CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)`,
		`INSERT INTO metadata VALUES ('format', 'pbf'), ('bounds', '13.1,52.3,13.8,52.7'), ('json', '{"vector_layers":[{"id":"roads"}]}')`,
	}, statements...) {
		if _, err := d.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return name
}

// pack returns the PMTiles file of an .mbtiles file.
func pack(t *testing.T, name string) []byte {
	t.Helper()
	var packed bytes.Buffer
	if err := citymap.Pack(t.Context(), name, &packed); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// unpack returns the decompressed bytes.
func unpack(t *testing.T, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func TestPack_writesEachTileOnceInTheOrderOfItsID(t *testing.T) {
	t.Parallel()
	// Rows of .mbtiles count from the south: of the four tiles of zoom 1, the north-west one has row 1.
	name := writeTiles(t,
		`INSERT INTO tiles VALUES (1, 1, 1, 'north-east'), (1, 0, 1, 'west'), (1, 0, 0, 'west'), (1, 1, 0, 'south-east'), (0, 0, 0, 'earth')`)
	packed := pack(t, name)
	h, err := citymap.ReadHeader(packed, int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	if h.AddressedTiles != 5 || h.Entries != 4 || h.Contents != 4 || h.MinZoom != 0 || h.MaxZoom != 1 {
		t.Errorf("header %+v", h)
	}
	if want := [4]int32{131e6, 523e6, 138e6, 527e6}; h.Bounds != want {
		t.Errorf("bounds %v, want %v", h.Bounds, want)
	}
	root := unpack(t, packed[h.Root.Offset:h.Root.Offset+h.Root.Length])
	// Four entries; ids 0, 1, 3, 4 as differences; the run of two equal tiles in the west.
	if want := []byte{4, 0, 1, 2, 1, 1, 2, 1, 1}; !bytes.HasPrefix(root, want) {
		t.Errorf("root directory %v begins otherwise than %v", root, want)
	}
	tiles := packed[h.Tiles.Offset:]
	var order []string
	for len(tiles) > 0 {
		at := bytes.Index(tiles[1:], []byte{0x1f, 0x8b, 8})
		next := len(tiles)
		if at >= 0 {
			next = at + 1
		}
		order = append(order, string(unpack(t, tiles[:next])))
		tiles = tiles[next:]
	}
	if got := strings.Join(order, " "); got != "earth west south-east north-east" {
		t.Errorf("tiles in the order %q", got)
	}
	var described struct {
		Layers []struct{ ID string } `json:"vector_layers"`
	}
	if err := json.Unmarshal(unpack(t, packed[h.Metadata.Offset:h.Metadata.Offset+h.Metadata.Length]), &described); err != nil || len(described.Layers) != 1 {
		t.Errorf("metadata %+v, %v", described, err)
	}
	if again := pack(t, name); !bytes.Equal(again, packed) {
		t.Error("the same tiles were packed into other bytes")
	}
}

func TestPack_ofManyTilesHasASmallRoot(t *testing.T) {
	t.Parallel()
	name := writeTiles(t, `WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 7999)
		INSERT INTO tiles SELECT 14, (i * 7919) % 16384, (i * 104729) % 16384, 'tile ' || i || substr('abcdefgh', 1, i % 7) FROM n`)
	packed := pack(t, name)
	h, err := citymap.ReadHeader(packed, int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	if h.Root.Offset+h.Root.Length > 16<<10 || h.Leaves.Length == 0 {
		t.Errorf("the root directory ends at %d, leaf directories have %d bytes", h.Root.Offset+h.Root.Length, h.Leaves.Length)
	}
}

func TestPack_refusesWhatIsNoVectorTile(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"no tile":                   `DELETE FROM tiles`,
		"outside of the earth":      `INSERT INTO tiles VALUES (1, 2, 0, 'x')`,
		`the tiles are "png"`:       `UPDATE metadata SET value = 'png' WHERE name = 'format'`,
		"are not four numbers":      `UPDATE metadata SET value = '1,2' WHERE name = 'bounds'`,
		"read the list of layers":   `UPDATE metadata SET value = '{' WHERE name = 'json'`,
		"read the tiles: ":          `DROP TABLE tiles`,
		"read the metadata of the ": `DROP TABLE metadata`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			statements := []string{statement}
			if !strings.Contains(statement, "tiles") {
				statements = append(statements, `INSERT INTO tiles VALUES (0, 0, 0, 'x')`)
			}
			err := citymap.Pack(t.Context(), writeTiles(t, statements...), io.Discard)
			if err == nil || !strings.Contains(fmt.Sprint(err), name) {
				t.Errorf("error %v, want %q", err, name)
			}
		})
	}
}
