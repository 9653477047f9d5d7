package config

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// fileSuffix makes of a secret's variable the one that names a file with the secret in it.
const fileSuffix = "_FILE"

// Load reads the settings. environ is the environment in the form of os.Environ, and args are the
// flags, which win; rest are the arguments behind the flags. A secret may be in a file that the
// variable NAME_FILE names. Variables that are probably misspelt settings are no fault, but listed in
// Config.Unknown. own adds the flags of a single command.
//
// The error has a line for each faulty setting, with its name. It is [flag.ErrHelp] when help was
// requested.
func Load(args, environ []string, own ...func(*flag.FlagSet)) (c Config, rest []string, err error) {
	c = defaultConfig()
	settings := c.allSettings()

	values := map[string]string{}
	for _, line := range environ {
		if name, value, ok := strings.Cut(line, "="); ok {
			values[name] = value
		}
	}
	var faults []error
	for _, s := range settings {
		name, value, err := s.readValue(values)
		if err == nil && value != "" {
			err = s.set(value)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name, err))
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
	for _, add := range own {
		add(flags)
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return Config{}, nil, err
		}
		faults = append(faults, err)
	}
	if Release && c.Import == ImportStart && c.Content == "" {
		faults = append(faults, errors.New("SERVERY_IMPORT: start needs a content folder in SERVERY_CONTENT"))
	}
	if isSameAddress(c.Addr, c.OpsAddr) {
		faults = append(faults, errors.New("SERVERY_OPS_ADDR: must differ from SERVERY_ADDR, which everybody reaches"))
	}
	if len(faults) > 0 {
		return Config{}, nil, errors.Join(faults...)
	}

	c.Unknown = findUnknown(environ, settings)
	c.Simulate = !Release && (c.simulate == "on" || c.simulate == "" && c.Content == "")
	c.Mailbox = !Release && (c.mailbox == "on" || c.mailbox == "" && c.Providers == "")
	return c, flags.Args(), nil
}

// readValue returns the value of the setting in the environment, and the name of the variable that
// it comes from: the setting's own or, for a secret, the variable that names a file. An empty value means that the
// setting is not set.
func (s setting) readValue(values map[string]string) (name, value string, err error) {
	name, value = s.env, values[s.env]
	file := values[s.env+fileSuffix]
	if !s.secret || file == "" {
		return name, value, nil
	}
	name = s.env + fileSuffix
	if value != "" {
		return name, "", fmt.Errorf("%s is set too: one of them is enough", s.env)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return name, "", fmt.Errorf("cannot read the secret: %w", err)
	}
	if value = strings.TrimSpace(string(text)); value == "" {
		return name, "", fmt.Errorf("%s is empty", file)
	}
	return name, value, nil
}

// Usage writes all settings with their defaults.
func Usage(w io.Writer) error {
	c := defaultConfig()
	for _, s := range c.allSettings() {
		line := fmt.Sprintf("  -%-16s %-24s %s", s.flag, s.env, s.help)
		hasFixedDefault := s.flag != "simulate" && s.flag != "mailbox" // theirs follow from other settings
		if value := s.get(); value != "" && hasFixedDefault {
			line += " (" + value + ")"
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// Redacted returns all settings, one line each, with the secrets hidden.
func (c Config) Redacted() string {
	var b strings.Builder
	for _, s := range c.allSettings() {
		value := s.get()
		if s.secret && value != "" {
			value = "(hidden)"
		}
		fmt.Fprintf(&b, "%s=%s\n", s.env, value)
	}
	return b.String()
}

// isSameAddress reports whether a connection could reach both addresses: they have one port, and one host or one
// that stands for all. Ports that the system chooses differ.
func isSameAddress(a, b string) bool {
	hostA, portA, errA := net.SplitHostPort(a)
	hostB, portB, errB := net.SplitHostPort(b)
	if errA != nil || errB != nil {
		return false
	}
	numberA, errA := strconv.ParseUint(portA, 10, 16)
	numberB, errB := strconv.ParseUint(portB, 10, 16)
	if errA != nil || errB != nil || numberA != numberB || numberA == 0 {
		return false
	}
	return hostA == hostB || isEveryHost(hostA) || isEveryHost(hostB)
}

// isEveryHost reports whether an address with the host listens on all addresses of the machine.
func isEveryHost(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "" || err == nil && ip.IsUnspecified()
}
