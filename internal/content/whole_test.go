package content_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"strings"
	"testing"

	demo "servery/content"
	"servery/internal/content"
)

// formatsOfMasters returns a sound picture in every format that a master may have, by its ending.
func formatsOfMasters(t *testing.T) map[string]string {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 768, 768))
	for i := range 768 * 768 {
		picture.Set(i%768, i/768, color.RGBA{R: uint8(i), G: uint8(i >> 3), B: uint8(i >> 8), A: 255})
	}
	var body bytes.Buffer
	if err := png.Encode(&body, picture); err != nil {
		t.Fatal(err)
	}
	packed, err := fs.Glob(demo.Demo(), "sushi/pictures/*.768.webp")
	if err != nil || len(packed) == 0 {
		t.Fatal(packed, err)
	}
	webp, err := fs.ReadFile(demo.Demo(), packed[0])
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"jpg": string(roll()), "jpeg": string(roll()), "png": body.String(), "webp": string(webp)}
}

func TestCheck_refusesPicturesThatAreCut(t *testing.T) {
	t.Parallel()
	for ending, whole := range formatsOfMasters(t) {
		picture, logo := "sushi/pictures/roll."+ending, "logo."+ending
		remove := change{file: "sushi/pictures/roll.jpg"}
		named := change{"sushi/brand.yaml", "email: hello@sushi.test", "email: hello@sushi.test\nlogo: " + logo}
		for name, left := range map[string]int{"half": len(whole) / 2, "tenth": len(whole) / 10, "all but one byte": len(whole) - 1} {
			t.Run(ending+" "+name, func(t *testing.T) {
				t.Parallel()
				const why = ": the file is cut short or damaged: copy it again"
				expectFault(t, "sushi/menu/01-rolls.yaml:15: picture "+picture+why, remove, change{picture, "", whole[:left]})
				expectFault(t, "sushi/brand.yaml:8: sushi/"+logo+why, named, change{"sushi/" + logo, "", whole[:left]})
			})
		}
		t.Run(ending+" whole", func(t *testing.T) {
			t.Parallel()
			for _, f := range content.Check(newFolder(t, remove, change{picture, "", whole}, named, change{"sushi/" + logo, "", whole})) {
				t.Error(f)
			}
		})
	}
}

func TestCheck_refusesPicturesWhoseEndIsMissingBehindASmallOne(t *testing.T) {
	t.Parallel()
	// Cameras put a small picture with an end of its own before the large one.
	whole, small := string(roll()), string(encodePhoto(16, 16))
	size := len(small) + 2
	inside := whole[:2] + "\xff\xe1" + string([]byte{byte(size >> 8), byte(size)}) + small + whole[2:]
	expectFault(t, "sushi/menu/01-rolls.yaml:15: picture sushi/pictures/roll.jpg: the file is cut short or damaged: copy it again",
		change{"sushi/pictures/roll.jpg", "", inside[:len(inside)/2]})
	for _, f := range content.Check(newFolder(t, change{"sushi/pictures/roll.jpg", "", inside + "what cameras add"})) {
		t.Error(f)
	}
}

func TestCheck_refusesPNGPicturesThatAreDamaged(t *testing.T) {
	t.Parallel()
	whole := []byte(formatsOfMasters(t)["png"])
	whole[len(whole)/2] ^= 1
	expectFault(t, "sushi/menu/01-rolls.yaml:15: picture sushi/pictures/roll.png: the file is cut short or damaged: copy it again",
		change{file: "sushi/pictures/roll.jpg"}, change{"sushi/pictures/roll.png", "", string(whole)})
}

func TestCheck_refusesLogosThatAreNoPictures(t *testing.T) {
	t.Parallel()
	expectFault(t, "sushi/brand.yaml:8: sushi/logo.png: not a JPEG, PNG or WebP picture",
		change{"sushi/brand.yaml", "email: hello@sushi.test", "email: hello@sushi.test\nlogo: logo.png"}, change{"sushi/logo.png", "", strings.Repeat("GIF", 9)})
}
