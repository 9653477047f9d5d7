package catalog

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"servery/internal/cache"
	"servery/internal/db"
	"servery/internal/fault"
)

// MediaPath is where pictures are served: MediaPath + "<hash>.<ext>". What is there never changes.
const MediaPath = "/media/"

// hashPattern matches the names of pictures.
var hashPattern = regexp.MustCompile(`^[0-9a-f]{32}$`)

// addressPattern finds the addresses of pictures in any text.
var addressPattern = regexp.MustCompile(regexp.QuoteMeta(MediaPath) + `([0-9a-f]{32})`)

// EachPicture calls do with the hash of each picture whose address is in the text.
func EachPicture(text []byte, do func(hash string)) {
	for _, found := range addressPattern.FindAllSubmatch(text, -1) {
		do(string(found[1]))
	}
}

// Media is a picture as it is served.
type Media struct {
	Type string // "image/avif"
	Body []byte // shared, not to be changed
}

// newMediaCache returns a cache of pictures that holds at most mediaMemory bytes.
func newMediaCache() *cache.Cache[string, Media] {
	return cache.OfWeight[string](mediaMemory, func(m Media) uint32 { return uint32(len(m.Body)) })
}

// Media returns the picture with the name "<hash>.<ext>", from the cache or the database; the
// extension is not looked at. It returns common.not_found (NotFound) when there is none.
func (c *Catalog) Media(ctx context.Context, name string) (Media, error) {
	hash, _, _ := strings.Cut(name, ".")
	if !hashPattern.MatchString(hash) { // no such picture can exist, and the bytes may be no valid text for a query
		return Media{}, fault.New(fault.NotFound, "common.not_found")
	}
	load := func(ctx context.Context) (Media, error) {
		row, err := c.db.Read().GetPicture(ctx, hash)
		if errors.Is(err, db.ErrNotFound) {
			return Media{}, fault.New(fault.NotFound, "common.not_found")
		}
		return Media{Type: row.Type, Body: row.Body}, err
	}
	// Others wait for the same picture, so it is read even when this call is canceled.
	return c.media.Load(context.WithoutCancel(ctx), hash, load)
}
