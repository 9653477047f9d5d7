package races_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"servery/internal/db"
)

// A server is killed when a change has a number and its transaction is not committed yet. The next server makes
// another change, with a higher number. The reader of the feed gets neither change while the transaction is open. It
// gets them when the transaction is committed, and only the second when it is rolled back. This is possible on
// PostgreSQL only: on SQLite the transaction ends with its process.
func TestOperatorFeed_waitsForAChangeWhoseServerWasKilled(t *testing.T) {
	t.Parallel()
	for name, isCommitted := range map[string]bool{"committed": true, "rolled back": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, db.Postgres, 1, 1)
			kitchen := &kitchen{house: h, client: browser, rebuilt: map[int64]string{}}
			first, second := h.placeTakeaway(t, 1), h.placeTakeaway(t, 2)
			kitchen.readChanges(t)
			begun := kitchen.lastChange
			held := h.holdCommits(t, first)
			go func() { _, _ = h.cook(t, first) }() // its answer never comes
			backend := held.await(t)
			h.servers[0].kill(t)
			h.servers[0].begin(t)
			if status, err := h.cook(t, second); err != nil || status != http.StatusOK {
				t.Fatalf("the second order: %d, %v", status, err)
			}
			for range 10 {
				kitchen.readChanges(t)
				if kitchen.lastChange != begun {
					t.Fatalf("the reader is at %d while a change above %d may still come", kitchen.lastChange, begun)
				}
			}
			held.end(t, backend, isCommitted)
			want := []int64{first, second}
			if !isCommitted {
				want = want[1:]
			}
			h.awaitChanges(t, kitchen, len(want)+2)
			if got := kitchen.changed[2:]; !slices.Equal(got, want) {
				t.Errorf("the reader gets changes of %v, want %v", got, want)
			}
			if status, err := h.cook(t, first); err != nil || status != http.StatusOK {
				t.Errorf("the first order, sent again: %d, %v", status, err)
			}
			h.awaitChanges(t, kitchen, 4)
			if kitchen.countDifferences(t, h) > 0 {
				t.Errorf("the reader has %v", kitchen.rebuilt)
			}
		})
	}
}

// heldCommits lets the transactions that change an order wait before their commit.
type heldCommits struct {
	db   *sql.DB
	lock *sql.Conn
}

// commitLock is the key of the lock that held commits wait for.
const commitLock = 7700

// holdCommits makes each transaction that adds a change to the order wait at its end, until end is called or the
// statement takes too long. It installs a trigger for that.
func (h *house) holdCommits(t *testing.T, order int64) *heldCommits {
	t.Helper()
	writer := h.db.Writer()
	conn, err := writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	held := &heldCommits{writer, conn}
	for _, text := range []string{
		fmt.Sprintf("SELECT pg_advisory_lock(%d)", commitLock),
		fmt.Sprintf(`CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS $$
			BEGIN PERFORM pg_advisory_xact_lock(%d); RETURN NULL; END $$`, commitLock),
		fmt.Sprintf(`CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON order_status DEFERRABLE INITIALLY DEFERRED
			FOR EACH ROW WHEN (NEW.order_id = %d) EXECUTE FUNCTION hold_commit()`, order),
	} {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	return held
}

// await waits until a transaction is held, and returns the process id of its backend.
func (c *heldCommits) await(t *testing.T) (backend int) {
	t.Helper()
	for limit := now().Add(patience); now().Before(limit); time.Sleep(5 * time.Millisecond) {
		err := c.db.QueryRowContext(t.Context(), "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())", commitLock).Scan(&backend)
		if err == nil {
			return backend
		}
	}
	t.Fatal("no transaction is held")
	return 0
}

// end lets the held transaction commit; without isCommitted it ends the backend first, so that the transaction is
// rolled back. Later transactions do not wait any more.
func (c *heldCommits) end(t *testing.T, backend int, isCommitted bool) {
	t.Helper()
	if !isCommitted {
		if _, err := c.lock.ExecContext(t.Context(), "SELECT pg_terminate_backend($1, 10000)", backend); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.lock.ExecContext(t.Context(), "SELECT pg_advisory_unlock($1)", commitLock); err != nil {
		t.Fatal(err)
	}
}

// placeTakeaway places an order of buyer n of the first round and returns its number.
func (h *house) placeTakeaway(t *testing.T, n int) int64 {
	t.Helper()
	b := h.newBuyer(1, n)
	b.place, b.twice, b.cancels = endless, false, false
	b.buy(t.Context())
	if b.fault != nil || b.order == 0 {
		t.Fatalf("order %d, %v", b.order, b.fault)
	}
	return b.order
}

// cook sets the status of an order to cooking, and returns the HTTP status of the answer.
func (h *house) cook(t *testing.T, order int64) (int, error) {
	t.Helper()
	v := &party{evening: &evening{server: h.servers[0]}, client: browser, isStaff: true}
	status, _, err := v.send(t, http.MethodPost, fmt.Sprintf("/operator/orders/%d/status", order), "", object{"status": "cooking"})
	return status, err
}

// readChanges reads the feed to its end.
func (k *kitchen) readChanges(t *testing.T) {
	t.Helper()
	for n := 1; n > 0; {
		var err error
		if n, err = k.pollChanges(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// awaitChanges reads the feed until the kitchen has at least count changes.
func (h *house) awaitChanges(t *testing.T, k *kitchen, count int) {
	t.Helper()
	for limit := now().Add(patience); len(k.changed) < count; time.Sleep(5 * time.Millisecond) {
		if now().After(limit) {
			t.Fatalf("the reader has %d changes, want %d", len(k.changed), count)
		}
		k.readChanges(t)
	}
}

// hook is the webhook of a restaurant, to which changes are posted.
type hook struct {
	mu sync.Mutex
	// isSilent leaves the next message without an answer; taken is closed when that message has arrived.
	isSilent bool
	taken    chan struct{}
	keys     []string
	messages [][]int64
}

// ServeHTTP records the idempotency key and the numbers of the changes of a message.
func (k *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	var body struct{ Changes []struct{ Change int64 } }
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var numbers []int64
	for _, c := range body.Changes {
		numbers = append(numbers, c.Change)
	}
	k.mu.Lock()
	isSilent := k.isSilent
	k.isSilent = false
	k.keys, k.messages = append(k.keys, r.Header.Get("Idempotency-Key")), append(k.messages, numbers)
	k.mu.Unlock()
	if isSilent {
		close(k.taken)
		<-r.Context().Done()
	}
}

// numbers returns the numbers of the changes in all messages from the index from on.
func (k *hook) numbers(from int) []int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Concat(k.messages[min(from, len(k.messages)):]...)
}

// A server is killed after it has posted committed changes and before the answer. The next server posts them again,
// under the same key, and then the later changes: all of them, in their order.
func TestOperatorFeed_isPostedAgainWhenTheServerWasKilled(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, engine, 1, 1)
			till := &hook{isSilent: true, taken: make(chan struct{})}
			h.postChangesTo(t, till)
			h.placeTakeaway(t, 1)
			select {
			case <-till.taken:
			case <-time.After(patience):
				t.Fatal("nothing is posted")
			}
			h.servers[0].kill(t)
			h.now = h.now.Add(2 * time.Minute) // longer than a process may take to post
			h.servers[0].with.Now = h.now
			h.servers[0].begin(t)
			if status, err := h.cook(t, h.placeTakeaway(t, 2)); err != nil || status != http.StatusOK {
				t.Fatal(status, err)
			}
			kitchen := &kitchen{house: h, client: browser, rebuilt: map[int64]string{}}
			h.awaitChanges(t, kitchen, 3)
			for limit := now().Add(patience); len(till.numbers(1)) < 3; time.Sleep(5 * time.Millisecond) {
				if now().After(limit) {
					t.Fatalf("posted %v", till.messages)
				}
			}
			till.mu.Lock()
			defer till.mu.Unlock()
			if posted := slices.Concat(till.messages[1:]...); !slices.Equal(posted, kitchen.numbers) || !slices.Equal(till.messages[0], posted[:1]) {
				t.Errorf("posted %v, the feed has %v", till.messages, kitchen.numbers)
			}
			if len(till.messages[1]) == 1 && till.keys[1] != till.keys[0] {
				t.Errorf("the same changes are posted under %v", till.keys)
			}
		})
	}
}

// postChangesTo kills the server and starts it with a webhook, to which it posts all changes from then on.
func (h *house) postChangesTo(t *testing.T, till http.Handler) {
	t.Helper()
	receiver := httptest.NewServer(till)
	t.Cleanup(receiver.Close)
	providers := filepath.Join(t.TempDir(), "providers.yaml")
	text := fmt.Sprintf("races:\n  changes: {provider: webhook, url: %q, secret: the-secret-of-the-webhook-in-the-races}\n", receiver.URL)
	if err := os.WriteFile(providers, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	server := h.servers[0]
	server.kill(t)
	server.with.Providers = providers
	server.begin(t)
	h.callJSON(t, http.MethodGet, "/operator/changes/webhook?site=races", nil, nil)
}
