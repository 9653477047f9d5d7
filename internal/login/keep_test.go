package login_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/login"
	"servery/internal/notify"
)

func TestAsk_sendsNoShortCodeToAPhoneUnderAttack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		k.newGuesser().guessUntil(k.clock.Now().Add(3 * 24 * time.Hour))
		k.clock.Advance(24 * time.Hour)
		k.call.answer = func(context.Context, notify.Message) (notify.Sent, error) { return notify.Sent{Code: "0042"}, nil }
		verify := &checker{phones: phones{name: "verify"}, right: "9876"}
		k.senders[notify.SMS] = []notify.Sender{verify, k.sms}
		b := k.newBrowser()
		if _, err := b.requestVerification(anna, notify.Call); err != nil {
			t.Fatal(err)
		}
		k.deliver()
		if v, _ := b.findOpen(); v.State != login.Failed || len(k.call.last().Code) != 6 {
			t.Errorf("a call with four digits: %s", v.State)
		}
		if _, err := b.enter("0042"); refusal(t, err) != wrongCode {
			t.Errorf("its code: %v", err)
		}
		if code := b.requestCode(anna); len(code) != 6 || verify.count() != 0 {
			t.Errorf("a code of %d digits, %d asked of a provider that makes its own", len(code), verify.count())
		}
	})
}

func TestSweep_leavesNothingOfAnErasedPhoneNorOfACodeAfterADay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		count := func() map[string]int {
			t.Helper()
			counts := map[string]int{}
			for _, table := range []string{"login_challenge", "login_device", "login_budget", "login_traffic"} {
				var n int
				if err := d.Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
					t.Fatal(err)
				}
				counts[table] = n
			}
			return counts
		}
		for _, phone := range []string{anna, boris} {
			k.newBrowser().signIn(phone)
		}
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return k.login.Erase(t.Context(), tx, "sushi", anna) }); err != nil {
			t.Fatal(err)
		}
		if got := count(); got["login_challenge"] != 1 || got["login_device"] != 1 || got["login_budget"] != 1 {
			t.Errorf("after the erasure of one of two: %v", got)
		}
		for _, step := range []struct {
			after time.Duration
			empty string
		}{
			{24 * time.Hour, "login_challenge"}, {(7*24 + 1) * time.Hour, "login_traffic"}, {90 * 24 * time.Hour, "login_budget"}, {login.DeviceLife, "login_device"},
		} {
			k.clock.Set(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC).Add(step.after - time.Hour))
			if err := k.login.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := count(); got[step.empty] == 0 {
				t.Errorf("%s is empty too early", step.empty)
			}
			k.clock.Advance(2 * time.Hour)
			if err := k.login.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := count(); got[step.empty] != 0 {
				t.Errorf("%s still holds %d", step.empty, got[step.empty])
			}
		}
	})
}

func TestLog_hasNeitherPhoneNorCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		k.sms.answer = func(context.Context, notify.Message) (notify.Sent, error) {
			return notify.Sent{}, notify.ErrUndeliverable
		}
		b := k.newBrowser()
		code := b.requestCode(anna)
		_, _ = b.enter(otherCode(code))
		if log := k.log.String(); log == "" || strings.Contains(log, anna) || strings.Contains(log, code) || strings.Contains(log, b.token) {
			t.Errorf("the log says %s", log)
		}
	})
}

func TestLogout_leavesTheLimitsOfAPhone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		b := k.newBrowser()
		b.requestCode(anna)
		if err := k.sessions.End(t.Context(), "sushi", b.token); err != nil {
			t.Fatal(err)
		}
		k.clock.Advance(time.Second)
		if err := k.sessions.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := k.newBrowser().requestVerification(anna, notify.SMS); refusal(t, err) != "phone login.too_many" {
			t.Errorf("the next browser, a second later: %v", err)
		}
	})
}
