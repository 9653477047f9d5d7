package citymap

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	_ "modernc.org/sqlite" // an .mbtiles file is a database of SQLite
)

// maxPackZoom is the deepest zoom that is packed; the page shows deeper ones from its tiles.
const maxPackZoom = 16

// gzipMagic begins bytes that are compressed.
var gzipMagic = []byte{0x1f, 0x8b}

// packedTile is a tile of an .mbtiles file.
type packedTile struct {
	id          uint64
	zoom        uint8
	column, row uint32
	// content is the index of its bytes.
	content int
}

// archive is what an .mbtiles file has.
type archive struct {
	metadata map[string]string
	tiles    []packedTile
	// contents are the different bytes of tiles.
	contents [][]byte
}

// Pack writes the tiles of the .mbtiles file name to w, as a PMTiles file. The same file has always the same
// result. It returns an error when the file has no vector tiles, compressed or not.
func Pack(ctx context.Context, name string, w io.Writer) error {
	from, err := readArchive(ctx, name)
	if err != nil {
		return err
	}
	return from.write(w)
}

// readArchive reads an .mbtiles file.
func readArchive(ctx context.Context, name string) (archive, error) {
	address := url.URL{Scheme: "file", Opaque: (&url.URL{Path: name}).EscapedPath(), RawQuery: "mode=ro&immutable=1"}
	d, err := sql.Open("sqlite", address.String())
	if err != nil {
		return archive{}, fmt.Errorf("open the tiles: %w", err)
	}
	defer func() { _ = d.Close() }() // it was only read
	a := archive{metadata: map[string]string{}}
	if err := a.readMetadata(ctx, d); err != nil {
		return a, fmt.Errorf("read the metadata of the tiles: %w", err)
	}
	if format := a.metadata["format"]; format != "pbf" {
		return a, fmt.Errorf("the tiles are %q: only vector tiles, pbf, can be packed", format)
	}
	if err := a.readTiles(ctx, d); err != nil {
		return a, fmt.Errorf("read the tiles: %w", err)
	}
	if len(a.tiles) == 0 {
		return a, errors.New("there is no tile in it")
	}
	return a, nil
}

// readMetadata reads the names and values that describe the tiles.
func (a *archive) readMetadata(ctx context.Context, d *sql.DB) error {
	rows, err := d.QueryContext(ctx, `SELECT name, value FROM metadata`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return err
		}
		a.metadata[name] = value
	}
	return rows.Err()
}

// readTiles reads the tiles up to maxPackZoom, in the order of their ids. It compresses those that are not,
// and stores equal bytes once.
func (a *archive) readTiles(ctx context.Context, d *sql.DB) error {
	rows, err := d.QueryContext(ctx, `SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles WHERE zoom_level <= ?`, maxPackZoom)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	known := map[[sha256.Size]byte]int{}
	for rows.Next() {
		var t packedTile
		var data []byte
		if err := rows.Scan(&t.zoom, &t.column, &t.row, &data); err != nil {
			return err
		}
		if side := uint32(1) << t.zoom; t.column >= side || t.row >= side {
			return fmt.Errorf("tile %d/%d/%d is outside of the earth", t.zoom, t.column, t.row)
		}
		t.row = 1<<t.zoom - 1 - t.row // .mbtiles counts from the south
		t.id = tileID(t.zoom, t.column, t.row)
		if !bytes.HasPrefix(data, gzipMagic) {
			data = compress(data)
		}
		sum := sha256.Sum256(data)
		at, isKnown := known[sum]
		if !isKnown {
			at = len(a.contents)
			known[sum] = at
			a.contents = append(a.contents, data)
		}
		t.content = at
		a.tiles = append(a.tiles, t)
	}
	slices.SortFunc(a.tiles, func(one, other packedTile) int { return cmp.Compare(one.id, other.id) })
	return rows.Err()
}

// write writes the tiles as a PMTiles file.
func (a *archive) write(w io.Writer) error {
	entries, data := a.layOut()
	root, leaves := encodeDirectories(entries)
	metadata, err := a.encodeMetadata()
	if err != nil {
		return err
	}
	h := Header{
		AddressedTiles: uint64(len(a.tiles)), Entries: uint64(len(entries)), Contents: uint64(len(a.contents)),
		IsClustered: true, InternalCompression: compressionGzip, TileCompression: compressionGzip, TileType: typeVector,
		MinZoom: a.tiles[0].zoom, MaxZoom: a.tiles[len(a.tiles)-1].zoom, // ids rise with the zoom
	}
	if h.Bounds, err = a.bounds(); err != nil {
		return err
	}
	h.Center, h.CenterZoom = [2]int32{middle(h.Bounds[0], h.Bounds[2]), middle(h.Bounds[1], h.Bounds[3])}, min(12, h.MaxZoom)
	at := uint64(headerSize)
	for _, part := range []struct {
		section *section
		bytes   []byte
	}{{&h.Root, root}, {&h.Metadata, metadata}, {&h.Leaves, leaves}, {&h.Tiles, data}} {
		*part.section = section{Offset: at, Length: uint64(len(part.bytes))}
		at += uint64(len(part.bytes))
	}
	for _, part := range [][]byte{h.encode(), root, metadata, leaves, data} {
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("write the map: %w", err)
		}
	}
	return nil
}

// layOut returns the entries of the directory and the bytes of the tiles, in the order of their ids. Tiles
// that follow each other and have the same bytes are one entry.
func (a *archive) layOut() ([]entry, []byte) {
	var entries []entry
	var data []byte
	offsets := map[int]uint64{}
	for i, t := range a.tiles {
		body := a.contents[t.content]
		if i > 0 && a.tiles[i-1].content == t.content && a.tiles[i-1].id+1 == t.id {
			entries[len(entries)-1].run++
			continue
		}
		offset, isWritten := offsets[t.content]
		if !isWritten {
			offset = uint64(len(data))
			offsets[t.content] = offset
			data = append(data, body...)
		}
		entries = append(entries, entry{tileID: t.id, offset: offset, length: uint32(len(body)), run: 1})
	}
	return entries, data
}

// encodeMetadata returns the description of the layers as PMTiles has it, compressed.
func (a *archive) encodeMetadata() ([]byte, error) {
	described := map[string]any{"attribution": a.metadata["attribution"], "name": a.metadata["name"]}
	if text := a.metadata["json"]; text != "" {
		var layers struct {
			Layers json.RawMessage `json:"vector_layers"`
		}
		if err := json.Unmarshal([]byte(text), &layers); err != nil {
			return nil, fmt.Errorf("read the list of layers: %w", err)
		}
		described["vector_layers"] = layers.Layers
	}
	plain, err := json.Marshal(described)
	return compress(plain), err
}

// bounds returns the bounds of the tiles: those that the metadata has, else the whole earth.
func (a *archive) bounds() ([4]int32, error) {
	found := [4]int32{-180e7, -85e7, 180e7, 85e7}
	text := a.metadata["bounds"]
	if text == "" {
		return found, nil
	}
	parts := strings.Split(text, ",")
	if len(parts) != len(found) {
		return found, fmt.Errorf("the bounds %q are not four numbers", text)
	}
	for i, part := range parts {
		degrees, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.Abs(degrees) > 180 {
			return found, fmt.Errorf("the bounds %q are not degrees", text)
		}
		found[i] = int32(math.Round(degrees * 1e7))
	}
	return found, nil
}

// middle returns the middle of two sides.
func middle(one, other int32) int32 { return int32((int64(one) + int64(other)) / 2) }
