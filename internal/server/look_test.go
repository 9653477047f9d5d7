package server_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// festiveTheme is a theme with festive colours from the second of December on, of the tests' year.
const festiveTheme = `light: {accent: "#7a1f5c"}
dark: {accent: "#ff9ad5"}
fonts: {text: sans.woff2}
festive:
  - {name: feast, from: "2026-12-02", to: "2026-12-03", light: {accent: "#a00000"}}
`

var (
	sheetLink   = regexp.MustCompile(`<link rel="stylesheet" href="(/media/[0-9a-f]{32}\.css)">`)
	fontPreload = regexp.MustCompile(`<link rel="preload" href="(/media/[0-9a-f]{32}\.woff2)" as="font" type="font/woff2" crossorigin>`)
)

// importLook imports content with festiveTheme and a font.
func (e *edge) importLook(t *testing.T) {
	t.Helper()
	font, err := os.ReadFile("../../content/demo/sushi/fonts/onest-en.woff2")
	if err != nil {
		t.Fatal(err)
	}
	e.Import(t, map[string]string{"sushi/theme.yaml": festiveTheme, "sushi/sans.woff2": string(font)})
}

// findOne returns the address that the pattern finds in a document, and fails the test unless there is
// exactly one.
func findOne(t *testing.T, pattern *regexp.Regexp, document string) string {
	t.Helper()
	found := pattern.FindAllStringSubmatch(document, -1)
	if len(found) != 1 {
		t.Fatalf("%d of %s in %s", len(found), pattern, document)
	}
	return found[0][1]
}

func TestLook_isLinkedInTheDocumentAndServedReady(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	plain := b.call("GET", "/moscow", nil).text
	if sheetLink.MatchString(plain) || !strings.Contains(plain, `<meta name="color-scheme" content="light dark">`) {
		t.Errorf("without a theme: %s", plain)
	}
	e.importLook(t)
	b.call("GET", "/moscow", nil) // the last one is sent while the next one is made
	e.server.AwaitDocuments()
	document := b.call("GET", "/moscow", nil).text
	for _, want := range []string{`<meta name="theme-color" content="#f6f9f7" media="(prefers-color-scheme: light)">`, `<html lang="en">`} {
		if !strings.Contains(document, want) {
			t.Errorf("there is no %s in %s", want, document)
		}
	}
	sheet := b.call("GET", findOne(t, sheetLink, document), nil)
	if !strings.Contains(sheet.text, "--accent: #7a1f5c") || sheet.header.Get("Content-Type") != "text/css; charset=utf-8" ||
		sheet.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
		t.Errorf("%d %v %s", sheet.status, sheet.header, sheet.text)
	}
	packed := b.call("GET", findOne(t, sheetLink, document), nil, "Accept-Encoding", "br")
	if packed.header.Get("Content-Encoding") != "br" || len(packed.text) >= len(sheet.text) {
		t.Errorf("%v, %d bytes of %d", packed.header, len(packed.text), len(sheet.text))
	}
	font := b.call("GET", findOne(t, fontPreload, document), nil)
	if font.header.Get("Content-Type") != "font/woff2" || font.status != http.StatusOK || !strings.Contains(sheet.text, findOne(t, fontPreload, document)) {
		t.Errorf("%d %v", font.status, font.header)
	}
	if policy := b.call("GET", "/moscow", nil).header.Get("Content-Security-Policy"); strings.Contains(policy, "unsafe-inline") {
		t.Error(policy)
	}
}

func TestLook_ofAnEarlierRevisionIsStillServed(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.importLook(t)
	b := e.browser(t)
	before := findOne(t, sheetLink, b.call("GET", "/moscow", nil).text)
	e.Import(t, map[string]string{"sushi/theme.yaml": "light: {accent: \"#1f3d7a\"}\ndark: {}\n"})
	if a := b.call("GET", before, nil); a.status != http.StatusOK {
		t.Errorf("the sheet of the page that is open: %d", a.status)
	}
	if after := findOne(t, sheetLink, b.call("GET", "/moscow/shops", nil).text); after == before {
		t.Error("another theme has the same sheet")
	}
}

func TestLook_isFestiveOnItsDaysInTheCity(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.importLook(t)
	b := e.browser(t)
	for _, c := range []struct {
		at   string
		want bool
	}{
		{"2026-12-01T20:59:00Z", false}, {"2026-12-01T21:00:00Z", true}, // midnight in Moscow
		{"2026-12-03T20:59:00Z", true}, {"2026-12-03T21:00:00Z", false},
	} {
		now, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		e.Clock.Set(now)
		for _, path := range []string{"/moscow/shops", "/moscow/cart", "/"} {
			// An outdated document is sent once more while the next one is made.
			b.call("GET", path, nil)
			e.server.AwaitDocuments()
			if got := strings.Contains(b.call("GET", path, nil).text, `data-festive="feast"`); got != c.want {
				t.Errorf("%s at %s is festive: %v", path, c.at, got)
			}
		}
	}
}
