package login_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/login"
	"servery/internal/notify"
	"servery/internal/queue"
	"servery/internal/site"
)

const anna, boris = "79160000001", "79160000002"

// phones is a sender that records the messages to customers' phones.
type phones struct {
	name string
	mu   sync.Mutex
	got  []notify.Message
	// answer returns what the provider says; nil takes every message.
	answer func(ctx context.Context, m notify.Message) (notify.Sent, error)
}

func (p *phones) Name() string { return p.name }

func (p *phones) Send(ctx context.Context, m notify.Message) (notify.Sent, error) {
	p.mu.Lock()
	p.got = append(p.got, m)
	p.mu.Unlock()
	if p.answer == nil {
		return notify.Sent{}, nil
	}
	return p.answer(ctx, m)
}

func (p *phones) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.got)
}

func (p *phones) last() notify.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.got) == 0 {
		return notify.Message{}
	}
	return p.got[len(p.got)-1]
}

// senders of the two channels, the same for every site.
type senders map[notify.Channel][]notify.Sender

func (s senders) Senders(_ string, c notify.Channel) []notify.Sender { return s[c] }

// desk is a database with a clock, and a process on it that signs in.
type desk struct {
	t        testing.TB
	db       *db.DB
	clock    *clock.Fake
	sms      *phones
	call     *phones
	senders  senders
	log      *bytes.Buffer
	sessions *customer.Sessions
	login    *login.Service
	queue    *queue.Queue
	brand    *site.Site
}

// newDesk returns a desk of one brand with a sender for each channel; both deliver.
func newDesk(t testing.TB, d *db.DB) *desk {
	t.Helper()
	k := &desk{
		t: t, db: d, clock: clock.NewFake(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)),
		sms: &phones{name: "one"}, call: &phones{name: "two"}, log: &bytes.Buffer{},
		brand: &site.Site{
			Alias: "sushi", Hosts: []string{"sushi.example", "www.sushi.example"}, Name: lang.Text{lang.RU: "Сакура"}, DefaultLanguage: lang.RU,
			Settings: site.Settings{
				IsAuthEnabled: true, NotificationChannels: []site.SignInChannel{site.ByCall, site.BySMS, site.ByVK}, ResendTimer: 60, CodeLength: 4,
			},
		},
	}
	k.senders = senders{notify.SMS: {k.sms}, notify.Call: {k.call}}
	k.sessions = customer.NewSessions(d, k.clock)
	log := slog.New(slog.NewTextHandler(k.log, nil))
	var err error
	if k.queue, err = queue.New(d, queue.Options{Logger: slog.New(slog.DiscardHandler), Poll: 10 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	k.login = login.New(login.Options{
		DB: d, Queue: k.queue, Clock: k.clock, Log: log, Senders: k.senders, Sessions: k.sessions,
		Customers: customer.NewCustomers(d, k.clock), Secret: []byte("the secret of the tests"),
		Site: func(string) (*site.Site, bool) { return k.brand, true },
	})
	k.login.Hurry(time.Second)
	return k
}

var moscow = &site.City{ID: 1, CountryCode: "RU", PhoneMasks: []site.PhoneMask{{CountryCode: "RU"}}}

// browser is a visitor at the desk.
type browser struct {
	*desk

	session int64
	token   string
	device  string
	address string
	// captcha is the state that its requests have.
	captcha login.Captcha
}

// newBrowser returns a browser with a session and an address of its own.
func (k *desk) newBrowser() *browser {
	k.t.Helper()
	s, token, err := k.sessions.Begin(k.t.Context(), "sushi", "")
	if err != nil {
		k.t.Fatal(err)
	}
	return &browser{desk: k, session: s.ID, token: token, address: fmt.Sprintf("10.%d.%d.1", s.ID/250, s.ID%250)}
}

// requestVerification requests a code for a phone by a channel.
func (b *browser) requestVerification(phone string, channel notify.Channel) (login.Verification, error) {
	return b.login.Ask(b.t.Context(), login.Ask{
		Site: b.brand, City: moscow, SessionID: b.session, Phone: phone, Name: " Анна ", Channel: channel, Address: b.address,
		Device: b.device, Lang: lang.RU, Host: "www.sushi.example", Captcha: b.captcha,
	})
}

// requestCode has a code sent and returns it.
func (b *browser) requestCode(phone string) string {
	b.t.Helper()
	if _, err := b.requestVerification(phone, notify.SMS); err != nil {
		b.t.Fatal(err)
	}
	b.deliver()
	return b.sms.last().Code
}

// deliver runs the job of the newest code.
func (k *desk) deliver() {
	k.t.Helper()
	if err := k.login.Deliver(k.t.Context(), k.newestChallenge()); err != nil {
		k.t.Fatal(err)
	}
}

// newestChallenge returns the id of the code that was requested last.
func (k *desk) newestChallenge() (id int64) {
	k.t.Helper()
	if err := k.db.Reader().QueryRowContext(k.t.Context(), "SELECT max(id) FROM login_challenge").Scan(&id); err != nil {
		k.t.Fatal(err)
	}
	return id
}

// enter enters a code. The browser keeps the secret of the device when the code signs it in.
func (b *browser) enter(code string) (customer.SignedIn, error) {
	in, device, err := b.login.Check(b.t.Context(), login.Attempt{Site: b.brand, Token: b.token, Code: code, Device: b.device}, joinNothing)
	if err == nil {
		b.device = device
	}
	return in, err
}

// joinNothing is the join of a sign-in that has nothing to move to the customer.
func joinNothing(*db.Tx, customer.Rotated) error { return nil }

// signIn signs in on this browser, which is a known one afterwards.
func (b *browser) signIn(phone string) customer.SignedIn {
	b.t.Helper()
	in, err := b.enter(b.requestCode(phone))
	if err != nil {
		b.t.Fatal(err)
	}
	b.token, b.session = in.Token, in.Session.ID
	return in
}

// findOpen returns the code that the browser is shown; false when there is none.
func (b *browser) findOpen() (login.Verification, bool) {
	b.t.Helper()
	v, ok, err := b.login.FindOpen(b.t.Context(), b.brand, b.session)
	if err != nil {
		b.t.Fatal(err)
	}
	return v, ok
}

// refusal returns the field and the message of a fault; empty when err is nil.
func refusal(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	f, ok := fault.Of(err)
	if !ok {
		t.Fatal(err)
	}
	for field, messages := range f.Fields {
		return field + " " + messages[0].Key
	}
	return f.Message.Key
}

// otherCode returns a code of the same length that differs in its last digit.
func otherCode(code string) string {
	last := (code[len(code)-1]-'0'+1)%10 + '0'
	return code[:len(code)-1] + string(last)
}

const (
	wrongCode = "code login.wrong_code"
	codeDead  = "code login.code_dead"
)

func TestCheck_signsInOnceInTheBrowserThatAsked(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		b, thief := k.newBrowser(), k.newBrowser()
		code := b.requestCode("8 (916) 000-00-01")
		if _, err := thief.enter(code); refusal(t, err) != codeDead {
			t.Errorf("another browser: %v", err)
		}
		thief.requestCode(boris)
		if _, err := thief.enter(code); refusal(t, err) != wrongCode {
			t.Errorf("another browser with a code of its own: %v", err)
		}
		if _, err := (&browser{desk: k}).enter(code); refusal(t, err) != codeDead {
			t.Errorf("no browser: %v", err)
		}
		in, err := b.enter(code[:2] + " " + code[2:])
		if err != nil {
			t.Fatal(err)
		}
		if in.Customer.Phone != anna || in.Customer.Name != "Анна" || in.Session.ID == b.session || in.Token == b.token {
			t.Errorf("signed in as %v", in.Customer.ID)
		}
		for name, token := range map[string]string{"before": b.token, "since": in.Token} {
			b.token = token
			if _, err := b.enter(code); refusal(t, err) != codeDead {
				t.Errorf("used again with the token %s: %v", name, err)
			}
		}
		if _, ok := b.findOpen(); ok {
			t.Error("the used code is shown as open")
		}
	})
}

func TestCheck_signsInOnceForConcurrentAttempts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newDesk(t, d).newBrowser()
		code := b.requestCode(anna)
		results := make([]error, 4)
		var work sync.WaitGroup
		for i := range results {
			work.Go(func() {
				_, _, results[i] = b.login.Check(t.Context(), login.Attempt{Site: b.brand, Token: b.token, Code: code}, joinNothing)
			})
		}
		work.Wait()
		in := 0
		for _, err := range results {
			if err == nil {
				in++
			} else if refusal(t, err) != codeDead {
				t.Error(err)
			}
		}
		if in != 1 {
			t.Errorf("%d sign-ins", in)
		}
	})
}

func TestCode_livesFiveMinutes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		late, timely := k.newBrowser(), k.newBrowser()
		lateCode, timelyCode := late.requestCode(anna), timely.requestCode(boris)
		k.clock.Advance(5*time.Minute - time.Millisecond)
		if _, err := timely.enter(timelyCode); err != nil {
			t.Error(err)
		}
		k.clock.Advance(time.Millisecond)
		if _, err := late.enter(lateCode); refusal(t, err) != codeDead {
			t.Errorf("after five minutes: %v", err)
		}
		if _, ok := late.findOpen(); ok {
			t.Error("it is shown as open")
		}
	})
}

func TestAsk_replacesTheCodeBefore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newDesk(t, d).newBrowser()
		seen := map[string]bool{}
		var before string
		for range 3 {
			code := b.requestCode(anna)
			if len(code) != 4 || seen[code] {
				t.Errorf("code %q after %v", code, seen)
			}
			seen[code], before = true, code
			b.clock.Advance(5 * time.Minute)
		}
		b.clock.Advance(10 * time.Minute)
		b.requestCode(anna)
		if _, err := b.enter(before); refusal(t, err) != wrongCode {
			t.Errorf("the code before: %v", err)
		}
	})
}

func TestCheck_saysTheTriesLeftAndEndsACodeAtTheFifth(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newDesk(t, d).newBrowser()
		code := b.requestCode(anna)
		if _, err := b.enter("12"); refusal(t, err) != wrongCode {
			t.Errorf("half a code: %v", err)
		}
		for left := 4; left >= 0; left-- {
			_, err := b.enter(otherCode(code))
			f, _ := fault.Of(err)
			if left == 0 {
				if refusal(t, err) != codeDead {
					t.Errorf("the fifth: %v", err)
				}
				break
			}
			if refusal(t, err) != wrongCode || f.Fields["code"][0].Args["count"] != left {
				t.Errorf("%d left: %v", left, err)
			}
			if v, ok := b.findOpen(); !ok || v.TriesLeft != left {
				t.Errorf("shown are %d left, want %d", v.TriesLeft, left)
			}
		}
		if _, err := b.enter(code); refusal(t, err) != codeDead {
			t.Errorf("the right code after five wrong ones: %v", err)
		}
	})
}

func TestAsk_validatesItsInput(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		b := k.newBrowser()
		for want, err := range map[string]error{
			"phone phone.required":         errorOf(b.requestVerification("", notify.SMS)),
			"phone phone.invalid":          errorOf(b.requestVerification("12", notify.SMS)),
			"phone phone.country":          errorOf(b.requestVerification("+49 30 901820", notify.SMS)),
			"notify_channel login.channel": errors.Join(errorOf(b.requestVerification(anna, "vk")), errorOf(b.requestVerification(anna, "pigeon"))),
		} {
			if got := refusal(t, err); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		delete(k.senders, notify.Call)
		if got := refusal(t, errorOf(b.requestVerification(anna, notify.Call))); got != "notify_channel login.channel" {
			t.Errorf("a channel without a sender: %s", got)
		}
		if got := fmt.Sprint(k.login.Channels(k.brand)); got != "[sms]" {
			t.Errorf("channels %s", got)
		}
		k.brand.Settings.IsAuthEnabled = false
		if got := refusal(t, errorOf(b.requestVerification(anna, notify.SMS))); got != "notify_channel login.channel" {
			t.Errorf("a site without login: %s", got)
		}
		if k.sms.count()+k.call.count() != 0 {
			t.Error("something was sent")
		}
	})
}

// errorOf returns the error of a call, without its result.
func errorOf[T any](_ T, err error) error { return err }

func TestSecret_isThatOfTheFirstProcessInAll(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		secrets := make([][]byte, 4)
		var work sync.WaitGroup
		for i := range secrets {
			work.Go(func() {
				var err error
				if secrets[i], err = login.OwnSecret(t.Context(), d, clock.System{}); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		for _, s := range secrets {
			if len(s) != 32 || !bytes.Equal(s, secrets[0]) {
				t.Errorf("%d bytes, the same: %v", len(s), bytes.Equal(s, secrets[0]))
			}
		}
	})
}

func TestLogin_printsNothingOfAPerson(t *testing.T) {
	t.Parallel()
	for _, thing := range []any{
		login.Ask{Phone: anna, Name: "Anna"}, login.Attempt{Code: "1234"}, login.Verification{Phone: anna},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if got := fmt.Sprintf(verb, thing); bytes.ContainsAny([]byte(got), "0123456789") || len(got) > 15 {
				t.Errorf("%T prints %s", thing, got)
			}
		}
	}
}
