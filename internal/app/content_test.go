package app_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/app"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/site"
	"servery/web"
)

// shop is a database that processes share.
type shop struct {
	cfg config.Config
	log *journal
}

// eachShop runs the test once on each engine, with a shop of its own. It skips the test when the page is
// not built.
func eachShop(t *testing.T, test func(t *testing.T, s *shop)) {
	t.Helper()
	if _, err := web.ReadManifest(); errors.Is(err, web.ErrNotBuilt) {
		t.Skip("without the page nothing starts")
	}
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			where := dbtest.Config(t, engine)
			test(t, &shop{
				cfg: config.Config{Addr: "127.0.0.1:0", Data: where.Dir, DatabaseURL: where.URL, CallsPerSecond: 1000, Drain: time.Second},
				log: &journal{lines: make(chan string, 1000)},
			})
		})
	}
}

// start starts one more process on the shop, with settings that set may change. It closes the process at
// the end of the test.
func (s *shop) start(t *testing.T, set func(*config.Config)) (*app.App, error) {
	t.Helper()
	cfg := s.cfg
	set(&cfg)
	a, err := app.Start(t.Context(), cfg, slog.New(slog.NewTextHandler(s.log, nil)), clock.System{})
	if err == nil {
		t.Cleanup(func() {
			if err := a.Close(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
	}
	return a, err
}

// mustStart starts one more process as start does, and fails the test when it does not start.
func (s *shop) mustStart(t *testing.T, set func(*config.Config)) *app.App {
	t.Helper()
	a, err := s.start(t, set)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// importFolder imports a folder as the command does.
func (s *shop) importFolder(t *testing.T, folder string) {
	t.Helper()
	d, err := app.OpenExisting(t.Context(), s.cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, err = app.ImportFolder(t.Context(), s.cfg, d, folder, slog.New(slog.DiscardHandler), clock.System{})
	if err := errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
}

// journal is a log that can be waited on.
type journal struct {
	mu    sync.Mutex
	text  bytes.Buffer
	lines chan string
}

// Write stores one line and wakes await.
func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	select {
	case j.lines <- string(line):
	default: // more than a test waits for
	}
	return j.text.Write(line)
}

// has reports whether the text was logged.
func (j *journal) has(text string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Contains(j.text.String(), text)
}

// String returns all that was logged.
func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// await waits for a line with the text in it.
func (j *journal) await(t *testing.T, text string) {
	t.Helper()
	timeout := time.After(30 * time.Second)
	for {
		select {
		case line := <-j.lines:
			if strings.Contains(line, text) {
				return
			}
		case <-timeout:
			t.Fatalf("nothing about %q is logged", text)
		}
	}
}

// writeMenu returns the path of a new content folder in which the soy sauce has the price.
func writeMenu(t *testing.T, price string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range carttest.Texts {
		text = strings.Replace(text, "name: Соевый соус, price: 30,", "name: Соевый соус, price: "+price+",", 1)
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// wantSold fails the test unless the process sells the revision, with the soy sauce at the price.
func wantSold(t *testing.T, a *app.App, revision int64, price string) {
	t.Helper()
	if _, err := a.Catalog().Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := a.Catalog().Current()
	brand := s.Sites.ByHost("localhost")
	soy, ok := s.Menu(brand, brand.Cities[0], site.Takeaway, carttest.Arbat, clock.System{}.Now()).Product(carttest.Soy)
	if !ok || s.Revision != revision || soy.Price.String() != price {
		t.Errorf("revision %d is sold, with %+v; want revision %d and a price of %s", s.Revision, soy, revision, price)
	}
}

func TestStart_withAnOlderFolderLeavesWhatIsSold(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		folder := writeMenu(t, "30")
		older := func(c *config.Config) { c.Content = folder }
		first := s.mustStart(t, older)
		wantSold(t, first, 1, "30")
		s.importFolder(t, writeMenu(t, "35"))
		restarted := s.mustStart(t, older)
		for _, a := range []*app.App{first, restarted} {
			wantSold(t, a, 2, "35")
		}
		if !s.log.has("content folder differs from the revision in use") || !s.log.has(folder) {
			t.Error("the log does not say that the folder is another")
		}
	})
}

func TestStart_withTheSameFolderLogsNoDifference(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		folder := writeMenu(t, "30")
		for range 2 {
			wantSold(t, s.mustStart(t, func(c *config.Config) { c.Content = folder }), 1, "30")
		}
		if s.log.has("differs") {
			t.Error("a difference is logged")
		}
	})
}

func TestStart_importsTheFolderWhenAskedTo(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		first := s.mustStart(t, func(c *config.Config) { c.Content = writeMenu(t, "30") })
		edited := writeMenu(t, "35")
		for range 2 { // the second time there is nothing to do
			second := s.mustStart(t, func(c *config.Config) { c.Content, c.Import = edited, config.ImportStart })
			wantSold(t, second, 2, "35")
		}
		wantSold(t, first, 2, "35")
	})
}

func TestStart_withoutAFolderLeavesWhatIsSold(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		s.importFolder(t, writeMenu(t, "30"))
		for _, when := range []string{config.ImportEmpty, config.ImportStart} {
			wantSold(t, s.mustStart(t, func(c *config.Config) { c.Import = when }), 1, "30")
		}
		if !s.log.has("demo not imported") {
			t.Error("the log does not say that the demo was not imported")
		}
	})
}

func TestStart_withAFolderThatIsGoneServesWhatIsSold(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		s.importFolder(t, writeMenu(t, "30"))
		gone := filepath.Join(t.TempDir(), "gone")
		wantSold(t, s.mustStart(t, func(c *config.Config) { c.Content = gone }), 1, "30")
		if !s.log.has("content folder cannot be read: the content of the database is served") || !s.log.has("folder="+gone) || !s.log.has("no such file or directory") || !s.log.has("revision=1 ") {
			t.Errorf("the log does not say that the folder is gone, and what is served: %s", s.log)
		}
		if _, err := s.start(t, func(c *config.Config) { c.Content, c.Import = gone, config.ImportStart }); err == nil || !strings.Contains(err.Error(), gone) {
			t.Errorf("where it is to be imported: %v", err)
		}
	})
}

func TestStart_doesNotSimulateAKitchenForOtherContentThanTheDemo(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		s.importFolder(t, writeMenu(t, "30"))
		s.mustStart(t, func(c *config.Config) { c.Simulate, c.SimulatePace = true, time.Millisecond })
		s.log.await(t, "simulated kitchen rests")
	})
}

func TestStart_onARevisionThatItCannotReadSaysWhatToImport(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		folder := writeMenu(t, "30")
		s.importFolder(t, folder)
		d, err := app.OpenExisting(t.Context(), s.cfg)
		if err != nil {
			t.Fatal(err)
		}
		err = d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE revision SET format = $1", catalog.Format+1)
			return err
		})
		if err := errors.Join(err, d.Close()); err != nil {
			t.Fatal(err)
		}
		_, err = s.start(t, func(*config.Config) {})
		if err == nil || !strings.Contains(err.Error(), "servery import "+folder) || strings.Contains(err.Error(), "\n") {
			t.Fatalf("it says %v", err)
		}
		s.importFolder(t, folder) // as it says
		wantSold(t, s.mustStart(t, func(*config.Config) {}), 2, "30")
	})
}

func TestStart_showsTheEditedDemoWhenAskedTo(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		s.importFolder(t, writeMenu(t, "30"))
		d, err := app.OpenExisting(t.Context(), s.cfg)
		if err != nil {
			t.Fatal(err)
		}
		err = d.InTx(t.Context(), func(tx *db.Tx) error { // as if this had been the demo before
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE revision SET source = 'the demo'")
			return err
		})
		if err := errors.Join(err, d.Close()); err != nil {
			t.Fatal(err)
		}
		a := s.mustStart(t, func(c *config.Config) { c.Import = config.ImportStart })
		if current := a.Catalog().Current(); current.Revision != 2 || current.Sites.ByHost("shawarma.localhost").Alias != "shawarma" {
			t.Errorf("revision %d is sold", current.Revision)
		}
	})
}

// Two databases have a brand each of one content folder: each process serves its brand alone, also to unknown hosts, and
// says so in the metrics.
func TestStart_importsTheChosenBrandsAlone(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		a := s.mustStart(t, func(c *config.Config) { c.Sites = []string{"pizza"} })
		_, text := getText(t, "http://"+a.Addr().String()+"/metrics")
		if !strings.Contains(text, `servery_site{site="pizza"} 1`) || strings.Contains(text, `site="sushi"`) {
			t.Error("the process does not serve pizza alone")
		}
		if _, text := getText(t, "http://"+a.Addr().String()+"/berlin"); !strings.Contains(text, "Базилико") {
			t.Error("an unknown host has no page of pizza")
		}
		_, err := s.start(t, func(c *config.Config) { c.Sites, c.Import = []string{"burger"}, config.ImportStart })
		if err == nil || !strings.Contains(err.Error(), `SERVERY_SITES: there is no brand "burger"`) {
			t.Errorf("a brand that is not there: %v", err)
		}
	})
}
