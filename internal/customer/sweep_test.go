package customer_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestSessions_Sweep_removesInBatches(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
		sessions := customer.NewSessions(d, c)
		const expired = 2*db.BatchSize + 1
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			for n := range expired + 1 {
				until := c.Now().Add(-time.Hour)
				if n == expired {
					until = c.Now().Add(time.Hour)
				}
				if _, err := tx.SQL.ExecContext(t.Context(), "INSERT INTO session (token_hash, site, created_at, seen_at, expires_at) VALUES ($1, 'sushi', $2, $2, $3)",
					fmt.Appendf(nil, "token %d", n), c.Now(), until); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		// One batch at a time: what is left after each is seen by others.
		rounds := 0
		err = d.InBatches(t.Context(), func(tx *db.Tx) (int64, error) {
			rounds++
			result, err := tx.SQL.ExecContext(t.Context(), "UPDATE session SET seen_at = $1 WHERE id IN (SELECT id FROM session WHERE seen_at < $1 LIMIT $2)",
				c.Now().Add(time.Minute), db.BatchSize)
			if err != nil {
				return 0, err
			}
			return result.RowsAffected()
		})
		if err != nil || rounds != 3 {
			t.Errorf("%d transactions, %v; want 3", rounds, err)
		}
		if err := sessions.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var left int
		if err := d.Writer().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM session").Scan(&left); err != nil || left != 1 {
			t.Errorf("%d sessions are left, %v; want 1", left, err)
		}
	})
}

func TestSessions_Sweep_endsAnIdleGuestsSessionThatHasNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		run := func(query string, args ...any) {
			t.Helper()
			if _, err := d.Writer().ExecContext(t.Context(), query, args...); err != nil {
				t.Fatal(err)
			}
		}
		tokens, ids := map[string]string{}, map[string]int64{}
		begin := func(name string) int64 {
			begun, token := r.begin("sushi")
			tokens[name], ids[name] = token, begun.ID
			return begun.ID
		}
		isAlive := func(name string) bool {
			t.Helper()
			found, err := newSessions(t, d, r.clock).Find(t.Context(), "sushi", tokens[name])
			if err != nil {
				t.Fatal(err)
			}
			return found.ID != 0
		}
		sweepAndExpect := func(when string, want map[string]bool) {
			t.Helper()
			for range 2 { // a second sweep changes nothing
				if err := r.sessions.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for name, lives := range want {
				var count int
				err := d.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM session WHERE id = $1", ids[name]).Scan(&count)
				if err != nil || (count == 1) != lives {
					t.Errorf("%s: the session of %s lives: %v, want %v (%v)", when, name, count == 1, lives, err)
				}
			}
		}

		begin("an idle guest")
		begin("a guest who comes back")
		ordered := begin("a guest who ordered")
		orderedLater := begin("a guest who comes back and orders")
		saved := begin("a guest with an address")
		in := r.signIn("sushi", r.beginGuest("sushi"), r.makeLink("sushi", "79161234567"))
		tokens["a customer"], ids["a customer"] = in.Token, in.Session.ID
		insertOrder(t, d, ordered, r.clock.Now())
		run(`INSERT INTO delivery_address (session_id, site, city_id, precision_kind, address, full_address, locality, district, street, house,
			room, entrance, floor, intercom, description, latitude, longitude, created_at, used_at)
			VALUES ($1, 'sushi', 1, '', '', '', '', '', '', '', '', '', '', '', '', 55, 37, $2, $2)`, saved, r.clock.Now())
		run("INSERT INTO cart (session_id, site, city_id, body, version, updated_at) SELECT id, 'sushi', 1, $1, 1, seen_at FROM session", []byte("{}"))

		r.clock.Advance(customer.GuestLife - time.Hour)
		sweepAndExpect("within 30 days", map[string]bool{
			"an idle guest": true, "a guest who comes back": true, "a guest who ordered": true,
			"a guest with an address": true, "a customer": true,
		})
		if !isAlive("a guest who comes back") || !isAlive("a guest who comes back and orders") {
			t.Fatal("a session is lost")
		}
		// A guest's last use is known to a day.
		r.clock.Advance(25*time.Hour + time.Minute)
		sweepAndExpect("after 30 days and the day of doubt", map[string]bool{
			"an idle guest": false, "a guest who comes back": true, "a guest who ordered": true,
			"a guest with an address": true, "a customer": true,
		})
		insertOrder(t, d, orderedLater, r.clock.Now())
		r.clock.Advance(customer.GuestLife + 24*time.Hour)
		sweepAndExpect("after 60 days", map[string]bool{
			"a guest who comes back": false, "a guest who comes back and orders": true,
			"a guest who ordered": true, "a guest with an address": true, "a customer": true,
		})
		for _, name := range []string{"a guest who ordered", "a guest with an address", "a customer"} {
			if !isAlive(name) {
				t.Errorf("%s is not found", name)
			}
		}
		r.clock.Advance(customer.SessionLife + time.Hour)
		sweepAndExpect("after 256 days more", map[string]bool{"a guest who ordered": false, "a guest who comes back and orders": false, "a customer": false})
	})
}

func TestSessions_Sweep_endsManyIdleSessionsAmongThoseThatLiveOn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		const many = 3 * db.BatchSize
		var ids []int64 // of those that order
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			for n := range many {
				var id int64
				err := tx.SQL.QueryRowContext(t.Context(), "INSERT INTO session (token_hash, site, created_at, seen_at, expires_at) VALUES ($1, 'sushi', $2, $2, $3) RETURNING id",
					fmt.Appendf(nil, "token %d", n), r.clock.Now().Add(time.Duration(n)*time.Second), r.clock.Now().Add(customer.SessionLife)).Scan(&id)
				if err != nil {
					return err
				}
				if n%5 == 0 {
					ids = append(ids, id)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			insertOrder(t, d, id, r.clock.Now())
		}
		r.clock.Advance(customer.GuestLife + 25*time.Hour)
		for range 2 {
			if err := r.sessions.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			var left, marked int
			err := d.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*), COUNT(CASE WHEN is_kept THEN 1 END) FROM session").Scan(&left, &marked)
			if err != nil || left != many/5 || marked != many/5 {
				t.Errorf("%d sessions are left, %d of them to live on, want %d (%v)", left, marked, many/5, err)
			}
		}
	})
}

// insertOrder places a guest's order of the session.
func insertOrder(t *testing.T, d *db.DB, sessionID int64, now time.Time) {
	t.Helper()
	_, err := d.Writer().ExecContext(t.Context(), `INSERT INTO orders (id, site, city_id, shop_id, zone_id, session_id, cache_key,
		request_hash, link, order_type, state, change_id, changed_at, phone, payment_type, interval_id, promised_from, promised_to,
		currency, subtotal, packages, delivery, discount, bonuses, total, revision, details, created_at)
		VALUES ($1, 'sushi', 1, 1, 0, $1, $2, $3, $2, 'takeaway', 'done', 0, $4, '', 'cash', '', $4, $4, 'RUB', 0, 0, 0, 0, 0, 0, 1, $3, $4)`,
		sessionID, "order "+strconv.FormatInt(sessionID, 10), []byte("{}"), now)
	if err != nil {
		t.Fatal(err)
	}
}
