package content

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	xdraw "golang.org/x/image/draw"
)

// jpegQuality is the quality of the JPEG files that are made here.
const jpegQuality = 82

var (
	// plateWidths are those of a dish, bannerWidths those of a wide picture.
	plateWidths  = []int{192, 384, 768}
	bannerWidths = []int{480, 960, 1440}

	errTooLarge = errors.New("the file is too large")
)

// pictureError names the picture that cannot be prepared.
type pictureError struct {
	path string
	err  error
}

func (e *pictureError) Error() string { return fmt.Sprintf("picture %s: %v", e.path, e.err) }
func (e *pictureError) Unwrap() error { return e.err }

// scale makes the variants of a master that has none beside it: JPEG always, WebP and
// AVIF when cwebp and avifenc are installed. It never blows a picture up.
func (s *shot) scale(ctx context.Context, body []byte) ([]medium, error) {
	master, _, err := image.Decode(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	size := master.Bounds().Size()
	widths := plateWidths
	if size.X*10 >= size.Y*16 {
		widths = bannerWidths
	}
	var media []medium
	for i, width := range widths {
		if width > size.X {
			if i > 0 {
				break // the master's own width was made, or a smaller one that is enough
			}
			width = size.X
		}
		made, err := encode(ctx, shrink(master, width))
		if err != nil {
			return nil, err
		}
		for _, m := range made {
			s.add(m, width)
		}
		s.picture.Src = made[0].address() // the widest JPEG
		media = append(media, made...)
	}
	s.sort()
	return media, nil
}

// shrink gives the picture in the width on white ground, for JPEG knows no
// transparency.
func shrink(master image.Image, width int) image.Image {
	size := master.Bounds().Size()
	height := max(1, (size.Y*width+size.X/2)/size.X)
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(small, small.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	xdraw.CatmullRom.Scale(small, small.Bounds(), master, master.Bounds(), draw.Over, nil)
	return small
}

// encode gives the picture in the formats that can be made here, JPEG first.
func encode(ctx context.Context, picture image.Image) ([]medium, error) {
	var body bytes.Buffer
	if err := jpeg.Encode(&body, picture, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, err
	}
	made := []medium{{hash: hashOf(body.Bytes()), ending: "jpg", body: body.Bytes()}}
	for _, tool := range [...]struct {
		name, ending string
		args         func(in, out string) []string
	}{
		{"cwebp", "webp", func(in, out string) []string {
			return []string{"-quiet", "-q", strconv.Itoa(jpegQuality), in, "-o", out}
		}},
		{"avifenc", "avif", func(in, out string) []string {
			return []string{"--speed", "6", "-q", "60", in, out}
		}},
	} {
		program, err := exec.LookPath(tool.name)
		if err != nil {
			continue // the format is an extra
		}
		packed, err := run(ctx, program, tool.args, body.Bytes(), tool.ending)
		if err != nil {
			return nil, err
		}
		made = append(made, medium{hash: hashOf(packed), ending: tool.ending, body: packed})
	}
	return made, nil
}

// run gives a JPEG to a program and takes back the file that it makes of it.
func run(ctx context.Context, program string, args func(in, out string) []string, body []byte, ending string) (packed []byte, err error) {
	dir, err := os.MkdirTemp("", "picture")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in, out := filepath.Join(dir, "in.jpg"), filepath.Join(dir, "out."+ending)
	if err := os.WriteFile(in, body, 0o600); err != nil {
		return nil, err
	}
	//nolint:gosec // the program is one of two that are named above, the paths are our own
	if said, err := exec.CommandContext(ctx, program, args(in, out)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", program, err, said)
	}
	return os.ReadFile(out)
}
