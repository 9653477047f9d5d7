package precompressed

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"strconv"
)

// open says how much of each encoding holds a JSON object without its closing brace, so that
// more fields can follow it in the same stream.
type open struct {
	gzip, brotli int
	// checksum is that of the plain bytes without the brace, as gzip has it.
	checksum uint32
}

// errNotOpen is returned for a body that was not made by [CompressObject].
var errNotOpen = errors.New("the body cannot be continued")

// Joined is an answer with a JSON object: the fields of a body made by [CompressObject], and those
// of another object after them. Only the latter are made for the answer; they are sent as they are,
// inside of the encoding of the former.
type Joined struct {
	Body    *Body
	Fields  any // encoded as a JSON object with at least one field
	Request *http.Request
}

// Send writes the answer in the best encoding that the client accepts. It returns an error when the
// fields cannot be encoded or the client has closed the connection.
func (j Joined) Send(w http.ResponseWriter) error {
	if j.Body.open == nil {
		return errNotOpen
	}
	fields, err := json.Marshal(j.Fields)
	if err != nil {
		return fmt.Errorf("encode fields: %w", err)
	}
	fields[0] = ',' // in place of its brace
	encoding := j.Body.choose(j.Request)
	var start, end []byte
	switch encoding {
	case "br":
		start, end = j.Body.Brotli[:j.Body.open.brotli], endBrotli(fields)
	case "gzip":
		start, end = j.Body.Gzip[:j.Body.open.gzip], j.Body.endGzip(fields)
	default:
		start, end = j.Body.Identity[:len(j.Body.Identity)-1], fields
	}
	size := len(start) + len(end)
	h := w.Header()
	h["Content-Length"] = []string{strconv.Itoa(size)}
	head{joinedCaching, "application/json", encoding, ""}.put(j.Request, h, size)
	w.WriteHeader(http.StatusOK)
	if _, err := w.Write(start); err != nil {
		return err
	}
	_, err = w.Write(end)
	return err
}

// joinedCaching is that of all joined answers; how long they may be kept is for the caller to say.
var joinedCaching = Caching{Vary: "Accept-Encoding"}

// CompressObject returns a JSON object in all encodings, as [Compress] does, so that a [Joined]
// answer can continue it.
func CompressObject(object []byte) (*Body, error) {
	inner, isObject := bytes.CutSuffix(object, []byte("}"))
	if !isObject || len(inner) < len(`{"a":1`) {
		return nil, fmt.Errorf("%w: not an object with a field", errNotOpen)
	}
	start, err := compress(inner, flusher.Flush)
	if err != nil {
		return nil, err
	}
	b := &Body{ETag: tagOf(object), Identity: object, open: &open{len(start.Gzip), len(start.Brotli), crc32.ChecksumIEEE(inner)}}
	// The brace follows as the fields of a joined answer do, so that both share the bytes before it.
	b.Gzip = append(start.Gzip, b.endGzip([]byte("}"))...)
	b.Brotli = append(start.Brotli, endBrotli([]byte("}"))...)
	b.makeHeaders()
	return b, nil
}

const (
	// maxStored and maxUncompressed are the most bytes of one block of gzip and of brotli that is not compressed.
	maxStored, maxUncompressed = 1<<16 - 1, 1 << 16
	// lastStored marks the last block of gzip, and lastEmpty ends a stream of brotli.
	lastStored, lastEmpty = 1, 3
)

// endGzip returns the end of a stream of gzip that holds the bytes, uncompressed, after those of the open
// body (RFC 1951, 3.2.4, and RFC 1952, 2.3.1).
func (b *Body) endGzip(last []byte) []byte {
	stream := make([]byte, 0, len(last)+5*(len(last)/maxStored+1)+8) //nolint:mnd // a block has 5 bytes before it, the stream 8 behind it
	checksum := crc32.Update(b.open.checksum, crc32.IEEETable, last)
	size := uint32(len(b.Identity) - 1 + len(last)) // modulo 2^32, as the format has it
	for isLast := false; !isLast; {
		part := last[:min(len(last), maxStored)]
		last = last[len(part):]
		var mark byte
		if isLast = len(last) == 0; isLast {
			mark = lastStored
		}
		length := uint16(len(part))
		stream = append(stream, mark)
		stream = binary.LittleEndian.AppendUint16(stream, length)
		stream = binary.LittleEndian.AppendUint16(stream, ^length)
		stream = append(stream, part...)
	}
	stream = binary.LittleEndian.AppendUint32(stream, checksum)
	return binary.LittleEndian.AppendUint32(stream, size)
}

// endBrotli returns the end of a stream of brotli that holds the bytes, uncompressed (RFC 7932, 9.2).
func endBrotli(last []byte) []byte {
	stream := make([]byte, 0, len(last)+3*(len(last)/maxUncompressed+1)+1) //nolint:mnd // a block has 3 bytes before it
	for len(last) > 0 {
		part := last[:min(len(last), maxUncompressed)]
		last = last[len(part):]
		// From the lowest bit: not the last block, a length of four hexadecimal digits, the length less one, and
		// that it is not compressed.
		header := uint32(len(part)-1)<<3 | 1<<19
		stream = append(stream, byte(header), byte(header>>8), byte(header>>16))
		stream = append(stream, part...)
	}
	return append(stream, lastEmpty)
}
