package content

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"

	xdraw "golang.org/x/image/draw"
)

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

// Error returns the path of the picture and what is wrong with it.
func (e *pictureError) Error() string { return fmt.Sprintf("picture %s: %v", e.path, e.err) }

// Unwrap returns what is wrong with the picture.
func (e *pictureError) Unwrap() error { return e.err }

// packWidths returns the widths that a picture is packed in. It is never enlarged.
func (s *shot) packWidths() []int {
	width, height := s.picture.Width, s.picture.Height
	widths := plateWidths
	if isWide := width*10 >= height*16; isWide { // 16 to 10, or wider
		widths = bannerWidths
	}
	fitting := widths
	for len(fitting) > 0 && fitting[len(fitting)-1] > width {
		fitting = fitting[:len(fitting)-1]
	}
	if len(fitting) == 0 {
		return []int{width}
	}
	return fitting
}

// shrinkTo returns the picture in the width on a white background, because JPEG has no
// transparency.
func shrinkTo(master image.Image, width int) image.Image {
	size := master.Bounds().Size()
	height := max(1, (size.Y*width+size.X/2)/size.X) // in proportion, rounded
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(small, small.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	xdraw.CatmullRom.Scale(small, small.Bounds(), master, master.Bounds(), draw.Over, nil)
	return small
}
