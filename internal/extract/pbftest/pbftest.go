// Package pbftest writes files in the binary form of OpenStreetMap (.osm.pbf), for tests and
// benchmarks.
package pbftest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// Node is a point with tags.
type Node struct {
	ID                  int64
	Latitude, Longitude float64
	Tags                map[string]string
}

// Way is a line through nodes, with tags.
type Way struct {
	ID    int64
	Nodes []int64
	Tags  map[string]string
}

// Relation is a group of ways, each with a role, and tags.
type Relation struct {
	ID    int64
	Ways  []int64
	Roles []string
	Tags  map[string]string
}

// perBlock is how many elements a block has at most.
const perBlock = 8000

// Write returns a file with the elements. The numbers of fields, here and below, are those of
// fileformat.proto and osmformat.proto of OpenStreetMap.
func Write(nodes []Node, ways []Way, relations []Relation) []byte {
	var file bytes.Buffer
	var header message
	header.text(4, "OsmSchema-V0.6")
	header.text(4, "DenseNodes")
	header.text(16, "servery tests")
	writeBlob(&file, "OSMHeader", header)
	for len(nodes) > 0 {
		count := min(len(nodes), perBlock)
		writeBlob(&file, "OSMData", denseBlock(nodes[:count]))
		nodes = nodes[count:]
	}
	for len(ways) > 0 {
		count := min(len(ways), perBlock)
		b := newBlock()
		var group message
		for _, w := range ways[:count] {
			m := b.element(w.ID, w.Tags)
			m.packed(8, deltas(w.Nodes))
			group.message(3, m)
		}
		writeBlob(&file, "OSMData", b.finish(group))
		ways = ways[count:]
	}
	if len(relations) > 0 {
		b := newBlock()
		var group message
		for _, r := range relations {
			m := b.element(r.ID, r.Tags)
			var roles, types message
			for _, role := range r.Roles {
				roles.uvarint(b.index(role))
				types.uvarint(1) // a way
			}
			m.message(8, roles)
			m.packed(9, deltas(r.Ways))
			m.message(10, types)
			group.message(4, m)
		}
		writeBlob(&file, "OSMData", b.finish(group))
	}
	return file.Bytes()
}

// denseBlock returns a block of nodes. Ids and coordinates are stored as steps from the node before.
func denseBlock(nodes []Node) message {
	b := newBlock()
	var ids, latitudes, longitudes []int64
	var tags message
	for _, n := range nodes {
		ids = append(ids, n.ID)
		latitudes = append(latitudes, int64(math.Round(n.Latitude*1e7)))
		longitudes = append(longitudes, int64(math.Round(n.Longitude*1e7)))
		for _, key := range slices.Sorted(maps.Keys(n.Tags)) {
			tags.uvarint(b.index(key))
			tags.uvarint(b.index(n.Tags[key]))
		}
		tags.uvarint(0) // ends the tags of the node
	}
	var dense, group message
	dense.packed(1, deltas(ids))
	dense.packed(8, deltas(latitudes))
	dense.packed(9, deltas(longitudes))
	dense.message(10, tags)
	group.message(2, dense)
	return b.finish(group)
}

// deltas returns each number as its distance from the one before.
func deltas(numbers []int64) []int64 {
	var steps []int64
	before := int64(0)
	for _, n := range numbers {
		steps = append(steps, n-before)
		before = n
	}
	return steps
}

// block is a block with its texts.
type block struct {
	texts   []string
	indexes map[string]uint64
}

// newBlock returns an empty block. The first text of a block is unused.
func newBlock() *block { return &block{texts: []string{""}, indexes: map[string]uint64{}} }

// index returns the place of a text, and adds the text when it is not there.
func (b *block) index(text string) uint64 {
	i, ok := b.indexes[text]
	if !ok {
		i = uint64(len(b.texts))
		b.indexes[text] = i
		b.texts = append(b.texts, text)
	}
	return i
}

// element returns a message with an id and tags.
func (b *block) element(id int64, tags map[string]string) message {
	var m, keys, values message
	m.number(1, uint64(id))
	for _, key := range slices.Sorted(maps.Keys(tags)) { // the same elements are always the same bytes
		keys.uvarint(b.index(key))
		values.uvarint(b.index(tags[key]))
	}
	m.message(2, keys)
	m.message(3, values)
	return m
}

// finish returns the block with a group of elements.
func (b *block) finish(group message) message {
	var texts, m message
	for _, text := range b.texts {
		texts.text(1, text)
	}
	m.message(1, texts)
	m.message(2, group)
	return m
}

// writeBlob adds a blob to a file: the length of its header, the header and the blob.
func writeBlob(file *bytes.Buffer, kind string, content message) {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(content) // a buffer takes all
	_ = w.Close()
	var blob, header message
	blob.number(2, uint64(len(content)))
	blob.message(3, packed.Bytes())
	header.text(1, kind)
	header.number(3, uint64(len(blob)))
	file.Write(binary.BigEndian.AppendUint32(nil, uint32(len(header))))
	file.Write(header)
	file.Write(blob)
}

// message is a message of protocol buffers.
type message []byte

func (m *message) uvarint(n uint64) { *m = binary.AppendUvarint(*m, n) }

// number adds a field of the wire type 0, a number.
func (m *message) number(field int, n uint64) {
	m.uvarint(uint64(field) << 3)
	m.uvarint(n)
}

// message adds a field of the wire type 2, which has its length before it.
func (m *message) message(field int, inner message) {
	m.uvarint(uint64(field)<<3 | 2)
	m.uvarint(uint64(len(inner)))
	*m = append(*m, inner...)
}

func (m *message) text(field int, text string) { m.message(field, message(text)) }

// packed adds numbers with signs.
func (m *message) packed(field int, numbers []int64) {
	var inner message
	for _, n := range numbers {
		inner = binary.AppendVarint(inner, n)
	}
	m.message(field, inner)
}
