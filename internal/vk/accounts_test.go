package vk_test

import (
	"net/url"
	"regexp"
	"sync"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/remote/faultinject"
	"servery/internal/vk"
	"servery/internal/vk/double"
)

// world is VK, and a brand with a session and a customer.
type world struct {
	db       *db.DB
	clock    *clock.Fake
	double   *double.Server
	client   *vk.Client
	accounts *vk.Accounts
	session  int64
	other    int64 // session
	anna     int64
	boris    int64
}

// newWorld returns accounts with a double of VK ID, two guests' sessions and two customers.
func newWorld(t *testing.T, d *db.DB) *world {
	t.Helper()
	w := &world{db: d, clock: clock.NewFake(time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC))}
	w.double, w.client = startVK(t)
	w.accounts = vk.NewAccounts(d, w.clock)
	sessions := customer.NewSessions(d, w.clock)
	for _, into := range []*int64{&w.session, &w.other} {
		s, _, err := sessions.Begin(t.Context(), "sushi", "")
		if err != nil {
			t.Fatal(err)
		}
		*into = s.ID
	}
	for phone, into := range map[string]*int64{"79161234501": &w.anna, "79161234502": &w.boris} {
		c, err := customer.NewCustomers(d, w.clock).FindOrCreateByPhone(t.Context(), "sushi", phone)
		if err != nil {
			t.Fatal(err)
		}
		*into = c.ID
	}
	return w
}

// beginAndAgree begins a sign-in of the session, and agrees to it on the page of VK as an account.
func (w *world) beginAndAgree(t *testing.T, session, account int64) vk.Return {
	t.Helper()
	page, err := w.accounts.BeginSignIn(t.Context(), w.client, session, redirect, lang.RU)
	if err != nil {
		t.Fatal(err)
	}
	return agree(t, w.double, page, account)
}

// inTx runs do in a transaction.
func (w *world) inTx(t *testing.T, do func(tx *db.Tx) error) {
	t.Helper()
	if err := w.db.InTx(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

// findCustomer returns the id of the account's customer at a site, 0 when there is none.
func (w *world) findCustomer(t *testing.T, site string, account int64) (id int64) {
	t.Helper()
	w.inTx(t, func(tx *db.Tx) (err error) {
		id, _, err = w.accounts.FindCustomer(t.Context(), tx, site, vk.User{ID: account})
		return err
	})
	return id
}

func TestReturn_worksOnceAndInItsOwnSessionOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		back := w.beginAndAgree(t, w.session, 100001)
		for _, stranger := range []int64{w.other, 0} {
			if _, err := w.accounts.CompleteSignIn(t.Context(), w.client, stranger, back); fault.KeyOf(err) != "vk.refused" {
				t.Errorf("in session %d: %v", stranger, err)
			}
		}
		forged := back
		forged.State = "forged"
		if _, err := w.accounts.CompleteSignIn(t.Context(), w.client, w.session, forged); fault.KeyOf(err) != "vk.refused" {
			t.Errorf("with a forged state: %v", err)
		}
		if user, err := w.accounts.CompleteSignIn(t.Context(), w.client, w.session, back); err != nil || user.ID != 100001 {
			t.Errorf("%v, %v", user, err)
		}
		if _, err := w.accounts.CompleteSignIn(t.Context(), w.client, w.session, back); fault.KeyOf(err) != "vk.refused" {
			t.Errorf("a second time: %v", err)
		}
	})
}

func TestReturn_reachesVKOnceWhenManyAreConcurrent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		back := w.beginAndAgree(t, w.session, 100001)
		var good, refused int
		var mu sync.Mutex
		var work sync.WaitGroup
		for range 20 {
			work.Go(func() {
				_, err := w.accounts.CompleteSignIn(t.Context(), w.client, w.session, back)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					good++
				case fault.KeyOf(err) == "vk.refused":
					refused++
				default:
					t.Error(err)
				}
			})
		}
		work.Wait()
		if good != 1 || refused != 19 {
			t.Errorf("%d good, %d refused", good, refused)
		}
	})
}

func TestReturn_ofASignInThatExpiredOrBeganAgainIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		first := w.beginAndAgree(t, w.session, 100001)
		second := w.beginAndAgree(t, w.session, 100002)
		if _, err := w.accounts.CompleteSignIn(t.Context(), w.client, w.session, first); fault.KeyOf(err) != "vk.refused" {
			t.Errorf("the first: %v", err)
		}
		w.clock.Advance(vk.SignInLife)
		if _, err := w.accounts.CompleteSignIn(t.Context(), w.client, w.session, second); fault.KeyOf(err) != "vk.refused" {
			t.Errorf("after its time: %v", err)
		}
		if err := w.accounts.Sweep(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestReturn_duringAnOutageSaysSo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		back := w.beginAndAgree(t, w.session, 100001)
		w.double.Inject(faultinject.Broken)
		if _, err := w.accounts.CompleteSignIn(t.Context(), w.client, w.session, back); fault.CodeOf(err) != fault.Unavailable || fault.KeyOf(err) != "vk.unavailable" {
			t.Errorf("error: %v", err)
		}
	})
}

func TestBegin_makesStateAndVerifierOfLettersAndDigitsNeverTwice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		seen := map[string]bool{}
		for range 50 {
			page, err := w.accounts.BeginSignIn(t.Context(), w.client, w.session, redirect, lang.RU)
			if err != nil {
				t.Fatal(err)
			}
			u, err := url.Parse(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range []string{u.Query().Get("state"), u.Query().Get("code_challenge")} {
				if seen[secret] {
					t.Errorf("%s came before", secret)
				}
				seen[secret] = true
			}
			if !regexp.MustCompile(`^[A-Za-z0-9]{43,128}$`).MatchString(u.Query().Get("state")) {
				t.Errorf("the state is %q", u.Query().Get("state"))
			}
		}
	})
}

func TestAccount_isOneCustomerOfEachBrand(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.inTx(t, func(tx *db.Tx) error { return w.accounts.LinkAccount(t.Context(), tx, "sushi", vk.User{ID: 7}, w.anna) })
		if got := w.findCustomer(t, "sushi", 7); got != w.anna {
			t.Errorf("at sushi it is %d", got)
		}
		if got := w.findCustomer(t, "pizza", 7); got != 0 {
			t.Errorf("at pizza it is %d", got)
		}
		w.inTx(t, func(tx *db.Tx) error {
			return w.accounts.LinkAccount(t.Context(), tx, "sushi", vk.User{ID: 7}, w.boris)
		})
		if got := w.findCustomer(t, "sushi", 7); got != w.boris {
			t.Errorf("given on it is %d", got)
		}
	})
}

func TestLinkPending_linksToTheCustomerWhoVerifiesAPhoneInTheSession(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		vera := vk.User{ID: 100003}
		if err := w.accounts.StorePending(t.Context(), "sushi", w.session, vera); err != nil {
			t.Fatal(err)
		}
		w.inTx(t, func(tx *db.Tx) error { return w.accounts.LinkPending(t.Context(), tx, w.other, w.boris) })
		if got := w.findCustomer(t, "sushi", vera.ID); got != 0 {
			t.Errorf("another session made it %d", got)
		}
		for _, who := range []int64{w.anna, w.boris} { // what waits is taken once
			w.inTx(t, func(tx *db.Tx) error { return w.accounts.LinkPending(t.Context(), tx, w.session, who) })
		}
		if got := w.findCustomer(t, "sushi", vera.ID); got != w.anna {
			t.Errorf("it is %d", got)
		}
	})
}

func TestAccount_waitsTenMinutesAndNotBeyondAnotherSignIn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		vera := vk.User{ID: 100003}
		join := func() {
			w.inTx(t, func(tx *db.Tx) error { return w.accounts.LinkPending(t.Context(), tx, w.session, w.anna) })
		}
		if err := w.accounts.StorePending(t.Context(), "sushi", w.session, vera); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(vk.SignInLife)
		join()
		if err := w.accounts.StorePending(t.Context(), "sushi", w.session, vera); err != nil {
			t.Fatal(err)
		}
		w.beginAndAgree(t, w.session, 100001)
		join()
		if got := w.findCustomer(t, "sushi", vera.ID); got != 0 {
			t.Errorf("it is %d", got)
		}
	})
}

func TestAccount_ofAnErasedCustomerIsUnknown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.inTx(t, func(tx *db.Tx) error { return w.accounts.LinkAccount(t.Context(), tx, "sushi", vk.User{ID: 7}, w.anna) })
		w.inTx(t, func(tx *db.Tx) error {
			return w.accounts.LinkAccount(t.Context(), tx, "sushi", vk.User{ID: 8}, w.boris)
		})
		w.inTx(t, func(tx *db.Tx) error { return w.accounts.EraseAccounts(t.Context(), tx, w.anna) })
		if got := w.findCustomer(t, "sushi", 7); got != 0 {
			t.Errorf("anna's is %d", got)
		}
		if got := w.findCustomer(t, "sushi", 8); got != w.boris {
			t.Errorf("boris's is %d", got)
		}
	})
}
