package login_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/login"
	"servery/internal/notify"
)

func TestAsk_showsTheCodeAsSentOnceTheJobHasSentIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		sent := make(chan notify.Message, 1)
		k.sms.answer = func(_ context.Context, m notify.Message) (notify.Sent, error) {
			sent <- m
			return notify.Sent{}, nil
		}
		b := k.newBrowser()
		v, err := b.requestVerification(anna, notify.SMS)
		if err != nil {
			t.Fatal(err)
		}
		want := login.Verification{
			Timer: 60, ExpiresIn: 300, CodeLength: 4, TriesLeft: 5, Channel: notify.SMS, Phone: anna, State: login.Sending,
		}
		if len(v.Channels) != 2 || v.Channels[0] != notify.Call {
			t.Errorf("channels %v", v.Channels)
		}
		v.Channels = nil
		if v.Timer != want.Timer || v.ExpiresIn != want.ExpiresIn || v.CodeLength != 4 || v.TriesLeft != 5 || v.State != want.State || v.Phone != anna {
			t.Errorf("the answer is %d %d %d %d %s", v.Timer, v.ExpiresIn, v.CodeLength, v.TriesLeft, v.State)
		}
		if err := k.queue.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		var m notify.Message
		select {
		case m = <-sent:
		case <-time.After(30 * time.Second):
			t.Fatal("the job did not run")
		}
		if err := k.queue.Stop(t.Context()); err != nil { // waits for the job
			t.Fatal(err)
		}
		if text := "Сакура: код " + m.Code + "\n\n@www.sushi.example #" + m.Code; m.Text != text || m.Phone != anna || m.Address != b.address || m.Key == "" {
			t.Errorf("message %q, key %q", m.Text, m.Key)
		}
		if len([]rune(m.Text)) > 70 {
			t.Errorf("the message has %d characters, and a text message takes 70", len([]rune(m.Text)))
		}
		k.clock.Advance(20 * time.Second)
		if v, ok := b.findOpen(); !ok || v.State != login.Sent || v.Timer != 40 || v.ExpiresIn != 280 {
			t.Errorf("then %s, timer %d", v.State, v.Timer)
		}
		if _, err := b.enter(m.Code); err != nil {
			t.Error(err)
		}
	})
}

func TestSend_ofAJobThatRunsTwiceSendsOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		b := k.newBrowser()
		b.requestCode(anna)
		k.deliver()
		if got := k.sms.count(); got != 1 {
			t.Errorf("%d messages", got)
		}
	})
}

func TestAsk_showsFailedWhenTheJobComesTooLate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		b := k.newBrowser()
		if _, err := b.requestVerification(anna, notify.SMS); err != nil {
			t.Fatal(err)
		}
		k.clock.Advance(time.Minute)
		k.deliver()
		if v, ok := b.findOpen(); k.sms.count() != 0 || !ok || v.State != login.Failed || v.Timer != 0 {
			t.Errorf("%d messages, %s, timer %d", k.sms.count(), v.State, v.Timer)
		}
	})
}

func TestSend_triesTheSecondSenderWhenTheFirstFails(t *testing.T) {
	t.Parallel()
	for name, failing := range map[string]func(ctx context.Context, m notify.Message) (notify.Sent, error){
		"refuses": func(context.Context, notify.Message) (notify.Sent, error) {
			return notify.Sent{}, errors.New("no money")
		},
		"is silent": func(ctx context.Context, _ notify.Message) (notify.Sent, error) {
			<-ctx.Done()
			return notify.Sent{}, ctx.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				k := newDesk(t, d)
				k.login.Hurry(10 * time.Millisecond)
				k.sms.answer = failing
				next := &phones{name: "next"}
				k.senders[notify.SMS] = []notify.Sender{k.sms, next}
				b := k.newBrowser()
				b.requestCode(anna)
				if k.sms.count() != 1 || next.count() != 1 || next.last().Key != k.sms.last().Key {
					t.Fatalf("%d and %d messages", k.sms.count(), next.count())
				}
				if v, _ := b.findOpen(); v.State != login.Sent {
					t.Errorf("%s", v.State)
				}
				if _, err := b.enter(next.last().Code); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestAsk_allowsAnotherChannelAtOnceAfterAFailedDelivery(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		k.sms.answer = func(context.Context, notify.Message) (notify.Sent, error) { return notify.Sent{}, errors.New("down") }
		b := k.newBrowser()
		b.requestCode(anna)
		if k.sms.count() != 2 {
			t.Errorf("%d tries", k.sms.count())
		}
		if v, ok := b.findOpen(); !ok || v.State != login.Failed || v.Timer != 0 {
			t.Errorf("%s, timer %d", v.State, v.Timer)
		}
		if _, err := b.requestVerification(anna, notify.Call); err != nil {
			t.Fatal(err)
		}
		k.deliver()
		if _, err := b.enter(k.call.last().Code); err != nil {
			t.Error(err)
		}
		if strings.Contains(k.log.String(), anna) || strings.Contains(k.log.String(), k.sms.last().Code) {
			t.Error("phone or code is in the log")
		}
	})
}

func TestSend_triesAnUnreachableNumberOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		k.sms.answer = func(context.Context, notify.Message) (notify.Sent, error) {
			return notify.Sent{}, notify.ErrUndeliverable
		}
		k.senders[notify.SMS] = []notify.Sender{k.sms, k.sms}
		b := k.newBrowser()
		b.requestCode(anna)
		if v, _ := b.findOpen(); k.sms.count() != 1 || v.State != login.Failed {
			t.Errorf("%d tries, %s", k.sms.count(), v.State)
		}
	})
}

func TestSend_countsAnUnreachableNumberApartFromAFailedSender(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		for _, fault := range []error{notify.ErrUndeliverable, errors.New("no usable answer")} {
			k.sms.answer = func(context.Context, notify.Message) (notify.Sent, error) { return notify.Sent{}, fault }
			k.newBrowser().requestCode(anna)
			k.clock.Advance(10 * time.Minute)
		}
		registry := prometheus.NewRegistry()
		registry.MustRegister(k.login.Collectors()...)
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, family := range families {
			if family.GetName() != "servery_login_codes_total" {
				continue
			}
			for _, m := range family.GetMetric() {
				for _, label := range m.GetLabel() {
					if label.GetName() == "state" {
						got[label.GetValue()] = m.GetCounter().GetValue()
					}
				}
			}
		}
		if want := map[string]float64{"failed": 1, "unreachable": 1}; !maps.Equal(got, want) {
			t.Errorf("counted %v, want %v", got, want)
		}
	})
}

func TestSend_byCallStoresTheCodeOfItsProvider(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		k.call.answer = func(context.Context, notify.Message) (notify.Sent, error) { return notify.Sent{Code: "0042"}, nil }
		b := k.newBrowser()
		if _, err := b.requestVerification(anna, notify.Call); err != nil {
			t.Fatal(err)
		}
		k.deliver()
		if _, err := b.enter(k.call.last().Code); refusal(t, err) != wrongCode {
			t.Errorf("our own code: %v", err)
		}
		if _, err := b.enter("0042"); err != nil {
			t.Error(err)
		}
		var kept string
		if err := d.Reader().QueryRowContext(t.Context(), "SELECT code_hash || salt FROM login_challenge").Scan(&kept); err == nil && strings.Contains(kept, "0042") {
			t.Error("the code is in the database")
		}
	})
}

// checker is a provider that makes and checks the codes itself.
type checker struct {
	phones

	right string
	err   error
	asked int
}

func (c *checker) Check(_ context.Context, ref, phone, code string) (bool, error) {
	c.asked++
	return ref == "ref-1" && phone == anna && code == c.right, c.err
}

func TestCheck_asksAProviderThatChecksAndItsSilenceCostsNoTry(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		c := &checker{phones: phones{name: "verify"}, right: "987654", err: errors.New("timeout")}
		c.answer = func(context.Context, notify.Message) (notify.Sent, error) { return notify.Sent{Ref: "ref-1"}, nil }
		k.senders[notify.SMS] = []notify.Sender{c}
		b := k.newBrowser()
		if _, err := b.requestVerification(anna, notify.SMS); err != nil {
			t.Fatal(err)
		}
		k.deliver()
		for range 12 {
			if _, err := b.enter(c.right); refusal(t, err) != "code login.not_checked" {
				t.Fatalf("silent: %v", err)
			}
		}
		c.err = nil
		if _, err := b.enter("111111"); refusal(t, err) != wrongCode {
			t.Errorf("wrong: %v", err)
		}
		if v, _ := b.findOpen(); v.TriesLeft != 4 {
			t.Errorf("%d tries left", v.TriesLeft)
		}
		if _, err := b.enter(c.right); err != nil {
			t.Error(err)
		}
		if _, err := b.enter(c.right); refusal(t, err) != codeDead || c.asked != 14 {
			t.Errorf("used again: %v, asked %d times", err, c.asked)
		}
	})
}

func TestCheck_takesNoCodeOfAProviderThatIsGone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		c := &checker{phones: phones{name: "verify"}, right: "9876"}
		c.answer = func(context.Context, notify.Message) (notify.Sent, error) { return notify.Sent{Ref: "ref-1"}, nil }
		k.senders[notify.SMS] = []notify.Sender{c}
		b := k.newBrowser()
		if _, err := b.requestVerification(anna, notify.SMS); err != nil {
			t.Fatal(err)
		}
		k.deliver()
		k.senders[notify.SMS] = []notify.Sender{k.sms}
		if _, err := b.enter(c.right); refusal(t, err) != wrongCode {
			t.Errorf("%v", err)
		}
	})
}
