// Package web holds the built page: the browser's assets and the script that renders it on the server.
package web

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// ErrNotBuilt is returned when the page was not built before the program was.
var ErrNotBuilt = errors.New("web: the page is not built, run npm run build in web/")

// Dist returns the built page: assets/ with hashed names (each text asset also as .br and .gz),
// page.json and ssr/entry.js.
func Dist() fs.FS {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // "dist" is a constant and a valid path
	}
	return dist
}

// Assets returns the files of the page that browsers load: those of assets/, by their hashed names.
func Assets() fs.FS {
	assets, err := fs.Sub(Dist(), "assets")
	if err != nil {
		panic(err) // "assets" is a constant and a valid path
	}
	return assets
}

// Manifest names the files a document has to name in its head. All values are paths from the site's root.
type Manifest struct {
	Entry string `json:"entry"` // the module script
	// StartWatch is the classic script that says so when the entry does not start.
	StartWatch string              `json:"start_watch"`
	Scripts    []string            `json:"scripts"` // modulepreload for every page
	Styles     []string            `json:"styles"`  // stylesheets of every page
	Languages  map[string]Language `json:"languages"`
	Routes     map[string]Route    `json:"routes"` // by page name; a page missing here is in the entry
	// StaffInvitation is what the page loads on which staff accept an invitation: a module script and its
	// style sheets.
	StaffInvitation Route `json:"staff_invitation"`
}

// Language lists what a page in that language needs early.
type Language struct {
	Scripts []string `json:"scripts"` // modulepreload: the catalogue of messages
}

// Route lists what one lazily loaded page needs.
type Route struct {
	Scripts []string `json:"scripts"`
	Styles  []string `json:"styles"`
}

// ReadManifest reads page.json of the built page; ErrNotBuilt when there is none.
func ReadManifest() (Manifest, error) {
	var manifest Manifest
	data, err := fs.ReadFile(Dist(), "page.json")
	if errors.Is(err, fs.ErrNotExist) {
		return manifest, ErrNotBuilt
	}
	if err != nil {
		return manifest, fmt.Errorf("read page manifest: %w", err)
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return manifest, fmt.Errorf("decode page manifest: %w", err)
	}
	return manifest, nil
}

// RenderScript returns the script that defines renderPage(json) for the embedded engine; ErrNotBuilt when there is none.
func RenderScript() (string, error) { return readScript("ssr/entry.js") }

// WorkerScript returns the script of the service worker; ErrNotBuilt when there is none.
func WorkerScript() (string, error) { return readScript("sw.js") }

// readScript returns a script of the built page; ErrNotBuilt when there is none.
func readScript(name string) (string, error) {
	data, err := fs.ReadFile(Dist(), name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrNotBuilt
	}
	if err != nil {
		return "", fmt.Errorf("read %s of the page: %w", name, err)
	}
	return string(data), nil
}
