//go:build !release

package config_test

import (
	"testing"

	"servery/internal/config"
)

func TestLoad_hasTheMailboxUntilProvidersAreNamed(t *testing.T) {
	t.Parallel()
	for _, set := range []struct {
		environ []string
		want    bool
	}{
		{nil, true},
		{[]string{"SERVERY_PROVIDERS=p.yaml"}, false},
		{[]string{"SERVERY_PROVIDERS=p.yaml", "SERVERY_MAILBOX=on"}, true},
		{[]string{"SERVERY_MAILBOX=off"}, false},
	} {
		if got := loadConfig(t, nil, set.environ...).Mailbox; got != set.want {
			t.Errorf("%v: %v", set.environ, got)
		}
	}
	if _, _, err := config.Load(nil, []string{"SERVERY_MAILBOX=maybe"}); err == nil {
		t.Error("maybe is taken")
	}
}
