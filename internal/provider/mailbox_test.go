//go:build !release

package provider_test

import (
	"log/slog"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/notify"
	"servery/internal/notify/mailbox"
	"servery/internal/provider"
)

func TestMailbox_deliversOnlyWhereNoProviderDoes(t *testing.T) {
	t.Parallel()
	m := mailbox.New(clock.NewFake(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)), slog.New(slog.DiscardHandler))
	book, err := provider.Read(writeFile(t, "sushi:\n  sms: [{provider: smsru, api_id: x}]\n"), nil, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	filled := book.WithMailbox(m)
	for _, want := range []struct {
		site    string
		channel notify.Channel
		name    string
	}{
		{"sushi", notify.SMS, "smsru"},
		{"sushi", notify.Call, "mailbox"},
		{"pizza", notify.SMS, "mailbox"},
		{"pizza", notify.Call, "mailbox"},
	} {
		if got := joinNames(filled.Senders(want.site, want.channel)); got != want.name {
			t.Errorf("%s by %s: %s, want %s", want.site, want.channel, got, want.name)
		}
	}
	if got := joinNames(book.Senders("pizza", notify.SMS)); got != "" {
		t.Errorf("the book before has %s now", got)
	}
}
