package asset_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"servery/internal/asset"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
)

// newFiles returns a file of each name.
func newFiles(names ...string) fs.FS {
	m := fstest.MapFS{}
	for _, name := range names {
		m[name] = &fstest.MapFile{Data: []byte("body of " + name)}
	}
	return m
}

// startRelease returns the files of a release whose process has started.
func startRelease(t *testing.T, d *db.DB, c clock.Clock, names ...string) *asset.Assets {
	t.Helper()
	a, err := asset.New(d, c, newFiles(names...))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

func sweep(t *testing.T, a *asset.Assets) {
	t.Helper()
	if err := a.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// findForeign returns which of the files the process finds in other releases.
func findForeign(t *testing.T, a *asset.Assets, names ...string) (found []string) {
	t.Helper()
	for _, name := range names {
		_, body, err := a.Foreign(t.Context(), name)
		switch {
		case fault.KeyOf(err) == "common.not_found":
		case err != nil:
			t.Fatal(err)
		case string(body) != "body of "+name:
			t.Errorf("%s is %q", name, body)
		default:
			found = append(found, name)
		}
	}
	return found
}

func TestAssets_ofTwoReleasesAreServedByBoth(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
		a := startRelease(t, d, c, "entry-a.js", "same-1.js")
		if got := findForeign(t, a, "entry-b.js", "dialog-b.js"); got != nil {
			t.Errorf("before release b there is %v", got)
		}
		b := startRelease(t, d, c, "dialog-b.js", "entry-b.js", "same-1.js")
		if got := findForeign(t, a, "entry-b.js", "dialog-b.js"); len(got) != 2 {
			t.Errorf("release a finds %v of b", got)
		}
		if got := findForeign(t, b, "entry-a.js"); len(got) != 1 {
			t.Errorf("release b finds %v of a", got)
		}
		if string(b.Own("entry-b.js")) != "body of entry-b.js" || b.Own("entry-a.js") != nil {
			t.Error("a release's own files are those it was built with")
		}
	})
}

// A start that was cut off, or a second process of the same release, changes nothing.
func TestAssets_arePublishedTwiceAlike(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
		startRelease(t, d, c, "entry-a.js")
		startRelease(t, d, c, "entry-a.js")
		b := startRelease(t, d, c, "entry-b.js")
		if got := findForeign(t, b, "entry-a.js"); len(got) != 1 {
			t.Errorf("release b finds %v of a", got)
		}
	})
}

func TestAssets_ofTheLastThreeReleasesAndTwoWeeksAreKept(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
		var newest *asset.Assets
		for _, name := range []string{"a.js", "b.js", "c.js", "d.js", "e.js"} {
			newest = startRelease(t, d, c, name, "same.js")
			c.Advance(24 * time.Hour)
		}
		all := []string{"a.js", "b.js", "c.js", "d.js", "same.js"}
		sweep(t, newest)
		if got := findForeign(t, newest, all...); !slices.Equal(got, all) {
			t.Errorf("within two weeks: %v", got)
		}
		c.Advance(11 * 24 * time.Hour) // a and b are older than two weeks now
		sweep(t, newest)
		other := startRelease(t, d, c, "e.js", "same.js") // it remembers nothing
		if got := findForeign(t, other, all...); !slices.Equal(got, []string{"c.js", "d.js", "same.js"}) {
			t.Errorf("after two weeks: %v", got)
		}
		c.Advance(365 * 24 * time.Hour)
		sweep(t, newest)
		other = startRelease(t, d, c, "e.js", "same.js")
		if got := findForeign(t, other, all...); !slices.Equal(got, []string{"c.js", "d.js", "same.js"}) {
			t.Errorf("the newest three after a year: %v", got)
		}
	})
}

func TestAssets_ofAReleaseThatRunsAreKept(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
		old := startRelease(t, d, c, "a.js")
		for _, name := range []string{"b.js", "c.js", "d.js"} {
			c.Advance(20 * 24 * time.Hour)
			sweep(t, old)
			sweep(t, startRelease(t, d, c, name))
		}
		newest := startRelease(t, d, c, "e.js")
		c.Advance(24 * time.Hour)
		sweep(t, newest)
		if got := findForeign(t, newest, "a.js"); len(got) != 1 {
			t.Error("the files of a release that still runs are gone")
		}
	})
}

func TestIsName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"entry-B_1x.js": true, "inter-latin.woff2": true, "a.js.br": true,
		"": false, ".env": false, "../page.json": false, "a/b.js": false, "a\x00.js": false, "ä.js": false,
	} {
		if got := asset.IsName(name); got != want {
			t.Errorf("IsName(%q) = %v", name, got)
		}
	}
}
