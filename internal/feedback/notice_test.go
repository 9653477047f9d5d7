package feedback_test

import (
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/notify"
)

// noon is when notices may be sent in Moscow.
var noon = time.Date(2026, 9, 24, 9, 0, 0, 0, time.UTC)

// requestDelivery stores a delivery request to a place in Moscow.
func (k *desk) requestDelivery(t *testing.T, at geo.Point, phone string) error {
	t.Helper()
	return k.RequestDelivery(t.Context(), newRequest(k.Visitor(t, "sushi"), carttest.Moscow, at, phone))
}

// deliver does what the program does each minute.
func (k *desk) deliver(t *testing.T) {
	t.Helper()
	if err := k.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// countRows returns how many rows a table has.
func (k *desk) countRows(t *testing.T, table string) (n int) {
	t.Helper()
	if err := k.DB.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNotice_isSentOnceWhenAZoneCoversThePlace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, nil)
		k.Clock.Set(noon)
		near := carttest.Outside
		near.Latitude += 0.001
		for _, at := range []geo.Point{carttest.Outside, near} {
			if err := k.requestDelivery(t, at, "+79161234567"); err != nil {
				t.Fatal(err)
			}
		}
		k.deliver(t)
		if n := k.countRows(t, "undelivered_place"); n != 2 {
			t.Fatalf("%d places wait while no zone covers them", n)
		}
		k.covers = true
		k.deliver(t)
		if n := k.countRows(t, "undelivered_place"); n != 2 {
			t.Fatal("places were compared again with the same content")
		}
		k.revision = 2
		k.deliver(t)
		k.restart(t, d) // another process compares too
		k.deliver(t)
		k.run(t, func() bool { return k.countRows(t, "delivery_notice") == 0 })
		got := k.phones.messages()
		if len(got) != 1 || got[0].Phone != "79161234567" || !strings.HasSuffix(got[0].Text, "we now deliver to your address. Order here: https://sushi.example/moscow") {
			t.Errorf("sent: %d %q", len(got), got[0].Text)
		}
		if n := k.countRows(t, "undelivered_place"); n != 0 {
			t.Errorf("%d places wait yet", n)
		}
	})
}

func TestNotice_waitsForTheDayOfTheCityAndIsErasedWithThePhone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, nil)
		k.Clock.Set(noon.Add(11 * time.Hour)) // 23:00 in Moscow
		if err := k.requestDelivery(t, carttest.Outside, "+79161234567"); err != nil {
			t.Fatal(err)
		}
		k.covers = true
		k.deliver(t)
		var due time.Time
		if err := d.Reader().QueryRowContext(t.Context(), "SELECT due_at FROM delivery_notice").Scan(&due); err != nil || !due.Equal(noon.Add(22*time.Hour)) {
			t.Errorf("due at %v, %v", due, err)
		}
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return k.Erase(t.Context(), tx, "sushi", 0, "79161234567") }); err != nil {
			t.Fatal(err)
		}
		if n := k.countRows(t, "delivery_notice"); n != 0 {
			t.Error("the notice of an erased phone is left")
		}
	})
}

func TestNotice_isRepeatedAfterAFailureAndNotForANumberThatCannotBeReached(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { expectLastNotice(t, d, notify.ErrUndeliverable) })
}

func TestNotice_isNotRepeatedForANumberThatHasOptedOut(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { expectLastNotice(t, d, &notify.Refusal{Provider: "sms", OptedOut: true}) })
}

// expectLastNotice fails the test unless a notice is repeated after a failure, and deleted after an error
// that is final.
func expectLastNotice(t *testing.T, d *db.DB, final error) {
	t.Helper()
	k := newDesk(t, d, nil)
	k.Clock.Set(noon)
	if err := k.requestDelivery(t, carttest.Outside, "+79161234567"); err != nil {
		t.Fatal(err)
	}
	k.covers, k.phones.answer = true, errDown
	k.deliver(t)
	k.run(t, func() bool { return strings.Contains(k.log.String(), "delivery notice not sent") })
	k.phones.answer = final
	k.Clock.Advance(time.Hour)
	k.restart(t, d)
	k.deliver(t)
	k.run(t, func() bool { return k.countRows(t, "delivery_notice") == 0 })
	if got := k.phones.messages(); len(got) != 2 || got[0].Key != got[1].Key {
		t.Errorf("%d attempts", len(got))
	}
	expectLogged(t, k, "level=ERROR", "79161234567")
}

func TestRequestDelivery_boundsThePlacesOfAPhone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, nil)
		at := carttest.Outside
		for range 10 {
			at.Latitude += 0.001
			if err := k.requestDelivery(t, at, "+79161234567"); err != nil {
				t.Fatal(err)
			}
		}
		at.Latitude += 0.001
		if err := k.requestDelivery(t, at, "+79161234567"); fault.CodeOf(err) != fault.TooMany {
			t.Errorf("an eleventh place: %v", err)
		}
	})
}
