package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"servery/internal/limit"
	"servery/internal/report"
)

// setting is one line of the settings: its names, how it is read and how it is shown.
type setting struct {
	env, flag, help string
	secret          bool
	set             func(text string) error
	get             func() string
}

// allSettings returns the settings. Their functions set and get the fields of c.
func (c *Config) allSettings() []setting {
	return slices.Concat(c.placeSettings(), c.partnerSettings(), c.runSettings())
}

// placeSettings returns the settings for the addresses of the program, its database and its
// content.
func (c *Config) placeSettings() []setting {
	return []setting{
		{
			env: "SERVERY_ADDR", flag: "addr", help: "address to listen on",
			set: setAddress(&c.Addr), get: func() string { return c.Addr },
		},
		{
			env: "SERVERY_OPS_ADDR", flag: "ops-addr", help: "address for /metrics, readiness and profiles alone, such as 127.0.0.1:9090; the public one serves none of them then",
			set: setAddress(&c.OpsAddr), get: func() string { return c.OpsAddr },
		},
		{
			env: "SERVERY_PUBLIC_URL", flag: "public-url", help: "how customers reach the program, such as https://example.com",
			set: c.setPublicURL, get: func() string { return c.PublicURL },
		},
		{
			env: "SERVERY_DATA", flag: "data", help: "folder of the SQLite file",
			set: setText(&c.Data), get: func() string { return c.Data },
		},
		{
			env: "DATABASE_URL", flag: "database", help: "postgres://… in place of SQLite", secret: true,
			set: c.setDatabaseURL, get: func() string { return c.DatabaseURL },
		},
		{
			env: "SERVERY_DB_CONNECTIONS", flag: "db-connections", help: "connections to PostgreSQL that the process holds at most; 0 takes 20",
			set: setNonNegative(&c.DatabaseConnections), get: func() string { return strconv.Itoa(c.DatabaseConnections) },
		},
		{
			env: "SERVERY_DB_WAIT", flag: "db-wait", help: "how long a start waits for a PostgreSQL that does not answer",
			set: setDurationOrZero(&c.DatabaseWait), get: func() string { return c.DatabaseWait.String() },
		},
		{
			env: "SERVERY_CONTENT", flag: "content", help: "content folder that an empty database is filled from, in place of the demo of development builds",
			set: setText(&c.Content), get: func() string { return c.Content },
		},
		{
			env: "SERVERY_SITES", flag: "sites", help: "folders of the brands that are imported, such as sushi,pizza; empty imports all of the content folder",
			set: c.setSites, get: func() string { return strings.Join(c.Sites, ",") },
		},
		{
			env: "SERVERY_ORDER_NUMBERS", flag: "order-numbers", help: "range that the numbers of orders are taken from: another one for each database",
			set: c.setOrderNumbers, get: func() string { return fmt.Sprintf("%d-%d", c.OrderNumbers.Lowest, c.OrderNumbers.Highest) },
		},
		{
			env: "SERVERY_IMPORT", flag: "import", help: "empty or start: whether a start imports into an empty database only, or whenever the content folder differs from the revision in use",
			set: setOneOf(&c.Import, ImportEmpty, ImportStart), get: func() string { return c.Import },
		},
		{
			env: "SERVERY_MAPS", flag: "maps", help: "folder with the map files (.pmtiles) of cities that content names; without it maps are drawn from streets alone",
			set: setText(&c.Maps), get: func() string { return c.Maps },
		},
	}
}

// partnerSettings returns the settings for providers, the kitchen's system or its simulation, and
// customers who pay online.
func (c *Config) partnerSettings() []setting {
	return []setting{
		{
			env: "SERVERY_PROVIDERS", flag: "providers", help: "file that names who sends codes, checks captchas, signs in, takes payments (the acquirers) and gets the forms of visitors",
			set: setText(&c.Providers), get: func() string { return c.Providers },
		},
		{
			env: "SERVERY_MAILBOX", flag: "mailbox", help: "on or off: shows codes in place of sending them; on by default without providers, never in a release",
			set: c.setMailbox, get: func() string { return formatOnOff(c.Mailbox) },
		},
		{
			env: "SERVERY_SECRET", flag: "secret", help: "32 random characters or more that codes are made from, in place of one kept in the database", secret: true,
			set: c.setSecret, get: func() string { return c.Secret },
		},
		{
			env: "SERVERY_OPERATOR_TOKEN", flag: "operator-token", help: "secret of the kitchen's system, 24 characters or more", secret: true,
			set: c.setOperatorToken, get: func() string { return c.OperatorToken },
		},
		{
			env: "SERVERY_SIMULATE", flag: "simulate", help: "on or off: a simulated kitchen and courier, for the demo only; on by default without a content folder, never in a release",
			set: c.setSimulate, get: func() string { return formatOnOff(c.Simulate) },
		},
		{
			env: "SERVERY_SIMULATE_PACE", flag: "simulate-pace", help: "time between two steps of the simulated kitchen",
			set: setDuration(&c.SimulatePace), get: func() string { return c.SimulatePace.String() },
		},
		{
			env: "SERVERY_PAYMENT_DEADLINE", flag: "payment-deadline", help: "how long an order that is paid online waits for its payment, and a checkout holds its time",
			set: setDuration(&c.PaymentDeadline), get: func() string { return c.PaymentDeadline.String() },
		},
	}
}

// runSettings returns the settings for logs, bounds of work and the stop.
func (c *Config) runSettings() []setting {
	return []setting{
		{
			env: "SERVERY_LOG", flag: "log", help: "text or json",
			set: setOneOf(&c.LogFormat, LogText, LogJSON), get: func() string { return c.LogFormat },
		},
		{
			env: "SERVERY_LOG_LEVEL", flag: "log-level", help: "debug, info, warn or error",
			set: c.setLogLevel, get: func() string { return strings.ToLower(c.LogLevel.String()) },
		},
		{
			env: "SERVERY_ERROR_REPORTS", flag: "error-reports", help: "DSN of a project at a server of Sentry's protocol that errors of program and pages are reported to, such as https://key@errors.example.com/1; empty reports none", secret: true,
			set: c.setErrorReports, get: func() string { return c.ErrorReports },
		},
		{
			env: "SERVERY_TRUSTED_PROXIES", flag: "trusted-proxies", help: "networks whose forwarding headers are trusted, with commas between",
			set: c.setTrustedProxies, get: func() string { return formatPrefixes(c.TrustedProxies) },
		},
		{
			env: "SERVERY_CALLS_PER_SECOND", flag: "calls-per-second", help: "calls that one address may make",
			set: setPositive(&c.CallsPerSecond), get: func() string { return strconv.Itoa(c.CallsPerSecond) },
		},
		{
			env: "SERVERY_CALLS_AT_WORK", flag: "calls-at-work", help: "calls of all customers that are at work at once, others wait or are asked to come again; 0 takes 32 for each processor, on PostgreSQL as many as there are connections",
			set: setNonNegative(&c.CallsAtWork), get: func() string { return strconv.Itoa(c.CallsAtWork) },
		},
		{
			env: "SERVERY_LIMITS", flag: "limits", help: "what guests may take without paying, such as orders-per-phone=5,holds-per-address=20; off lifts it for tests of load, never in a release",
			set: c.setLimits, get: func() string { return c.Limits.String() },
		},
		{
			env: "SERVERY_LAME_DUCK", flag: "lame-duck", help: "how long the program answers on at a stop although it is not ready any more; 5s by default in a release",
			set: setDurationOrZero(&c.LameDuck), get: func() string { return c.LameDuck.String() },
		},
		{
			env: "SERVERY_DRAIN", flag: "drain", help: "how long running requests may take at a stop",
			set: setDuration(&c.Drain), get: func() string { return c.Drain.String() },
		},
	}
}

// setAddress returns a setter that accepts an address to listen on.
func setAddress(into *string) func(string) error {
	return func(value string) error {
		_, port, err := net.SplitHostPort(value)
		if err != nil {
			return errors.New("must look like :8080 or 127.0.0.1:8080")
		}
		if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
			return errors.New("the port must be a number up to 65535")
		}
		*into = value
		return nil
	}
}

// setPublicURL accepts an http or https address without a path.
func (c *Config) setPublicURL(value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return errors.New("must look like https://example.com")
	}
	if ascii, err := idna.ToASCII(u.Hostname()); err == nil && ascii != u.Hostname() {
		return fmt.Errorf("must have its host as browsers send it: %s", ascii)
	}
	c.PublicURL = u.Scheme + "://" + u.Host
	return nil
}

// setDatabaseURL sets the address of PostgreSQL. Its error never repeats the value, because there
// may be a password in it.
func (c *Config) setDatabaseURL(value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return errors.New("must begin with postgres://, or be empty for SQLite")
	}
	c.DatabaseURL = value
	return nil
}

// setErrorReports accepts the address of a project. Its error never repeats the value, because there is
// a key in it.
func (c *Config) setErrorReports(value string) error {
	c.ErrorReports = value
	return report.CheckDSN(value)
}

// setSites accepts names of folders with commas between.
func (c *Config) setSites(value string) error {
	c.Sites = nil
	for name := range strings.SplitSeq(value, ",") {
		name = strings.TrimSpace(name)
		if name == "" || slices.Contains(c.Sites, name) {
			return errors.New("must name each brand once, like sushi,pizza")
		}
		c.Sites = append(c.Sites, name)
	}
	return nil
}

// setOrderNumbers accepts a range such as 10000000-99999999. It holds at least ten million numbers, so that one that is
// guessed is hardly ever an order, and none has more than twelve digits.
func (c *Config) setOrderNumbers(value string) error {
	const fewest, highest = 10_000_000, 999_999_999_999
	from, to, _ := strings.Cut(value, "-")
	r := NumberRange{}
	var err, toErr error
	r.Lowest, err = strconv.ParseInt(from, 10, 64)
	r.Highest, toErr = strconv.ParseInt(to, 10, 64)
	if err != nil || toErr != nil || r.Lowest < 1 || r.Highest > highest || r.Highest-r.Lowest+1 < fewest {
		return errors.New("must look like 10000000-99999999, with ten million numbers or more of at most twelve digits")
	}
	c.OrderNumbers = r
	return nil
}

// setMailbox accepts on and off. A release returns an error for on.
func (c *Config) setMailbox(value string) error {
	if Release && value == "on" {
		return errors.New("a release has no mailbox: name a provider in SERVERY_PROVIDERS")
	}
	return setOneOf(&c.mailbox, "on", "off")(value)
}

// setSimulate accepts on and off. A release returns an error for on.
func (c *Config) setSimulate(value string) error {
	if Release && value == "on" {
		return errors.New("a release has no simulated kitchen: leave it empty")
	}
	return setOneOf(&c.simulate, "on", "off")(value)
}

// setOperatorToken accepts a token of 8 characters or more. Whether one of fewer than 24 may be used is
// found out later: it may when the database shows that it is not new.
func (c *Config) setOperatorToken(value string) error {
	const shortest, shortestNew = 8, 24
	if len(value) < shortest {
		return fmt.Errorf("must have at least %d characters", shortestNew)
	}
	c.OperatorToken = value
	return nil
}

// setLimits accepts limits in the form of [limit.Parse]; a release does not accept "off".
func (c *Config) setLimits(value string) error {
	limits, err := limit.Parse(value)
	if err != nil {
		return err
	}
	c.Limits = limits
	return checkLimits(limits, Release)
}

// checkLimits returns an error when a release would run without limits.
func checkLimits(limits limit.Limits, isRelease bool) error {
	if isRelease && limits.IsOff() {
		return errors.New("a release keeps its limits: set single ones higher")
	}
	return nil
}

// setLogLevel accepts the name of a level of log/slog.
func (c *Config) setLogLevel(value string) error {
	if err := c.LogLevel.UnmarshalText([]byte(value)); err != nil {
		return errors.New("must be debug, info, warn or error")
	}
	return nil
}

// setTrustedProxies accepts networks or single addresses, separated by commas.
func (c *Config) setTrustedProxies(value string) error {
	c.TrustedProxies = nil
	for part := range strings.SplitSeq(value, ",") {
		part = strings.TrimSpace(part)
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			address, err := netip.ParseAddr(part)
			if err != nil {
				return fmt.Errorf("%q is not a network like 10.0.0.0/8", part)
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		c.TrustedProxies = append(c.TrustedProxies, prefix)
	}
	return nil
}

// setSecret accepts a text of 32 characters or more.
func (c *Config) setSecret(value string) error {
	const least = 32
	if len(value) < least {
		return fmt.Errorf("must have at least %d characters", least)
	}
	c.Secret = value
	return nil
}

// setText returns a setter that accepts any text.
func setText(into *string) func(string) error {
	return func(value string) error {
		*into = value
		return nil
	}
}

// setOneOf returns a setter that accepts one of the choices.
func setOneOf(into *string, choices ...string) func(string) error {
	return func(value string) error {
		for _, choice := range choices {
			if value == choice {
				*into = value
				return nil
			}
		}
		return fmt.Errorf("must be %s", strings.Join(choices, " or "))
	}
}

// setDuration returns a setter that accepts a duration above zero.
func setDuration(into *time.Duration) func(string) error {
	return func(value string) error {
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return errors.New("must be a time like 500ms, 20s or 1m")
		}
		*into = d
		return nil
	}
}

// setDurationOrZero returns a setter that accepts a duration, 0 included.
func setDurationOrZero(into *time.Duration) func(string) error {
	return func(value string) error {
		if value == "0" || value == "0s" {
			*into = 0
			return nil
		}
		return setDuration(into)(value)
	}
}

// setPositive returns a setter that accepts a whole number above zero.
func setPositive(into *int) func(string) error {
	return func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n <= 0 {
			return errors.New("must be a whole number above zero")
		}
		*into = n
		return nil
	}
}

// setNonNegative returns a setter that accepts a whole number, 0 included.
func setNonNegative(into *int) func(string) error {
	return func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return errors.New("must be a whole number, 0 for what suits the machine")
		}
		*into = n
		return nil
	}
}

// formatOnOff returns the value as settings spell it.
func formatOnOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// formatPrefixes returns the networks separated by commas.
func formatPrefixes(list []netip.Prefix) string {
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = p.String()
	}
	return strings.Join(texts, ",")
}
