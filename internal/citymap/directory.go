package citymap

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
)

// maxRoot is how large the root directory may be: header and root are within the first 16 KiB, which a browser
// loads at once.
const maxRoot = 16<<10 - headerSize

// entry is a run of tiles with the same bytes, or, with a run of 0, a leaf directory.
type entry struct {
	tileID, offset uint64
	length, run    uint32
}

// encodeDirectory returns the entries, which are sorted by tile id, as a directory, compressed.
func encodeDirectory(entries []entry) []byte {
	plain := binary.AppendUvarint(nil, uint64(len(entries)))
	last := uint64(0)
	for _, e := range entries {
		plain = binary.AppendUvarint(plain, e.tileID-last)
		last = e.tileID
	}
	for _, e := range entries {
		plain = binary.AppendUvarint(plain, uint64(e.run))
	}
	for _, e := range entries {
		plain = binary.AppendUvarint(plain, uint64(e.length))
	}
	for i, e := range entries {
		if i > 0 && e.offset == entries[i-1].offset+uint64(entries[i-1].length) {
			plain = binary.AppendUvarint(plain, 0) // directly behind the one before
			continue
		}
		plain = binary.AppendUvarint(plain, e.offset+1) // one more, because 0 has that meaning
	}
	return compress(plain)
}

// encodeDirectories returns the root directory of the entries. Where they do not all fit into it, they are in
// leaf directories, so large that the root has room to point to each of them; else leaves is nil.
func encodeDirectories(entries []entry) (root, leaves []byte) {
	if root = encodeDirectory(entries); len(root) <= maxRoot {
		return root, nil
	}
	for size := 4096; ; size *= 2 {
		var pointers []entry
		leaves = nil
		for at := 0; at < len(entries); at += size {
			leaf := encodeDirectory(entries[at:min(at+size, len(entries))])
			pointers = append(pointers, entry{tileID: entries[at].tileID, offset: uint64(len(leaves)), length: uint32(len(leaf))})
			leaves = append(leaves, leaf...)
		}
		if root = encodeDirectory(pointers); len(root) <= maxRoot {
			return root, leaves
		}
	}
}

// compress returns the bytes in gzip; the same bytes have always the same result.
func compress(plain []byte) []byte {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level exists
	_, _ = w.Write(plain)                                      // a buffer takes everything
	_ = w.Close()
	return packed.Bytes()
}

// tileID returns the number of a tile in a PMTiles file: all tiles of a zoom stand on a Hilbert curve, behind
// those of the smaller zooms.
func tileID(zoom uint8, x, y uint32) uint64 {
	id := (uint64(1)<<(2*zoom) - 1) / 3 // how many tiles the smaller zooms have
	for side := uint32(1) << zoom >> 1; side > 0; side >>= 1 {
		right, below := x&side != 0, y&side != 0
		quadrant := uint64(0)
		switch {
		case right && below:
			quadrant = 2
		case right:
			quadrant = 3
		case below:
			quadrant = 1
		}
		id += uint64(side) * uint64(side) * quadrant
		if !below { // in the upper quadrants the curve is turned
			if right {
				x, y = side-1-x&(side-1), side-1-y&(side-1)
			}
			x, y = y, x
		}
	}
	return id
}
