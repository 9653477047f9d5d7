package races_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"servery/internal/db"
)

// roundsVariable is how many rounds are run on each engine.
const roundsVariable = "SERVERY_ROUNDS"

// The numbers of buyers of each kind, 200 in all.
var (
	codeBuyers    = map[int]int{1: 25, 10: 40, 100: 115} // buyers of a code, by its limit; they want the gift too
	narrowBuyers  = 10                                   // buyers of the interval
	accountBuyers = 10                                   // devices of the customer with bonuses
)

func TestLimitedStock_isNeitherGivenTwiceNorLost(t *testing.T) {
	t.Parallel()
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	if text := os.Getenv(roundsVariable); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		engine  db.Engine
		servers int
	}{{db.SQLite, 1}, {db.Postgres, 2}} {
		t.Run(string(c.engine), func(t *testing.T) { // one after the other: each wants the whole machine
			h := newHouse(t, c.engine, c.servers, rounds)
			devices := h.signIn(t)
			intervals := h.intervals(t)
			var orders []int64
			for round := 1; round <= rounds && !t.Failed(); round++ {
				orders = append(orders, h.runRound(t, round, intervals[round], devices)...)
			}
			h.checkOrders(t, orders)
		})
	}
}

// runRound lets all buyers race and expires the checkouts that they left. Then the buyers without an order race for
// what is left. It checks the stock and the books, and returns the orders that were placed.
func (h *house) runRound(t *testing.T, round int, interval string, devices []*buyer) []int64 {
	t.Helper()
	h.giveBonuses(t, round)
	buyers := h.newBuyers(round, interval)
	for _, d := range devices {
		d.order, d.all, d.lastCall = 0, nil, false
	}
	buyers = append(buyers, devices...)
	rand.New(rand.NewPCG(9, uint64(round))).Shuffle(len(buyers), func(i, k int) { buyers[i], buyers[k] = buyers[k], buyers[i] })
	race(t, buyers, func(b *buyer) { b.buy(t.Context()) })
	h.expireCheckouts(t)
	race(t, buyers, func(b *buyer) {
		if b.order == 0 {
			b.leaves, b.lastCall = false, true
			b.buy(t.Context())
		}
	})
	h.expireCheckouts(t)
	var orders []int64
	for _, b := range buyers {
		orders = append(orders, b.all...)
	}
	h.checkRound(t, round)
	h.checkBooks(t, round)
	t.Logf("round %d: %d orders", round, len(orders))
	return orders
}

// race calls do for all buyers at once and waits for the last one. It reports their faults.
func race(t *testing.T, buyers []*buyer, do func(*buyer)) {
	t.Helper()
	begin := make(chan struct{})
	var racing sync.WaitGroup
	for _, b := range buyers {
		racing.Go(func() {
			<-begin
			do(b)
		})
	}
	close(begin)
	racing.Wait()
	for _, b := range buyers {
		if b.fault != nil {
			t.Errorf("buyer %s: %v", b.address, b.fault)
		}
	}
}

// newBuyers returns the guests of a round: buyers of the codes and the gift, and buyers of the interval.
func (h *house) newBuyers(round int, interval string) []*buyer {
	var buyers []*buyer
	add := func(count int, configure func(*buyer)) {
		for range count {
			b := h.newBuyer(round, len(buyers))
			configure(b)
			buyers = append(buyers, b)
		}
	}
	for _, limit := range limits {
		add(codeBuyers[limit], func(b *buyer) { b.place, b.code, b.gift = endless, codeOf(round, limit), giftOf(round) })
	}
	add(narrowBuyers, func(b *buyer) {
		b.place, b.interval = narrow, interval
		b.leaves = b.dice.IntN(5) == 0
	})
	return buyers
}

// newBuyer returns buyer n of a round, with an address and a phone of their own. The numbers decide the random choices.
func (h *house) newBuyer(round, n int) *buyer {
	dice := rand.New(rand.NewPCG(uint64(round), uint64(n)))
	return &buyer{
		house: h, dice: dice, address: fmt.Sprintf("10.%d.%d.%d", round%250, n/250, n%250+1),
		phone: fmt.Sprintf("7901%03d%04d", round, n), twice: dice.IntN(4) == 0, cancels: dice.IntN(6) == 0,
	}
}

// operate posts a call of the operator, which must succeed, and decodes its answer unless answer is nil.
func (h *house) operate(t *testing.T, path string, body, answer any) {
	t.Helper()
	h.callJSON(t, http.MethodPost, "/operator"+path, body, answer)
}

// signIn returns devices on which the same customer is signed in; they order in three cities.
func (h *house) signIn(t *testing.T) []*buyer {
	t.Helper()
	cities := []place{endless, {2, 21}, {3, 31}}
	var devices []*buyer
	for i := range accountBuyers {
		var link struct{ URL string }
		h.operate(t, "/customers/sign-in-link", object{"site": "races", "phone": account}, &link)
		d := h.newBuyer(0, i)
		d.place, d.phone, d.bonuses, d.cancels = cities[i%len(cities)], account, true, i%4 == 0
		a, err := d.send(t.Context(), d.server(), http.MethodPost, "/user/sign-in", "", object{"token": tokenOf(link.URL)})
		if err != nil || !a.ok() {
			t.Fatalf("sign in: %s, %v", a, err)
		}
		devices = append(devices, d)
	}
	return devices
}

// intervals returns the ids of at least 100 intervals of the narrow shop, from tomorrow on.
func (h *house) intervals(t *testing.T) []string {
	t.Helper()
	var ids []string
	day := h.now
	for range 6 {
		day = day.AddDate(0, 0, 1)
		var list struct{ Intervals []struct{ ID string } }
		h.callJSON(t, http.MethodPost, "/schedule/intervals", object{
			"city_id": narrow.city, "order_type": "takeaway", "shop_id": narrow.shop, "date": day.Format("2006-01-02"),
		}, &list)
		for _, i := range list.Intervals {
			if i.ID != "asap" && !slices.Contains(ids, i.ID) {
				ids = append(ids, i.ID)
			}
		}
	}
	if len(ids) < 100 {
		t.Fatalf("only %d intervals", len(ids))
	}
	return ids
}

// giveBonuses adds the bonuses of a round to the account.
func (h *house) giveBonuses(t *testing.T, round int) {
	t.Helper()
	h.operate(t, "/customers/bonuses", object{
		"site": "races", "phone": account, "key": fmt.Sprintf("round-%d", round), "bonuses": given / 100,
	}, nil)
}
