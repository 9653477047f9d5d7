package content

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"regexp"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	xdraw "golang.org/x/image/draw"

	"servery/internal/site"
)

// appIcons are the forms of an icon that installed pages and old browsers need. A part of a form is the share of its
// side that the drawing takes; the rest is ground.
var appIcons = []struct {
	purpose site.IconPurpose
	size    int
	part    float64
}{
	{site.AnyIcon, 192, 1},
	{site.AnyIcon, 512, 1},
	{site.MaskableIcon, 512, 0.8}, // phones cut all but the circle of that diameter
	{site.TouchIcon, 180, 0.9},
	{site.TabIcon, 32, 1},
}

// readIcon reads the brand's icon, and adds the icons for installed pages that are made from it.
func (b *brandReader) readIcon(v wordValue) {
	if b.brand.Site.Icon = b.readDrawing(v, "icon"); b.brand.Site.Icon != "" {
		b.addAppIcons(v, b.album.drawings[len(b.album.drawings)-1])
	}
}

// addAppIcons adds the icons for installed pages. It adds a warning when they cannot be drawn here: the
// page is then installed with the icon as it is.
func (b *brandReader) addAppIcons(v wordValue, icon medium) {
	drawing, err := openIcon(icon)
	if err != nil {
		v.addWarning("no icons for phones can be made of %s: %v; a PNG of 512 pixels works", v.toText(), err)
		return
	}
	if err := b.drawAppIcons(drawing); err != nil {
		v.addWarning("no icons for phones can be made of %s: %v", v.toText(), err)
	}
}

// drawAppIcons draws the icon in every size and purpose of appIcons and adds the files to the brand. It
// also sets the brand's ground colour.
func (b *brandReader) drawAppIcons(drawing iconDrawing) error {
	ground := drawing.groundColor()
	s := b.brand.Site
	s.Ground = fmt.Sprintf("#%02x%02x%02x", ground.R, ground.G, ground.B)
	for _, wanted := range appIcons {
		back := color.RGBA{}
		if wanted.purpose == site.MaskableIcon || wanted.purpose == site.TouchIcon {
			back = ground
		}
		var body bytes.Buffer
		if err := png.Encode(&body, drawing.scaled(wanted.size, wanted.part, back)); err != nil {
			return err
		}
		m := medium{hash: hashOf(body.Bytes()), ending: "png", body: body.Bytes()}
		if wanted.purpose == site.TabIcon {
			ico := wrapIcon(wanted.size, body.Bytes())
			m = medium{hash: hashOf(ico), ending: "ico", body: ico}
		}
		b.album.drawings = append(b.album.drawings, m)
		s.AppIcons = append(s.AppIcons, site.AppIcon{Src: m.mediaPath(), Size: wanted.size, Purpose: wanted.purpose})
	}
	return nil
}

// wrapIcon returns an ICO of one PNG, which all browsers read: a directory with one entry, then the
// picture.
func wrapIcon(size int, picture []byte) []byte {
	const directory = 6 + 16 // bytes of the head and of one entry
	const icon, bitsPerPixel = 1, 32
	ico := binary.LittleEndian.AppendUint16(nil, 0) // reserved
	ico = binary.LittleEndian.AppendUint16(ico, icon)
	ico = binary.LittleEndian.AppendUint16(ico, 1)  // pictures
	ico = append(ico, byte(size), byte(size), 0, 0) // width, height, colours of a palette, reserved
	ico = binary.LittleEndian.AppendUint16(ico, 1)  // planes
	ico = binary.LittleEndian.AppendUint16(ico, bitsPerPixel)
	ico = binary.LittleEndian.AppendUint32(ico, uint32(len(picture)))
	ico = binary.LittleEndian.AppendUint32(ico, directory)
	return append(ico, picture...)
}

// iconDrawing is an icon that can be drawn in any size: a vector drawing or a picture.
type iconDrawing struct {
	vector  *oksvg.SvgIcon
	strokes []float64 // the widths of the lines of the vector drawing's paths, in its own units
	picture image.Image
}

// openIcon returns the drawing of an icon. It fails for an SVG with parts that only browsers draw.
func openIcon(m medium) (drawing iconDrawing, err error) {
	if m.ending != "svg" {
		drawing.picture, _, err = image.Decode(bytes.NewReader(m.body))
		return drawing, err
	}
	defer func() {
		if p := recover(); p != nil { // the package trusts that numbers and colours are well formed
			err = fmt.Errorf("the drawing has a part that cannot be read: %v", p)
		}
	}()
	drawing.vector, err = oksvg.ReadIconStream(bytes.NewReader(completeNumbers(m.body)), oksvg.StrictErrorMode)
	if err == nil {
		for _, p := range drawing.vector.SVGPaths {
			drawing.strokes = append(drawing.strokes, p.LineWidth)
		}
		drawing.scaled(16, 1, color.RGBA{}) // whatever cannot be drawn is found here
	}
	return drawing, err
}

var (
	rectangle = regexp.MustCompile(`<rect\b[^>]*>`)
	radiusX   = regexp.MustCompile(`\srx=("[^"]*"|'[^']*')`)
	radiusY   = regexp.MustCompile(`\sry=`)
	oneScale  = regexp.MustCompile(`\bscale\(\s*([-+.0-9eE]+)\s*\)`)
)

// completeNumbers returns a drawing with both radii of each round corner and both factors of each
// scale. In SVG one alone stands for both, which the package does not support.
func completeNumbers(body []byte) []byte {
	body = oneScale.ReplaceAll(body, []byte("scale($1,$1)"))
	return rectangle.ReplaceAllFunc(body, func(tag []byte) []byte {
		if radiusY.Match(tag) {
			return tag
		}
		return radiusX.ReplaceAll(tag, []byte(" rx=$1 ry=$1"))
	})
}

// groundColor returns the colour that the icon's ground has in the middle of its upper edge, white
// where it is transparent.
func (d iconDrawing) groundColor() color.RGBA {
	const size = 64
	if c := d.scaled(size, 1, color.RGBA{}).RGBAAt(size/2, size/16); c.A == 0xff {
		return c
	}
	return color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
}

// scaled returns a square of size pixels filled with the ground. The icon is in the middle and takes
// the part of each side.
func (d iconDrawing) scaled(size int, part float64, ground color.RGBA) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(out, out.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	width, height := d.proportions()
	scale := float64(size) * part / max(width, height)
	width, height = width*scale, height*scale
	left, top := (float64(size)-width)/2, (float64(size)-height)/2
	if d.vector == nil {
		target := image.Rect(int(left+0.5), int(top+0.5), int(left+width+0.5), int(top+height+0.5))
		xdraw.CatmullRom.Scale(out, target, d.picture, d.picture.Bounds(), draw.Over, nil)
		return out
	}
	for i, stroke := range d.strokes {
		d.vector.SVGPaths[i].LineWidth = stroke * scale // the package scales shapes, not lines
	}
	d.vector.SetTarget(left, top, width, height)
	d.vector.Draw(rasterx.NewDasher(size, size, rasterx.NewScannerGV(size, size, out, out.Bounds())), 1)
	return out
}

// proportions returns the width and height of the drawing, in units of its own.
func (d iconDrawing) proportions() (width, height float64) {
	if d.vector != nil {
		return max(d.vector.ViewBox.W, 1), max(d.vector.ViewBox.H, 1)
	}
	size := d.picture.Bounds().Size()
	return float64(size.X), float64(size.Y)
}
