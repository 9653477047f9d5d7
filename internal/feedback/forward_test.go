package feedback_test

import (
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestForward_deliversAFormOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, &office{})
		if err := k.submit(t, k.Visitor(t, "sushi"), "", question("hello")); err != nil {
			t.Fatal(err)
		}
		k.run(t, func() bool { return k.listForms(t)[0].State == "sent" })
		k.Clock.Advance(time.Hour)
		if err := k.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := k.office.mails()
		if len(got) != 1 || !strings.Contains(got[0].Text, "hello") || got[0].ReplyTo != "anna@example.com" || got[0].Key != "feedback-1" {
			t.Fatalf("delivered: %+v", got)
		}
		if body := string(got[0].Body); !strings.Contains(body, `"kind":"question"`) || !strings.Contains(body, `"phone":"79161234567"`) {
			t.Errorf("body %s", body)
		}
	})
}

func TestForward_repeatsAfterAFailureAndAlertsAfterTheLast(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, &office{answer: errDown})
		if err := k.submit(t, k.Visitor(t, "sushi"), "", question("hello")); err != nil {
			t.Fatal(err)
		}
		k.run(t, func() bool { return strings.Contains(k.log.String(), "form not delivered") })
		expectLogged(t, k, "form not delivered", "Anna", "79161234567", "alert=true")
		for attempt := 2; attempt <= 8; attempt++ { // each job was lost: only the sweep is there
			k.Clock.Advance(25 * time.Hour)
			k.restart(t, d)
			if err := k.Deliver(t.Context()); err != nil {
				t.Fatal(err)
			}
			k.run(t, func() bool { return len(k.office.mails()) == attempt })
		}
		if got := k.listForms(t)[0].State; got != "failed" {
			t.Errorf("state %s", got)
		}
		expectLogged(t, k, "alert=true", "Anna", "79161234567")
		k.Clock.Advance(25 * time.Hour)
		if err := k.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := len(k.office.mails()); got != 8 {
			t.Errorf("%d attempts", got)
		}
	})
}

func TestForward_aSecondAttemptIsEnoughWhenItSucceeds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, &office{answer: errDown})
		if err := k.submit(t, k.Visitor(t, "sushi"), "", question("hello")); err != nil {
			t.Fatal(err)
		}
		k.run(t, func() bool { return strings.Contains(k.log.String(), "form not delivered") })
		k.office.answer = nil
		k.Clock.Advance(10 * time.Minute)
		k.restart(t, d)
		if err := k.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		k.run(t, func() bool { return k.listForms(t)[0].State == "sent" })
		if got := k.office.mails(); len(got) != 2 || got[0].Key != got[1].Key {
			t.Errorf("delivered: %d", len(got))
		}
	})
}
