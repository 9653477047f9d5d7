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
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/maypok86/otter/v2"
)

// brotliLevel is worth its time: an answer is compressed once and sent many times.
const brotliLevel = 9

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

	until time.Time // zero for ever
}

// Compress returns the bytes in all encodings, with an ETag. The caller must not change the
// bytes afterwards.
func Compress(body []byte) (*Body, error) {
	sum := sha256.Sum256(body)
	b := &Body{ETag: `"` + base64.RawURLEncoding.EncodeToString(sum[:etagBytes]) + `"`, Identity: body}
	var packed bytes.Buffer
	gz, err := gzip.NewWriterLevel(&packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := gz.Write(body); err != nil {
		return nil, err
	}
	if err := gz.Close(); err != nil {
		return nil, err
	}
	b.Gzip = bytes.Clone(packed.Bytes())
	packed.Reset()
	br := brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: brotliLevel, LGWin: brotliWindow})
	if _, err := br.Write(body); err != nil {
		return nil, err
	}
	if err := br.Close(); err != nil {
		return nil, err
	}
	b.Brotli = bytes.Clone(packed.Bytes())
	return b, nil
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
	cache *otter.Cache[K, *Body]
}

// NewCache returns an empty cache of at most maxBytes. A key must contain everything that a
// body depends on: place, language, revision and stops version.
func NewCache[K comparable](maxBytes uint64) (*Cache[K], error) {
	cache, err := otter.New(&otter.Options[K, *Body]{
		MaximumWeight: maxBytes,
		Weigher: func(_ K, b *Body) uint32 {
			return uint32(b.Size())
		},
	})
	if err != nil {
		return nil, err
	}
	return &Cache[K]{cache: cache}, nil
}

// Get returns the body of a key. Unless the cache has one that is still valid at now, make
// makes it, once for all callers. make returns the bytes and until when they are valid, zero
// for ever. Its error is returned to all callers that wait, and is not stored.
func (c *Cache[K]) Get(
	ctx context.Context, key K, now time.Time, make func(context.Context) (body []byte, until time.Time, err error),
) (*Body, error) {
	if kept, ok := c.cache.GetIfPresent(key); ok {
		if kept.holds(now) {
			return kept, nil
		}
		c.cache.Invalidate(key)
	}
	// Others wait for the same answer, so it is made even when this caller leaves.
	return c.cache.Get(context.WithoutCancel(ctx), key, otter.LoaderFunc[K, *Body](func(ctx context.Context, _ K) (*Body, error) {
		body, until, err := make(ctx)
		if err != nil {
			return nil, err
		}
		compressed, err := Compress(body)
		if err != nil {
			return nil, err
		}
		compressed.until = until
		return compressed, nil
	}))
}

// holds reports whether the body may still be sent at now.
func (b *Body) holds(now time.Time) bool { return b.until.IsZero() || now.Before(b.until) }
