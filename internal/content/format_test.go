package content_test

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/gen"
)

// This program reads the revision of the fixture that was stored in each format so far, because
// stored revisions outlive an upgrade.
func TestRevision_isReadInEachFormat(t *testing.T) {
	t.Parallel()
	for format := int64(1); format <= catalog.Format; format++ {
		t.Run(fmt.Sprint(format), func(t *testing.T) {
			t.Parallel()
			body, err := os.ReadFile(fmt.Sprintf("testdata/revision-%d.json.gz", format))
			if err != nil {
				t.Fatal(err)
			}
			c, err := openRevision(t, format, body)
			if err != nil {
				t.Fatal(err)
			}
			p := mustFindProduct(t, c, 1001)
			if p.Name["en"] != "Salmon roll" || p.Price != 549_00 || p.Picture == nil || len(p.Modifiers.Groups) != 1 {
				t.Errorf("the salmon roll is %+v", p)
			}
		})
	}
}

func TestRevision_ofAnotherFormatSaysWhatToImport(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format int64
		want   string
	}{
		"newer":  {catalog.Format + 1, "newer program"},
		"older":  {0, "older program"},
		"broken": {catalog.Format, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := openRevision(t, c.format, []byte("x"))
			if err == nil {
				t.Fatal("it is read")
			}
			for _, want := range []string{"revision 1: ", c.want, "servery import /srv/menu"} {
				if text := err.Error(); !strings.Contains(text, want) || strings.Contains(text, "\n") {
					t.Errorf("%q is not in %q", want, text)
				}
			}
		})
	}
}

// openRevision opens the catalog of a new database whose only revision has that format and body.
func openRevision(t *testing.T, format int64, body []byte) (*catalog.Catalog, error) {
	t.Helper()
	d := dbtest.Open(t, db.SQLite)
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		return tx.Q.InsertRevision(t.Context(), gen.InsertRevisionParams{ID: 1, Hash: "x", Format: format, Source: "/srv/menu", Body: body, Now: noon})
	})
	if err != nil {
		t.Fatal(err)
	}
	return catalog.Open(t.Context(), d, clock.NewFake(noon), slog.New(slog.DiscardHandler), nil)
}
