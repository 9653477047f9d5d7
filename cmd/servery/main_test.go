package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
)

func TestConfigAndCheckTellEachFaultOfTheProviders(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range carttest.Texts {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	providers := filepath.Join(t.TempDir(), "providers.yaml")
	write := func(text string) {
		if err := os.WriteFile(providers, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said := func(args ...string) (string, error) {
		var out, errs bytes.Buffer
		err := run(t.Context(), args, []string{"SERVERY_PROVIDERS=" + providers}, &out, &errs)
		return out.String() + errs.String(), err
	}

	write("sushi:\n  sms: [{provider: smsru, api_id: hunter2, sender: X}]\nburger:\n  vk: {}\n")
	for command, want := range map[string][]string{
		"config": {`:2: there is no field "sender" here`, ":4: client_id is missing"},
		"check":  {`:2: there is no field "sender" here`, `:3: there is no site "burger" in the content`, ":4: client_id is missing"},
	} {
		args := []string{command}
		if command == "check" {
			args = append(args, folder)
		}
		text, err := said(args...)
		if !errors.Is(err, errSaid) || strings.Contains(text, "hunter2") {
			t.Errorf("%s: %v in %s", command, err, text)
		}
		for _, line := range want {
			if !strings.Contains(text, providers+line) {
				t.Errorf("%s does not say %q:\n%s", command, line, text)
			}
		}
	}

	write("sushi:\n  sms: [{provider: smsru, api_id: hunter2}]\n")
	for _, args := range [][]string{{"config"}, {"check", folder}} {
		if text, err := said(args...); err != nil || strings.Contains(text, "hunter2") {
			t.Errorf("%v: %v in %s", args, err, text)
		}
	}
}

func TestAReleaseHasNoMailboxAndRefusesToBeAskedForOne(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), "servery")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-tags", "release", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	start := exec.CommandContext(t.Context(), program, "serve", "-addr", "127.0.0.1:0", "-data", t.TempDir())
	start.Env = append(os.Environ(), "SERVERY_MAILBOX=on")
	text, err := start.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !strings.Contains(string(text), "SERVERY_MAILBOX: a release has no mailbox") {
		t.Errorf("with a mailbox it started: %v\n%s", err, text)
	}
	config := exec.CommandContext(t.Context(), program, "config")
	if text, err := config.CombinedOutput(); err != nil || !strings.Contains(string(text), "SERVERY_MAILBOX=off\n") {
		t.Errorf("its settings: %v\n%s", err, text)
	}
	body, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, trace := range []string{"/dev/mailbox", "servery/internal/notify/mailbox"} {
		if bytes.Contains(body, []byte(trace)) {
			t.Errorf("the release has %q in it", trace)
		}
	}
}
