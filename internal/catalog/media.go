package catalog

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/maypok86/otter/v2"

	"servery/internal/db"
	"servery/internal/fault"
)

// MediaPath is where pictures are served: MediaPath + "<hash>.<ext>". What stands
// there never changes.
const MediaPath = "/media/"

// hashPattern is what pictures are called.
var hashPattern = regexp.MustCompile(`^[0-9a-f]{32}$`)

// addressPattern finds the addresses of pictures in any text.
var addressPattern = regexp.MustCompile(regexp.QuoteMeta(MediaPath) + `([0-9a-f]{32})`)

// EachPicture calls do with the hash of each picture whose address stands in the text.
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

func newMediaCache() (*otter.Cache[string, Media], error) {
	return otter.New(&otter.Options[string, Media]{
		MaximumWeight: mediaMemory,
		Weigher:       func(_ string, m Media) uint32 { return uint32(len(m.Body)) },
	})
}

// Media gives the picture of the name "<hash>.<ext>". Fault: common.not_found
// (NotFound).
func (c *Catalog) Media(ctx context.Context, name string) (Media, error) {
	hash, _, _ := strings.Cut(name, ".")
	if !hashPattern.MatchString(hash) { // the database need not be asked, nor can it be about any bytes
		return Media{}, fault.New(fault.NotFound, "common.not_found")
	}
	load := otter.LoaderFunc[string, Media](func(ctx context.Context, hash string) (Media, error) {
		row, err := c.db.Read().GetPicture(ctx, hash)
		if errors.Is(err, db.ErrNotFound) {
			return Media{}, fault.New(fault.NotFound, "common.not_found")
		}
		return Media{Type: row.Type, Body: row.Body}, err
	})
	// Others wait for the same picture, so it is read even when this caller leaves.
	return c.media.Get(context.WithoutCancel(ctx), hash, load)
}
