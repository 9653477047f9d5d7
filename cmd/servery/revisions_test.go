package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"servery/internal/app"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// writeMenu writes a content folder in which the soy sauce has the given price, and returns its path.
func writeMenu(t *testing.T, price int) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range carttest.Texts {
		text = strings.Replace(text, "name: Соевый соус, price: 30,", fmt.Sprintf("name: Соевый соус, price: %d,", price), 1)
		name = filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// shell is an environment, as NAME=value, in which commands run.
type shell []string

// run runs a command and returns all that it prints.
func (s shell) run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := runCommand(t.Context(), args, s, &out, &out)
	return out.String(), err
}

// mustRun runs a command that must succeed, and expects that its whole output matches the pattern.
func (s shell) mustRun(t *testing.T, pattern string, args ...string) {
	t.Helper()
	text, err := s.run(t, args...)
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
	if !regexp.MustCompile(`\A` + pattern + `\n\z`).MatchString(text) {
		t.Errorf("%v prints\n%swant\n%s", args, text, pattern)
	}
}

// eachShell runs the test on both engines, in an environment that names a database. where is a pattern of the
// database's name.
func eachShell(t *testing.T, test func(t *testing.T, s shell, where string)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			c := dbtest.Config(t, engine)
			test(t, shell{"SERVERY_DATA=" + c.Dir, "DATABASE_URL=" + c.URL}, regexp.QuoteMeta(c.Name()))
		})
	}
}

// contentCounts are the counts of the content that writeMenu writes, as commands print them.
const contentCounts = "2 brands, 4 shops, 7 products, 2 zones"

func TestImport_printsItsDatabaseAndWhatItDid(t *testing.T) {
	t.Parallel()
	eachShell(t, func(t *testing.T, s shell, where string) {
		folder := writeMenu(t, 30)
		from := regexp.QuoteMeta(folder)
		s.mustRun(t, where+": revision 1, "+contentCounts+", imported from "+from, "import", folder)
		s.mustRun(t, where+": revision 1, "+contentCounts+", the same as "+from+", nothing to do", "import", folder)
	})
}

// The shop of an order that is open may be lost by a slip: another id, or an entry that was deleted too early.
func TestImport_andRollbackWarnOfOpenOrdersOfShopsThatTheyDrop(t *testing.T) {
	t.Parallel()
	eachShell(t, func(t *testing.T, s shell, where string) {
		const dropped, kept = 99, 11
		s.mustRun(t, ".*", "import", writeMenu(t, 30))
		s.insertOrder(t, 1, dropped, "cooking")
		s.insertOrder(t, 2, dropped, "accepted")
		s.insertOrder(t, 3, dropped, "done")
		s.insertOrder(t, 4, kept, "accepted")
		s.mustRun(t, `.* level=WARN msg="[^"]+" site=sushi shop_id=99 open_orders=2\n`+where+": revision 2, .*", "import", writeMenu(t, 35))
		s.mustRun(t, `.* level=WARN msg="[^"]+" site=sushi shop_id=99 open_orders=2\n`+where+": revision 3 .*", "rollback", "1")
		s.mustRun(t, where+": revision 3 .* already, nothing to do", "rollback", "1")
	})
}

// insertOrder stores an order of a shop of the brand sushi in a state.
func (s shell) insertOrder(t *testing.T, id, shop int64, state string) {
	t.Helper()
	cfg, _, err := config.Load(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	d, err := app.OpenExisting(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	err = d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), `INSERT INTO orders (id, site, city_id, shop_id, zone_id, session_id, cache_key,
			request_hash, link, order_type, state, change_id, changed_at, phone, payment_type, interval_id, promised_from, promised_to,
			currency, subtotal, packages, delivery, discount, bonuses, total, revision, details, created_at)
			VALUES ($1, 'sushi', 1, $2, 0, 1, $3, $4, $3, 'takeaway', $5, 0, $6, '', 'cash', '', $6, $6, 'RUB', 0, 0, 0, 0, 0, 0, 1, $4, $6)`,
			id, shop, fmt.Sprint("order ", id), []byte("{}"), state, clock.System{}.Now())
		return err
	})
	if err := errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestImport_makesNoDatabaseUnlessAskedTo(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := shell{"SERVERY_DATA=" + data}
	folder := writeMenu(t, 30)
	for _, args := range [][]string{{"import", folder}, {"revisions"}, {"rollback", "1"}} {
		text, err := s.run(t, args...)
		if err == nil || !strings.Contains(err.Error(), filepath.Join(data, db.File)) || text != "" {
			t.Errorf("%v: %v\n%s", args, err, text)
		}
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("the data folder: %v", err)
	}
	s.mustRun(t, ".*: revision 1, .*", "import", "-create", folder)
}

func TestRevisions_listsThemAndRollbackGoesBack(t *testing.T) {
	t.Parallel()
	eachShell(t, func(t *testing.T, s shell, where string) {
		older, newer := writeMenu(t, 30), writeMenu(t, 35)
		for _, folder := range []string{older, newer} {
			if _, err := s.run(t, "import", folder); err != nil {
				t.Fatal(err)
			}
		}
		s.mustRun(t, where+": revision 3 is in use, with the content of revision 1", "rollback", "1")
		s.mustRun(t, where+": revision 3 is in use, with the content of revision 1 already, nothing to do", "rollback", "1")
		row := func(id int, from string) string {
			return fmt.Sprintf(`\n%d +\d{4}-\d\d-\d\d \d\d:\d\d UTC  pizza sushi  [0-9a-f]{12}  %s`, id, from)
		}
		s.mustRun(t, where+`\nREVISION  MADE +BRANDS +HASH +FROM`+
			row(3, regexp.QuoteMeta(older)+", revision 1 again, in use")+row(2, regexp.QuoteMeta(newer))+row(1, regexp.QuoteMeta(older)), "revisions")
		for _, id := range []string{"7", "one"} {
			if text, err := s.run(t, "rollback", id); err == nil || !strings.Contains(err.Error(), id) {
				t.Errorf("to %s: %v\n%s", id, err, text)
			}
		}
	})
}

// The next start would fail with the file of providers, so an import of the same content is refused too.
func TestRollback_refusesContentThatTheFileOfProvidersDoesNotFit(t *testing.T) {
	t.Parallel()
	providers := filepath.Join(t.TempDir(), "providers.yaml")
	if err := os.WriteFile(providers, []byte("pizza: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	eachShell(t, func(t *testing.T, s shell, where string) {
		folder := writeMenu(t, 30)
		one, configured := append(slices.Clone(s), "SERVERY_SITES=sushi"), append(slices.Clone(s), "SERVERY_PROVIDERS="+providers)
		one.mustRun(t, where+": revision 1, 1 brand, .*", "import", folder)
		configured.mustRun(t, where+": revision 2, 2 brands, .*", "import", folder)
		refusal, err := append(slices.Clone(configured), "SERVERY_SITES=sushi").run(t, "import", folder)
		if !errors.Is(err, errPrinted) || !strings.HasPrefix(refusal, providers+":1: there is no site") {
			t.Fatalf("an import: %v\n%s", err, refusal)
		}
		text, err := configured.run(t, "rollback", "1")
		if !errors.Is(err, errPrinted) || exitCodeOf(err) != exitConfig || text != refusal {
			t.Errorf("a rollback: %v\n%swant\n%s", err, text, refusal)
		}
		configured.mustRun(t, where+": revision 2, 2 brands, .*, nothing to do", "import", folder)
	})
}
