package content

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"io/fs"
	"os/exec"
	"slices"
	"sync"

	"servery/internal/db"
)

// errPackedGone says that a picture that was packed before was removed by another process.
var errPackedGone = errors.New("a picture that was packed before is gone")

// variant identifies a file that was made of a picture: source is the hash of the picture, recipe
// how it was packed.
type variant struct{ source, recipe string }

// packedVariant is a file that was made, by the hash of its bytes.
type packedVariant struct {
	variant
	hash string
}

// packer packs the pictures that have no variants beside them. What was packed before is
// found by its source and recipe, and not packed again.
type packer struct {
	files   fs.FS
	formats []*pictureFormat
	// packed are the hashes of what was packed before, and now.
	packed map[variant]string
	made   []packedVariant // now
	// progress is called after each picture that was not packed before.
	progress func(done, of int)
}

// newPacker returns a packer with the list of what was packed before.
func newPacker(ctx context.Context, d *db.DB, files fs.FS, o Options) (*packer, error) {
	packed, err := readPacked(ctx, d.Read())
	if err != nil {
		return nil, err
	}
	p := &packer{files: files, packed: packed, progress: o.Progress}
	if p.progress == nil {
		p.progress = func(int, int) {}
	}
	find := o.FindProgram
	if find == nil {
		find = exec.LookPath
	}
	p.formats = newFormats(find)
	return p, nil
}

// packAll packs the pictures and returns the files to be served; a file that was packed before comes
// without its bytes. When an encoder fails, pictures go without its format, and a warning says so.
func (p *packer) packAll(ctx context.Context, shots []*shot) (media []medium, warnings []Fault, err error) {
	// Those packed before come first, so that the progress counts only those that take time.
	var toPack []*shot
	for _, s := range shots {
		body, err := readUpTo(p.files, s.master, maxPicture)
		if err != nil {
			return nil, nil, &pictureError{s.master, err}
		}
		s.source = hashOf(body)
		if !p.isPacked(s) {
			toPack = append(toPack, s)
			continue
		}
		made, err := p.packOne(ctx, s)
		if err != nil {
			return nil, nil, &pictureError{s.master, err}
		}
		media = append(media, made...)
	}
	for i, s := range toPack {
		made, err := p.packOne(ctx, s)
		if err != nil {
			return nil, nil, &pictureError{s.master, err}
		}
		media = append(media, made...)
		p.progress(i+1, len(toPack))
	}
	for _, f := range p.formats {
		if len(f.failed) > 0 {
			warnings = append(warnings, f.warning(len(toPack)))
		}
	}
	return media, warnings, nil
}

// isPacked reports whether a picture was packed before in all its widths and all usable formats.
func (p *packer) isPacked(s *shot) bool {
	for _, f := range p.formats {
		if f.isUsable() && slices.ContainsFunc(s.packWidths(), func(width int) bool { return p.packed[variant{s.source, f.recipe(width)}] == "" }) {
			return false
		}
	}
	return true
}

// packOne packs a picture in all formats and fills in its addresses. A picture has a format in all
// widths or in none, because a browser takes the first format that it supports, whichever widths it
// has. When a format other than JPEG fails, the failure is recorded in that format and the picture goes
// without it.
func (p *packer) packOne(ctx context.Context, s *shot) ([]medium, error) {
	scaled := p.newScaler(s)
	var media []medium
	for _, f := range p.formats {
		made, err := p.packAs(ctx, s, f, scaled)
		switch {
		case err != nil && f.isExtra() && ctx.Err() == nil:
			f.failed = append(f.failed, failure{s.master, err})
			continue
		case err != nil:
			return nil, err
		}
		for i, m := range made {
			s.addVariant(m, s.packWidths()[i])
		}
		if !f.isExtra() {
			s.picture.Src = made[len(made)-1].mediaPath() // the widest JPEG
		}
		media = append(media, made...)
	}
	s.sortVariants()
	return media, nil
}

// packAs returns the picture in one format, a file for each width, and records those that it has
// made. scaled returns the picture in a width. Where the format cannot be made here, it returns only
// files that were packed before, or none when one of them is missing.
func (p *packer) packAs(ctx context.Context, s *shot, f *pictureFormat, scaled func(width int) ([]byte, error)) ([]medium, error) {
	var media []medium
	var made []packedVariant
	for _, width := range s.packWidths() {
		v := variant{s.source, f.recipe(width)}
		if hash := p.packed[v]; hash != "" {
			media = append(media, medium{hash: hash, ending: f.ending})
			continue
		}
		if !f.isUsable() {
			return nil, nil
		}
		body, err := scaled(width)
		if err == nil && f.isExtra() {
			body, err = f.encodePicture(ctx, body)
		}
		if err != nil {
			return nil, err
		}
		m := medium{hash: hashOf(body), ending: f.ending, body: body}
		media = append(media, m)
		made = append(made, packedVariant{v, m.hash})
	}
	// Recorded only now, because a format that fails in one width is left out in all.
	for _, v := range made {
		p.packed[v.variant] = v.hash
	}
	p.made = append(p.made, made...)
	f.packed++
	return media, nil
}

// newScaler returns a function that returns the picture in a width as JPEG. That function reads the
// picture at its first call, and makes each width once.
func (p *packer) newScaler(s *shot) func(width int) ([]byte, error) {
	master := sync.OnceValues(func() (image.Image, error) {
		body, err := readUpTo(p.files, s.master, maxPicture)
		if err != nil {
			return nil, err
		}
		decoded, _, err := image.Decode(bytes.NewReader(body))
		return decoded, err
	})
	made := map[int][]byte{}
	return func(width int) ([]byte, error) {
		if made[width] != nil {
			return made[width], nil
		}
		decoded, err := master()
		if err != nil {
			return nil, err
		}
		var body bytes.Buffer
		if err := jpeg.Encode(&body, shrinkTo(decoded, width), &jpeg.Options{Quality: jpegQuality}); err != nil {
			return nil, err
		}
		made[width] = body.Bytes()
		return made[width], nil
	}
}
