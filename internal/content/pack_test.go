package content_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"servery/internal/content"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// The programs that stand in for encoders write a line for each call and copy the picture.
// avifenc before version 1 takes no -q, that from version 1 on takes no --min.
const (
	cwebp = `echo "$*" >> "$0.calls"
for last; do :; done
(printf webp; cat "$4") > "$last"
`
	avifencOld = `echo "$*" >> "$0.calls"
case "$*" in
--version) echo "Version: 0.11.1 (dav1d [dec]:1.0.0, aom [enc/dec]:v3.6.0)"; exit ;;
"--speed 6 --min 21 --max 29 "*) ;;
*) echo "ERROR: unrecognized option -q"; echo "Syntax: avifenc [options]"; exit 1 ;;
esac
for last; do :; done
(printf avif; cat "$7") > "$last"
`
	avifencNew = `echo "$*" >> "$0.calls"
case "$*" in
--version) echo "Version: 1.3.0 (dav1d [dec]:1.5.0)"; exit ;;
"--speed 6 -q 60 "*) ;;
*) echo "ERROR: unrecognized option"; exit 1 ;;
esac
for last; do :; done
(printf avif; cat "$5") > "$last"
`
	broken = `echo "$*" >> "$0.calls"
echo "cannot open shared object file"
echo "and more of that"
exit 127
`
)

// encoders are programs in a folder of their own.
type encoders struct {
	t   *testing.T
	dir string
}

// newEncoders writes shell scripts by name into a new folder.
func newEncoders(t *testing.T, programs map[string]string) *encoders {
	t.Helper()
	e := &encoders{t, t.TempDir()}
	for name, text := range programs {
		if err := os.WriteFile(filepath.Join(e.dir, name), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// find returns the path of a program of the folder, in place of exec.LookPath.
func (e *encoders) find(name string) (string, error) {
	path := filepath.Join(e.dir, name)
	_, err := os.Stat(path)
	return path, err
}

// calls returns the arguments of each call of a program since calls was called last.
func (e *encoders) calls(name string) []string {
	path := filepath.Join(e.dir, name+".calls")
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.t.Fatal(err)
	}
	_ = os.Remove(path)
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}

func (e *encoders) mustImport(d *db.DB, files fs.FS, o content.Options) content.Result {
	e.t.Helper()
	o.Now, o.FindProgram = noon, e.find
	result, err := content.Import(e.t.Context(), d, files, o)
	if err != nil {
		e.t.Fatal(err)
	}
	return result
}

// listFormats returns the variants of the salmon roll, such as "image/avif 192", whose files must all be
// stored.
func listFormats(t *testing.T, d *db.DB) []string {
	t.Helper()
	c := openCatalog(t, d)
	picture := mustFindProduct(t, c, 1001).Picture
	var found []string
	for _, v := range picture.Variants {
		found = append(found, fmt.Sprint(v.Type, " ", v.Width))
		loadMedia(t, c, v.Address)
	}
	loadMedia(t, c, picture.Src)
	return found
}

var jpegs, webps, avifs = inWidths("image/jpeg"), inWidths("image/webp"), inWidths("image/avif")

func inWidths(format string) []string {
	return []string{format + " 192", format + " 384", format + " 768"}
}

func TestImport_packsPicturesWithBothVersionsOfAvifenc(t *testing.T) {
	t.Parallel()
	for name, program := range map[string]string{"0.11": avifencOld, "1.3": avifencNew} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.Open(t, db.SQLite)
			e := newEncoders(t, map[string]string{"cwebp": cwebp, "avifenc": program})
			if result := e.mustImport(d, newFolder(t, unprepared), content.Options{}); len(result.Warnings) > 0 {
				t.Errorf("warnings %v", result.Warnings)
			}
			if got, want := listFormats(t, d), slices.Concat(avifs, webps, jpegs); !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if calls := e.calls("avifenc"); len(calls) != 4 || calls[0] != "--version" {
				t.Errorf("calls %q", calls)
			}
		})
	}
}

func TestImport_goesOnWithoutAnEncoderThatFails(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEncoders(t, map[string]string{"cwebp": cwebp, "avifenc": broken})
		result := e.mustImport(d, newFolder(t, unprepared), content.Options{})
		expectFaults(t, result.Warnings, []string{
			"sushi/pictures/roll.jpg: warning: avifenc failed for 1 of 1 pictures, which go without AVIF: exit status 127: cannot open shared object file",
		})
		if got, want := listFormats(t, d), slices.Concat(webps, jpegs); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// Browsers take the first format that they know: with a part of its widths a picture would
// be blurred.
func TestImport_leavesAFormatOutThatFailsInOneWidth(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	e := newEncoders(t, map[string]string{"cwebp": `[ -e "$0.calls" ] && [ "$(wc -l < "$0.calls")" -ge 2 ] && exit 1
` + cwebp})
	result := e.mustImport(d, newFolder(t, unprepared), content.Options{})
	if got := listFormats(t, d); !slices.Equal(got, jpegs) || len(result.Warnings) != 1 {
		t.Errorf("got %v, %v", got, result.Warnings)
	}
}

func TestImport_stopsUsingAnEncoderThatPacksNothing(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	e := newEncoders(t, map[string]string{"cwebp": broken})
	changes := []change{unprepared}
	for i := range 5 {
		changes = append(changes, change{fmt.Sprintf("sushi/pictures/dish-%d.jpg", i), "", string(encodePhoto(768, 700+i))},
			change{fmt.Sprintf("sushi/menu/%d.yaml", 10+i), "", fmt.Sprintf("group: {id: %d, alias: g-%d, name: G}\nproducts: [{id: %d, alias: dish-%d, name: D, price: 1}]\n", 100+i, i, 2000+i, i)})
	}
	result := e.mustImport(d, newFolder(t, changes...), content.Options{})
	if calls := e.calls("cwebp"); len(calls) != 3 {
		t.Errorf("called %d times", len(calls))
	}
	if len(result.Warnings) != 1 || result.Warnings[0].Message != "cwebp fails, and no picture was packed as WEBP: exit status 127: cannot open shared object file" {
		t.Errorf("warnings %v", result.Warnings)
	}
}

func TestImport_packsNoPictureTwice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEncoders(t, map[string]string{"cwebp": cwebp, "avifenc": avifencOld})
		progress := []string{}
		o := content.Options{Progress: func(done, of int) { progress = append(progress, fmt.Sprint(done, " of ", of)) }}
		e.mustImport(d, newFolder(t, unprepared), o)
		first := listFormats(t, d)
		if w, a := len(e.calls("cwebp")), len(e.calls("avifenc")); w != 3 || a != 4 || !slices.Equal(progress, []string{"1 of 1"}) {
			t.Fatalf("the first import called cwebp %d and avifenc %d times, progress %v", w, a, progress)
		}
		// A price changes, the picture gets another name, and then there is one more.
		e.mustImport(d, newFolder(t, unprepared, change{"sushi/menu/01-rolls.yaml", "price: 549", "price: 559"}), o)
		renamed := newFolder(t, unprepared, change{"sushi/menu/01-rolls.yaml", "modifiers: [extra-rice, sauce]\n    picture: roll", "modifiers: [extra-rice, sauce]\n    picture: salmon"},
			change{"sushi/pictures/salmon.jpg", "", string(roll())})
		e.mustImport(d, renamed, o)
		if calls := append(e.calls("cwebp"), e.calls("avifenc")...); len(calls) > 0 || len(progress) > 1 {
			t.Errorf("called %q, progress %v", calls, progress)
		}
		if got := listFormats(t, d); !slices.Equal(got, first) {
			t.Errorf("got %v, want %v", got, first)
		}
		renamed["sushi/pictures/salmon.jpg"] = &fstest.MapFile{Data: encodePhoto(768, 800)}
		e.mustImport(d, renamed, o)
		if w, a := len(e.calls("cwebp")), len(e.calls("avifenc")); w != 3 || a != 4 {
			t.Errorf("another picture called cwebp %d and avifenc %d times", w, a)
		}
	})
}

func TestImport_packsOnlyTheFormatThatIsMissing(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	changed := func(price string) fs.FS {
		return newFolder(t, unprepared, change{"sushi/menu/01-rolls.yaml", "price: 549", "price: " + price})
	}
	newEncoders(t, map[string]string{"cwebp": cwebp, "avifenc": broken}).mustImport(d, changed("551"), content.Options{})
	repaired := newEncoders(t, map[string]string{"cwebp": cwebp, "avifenc": avifencNew})
	repaired.mustImport(d, changed("552"), content.Options{})
	if calls := repaired.calls("cwebp"); len(calls) > 0 {
		t.Errorf("cwebp was called with %q", calls)
	}
	without := newEncoders(t, nil)
	without.mustImport(d, changed("553"), content.Options{})
	if got, want := listFormats(t, d), slices.Concat(avifs, webps, jpegs); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestImport_packsAgainWhatAnotherImportRemoved(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEncoders(t, map[string]string{"cwebp": cwebp})
		e.mustImport(d, newFolder(t, unprepared), content.Options{})
		first := listFormats(t, d)
		opened := 0
		files := removing{newFolder(t, unprepared, change{"sushi/menu/01-rolls.yaml", "price: 549", "price: 559"}), func() {
			if opened++; opened != 3 { // once for the name of the folder, once for its size, once for its hash
				return
			}
			if err := d.InTx(context.WithoutCancel(t.Context()), func(tx *db.Tx) error {
				_, err := tx.SQL.ExecContext(t.Context(), "DELETE FROM picture")
				return err
			}); err != nil {
				t.Error(err)
			}
		}}
		e.mustImport(d, files, content.Options{})
		if got := listFormats(t, d); !slices.Equal(got, first) {
			t.Errorf("got %v, want %v", got, first)
		}
	})
}

// removing is a folder that calls a function when the picture of the rolls is opened.
type removing struct {
	fstest.MapFS
	opened func()
}

func (r removing) Open(name string) (fs.File, error) {
	if name == "sushi/pictures/roll.jpg" {
		r.opened()
	}
	return r.MapFS.Open(name)
}

func TestImport_endsWhenItIsStopped(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	ctx, stop := context.WithCancel(t.Context())
	e := newEncoders(t, map[string]string{"cwebp": cwebp})
	_, err := content.Import(ctx, d, newFolder(t, unprepared), content.Options{Now: noon, FindProgram: func(name string) (string, error) {
		stop()
		return e.find(name)
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
