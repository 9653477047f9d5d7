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

// limits are the numbers of uses of the promocodes; each round has one code for each.
var limits = []int{1, 10, 100}

const (
	giftStock  = 5
	narrowWork = 60            // minutes of work in an interval of the narrow shop
	dishWork   = 10            // minutes of work for a dish
	account    = "79990000001" // the phone of the customer with bonuses
	// given is how many bonuses the account gets each round, in minor units.
	given = 500_00
)

// codeOf returns the promocode of a round that may be used limit times.
func codeOf(round, limit int) string { return fmt.Sprintf("ROUND%d-%d", round, limit) }

// codeID returns the id in the content of the promocode that codeOf returns.
func codeID(round, limit int) int64 { return int64(round)*1000 + int64(limit) }

// giftOf returns the id of the gift of a round.
func giftOf(round int) int64 { return int64(round) }

// house is servers over one database, and the clock that they share.
type house struct {
	servers []*process
	db      *db.DB
	now     time.Time
}

// requirePage skips the test when the page is not built, because no server starts without it. In CI it fails the test
// instead.
func requirePage(t *testing.T) {
	t.Helper()
	if _, err := web.ReadManifest(); errors.Is(err, web.ErrNotBuilt) {
		if os.Getenv("CI") != "" {
			t.Fatal("the page is not built, so no server is tried")
		}
		t.Skip("SKIPPED: the page is not built, and without it nothing starts")
	}
}

// newHouse starts the given number of servers on a new database, with content for the rounds.
func newHouse(t *testing.T, engine db.Engine, servers, rounds int) *house {
	t.Helper()
	requirePage(t)
	where := dbtest.Config(t, engine)
	// The jobs of the queue follow the machine's clock. The servers' clock is ahead of it, so that no job is due
	// and only the sweep releases what is left.
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

// newContent returns a folder with a copy of the content that has codes and a gift for each round.
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

// expireCheckouts moves the clock of all servers on by more than the life of a checkout, and lets each of them sweep.
func (h *house) expireCheckouts(t *testing.T) {
	t.Helper()
	h.now = h.now.Add(10*time.Minute + time.Second)
	for _, server := range h.servers {
		server.setClock(t, h.now)
	}
}
