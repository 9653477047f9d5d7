package web

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

func TestManifest_namesFilesThatExist(t *testing.T) {
	t.Parallel()
	manifest, err := ReadManifest()
	if errors.Is(err, ErrNotBuilt) {
		t.Skip("the page is not built here")
	}
	if err != nil {
		t.Fatal(err)
	}
	named := append([]string{manifest.Entry, manifest.StartWatch}, manifest.Scripts...)
	named = append(named, manifest.Styles...)
	for _, language := range manifest.Languages {
		named = append(named, language.Scripts...)
	}
	for _, route := range manifest.Routes {
		named = append(append(named, route.Scripts...), route.Styles...)
	}
	invitation := manifest.StaffInvitation
	named = append(append(named, invitation.Scripts...), invitation.Styles...)
	for _, name := range named {
		if _, err := fs.Stat(Dist(), strings.TrimPrefix(name, "/")); err != nil {
			t.Errorf("page.json names %s: %v", name, err)
		}
	}
	if len(manifest.Languages) != 6 {
		t.Errorf("page.json has %d languages, want 6", len(manifest.Languages))
	}
	if _, err := RenderScript(); err != nil {
		t.Error(err)
	}
}
