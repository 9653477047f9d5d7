package content

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"servery/internal/catalog"
)

const (
	// maxPicture is how large a picture file may be, in bytes.
	maxPicture = 10 << 20
	// maxPixels is how many pixels a picture may have.
	maxPixels = 40_000_000
	// maxDrawing is how large a logo may be, in bytes.
	maxDrawing = 512 << 10
	// dishWidth and bannerWidth are the widths from which pictures look sharp on every screen.
	dishWidth, bannerWidth = 768, 1440
)

// types are the formats that are served, by the ending of a file.
var types = map[string]string{
	"avif": "image/avif", "webp": "image/webp", "jpg": "image/jpeg", "jpeg": "image/jpeg",
	"png": "image/png", "svg": "image/svg+xml", "ico": "image/x-icon",
	"css": "text/css; charset=utf-8", "woff2": "font/woff2",
}

// masters are the endings that a master may have; the first found is used.
var masters = []string{"jpg", "jpeg", "png", "webp"}

// medium is a file to be served: its bytes, or a path within the folder. With neither it was stored
// before.
type medium struct {
	hash, ending string
	body         []byte
	path         string
}

func (m medium) mediaPath() string { return catalog.MediaPath + m.hash + "." + m.ending }

// hashOf returns the name of a file with these bytes; 128 bits are enough that no two ever share a name.
func hashOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:16])
}

// album finds the pictures that content names. What is named twice is one picture.
type album struct {
	*faults
	files fs.FS
	names []string // of all files, sorted
	// inOtherCase is hintOtherCase of the reader.
	inOtherCase func(names ...string) string
	shots       map[string]*shot
	order       []*shot
	drawings    []medium
}

// shot is a picture that content uses.
type shot struct {
	picture *catalog.Picture // fillAddresses fills in its addresses
	master  string
	source  string // the hash of the master, where variants are made of it
	// prepared are the variants beside the master, as files.
	prepared []prepared
}

type prepared struct {
	path, ending string
	width        int
}

func newAlbum(files fs.FS, f *faults) *album {
	return &album{faults: f, files: files, shots: map[string]*shot{}}
}

// readPicture returns the picture that a field names, nil where it is absent or cannot be used, see
// [album.usePicture]. wanted is the width below which there is a warning, in pixels.
func (b *brandReader) readPicture(v aliasValue, wanted int) *catalog.Picture {
	if v.isNull() {
		return nil
	}
	return b.album.usePicture(v.value, b.dir, v.toText(), wanted)
}

// usePicture returns the picture pictures/<name>.<ending> of a brand, nil where there is none that can
// be used. v is where the picture is named: faults are added there, and a warning when the picture is
// narrower than wanted, in pixels.
func (a *album) usePicture(v value, brand, name string, wanted int) *catalog.Picture {
	switch {
	case name == "":
		return nil
	case !aliasPattern.MatchString(name):
		v.addFault("a picture is named without folder and ending: %q", name)
		return nil
	}
	base := brand + "/pictures/" + name
	s, known := a.shots[base]
	if !known {
		s = a.findPicture(v, base, name)
		a.shots[base] = s
	}
	if s.picture != nil && s.picture.Width < wanted {
		v.addWarning("picture %s is %d pixels wide and looks blurred: %d or more are sharp", s.master, s.picture.Width, wanted)
	}
	return s.picture
}

// findPicture returns the picture with the path base, which lacks the ending. When the picture is
// missing or cannot be used, it adds a fault at v, and the result has no picture.
func (a *album) findPicture(v value, base, name string) *shot {
	s := &shot{}
	for _, ending := range masters {
		if _, found := slices.BinarySearch(a.names, base+"."+ending); found {
			s.master = base + "." + ending
			break
		}
	}
	if s.master == "" {
		var others []string
		for _, ending := range masters {
			others = append(others, base+"."+ending)
		}
		v.addFault("picture %s is missing: there is no %s.jpg%s", name, base, a.inOtherCase(others...))
		return s
	}
	width, height, why := a.measureFile(s.master)
	if why != "" {
		v.addFault("picture %s: %s", s.master, why)
		return s
	}
	s.picture = &catalog.Picture{Width: width, Height: height}
	s.prepared = a.findPrepared(base)
	a.order = append(a.order, s)
	return s
}

// measureFile reads a picture and returns its size. why is empty unless the picture is refused.
func (a *album) measureFile(name string) (width, height int, why string) {
	body, err := readUpTo(a.files, name, maxPicture)
	switch {
	case errors.Is(err, errTooLarge):
		return 0, 0, "larger than " + strconv.Itoa(maxPicture>>20) + " MB"
	case err != nil:
		return 0, 0, err.Error()
	}
	return measureBody(body)
}

var preparedPattern = regexp.MustCompile(`^\.([1-9][0-9]{1,4})\.(avif|webp|jpg)$`)

// findPrepared returns the variants named <base>.<width>.<ending>.
func (a *album) findPrepared(base string) []prepared {
	var found []prepared
	from, _ := slices.BinarySearch(a.names, base+".")
	for _, name := range a.names[from:] {
		rest, ok := strings.CutPrefix(name, base)
		if !ok {
			break
		}
		if m := preparedPattern.FindStringSubmatch(rest); m != nil {
			width, _ := strconv.Atoi(m[1]) // the pattern has digits only
			found = append(found, prepared{path: name, ending: m[2], width: width})
		}
	}
	return found
}

// readDrawing adds a logo, which is served as it is, to the album and returns its address; empty where it
// is absent or has a fault. field is its name in faults.
func (b *brandReader) readDrawing(v wordValue, field string) string {
	if v.isNull() {
		return ""
	}
	name := v.toText()
	ending := strings.TrimPrefix(path.Ext(name), ".")
	if strings.ContainsAny(name, `/\`) || !strings.HasPrefix(types[ending], "image/") || ending == "ico" {
		v.addFault("%s is a file of the brand's folder, SVG, PNG, JPEG or WebP: %q", field, name)
		return ""
	}
	full := b.dir + "/" + name
	if _, found := slices.BinarySearch(b.names, full); !found {
		v.addFault("%s %s is missing%s", field, full, b.hintOtherCase(full))
		return ""
	}
	body, err := readUpTo(b.files, full, maxDrawing)
	if err != nil {
		v.addFault("%s: %v", full, err)
		return ""
	}
	if ending == "svg" {
		if line, why := faultOfDrawing(body); why != "" {
			v.addFault("%s:%d: %s", full, line, why)
			return ""
		}
	} else if slices.Contains(masters, ending) {
		if _, _, why := measureBody(body); why != "" {
			v.addFault("%s: %s", full, why)
			return ""
		}
	}
	m := medium{hash: hashOf(body), ending: ending, body: body}
	b.album.drawings = append(b.album.drawings, m)
	return m.mediaPath()
}

// fillAddresses fills in the addresses of all pictures and returns the files to be served.
func (a *album) fillAddresses(ctx context.Context, p *packer) (media []medium, warnings []Fault, err error) {
	media = slices.Clone(a.drawings)
	var unprepared []*shot
	for _, s := range a.order {
		if len(s.prepared) == 0 {
			unprepared = append(unprepared, s)
			continue
		}
		made, err := a.usePrepared(s)
		if err != nil {
			return nil, nil, &pictureError{s.master, err}
		}
		media = append(media, made...)
	}
	packed, warnings, err := p.packAll(ctx, unprepared)
	return append(media, packed...), warnings, err
}

// usePrepared fills in the addresses of a picture whose variants are stored beside it, and returns the
// files, which are served as they are.
func (a *album) usePrepared(s *shot) ([]medium, error) {
	body, err := readUpTo(a.files, s.master, maxPicture)
	if err != nil {
		return nil, err
	}
	ending := strings.TrimPrefix(path.Ext(s.master), ".")
	master := medium{hash: hashOf(body), ending: ending, path: s.master}
	s.picture.Src = master.mediaPath()
	media := []medium{master}
	for _, p := range s.prepared {
		body, err := readUpTo(a.files, p.path, maxPicture)
		if err != nil {
			return nil, err
		}
		m := medium{hash: hashOf(body), ending: p.ending, path: p.path}
		media = append(media, m)
		s.addVariant(m, p.width)
	}
	s.sortVariants()
	return media, nil
}

func (s *shot) addVariant(m medium, width int) {
	s.picture.Variants = append(s.picture.Variants, catalog.Variant{Type: types[m.ending], Width: width, Address: m.mediaPath()})
}

// sortVariants puts the best format first and the small widths first within it.
func (s *shot) sortVariants() {
	formats := []string{"image/avif", "image/webp", "image/jpeg"}
	slices.SortStableFunc(s.picture.Variants, func(a, b catalog.Variant) int {
		if by := slices.Index(formats, a.Type) - slices.Index(formats, b.Type); by != 0 {
			return by
		}
		return a.Width - b.Width
	})
}

// readUpTo reads a file. It returns errTooLarge when the file is larger than the limit.
func readUpTo(files fs.FS, name string, limit int64) ([]byte, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	var body bytes.Buffer
	n, err := io.Copy(&body, io.LimitReader(file, limit+1))
	if err == nil && n > limit {
		err = errTooLarge
	}
	return body.Bytes(), err
}
