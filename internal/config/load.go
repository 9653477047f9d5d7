package config

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Load reads the settings from the environment, given as os.Environ gives it, and
// from the flags before the first argument that is not one; rest is what follows.
// Each fault is a line of its own that names the setting. [flag.ErrHelp] means that
// help was asked for.
func Load(args, environ []string) (c Config, rest []string, err error) {
	c = defaults()
	settings := c.settings()

	values := map[string]string{}
	for _, line := range environ {
		if name, value, ok := strings.Cut(line, "="); ok {
			values[name] = value
		}
	}
	var faults []error
	for _, s := range settings {
		if value := values[s.env]; value != "" {
			if err := s.set(value); err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", s.env, err))
			}
		}
	}

	flags := flag.NewFlagSet("servery", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the caller prints the fault, once
	for _, s := range settings {
		flags.Func(s.flag, s.help, func(value string) error {
			if err := s.set(value); err != nil {
				faults = append(faults, fmt.Errorf("-%s: %w", s.flag, err))
			}
			return nil
		})
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return Config{}, nil, err
		}
		faults = append(faults, err)
	}
	if len(faults) > 0 {
		return Config{}, nil, errors.Join(faults...)
	}

	c.Simulate = c.simulate == "on" || c.simulate == "" && c.Content == ""
	c.Mailbox = !Release && (c.mailbox == "on" || c.mailbox == "" && c.Providers == "")
	return c, flags.Args(), nil
}

// Usage writes what can be set, and to what it is set by itself.
func Usage(w io.Writer) error {
	c := defaults()
	for _, s := range c.settings() {
		line := fmt.Sprintf("  -%-16s %-24s %s", s.flag, s.env, s.help)
		if value := s.get(); value != "" && s.flag != "simulate" && s.flag != "mailbox" {
			line += " (" + value + ")"
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// Redacted gives all settings, one line each, with the secrets hidden.
func (c Config) Redacted() string {
	var b strings.Builder
	for _, s := range c.settings() {
		value := s.get()
		if s.secret && value != "" {
			value = "(hidden)"
		}
		fmt.Fprintf(&b, "%s=%s\n", s.env, value)
	}
	return b.String()
}
