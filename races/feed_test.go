package races_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
)

// feedRunsVariable is how many runs of a thousand orders are made; without it one run of a hundred.
const feedRunsVariable = "SERVERY_FEED_RUNS"

// A kitchen follows the orders as the documentation says: each time it asks for changes above the highest number that
// it has got. It gets every order, also when three processes take orders at once.
func TestOperatorFeed_showsEveryOrderOfSeveralProcesses(t *testing.T) {
	t.Parallel()
	runs, buyers, orders := 1, 20, 5
	if text := os.Getenv(feedRunsVariable); text != "" {
		var err error
		if runs, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		buyers, orders = 40, 25
	}
	for _, c := range []struct {
		engine  db.Engine
		servers int
	}{{db.SQLite, 1}, {db.Postgres, 3}} {
		t.Run(string(c.engine), func(t *testing.T) { // one after the other: each wants the whole machine
			h := newHouse(t, c.engine, c.servers, 1)
			for run := 1; run <= runs && !t.Failed(); run++ {
				h.followOrders(t, run, buyers, orders)
			}
		})
	}
}

// followOrders lets buyers order while a kitchen follows. It checks that all orders are placed, that the kitchen has
// seen each of them, and that its statuses are those of the database.
func (h *house) followOrders(t *testing.T, run, buyers, orders int) {
	t.Helper()
	kitchen := h.startKitchen(t)
	all := make([]*buyer, buyers)
	for n := range all {
		all[n] = h.newBuyer(run, n)
		all[n].place, all[n].twice, all[n].cancels = endless, false, false
	}
	race(t, all, func(b *buyer) {
		for range orders {
			b.buy(t.Context())
		}
	})
	seen := kitchen.end(t)
	placed, missed := 0, 0
	for _, b := range all {
		placed += len(b.all)
		for _, id := range b.all {
			if !seen[id] {
				missed++
			}
		}
	}
	if want := buyers * orders; placed != want || missed > 0 {
		t.Errorf("run %d: %d of %d orders placed, the kitchen missed %d", run, placed, want, missed)
	}
	if n := kitchen.countDifferences(t, h); n > 0 {
		t.Errorf("run %d: by its changes %d orders stand otherwise than in the database", run, n)
	}
	t.Logf("run %d: %d orders, %d polls", run, placed, kitchen.polls)
}

// kitchen polls a random server for open orders and for changes, both from the last ones that it has got.
type kitchen struct {
	house  *house
	client *http.Client
	// isPatient lets the kitchen go on when a poll fails.
	isPatient bool
	// show is called with each order that a poll returns; nil for none.
	show  func(id int64)
	stop  context.CancelFunc
	ended chan error
	seen  map[int64]bool // the orders that a poll has returned
	after int64          // the highest change of those orders
	polls int
	// rebuilt has the status of each order by the changes alone, up to the number lastChange.
	rebuilt    map[int64]string
	lastChange int64
	// numbers has the numbers of all changes read, changed the order of each.
	numbers, changed []int64
}

// startKitchen returns a kitchen that polls until end is called.
func (h *house) startKitchen(t *testing.T) *kitchen {
	t.Helper()
	k := &kitchen{house: h, client: browser}
	k.start(t)
	return k
}

// start begins to poll every few milliseconds. A poll that fails ends it, unless the kitchen is patient.
func (k *kitchen) start(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	k.stop, k.ended, k.seen, k.rebuilt = stop, make(chan error, 1), map[int64]bool{}, map[int64]string{}
	go func() {
		for ctx.Err() == nil {
			_, err := k.poll(context.WithoutCancel(ctx))
			if err == nil {
				_, err = k.pollChanges(context.WithoutCancel(ctx))
			}
			if err != nil && !k.isPatient {
				k.ended <- err
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(5 * time.Millisecond):
			}
		}
		k.ended <- nil
	}()
}

// end polls until no order and no change is new, and returns the orders that were seen.
func (k *kitchen) end(t *testing.T) map[int64]bool {
	t.Helper()
	k.stop()
	err := <-k.ended
	for n := 1; n > 0 && err == nil; {
		n, err = k.poll(t.Context())
	}
	for n := 1; n > 0 && err == nil; {
		n, err = k.pollChanges(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return k.seen
}

// poll requests the open orders above the last change once, and returns how many it got.
func (k *kitchen) poll(ctx context.Context) (int, error) {
	var answer struct {
		Orders []struct {
			ID     int64 `json:"order_id"`
			Change int64
		}
	}
	if err := k.request(ctx, fmt.Sprintf("/orders?limit=500&after=%d", k.after), &answer); err != nil {
		return 0, err
	}
	k.polls++
	for _, o := range answer.Orders {
		k.seen[o.ID] = true
		if k.show != nil {
			k.show(o.ID)
		}
		k.after = max(k.after, o.Change)
	}
	return len(answer.Orders), nil
}

// pollChanges requests the changes after lastChange once, applies them, and returns how many it got. It returns an
// error when their numbers do not rise.
func (k *kitchen) pollChanges(ctx context.Context) (int, error) {
	var answer struct {
		Changes []struct {
			Change  int64
			OrderID int64 `json:"order_id"`
			Status  string
		}
		Last int64
	}
	if err := k.request(ctx, fmt.Sprintf("/changes?limit=500&after=%d", k.lastChange), &answer); err != nil {
		return 0, err
	}
	for _, c := range answer.Changes {
		if n := len(k.numbers); n > 0 && c.Change <= k.numbers[n-1] {
			return 0, fmt.Errorf("change %d comes after %d", c.Change, k.numbers[n-1])
		}
		k.numbers, k.changed = append(k.numbers, c.Change), append(k.changed, c.OrderID)
		k.rebuilt[c.OrderID] = c.Status
	}
	k.lastChange = answer.Last
	return len(answer.Changes), nil
}

// request makes an operator's call to a random server and decodes the answer. It returns an error unless the status
// is 200.
func (k *kitchen) request(ctx context.Context, path string, answer any) error {
	server := k.house.servers[rand.IntN(len(k.house.servers))]
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.url+"/api/operator"+path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+operatorToken)
	response, err := k.client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the feed answers %d", response.StatusCode)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

// countDifferences returns how many orders have another status in the database than the kitchen has rebuilt.
func (k *kitchen) countDifferences(t *testing.T, h *house) int {
	t.Helper()
	different := 0
	for _, text := range h.texts(t, "SELECT CAST(id AS text) || ' ' || state FROM orders") {
		number, state, _ := strings.Cut(text, " ")
		id, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if k.rebuilt[id] != state {
			different++
		}
	}
	return different
}
