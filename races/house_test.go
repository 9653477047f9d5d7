package races_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/web"
)

// What each round brings: promocodes that may be used so often, and a gift.
var limits = []int{1, 10, 100}

const (
	giftStock  = 5
	narrowWork = 60 // minutes of an interval
	dishWork   = 10
	account    = "79990000001"
	// given is what the account gets each round, in minor units.
	given = 500_00
)

func codeOf(round, limit int) string { return fmt.Sprintf("ROUND%d-%d", round, limit) }

func codeID(round, limit int) int64 { return int64(round)*1000 + int64(limit) }

func giftOf(round int) int64 { return int64(round) }

// house is servers over one database, and the clock that they share.
type house struct {
	servers []*process
	db      *db.DB
	now     time.Time
}

// requirePage skips a test that needs servers where there can be none.
func requirePage(t *testing.T) {
	t.Helper()
	if _, err := web.ReadManifest(); errors.Is(err, web.ErrNotBuilt) {
		if os.Getenv("CI") != "" {
			t.Fatal("the page is not built, so no server is tried")
		}
		t.Skip("SKIPPED: the page is not built, and without it nothing starts")
	}
}

// newHouse starts servers on a database of their own.
func newHouse(t *testing.T, engine db.Engine, servers, rounds int) *house {
	t.Helper()
	requirePage(t)
	where := dbtest.Config(t, engine)
	// The jobs of the queue follow the machine's clock: the races are run ahead of it, where only the
	// sweep finds what is left.
	h := &house{now: clock.System{}.Now().Truncate(24 * time.Hour).Add(33 * time.Hour)}
	content := newContent(t, rounds)
	for range servers {
		h.servers = append(h.servers, start(t, settings{Data: where.Dir, DatabaseURL: where.URL, Content: content, Now: h.now}))
	}
	var err error
	if h.db, err = db.Open(t.Context(), where); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.db.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// newContent copies the content, with codes and gifts for each round.
func newContent(t *testing.T, rounds int) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "content"))); err != nil {
		t.Fatal(err)
	}
	var codes, gifts strings.Builder
	for round := 1; round <= rounds; round++ {
		for _, limit := range limits {
			fmt.Fprintf(&codes, "- {id: %d, code: %s, percent: 10, limit: %d}\n", codeID(round, limit), codeOf(round, limit), limit)
		}
		fmt.Fprintf(&gifts, "- {id: %d, alias: gift-%d, product: dessert, stock: %d, conditions: [{subtotal: 100}]}\n", giftOf(round), round, giftStock)
	}
	for name, text := range map[string]string{"promocodes.yaml": codes.String(), "gifts.yaml": gifts.String()} {
		if err := os.WriteFile(filepath.Join(dir, "races", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// wait moves the clock of all servers on, past the deadline of every checkout, and lets
// each of them sweep.
func (h *house) wait(t *testing.T) {
	t.Helper()
	h.now = h.now.Add(10*time.Minute + time.Second)
	for _, server := range h.servers {
		server.set(t, h.now)
	}
}
