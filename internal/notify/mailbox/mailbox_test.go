//go:build !release

package mailbox_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/notify"
	"servery/internal/notify/mailbox"
)

func TestMailbox_keepsTheLatestMessagesTheNewestFirst(t *testing.T) {
	t.Parallel()
	c := clock.NewFake(time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC))
	var log bytes.Buffer
	m := mailbox.New(c, slog.New(slog.NewTextHandler(&log, nil)))
	for i := range 205 {
		c.Advance(time.Second)
		msg := notify.Message{Phone: fmt.Sprintf("7916123%04d", i), Code: fmt.Sprintf("%04d", i), Text: "Code " + fmt.Sprint(i)}
		if sent, err := m.Sender(notify.SMS).Send(t.Context(), msg); err != nil || sent != (notify.Sent{}) {
			t.Fatal(sent, err)
		}
	}
	all := m.Letters("")
	if len(all) != 200 || all[0].Code != "0204" || all[199].Code != "0005" || !all[0].At.Equal(c.Now()) {
		t.Errorf("%d letters, from %+v to %+v", len(all), all[0], all[len(all)-1])
	}
	if got := m.Letters("79161230007"); len(got) != 1 || got[0].Text != "Code 7" {
		t.Errorf("letters of one: %+v", got)
	}
	if !strings.Contains(log.String(), "channel=sms phone=79161230204 code=0204") {
		t.Error("the log lacks the code")
	}
}

func TestMailbox_callHasNoText(t *testing.T) {
	t.Parallel()
	m := mailbox.New(clock.NewFake(time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)), slog.New(slog.DiscardHandler))
	if _, err := m.Sender(notify.Call).Send(t.Context(), notify.Message{Phone: "1", Code: "0042", Text: "Code 0042"}); err != nil {
		t.Fatal(err)
	}
	if got := m.Letters(""); len(got) != 1 || got[0].Text != "" || got[0].Code != "0042" || got[0].Channel != notify.Call {
		t.Errorf("letters: %+v", got)
	}
}

func TestMailbox_isSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	m := mailbox.New(clock.NewFake(time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)), slog.New(slog.DiscardHandler))
	var work sync.WaitGroup
	for i := range 50 {
		work.Go(func() {
			_, _ = m.Sender(notify.SMS).Send(t.Context(), notify.Message{Phone: fmt.Sprint(i)})
			m.Letters("")
		})
	}
	work.Wait()
	if got := len(m.Letters("")); got != 50 {
		t.Errorf("%d letters", got)
	}
}
