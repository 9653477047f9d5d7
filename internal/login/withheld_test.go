package login_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/login"
	"servery/internal/notify"
)

// caller requests codes for phones of which each is in a range of its own.
type caller struct {
	*browser

	requested int
}

// newCaller returns a caller at an address.
func (k *desk) newCaller(address string) *caller {
	k.t.Helper()
	b := k.newBrowser()
	b.address = address
	return &caller{browser: b}
}

// requestNext requests a code for the next phone.
func (c *caller) requestNext() (login.Verification, error) {
	c.requested++
	return c.requestVerification(fmt.Sprintf("79%02d%03d4567", 20+c.requested/1000, c.requested%1000), notify.SMS)
}

// requestMany requests a number of codes, all of which must be answered as sent, with a pause after each.
func (c *caller) requestMany(count int, pause time.Duration) {
	c.t.Helper()
	for i := range count {
		v, err := c.requestNext()
		if err != nil || v.State != login.Sending || v.Timer != 60 || v.CodeLength != 4 {
			c.t.Fatalf("code %d of %d: %+v, %v", i+1, count, v.State, err)
		}
		c.clock.Advance(pause)
	}
}

// Withheld requests for one range of numbers wait for each other, and the row that they wait at is removed.
func TestAsk_withheldLeavesNoTrafficForConcurrentRequests(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		c := k.newCaller("203.0.113.9")
		c.requestMany(10, 0)
		var work sync.WaitGroup
		for i := range 40 {
			b := k.newBrowser()
			if b.address = c.address; i%4 == 0 {
				b.address = fmt.Sprintf("198.51.100.%d", i) // one that is sent
			}
			work.Go(func() {
				if _, err := b.requestVerification(fmt.Sprintf("7916777%04d", i), notify.SMS); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		var empty, sent int
		row := d.Reader().QueryRowContext(t.Context(),
			"SELECT COALESCE(sum(CASE WHEN sent = 0 THEN 1 ELSE 0 END), 0), COALESCE(sum(sent), 0) FROM login_traffic WHERE scope LIKE 'prefix:%'")
		if err := row.Scan(&empty, &sent); err != nil {
			t.Fatal(err)
		}
		if empty != 0 || sent != 20 {
			t.Errorf("%d rows are empty, %d codes are counted as sent", empty, sent)
		}
	})
}
