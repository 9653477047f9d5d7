package races_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

const (
	// askersAtATime is how many people ask for codes at the same time.
	askersAtATime = 2
	// askerPause is the time between two of them.
	askerPause = time.Second
	// goneWithin is how soon the alert must end after the last code that failed. The rule counts those of a minute.
	goneWithin = time.Minute
)

// watchAlertsOfSender breaks and mends the provider that sends the codes of a brand, while people ask for codes, and
// checks the alerts.
func watchAlertsOfSender(t *testing.T) {
	where, content, phones := dbtest.Config(t, db.SQLite), newContent(t, 1), newPhones(t)
	allowSignIn(t, content)
	providers := filepath.Join(t.TempDir(), "providers.yaml")
	text := fmt.Sprintf("races:\n  sms:\n    - {provider: smsru, base_url: %q, api_id: %s}\n", phones.url, phonesKey)
	if err := os.WriteFile(providers, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	server := start(t, settings{Data: where.Dir, DatabaseURL: where.URL, Content: content, Addr: freeAddress(t), Providers: providers})
	w := watchAlerts(t, []*process{server})
	askForCodes(t, server)
	w.expectQuiet(t)
	awaitMinuteOfCodes(t, w)
	w.expect(t)
	phones.setBroken(true)
	w.expect(t, "CodesNotSent")
	phones.setBroken(false)
	w.expectEnd(t, "CodesNotSent", goneWithin)
}

// awaitMinuteOfCodes waits until codes have been sent for a minute, so that those that fail later are few among them at
// first.
func awaitMinuteOfCodes(t *testing.T, w *alertWatch) {
	t.Helper()
	for limit := now().Add(patience); ; <-time.After(500 * time.Millisecond) {
		hasSent, err := w.query(t, `servery_login_codes_total{state="sent"} offset 1m`)
		if err != nil {
			t.Fatal(err)
		}
		if hasSent {
			return
		}
		if now().After(limit) {
			t.Fatal("no codes are counted as sent")
		}
	}
}

// allowSignIn lets customers of the brand sign in by a code, and others order too.
func allowSignIn(t *testing.T, content string) {
	t.Helper()
	path := filepath.Join(content, "races", "brand.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "settings: {", "settings: {is_auth_enabled: true, guest_orders: true, notification_channels: [sms], ", 1)
	if changed == string(text) {
		t.Fatal("the brand has no settings to change")
	}
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
}

// askForCodes lets people ask the server for codes, askersAtATime at a time, until the end of the test. Each asks once,
// with a phone and a network of their own, so that no limit on codes applies.
func askForCodes(t *testing.T, server *process) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var askers sync.WaitGroup
	var asked atomic.Int64
	for range askersAtATime {
		askers.Go(func() {
			for ctx.Err() == nil {
				askForCode(ctx, t, server, asked.Add(1))
				select {
				case <-ctx.Done():
				case <-time.After(askerPause):
				}
			}
		})
	}
	t.Cleanup(func() {
		stop()
		askers.Wait()
	})
}

// askForCode asks for a code as the person of a number, below 1000. It fails the test unless the answer is 200 or ctx
// has ended.
func askForCode(ctx context.Context, t *testing.T, server *process, number int64) {
	t.Helper()
	b := &buyer{address: fmt.Sprintf("10.%d.%d.1", 20+number/250, number%250)}
	a, err := b.send(ctx, server, http.MethodPost, "/user/login", "", object{
		"city_id": endless.city, "phone": fmt.Sprintf("7916%03d0001", number), "notify_channel": "sms",
	})
	if ctx.Err() == nil && (err != nil || !a.ok()) {
		t.Errorf("no code for person %d: %v %s", number, err, a)
	}
}
