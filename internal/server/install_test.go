package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/png"
	"net/http"
	"slices"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// icon is a drawing with a round corner on a dark ground.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="8" fill="#211d1a"/><g transform="scale(.5)"><circle cx="48" cy="48" r="20" fill="#f2a51d"/></g><circle cx="24" cy="24" r="18" fill="none" stroke="#ffffff" stroke-width="1"/></svg>`

// manifest has the fields of a manifest that browsers use.
type manifest struct {
	Lang, Scope, Display string
	StartURL             string `json:"start_url"`
	Icons                []struct{ Src, Sizes, Purpose string }
	Shortcuts            []struct{ Name, URL string }
}

// readManifest returns the manifest that the document at path names.
func readManifest(t *testing.T, b *browser, path string) manifest {
	t.Helper()
	_, rest, _ := strings.Cut(b.call("GET", path, nil).text, `<link rel="manifest" href="`)
	address, _, _ := strings.Cut(rest, `"`)
	a := b.call("GET", strings.ReplaceAll(address, "&amp;", "&"), nil)
	var m manifest
	if err := json.Unmarshal([]byte(a.text), &m); err != nil || a.header.Get("Content-Type") != "application/manifest+json; charset=utf-8" {
		t.Fatalf("%s: %d %v %v", address, a.status, a.header, err)
	}
	return m
}

func TestManifest_opensTheCityInTheLanguageOfTheDocument(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{
		"sushi/brand.yaml": carttest.Texts["sushi/brand.yaml"] + "icon: icon.svg\n", "sushi/icon.svg": icon,
	})
	b := e.browser(t)
	m := readManifest(t, b, "/moscow")
	if m.StartURL != "/moscow" || m.Scope != "/" || m.Display != "standalone" || m.Lang != "en" {
		t.Errorf("%+v", m)
	}
	if len(m.Shortcuts) != 2 || m.Shortcuts[0].URL != "/moscow/order/last/tracking#repeat" || m.Shortcuts[1].Name != "Track my order" {
		t.Errorf("shortcuts %+v", m.Shortcuts)
	}
	if m := readManifest(t, b, "/"); m.StartURL != "/" || m.Shortcuts != nil {
		t.Errorf("of no city: %+v", m)
	}
	var forms []string
	for _, form := range m.Icons {
		forms = append(forms, form.Sizes+" "+form.Purpose)
		a := b.call("GET", form.Src, nil)
		drawn, _, err := image.Decode(bytes.NewReader([]byte(a.text)))
		if err != nil || fmt.Sprintf("%dx%d", drawn.Bounds().Dx(), drawn.Bounds().Dy()) != form.Sizes || a.header.Get("Content-Type") != "image/png" {
			t.Fatalf("%+v: %d %v", form, a.status, err)
		}
		middle := drawn.Bounds().Dx() / 2
		if r, g, b, _ := drawn.At(middle, middle).RGBA(); r>>8 != 0xf2 || g>>8 != 0xa5 || b>>8 != 0x1d {
			t.Errorf("the middle of %+v is %x %x %x", form, r>>8, g>>8, b>>8)
		}
		line, _, _, _ := drawn.At(middle, drawn.Bounds().Dy()*8/64).RGBA()
		below, _, _, _ := drawn.At(middle, drawn.Bounds().Dy()*10/64).RGBA()
		if form.Purpose == "any" && (line>>8 != 0xff || below>>8 != 0x21) {
			t.Errorf("the line of %+v is %x, below it %x", form, line>>8, below>>8)
		}
		_, _, _, opacity := drawn.At(0, 0).RGBA()
		if isWhole := opacity == 0xffff; isWhole != (form.Purpose == "maskable") {
			t.Errorf("the corner of %+v has the opacity %d", form, opacity)
		}
	}
	if !slices.Equal(forms, []string{"192x192 any", "512x512 any", "512x512 maskable"}) {
		t.Errorf("icons %v", forms)
	}
	if page := b.call("GET", "/moscow", nil).text; !strings.Contains(page, `<link rel="apple-touch-icon" href="/media/`) {
		t.Error("the document has no icon for iPhones")
	}
}

func TestManifest_namesTheIconAsItIsWhereItCannotBeDrawn(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{
		"sushi/brand.yaml": carttest.Texts["sushi/brand.yaml"] + "icon: icon.svg\n",
		"sushi/icon.svg":   strings.Replace(icon, "<circle", `<text x="4" y="20">U</text><circle`, 1),
	})
	m := readManifest(t, e.browser(t), "/moscow")
	if len(m.Icons) != 1 || m.Icons[0].Sizes != "any" || !strings.HasSuffix(m.Icons[0].Src, ".svg") {
		t.Errorf("icons %+v", m.Icons)
	}
}

func TestWorker_isAskedForAtEachVisit(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	a := b.call("GET", "/sw.js", nil)
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "text/javascript; charset=utf-8" || a.header.Get("Cache-Control") != "no-cache" {
		t.Fatalf("%d %v", a.status, a.header)
	}
	if !strings.HasPrefix(a.header.Get("Content-Security-Policy"), "default-src 'self'") {
		t.Errorf("policy %q", a.header.Get("Content-Security-Policy"))
	}
	if again := b.call("GET", "/sw.js", nil, "If-None-Match", a.header.Get("ETag")); again.status != http.StatusNotModified {
		t.Errorf("asked again: %d", again.status)
	}
}
