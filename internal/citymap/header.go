// Package citymap packs, checks and opens the maps of cities. Each is a PMTiles file beside the process;
// content has its name, size and hash.
package citymap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// headerSize is the size of the header with which a file begins, in bytes.
const headerSize = 127

// The values of a header that this program reads and writes.
const (
	version         = 3
	compressionNone = 1
	compressionGzip = 2
	typeVector      = 1
)

var magic = []byte("PMTiles")

// section is a part of a file, in bytes.
type section struct{ Offset, Length uint64 }

// Header is the beginning of a PMTiles file of version 3. Its fields are in the order and the sizes of
// the file.
type Header struct {
	Root, Metadata, Leaves, Tiles section
	// AddressedTiles, Entries and Contents count tiles, runs of equal tiles, and different tiles.
	AddressedTiles, Entries, Contents uint64
	// IsClustered reports whether the tiles are in the order of their ids.
	IsClustered bool
	// InternalCompression is that of directories and metadata, TileCompression that of tiles.
	InternalCompression, TileCompression uint8
	TileType                             uint8
	MinZoom, MaxZoom                     uint8
	// Bounds are west, south, east, north in ten-millionths of a degree.
	Bounds [4]int32
	// CenterZoom and Center (longitude, latitude) are what a map shows first.
	CenterZoom uint8
	Center     [2]int32
}

// ReadHeader reads the header from the first bytes of a file that has size bytes. It returns an error when
// this is no PMTiles file of version 3 with vector tiles that a browser can read, or when it is cut short.
func ReadHeader(start []byte, size int64) (Header, error) {
	var h Header
	if len(start) < headerSize || !bytes.HasPrefix(start, magic) {
		return h, errors.New("it is no PMTiles file")
	}
	if start[len(magic)] != version {
		return h, fmt.Errorf("it is a PMTiles file of version %d, not %d", start[len(magic)], version)
	}
	if _, err := binary.Decode(start[len(magic)+1:headerSize], binary.LittleEndian, &h); err != nil {
		return h, fmt.Errorf("read the header: %w", err)
	}
	for _, part := range []section{h.Root, h.Metadata, h.Leaves, h.Tiles} {
		if end := part.Offset + part.Length; end < part.Offset || end > uint64(max(size, 0)) {
			return h, errors.New("the file is cut short")
		}
	}
	for _, compression := range []uint8{h.InternalCompression, h.TileCompression} {
		if compression != compressionGzip && compression != compressionNone {
			return h, errors.New("it is compressed in a way that browsers do not read: gzip is needed")
		}
	}
	if h.TileType != typeVector {
		return h, errors.New("it has no vector tiles")
	}
	return h, nil
}

// encode returns the header as it is written into a file.
func (h Header) encode() []byte {
	start := append(bytes.Clone(magic), version)
	start, err := binary.Append(start, binary.LittleEndian, h)
	if err != nil {
		panic(err) // all fields have a fixed size
	}
	return start
}
