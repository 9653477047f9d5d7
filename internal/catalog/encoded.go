package catalog

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

// brotliLevel is worth its time: an answer is packed once and sent many times.
const brotliLevel = 9

// brotliWindow is how far back a repetition is found, as a power of two: half a megabyte
// holds a whole menu, and the usual four would only take memory.
const brotliWindow = 19

// Encoded is an answer ready to be sent. Its bytes are shared and not to be changed.
type Encoded struct {
	// ETag is in quotes, as the header has it; empty for an answer that must not be kept.
	ETag string
	// Identity is nil after [Encoded.Compact], Brotli after [EncodeFast].
	Identity, Gzip, Brotli []byte

	until time.Time // zero for ever
}

// Encode packs the bytes, which the result takes over.
func Encode(body []byte) (*Encoded, error) {
	sum := sha256.Sum256(body)
	e := &Encoded{ETag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`, Identity: body}
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
	e.Gzip = bytes.Clone(packed.Bytes())
	packed.Reset()
	br := brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: brotliLevel, LGWin: brotliWindow})
	if _, err := br.Write(body); err != nil {
		return nil, err
	}
	if err := br.Close(); err != nil {
		return nil, err
	}
	e.Brotli = bytes.Clone(packed.Bytes())
	return e, nil
}

// EncodeFast packs bytes that are sent few times: with gzip alone, quickly, and without an
// ETag.
func EncodeFast(body []byte) (*Encoded, error) {
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
	return &Encoded{Identity: body, Gzip: packed.Bytes()}, nil
}

// Compact returns the answer without its plain bytes, which few callers ask for and which
// take most of the memory.
func (e *Encoded) Compact() *Encoded {
	c := *e
	c.Identity = nil
	return &c
}

// Plain returns the plain bytes, unpacked where they were dropped.
func (e *Encoded) Plain() ([]byte, error) {
	if e.Identity != nil {
		return e.Identity, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(e.Gzip))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Size returns how many bytes the answer takes in memory.
func (e *Encoded) Size() int { return len(e.Identity) + len(e.Gzip) + len(e.Brotli) }

// Encodings keeps answers that are the same for everybody, packed. What is asked for
// by many at once is made once; when the memory is full, what is least used goes.
type Encodings[K comparable] struct {
	cache *otter.Cache[K, *Encoded]
}

// NewEncodings gives a memory of at most so many bytes. K must hold all that the
// answer follows from: place, language, revision and stops version.
func NewEncodings[K comparable](maxBytes uint64) (*Encodings[K], error) {
	cache, err := otter.New(&otter.Options[K, *Encoded]{
		MaximumWeight: maxBytes,
		Weigher: func(_ K, e *Encoded) uint32 {
			return uint32(e.Size())
		},
	})
	if err != nil {
		return nil, err
	}
	return &Encodings[K]{cache: cache}, nil
}

// Get gives the answer, made by make unless a kept one still holds at now. make gives
// the body and until when it holds, zero for ever; its fault is given to all who wait
// for it and is not kept.
func (e *Encodings[K]) Get(
	ctx context.Context, key K, now time.Time, make func(context.Context) (body []byte, until time.Time, err error),
) (*Encoded, error) {
	if kept, ok := e.cache.GetIfPresent(key); ok {
		if kept.holds(now) {
			return kept, nil
		}
		e.cache.Invalidate(key)
	}
	// Others wait for the same answer, so it is made even when this caller leaves.
	return e.cache.Get(context.WithoutCancel(ctx), key, otter.LoaderFunc[K, *Encoded](func(ctx context.Context, _ K) (*Encoded, error) {
		body, until, err := make(ctx)
		if err != nil {
			return nil, err
		}
		encoded, err := Encode(body)
		if err != nil {
			return nil, err
		}
		encoded.until = until
		return encoded, nil
	}))
}

func (e *Encoded) holds(now time.Time) bool { return e.until.IsZero() || now.Before(e.until) }
