package operator

import (
	"encoding/base64"
	"fmt"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// qrMargin is the empty border of a QR code in modules, as its standard demands.
const qrMargin = 4

// drawQR returns a picture of the QR code that holds the text: an SVG in a data: URI, black on white with
// the border that readers need. It fails for a text that is too long for a QR code.
func drawQR(text string) (string, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("make a QR code: %w", err)
	}
	modules := code.Bounds().Dx()
	size := modules + 2*qrMargin
	var picture strings.Builder
	fmt.Fprintf(&picture, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d" shape-rendering="crispEdges">`, size)
	fmt.Fprintf(&picture, `<path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="`, size)
	for y := range modules {
		for x := range modules {
			if code.At(x, y) == color.Black {
				fmt.Fprintf(&picture, "M%d %dh1v1h-1z", x+qrMargin, y+qrMargin)
			}
		}
	}
	picture.WriteString(`"/></svg>`)
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(picture.String())), nil
}
