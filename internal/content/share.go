package content

import (
	"slices"
	"strings"

	"servery/internal/site"
)

// The least size, and the formats, that all messengers and social networks show sharply.
const shareWidth, shareHeight = 1200, 630

var shareEndings = []string{".jpg", ".jpeg", ".png"}

// readSharePicture reads the picture of links to the brand, which is served as it is.
func (b *brandReader) readSharePicture(v wordValue) {
	if v.isNull() {
		return
	}
	name := v.toText()
	if !slices.ContainsFunc(shareEndings, func(ending string) bool { return strings.HasSuffix(name, ending) }) {
		v.addFault("share_picture is a JPEG or PNG: %q", name)
		return
	}
	src := b.readDrawing(v, "share_picture")
	if src == "" {
		return
	}
	width, height, _ := measureBody(b.album.drawings[len(b.album.drawings)-1].body) // readDrawing refuses what cannot be measured
	if width < shareWidth || height < shareHeight {
		v.addWarning("%s has %d × %d pixels: messengers show pictures of %d × %d and more large", name, width, height, shareWidth, shareHeight)
	}
	b.brand.Site.Share = &site.SharePicture{Src: src, Width: width, Height: height}
}
