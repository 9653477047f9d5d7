package races_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"

	"servery/internal/db"
)

// feedRunsVariable is how often a thousand orders are followed.
const feedRunsVariable = "SERVERY_FEED_RUNS"

// A kitchen that follows the orders as the documentation says, by the highest change number
// that it has got, gets every order that three processes take at once.
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

// followOrders lets buyers order while a kitchen follows, which must see each of the orders.
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
	t.Logf("run %d: %d orders, %d polls", run, placed, kitchen.polls)
}

// kitchen polls the open orders of any of the servers and continues from the last change.
type kitchen struct {
	house  *house
	client *http.Client
	// isPatient lets it go on when a poll fails.
	isPatient bool
	stop      context.CancelFunc
	ended     chan error
	seen      map[int64]bool
	after     int64
	polls     int
}

func (h *house) startKitchen(t *testing.T) *kitchen {
	t.Helper()
	k := &kitchen{house: h, client: browser}
	k.start(t)
	return k
}

// start begins to poll.
func (k *kitchen) start(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	k.stop, k.ended, k.seen = stop, make(chan error, 1), map[int64]bool{}
	go func() {
		for ctx.Err() == nil {
			if _, err := k.poll(context.WithoutCancel(ctx)); err != nil && !k.isPatient {
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

// end polls until nothing more comes, and returns what was seen.
func (k *kitchen) end(t *testing.T) map[int64]bool {
	t.Helper()
	k.stop()
	err := <-k.ended
	for n := 1; n > 0 && err == nil; {
		n, err = k.poll(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return k.seen
}

// poll asks once and returns how many orders came.
func (k *kitchen) poll(ctx context.Context) (int, error) {
	server := k.house.servers[rand.IntN(len(k.house.servers))]
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/api/operator/orders?limit=500&after=%d", server.url, k.after), nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+operatorToken)
	response, err := k.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the feed answers %d", response.StatusCode)
	}
	var answer struct {
		Orders []struct {
			ID     int64 `json:"order_id"`
			Change int64
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return 0, err
	}
	k.polls++
	for _, o := range answer.Orders {
		k.seen[o.ID] = true
		k.after = max(k.after, o.Change)
	}
	return len(answer.Orders), nil
}
