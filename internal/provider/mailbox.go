//go:build !release

package provider

import (
	"servery/internal/notify"
	"servery/internal/notify/mailbox"
)

// WithMailbox returns a copy of the book with the mailbox in place of missing senders. Brands without
// an entry get the mailbox too.
func (b Book) WithMailbox(m *mailbox.Mailbox) Book {
	filled := Book{Others: {}}
	for alias, s := range b {
		filled[alias] = s
	}
	for alias, s := range filled {
		if len(s.SMS) == 0 {
			s.SMS = []notify.Sender{m.Sender(notify.SMS)}
		}
		if len(s.Call) == 0 {
			s.Call = []notify.Sender{m.Sender(notify.Call)}
		}
		filled[alias] = s
	}
	return filled
}
