package login_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
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

// expectRefused requests a code, which must be refused with login.too_many and the time to wait.
func (c *caller) expectRefused(wait time.Duration) {
	c.t.Helper()
	_, err := c.requestNext()
	f, ok := fault.Of(err)
	if !ok || f.Code != fault.TooMany || refusal(c.t, err) != refuseTooMany || f.RetryAfter != wait {
		c.t.Errorf("got %v, want %s for %v", err, refuseTooMany, wait)
	}
}

// expectRows compares the numbers of codes that are stored as sent and as withheld, and expects jobs
// and traffic of those that are sent alone. The phones must be of as many ranges.
func (k *desk) expectRows(sent, withheld int) {
	k.t.Helper()
	for query, want := range map[string]int{
		"SELECT count(*) FROM login_challenge WHERE state <> 'withheld'":                sent,
		"SELECT count(*) FROM login_challenge WHERE state = 'withheld'":                 withheld,
		"SELECT count(*) FROM login_challenge WHERE address IS NULL OR network IS NULL": 0,
		"SELECT count(*) FROM login_traffic WHERE scope LIKE 'prefix:%'":                sent,
		"SELECT count(*) FROM login_traffic WHERE sent = 0":                             0,
		"SELECT count(*) FROM river_job WHERE kind = 'login.send'":                      sent,
	} {
		var got int
		if err := k.db.Reader().QueryRowContext(k.t.Context(), query).Scan(&got); err != nil {
			k.t.Fatal(err)
		}
		if got != want {
			k.t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
}

func TestAsk_storesAHundredWithheldCodesOfAnAddressAtMost(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		c := k.newCaller("203.0.113.9")
		c.requestMany(10, time.Minute)
		k.expectRows(10, 0)
		c.requestMany(100, 0)
		k.expectRows(10, 100)
		for range 20 {
			c.expectRefused(50 * time.Minute) // the first code was sent ten minutes ago
		}
		k.expectRows(10, 100)
		k.clock.Advance(50*time.Minute - time.Millisecond)
		c.expectRefused(time.Second)
		k.expectRows(10, 100)

		k.clock.Advance(time.Millisecond)
		c.requestMany(1, 0) // withheld codes of the last hour do not count as sent
		k.expectRows(11, 100)
		c.expectRefused(time.Minute)
		k.clock.Advance(10 * time.Minute) // the withheld ones are an hour old, and so are all sent ones but one
		c.requestMany(9, 0)
		k.expectRows(20, 100)
		c.requestMany(1, 0)
		k.expectRows(20, 101)
	})
}

func TestAsk_storesFiveHundredWithheldCodesOfANetworkAtMost(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		c := k.newCaller("")
		for i := range 5 {
			c.address = fmt.Sprintf("203.0.113.%d", i)
			c.requestMany(10, time.Minute)
		}
		for i := range 10 {
			c.address = fmt.Sprintf("203.0.113.%d", 100+i)
			c.requestMany(50, 0)
		}
		k.expectRows(50, 500)
		c.address = "203.0.113.200"
		c.expectRefused(10 * time.Minute)
		c.address = "203.0.113.4"
		c.expectRefused(50 * time.Minute) // ten minutes for the network, and longer for its own first code
		k.expectRows(50, 500)
		c.address = "203.0.114.1"
		c.requestMany(1, 0)
		k.expectRows(51, 500)

		k.clock.Advance(10 * time.Minute)
		c.address = "203.0.113.200"
		c.requestMany(1, 0)
		k.expectRows(52, 500)
		c.expectRefused(time.Minute)
	})
}

func TestAsk_ofAKnownDeviceIsSentFromAnAddressThatIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		home := k.newBrowser()
		home.signIn(anna)
		stranger := k.newCaller("203.0.113.9")
		stranger.requestMany(110, 0)
		stranger.expectRefused(time.Hour)
		again := k.newBrowser()
		again.device, again.address = home.device, stranger.address
		if _, err := again.enter(again.requestCode(anna)); err != nil {
			t.Errorf("the known device cannot sign in: %v", err)
		}
		if _, err := again.requestVerification(boris, notify.SMS); refusal(t, err) != refuseTooMany {
			t.Errorf("for a phone that the device is not known for: %v", err)
		}
	})
}

// A customer who was here two days ago and a phone that has never been seen get the same answers.
func TestAsk_withheldOrRefusedIsAlikeForACustomerAndAnUnknownPhone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		k.newBrowser().signIn(anna)
		k.clock.Advance(48 * time.Hour)
		c := k.newCaller("203.0.113.9")
		c.requestMany(10, 0)
		var shown []login.Verification
		for _, phone := range []string{anna, boris} {
			b := k.newBrowser()
			b.address = c.address
			v, err := b.requestVerification(phone, notify.SMS)
			if err != nil || v.Phone != phone {
				t.Fatalf("withheld: %v", err)
			}
			v.Phone = ""
			shown = append(shown, v)
		}
		if !reflect.DeepEqual(shown[0], shown[1]) {
			t.Errorf("withheld: %+v", shown)
		}
		c.requestMany(98, 0)
		k.clock.Advance(20 * time.Minute)
		var refused []*fault.Error
		for _, phone := range []string{anna, boris} {
			b := k.newBrowser()
			b.address = c.address
			_, err := b.requestVerification(phone, notify.SMS)
			f, ok := fault.Of(err)
			if !ok || f.Code != fault.TooMany {
				t.Fatalf("refused: %v", err)
			}
			refused = append(refused, f)
		}
		if !reflect.DeepEqual(refused[0], refused[1]) || refused[0].RetryAfter != 40*time.Minute {
			t.Errorf("refused: %+v and %+v", refused[0], refused[1])
		}
	})
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
