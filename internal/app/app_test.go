package app_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"servery/internal/app"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/web"
)

func TestStart_failsWithOneLineThatNamesTheCause(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	providers := filepath.Join(t.TempDir(), "providers.yaml")
	if err := os.WriteFile(providers, []byte("burger: {vk: {client_id: x}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := start(t, func(*config.Config) {})
	if errors.Is(err, web.ErrNotBuilt) {
		t.Skip("without the page nothing starts")
	}
	if err != nil {
		t.Fatal(err)
	}
	taken := first.Addr().String()
	for name, broken := range map[string]struct {
		set   func(*config.Config)
		names string
	}{
		"busy port":            {func(c *config.Config) { c.Addr = taken }, taken},
		"no content folder":    {func(c *config.Config) { c.Content = filepath.Join(file, "none") }, file},
		"content is a file":    {func(c *config.Config) { c.Content = file }, file},
		"data folder unusable": {func(c *config.Config) { c.Data = file }, file},
		"unknown brand":        {func(c *config.Config) { c.Providers = providers }, providers + ":1: there is no site"},
	} {
		a, err := start(t, broken.set)
		if err == nil {
			t.Errorf("%s: it started at %s", name, a.Addr())
			continue
		}
		if text := err.Error(); strings.Contains(text, "\n") || !strings.Contains(text, broken.names) {
			t.Errorf("%s says %q", name, text)
		}
	}
}

// start starts a program in a folder of its own, with settings that set may change. It closes the program
// at the end of the test.
func start(t *testing.T, set func(*config.Config)) (*app.App, error) {
	t.Helper()
	cfg := config.Config{Addr: "127.0.0.1:0", Data: t.TempDir(), CallsPerSecond: 1, Drain: time.Second}
	set(&cfg)
	a, err := app.Start(t.Context(), cfg, slog.New(slog.DiscardHandler), clock.System{})
	if err == nil {
		t.Cleanup(func() {
			if err := a.Close(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
	}
	return a, err
}
