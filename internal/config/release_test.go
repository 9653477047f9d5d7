//go:build release

package config_test

import (
	"strings"
	"testing"

	"servery/internal/config"
)

func TestAReleaseNeverHasTheMailbox(t *testing.T) {
	t.Parallel()
	if load(t, nil).Mailbox {
		t.Error("it has one by itself")
	}
	_, _, err := config.Load(nil, []string{"SERVERY_MAILBOX=on"})
	if err == nil || !strings.HasPrefix(err.Error(), "SERVERY_MAILBOX: ") {
		t.Errorf("asked for it: %v", err)
	}
	if load(t, nil, "SERVERY_MAILBOX=off").Mailbox {
		t.Error("it has one that is off")
	}
}
