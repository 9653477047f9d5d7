// Package precompressed keeps answers that are the same for all visitors, compressed once and sent
// many times.
package precompressed

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"strconv"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"servery/internal/cache"
)

// brotliLevel is the level up to which less is sent for little: each of the next two needs twice the memory, 38 MB at
// level 9, and makes a home page one hundredth smaller.
const brotliLevel = 7

// brotliWindow is how far back a repetition is found, as a power of two: half a megabyte holds a whole
// menu, and the default of four megabytes would only take memory.
const brotliWindow = 19

// etagBytes is how much of the hash is enough to tell two bodies apart.
const etagBytes = 12

// Body is the body of an answer, ready to be sent. Its bytes are shared and must not be changed.
type Body struct {
	// ETag is in quotes, as the header has it; empty for an answer that must not be kept.
	ETag string
	// Identity is nil after [Body.Compact], Brotli after [CompressFast].
	Identity, Gzip, Brotli []byte

	// lengths are the headers of the length by encoding, made once; nil where they are made for each answer.
	lengths map[string][]string

	until time.Time // zero for ever
	open  *open     // nil unless it was made by [CompressObject]
}

// Compress returns the bytes in all encodings, with an ETag. The caller must not change the
// bytes afterwards.
func Compress(body []byte) (*Body, error) {
	b, err := compress(body, flusher.Close)
	if err != nil {
		return nil, err
	}
	b.ETag, b.Identity = tagOf(body), body
	b.makeHeaders()
	return b, nil
}

// tagOf returns the ETag of bytes.
func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:etagBytes]) + `"`
}

// makeHeaders makes the headers that each answer with the body has.
func (b *Body) makeHeaders() {
	b.lengths = map[string][]string{"br": lengthHeader(b.Brotli), "gzip": lengthHeader(b.Gzip), "": lengthHeader(b.Identity)}
}

// lengthHeader returns the Content-Length of bytes.
func lengthHeader(body []byte) []string { return []string{strconv.Itoa(len(body))} }

// flusher is a writer that compresses.
type flusher interface {
	io.WriteCloser
	Flush() error
}

// compress returns the bytes compressed in all encodings. end is Close, or Flush for streams that
// are to be continued.
func compress(body []byte, end func(flusher) error) (*Body, error) {
	var packed bytes.Buffer
	pack := func(w flusher) ([]byte, error) {
		packed.Reset()
		if _, err := w.Write(body); err != nil {
			return nil, err
		}
		if err := end(w); err != nil {
			return nil, err
		}
		return bytes.Clone(packed.Bytes()), nil
	}
	gz, err := gzip.NewWriterLevel(&packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	b := &Body{}
	if b.Gzip, err = pack(gz); err != nil {
		return nil, err
	}
	b.Brotli, err = pack(brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: brotliLevel, LGWin: brotliWindow}))
	return b, err
}

// CompressFast returns bytes that are sent only a few times: compressed with gzip alone,
// quickly, and without an ETag.
func CompressFast(body []byte) (*Body, error) {
	var packed bytes.Buffer
	gz, err := gzip.NewWriterLevel(&packed, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := gz.Write(body); err != nil {
		return nil, err
	}
	if err := gz.Close(); err != nil {
		return nil, err
	}
	return &Body{Identity: body, Gzip: packed.Bytes()}, nil
}

// Compact returns the body without its plain bytes, which take most of the memory and are
// seldom requested.
func (b *Body) Compact() *Body {
	c := *b
	c.Identity = nil
	return &c
}

// Plain returns the plain bytes, and unpacks them when they were dropped.
func (b *Body) Plain() ([]byte, error) {
	if b.Identity != nil {
		return b.Identity, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(b.Gzip))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Size returns how many bytes the answer takes in memory.
func (b *Body) Size() int { return len(b.Identity) + len(b.Gzip) + len(b.Brotli) }

// Cache keeps compressed bodies. One that many callers request at once is made once; when the
// memory is full, the least used one is removed. It is safe for concurrent use.
type Cache[K comparable] struct {
	bodies   *cache.Cache[K, *Body]
	compress func([]byte) (*Body, error)
}

// NewCache returns an empty cache of at most maxBytes, of bodies made by compress: [Compress] or
// [CompressObject]. A key must contain everything that a body depends on: place, language, revision
// and stops version.
func NewCache[K comparable](maxBytes uint64, compress func([]byte) (*Body, error)) *Cache[K] {
	return &Cache[K]{cache.OfWeight[K](maxBytes, func(b *Body) uint32 { return uint32(b.Size()) }), compress}
}

// Get returns the body of a key. Unless the cache has one that is still valid at now, make
// makes it, once for all callers. make returns the bytes and until when they are valid, zero
// for ever. Its error is returned to all callers that wait, and is not stored.
func (c *Cache[K]) Get(
	ctx context.Context, key K, now time.Time, make func(context.Context) (body []byte, until time.Time, err error),
) (*Body, error) {
	if kept, ok := c.bodies.Get(key); ok {
		if kept.holds(now) {
			return kept, nil
		}
		c.bodies.Remove(key)
	}
	// Others wait for the same answer, so it is made even when this caller leaves.
	return c.bodies.Load(context.WithoutCancel(ctx), key, func(ctx context.Context) (*Body, error) {
		body, until, err := make(ctx)
		if err != nil {
			return nil, err
		}
		compressed, err := c.compress(body)
		if err != nil {
			return nil, err
		}
		compressed.until = until
		return compressed, nil
	})
}

// holds reports whether the body may still be sent at now.
func (b *Body) holds(now time.Time) bool { return b.until.IsZero() || now.Before(b.until) }
