package races_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/order/audittest"
)

// payersAtOnce is how many customers pay online at a time.
const payersAtOnce = 3

// openDoors lets customers order and pay, cooks cook what the kitchen sees, and a visitor look at pages, until the shift
// is closed.
func (f *friday) openDoors(t *testing.T) {
	t.Helper()
	f.kitchen.show = func(id int64) {
		f.cooks.Go(func() {
			f.ovens <- struct{}{}
			defer func() { <-f.ovens }()
			f.cook(t, id)
		})
	}
	ctx := f.open(t)
	for range payersAtOnce {
		f.repeat(ctx, func() { f.pay(t) })
	}
	f.repeat(ctx, func() { f.lookAtPage(t) })
}

// cook has an order cooked and handed over. It repeats each call until it is answered; one that is refused, because the
// order is canceled or was moved already, is no fault.
func (f *friday) cook(t *testing.T, id int64) {
	for _, status := range []string{"cooking", "done"} {
		for answered := 0; answered == 0 || answered >= http.StatusInternalServerError; {
			if answered, _ = f.operateAt(t, f.servers[0], http.MethodPost, fmt.Sprintf("/orders/%d/status", id), object{"status": status}); answered != http.StatusOK {
				time.Sleep(100 * time.Millisecond)
			}
		}
	}
}

// pay lets the next customer order and pay online, every second one as a customer with bonuses.
func (f *friday) pay(t *testing.T) {
	f.people.Lock()
	n := len(f.payers)
	p := newPayer(n, quickKinds[n%len(quickKinds)], f.servers[0].url)
	f.payers = append(f.payers, p)
	f.people.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	p.browser.Transport = f.client.Transport
	if n%2 == 0 {
		p.bonuses = 50
		p.signIn(ctx)
		p.addBonuses(ctx, 300)
	}
	p.buy(ctx)
	if p.fault != nil {
		f.shift.fail("%s: %w", p.name, p.fault)
	}
}

// lookAtPage requests a page, which must be served, also while the database is away.
func (f *friday) lookAtPage(t *testing.T) {
	if _, err := f.read(t.Context(), f.servers[0].url+"/north"); err != nil {
		f.shift.fail("a page: %w", err)
	}
	f.people.Lock()
	defer f.people.Unlock()
	f.pages++
}

// read requests an address and returns the body. It returns an error unless the answer is 200.
func (f *friday) read(ctx context.Context, address string) (body []byte, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := f.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s is answered %d", address, response.StatusCode)
	}
	return io.ReadAll(response.Body)
}

// checkPayers adds the orders of the payers to those of the shift, and what they and the bank saw to its books.
func (f *friday) checkPayers(t *testing.T, d *db.DB) {
	t.Helper()
	f.books = audittest.Books{Settled: true, Bank: (&killing{db: d}).bank(t)}
	for _, p := range f.payers {
		f.books.Confirmed = append(f.books.Confirmed, p.confirmed...)
		for _, c := range p.confirmed {
			f.orders = append(f.orders, placed{id: c.ID, at: now(), isPaidOnline: true})
		}
	}
}
