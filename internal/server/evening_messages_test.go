//go:build !release

package server_test

import (
	"context"
	"slices"
	"strings"
	"time"
)

// startQueue lets the process run jobs.
func (v *evening) startQueue() {
	v.t.Helper()
	v.mailboxes = append(v.mailboxes, v.mailbox)
	if err := v.queue.Start(v.t.Context()); err != nil {
		v.t.Fatal(err)
	}
}

// stopQueue ends the jobs of the process.
func (v *evening) stopQueue() {
	v.t.Helper()
	if err := v.queue.Stop(context.WithoutCancel(v.t.Context())); err != nil {
		v.t.Error(err)
	}
}

// settle waits until all messages are sent and all refunds are made.
func (v *evening) settle() {
	v.t.Helper()
	for deadline := time.After(20 * time.Second); ; {
		var waiting int
		err := v.DB.Reader().QueryRowContext(v.t.Context(), `SELECT (SELECT COUNT(*) FROM order_message WHERE state IN ('waiting', 'sending'))
			+ (SELECT COUNT(*) FROM refund WHERE state NOT IN ('done', 'failed'))`).Scan(&waiting)
		if err != nil {
			v.t.Fatal(err)
		}
		if waiting == 0 {
			return
		}
		select {
		case <-deadline:
			v.t.Fatalf("%d messages and refunds wait for ever", waiting)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// checkMessages checks that exactly the wanted messages about an order are listed for staff, and that each has
// come to the phone once.
func (v *evening) checkMessages(id int64, w want, listed []any) {
	v.t.Helper()
	var occasions []string
	for _, m := range listed {
		occasions = append(occasions, dig(m, "occasion").(string))
		if state := dig(m, "state"); state != "sent" {
			v.t.Errorf("the message %v about order %d is %v", dig(m, "occasion"), id, state)
		}
	}
	if !slices.Equal(occasions, w.messages) {
		v.t.Errorf("the customer of %d is sent %v, want %v", id, occasions, w.messages)
	}
	var come []string
	for _, sender := range v.mailboxes {
		for _, letter := range slices.Backward(sender.Letters(v.phones[id])) {
			come = append(come, occasionOf(letter.Text))
		}
	}
	if !slices.Equal(come, w.messages) {
		v.t.Errorf("to the customer of %d have come %v, want %v", id, come, w.messages)
	}
}

// occasionOf returns the occasion of a message by what it says, and the message itself when it has none.
func occasionOf(text string) string {
	for _, phrase := range [][2]string{
		{"running late", "delayed"},
		{"We have your order.", "accepted"},
		{"We are cooking.", "accepted"},
		{"The courier is on the way.", "sent"},
		{"The order is canceled.", "canceled"},
		{"We are refunding", "refunded"},
	} {
		if strings.Contains(text, phrase[0]) {
			return phrase[1]
		}
	}
	return text
}
