// Package config reads the settings of the program from the environment and the
// flags, once, at the start. A flag wins over its variable; an empty variable is
// one that is not set.
package config

import (
	"io"
	"log/slog"
	"net/netip"
	"time"
)

// Version is the version of the program; the build sets it.
var Version = "development"

// Config holds all settings, checked.
type Config struct {
	// Addr is where to listen.
	Addr string
	// PublicURL is how customers reach the program, without a path; empty means that
	// each request tells.
	PublicURL string
	// Data is the folder of the SQLite file.
	Data string
	// DatabaseURL is postgres://…, or empty for SQLite.
	DatabaseURL string
	// Content is a content folder, or empty for the demo inside the program.
	Content string
	// Providers is the file that names who sends codes, checks captchas and signs in,
	// with the secrets; empty when there is none.
	Providers string
	// Mailbox shows codes in place of sending them, where no provider does: when asked
	// for, else only without a file of providers. A release never has it.
	Mailbox bool
	// Secret makes the codes that sign customers in; empty lets the program make one and
	// keep it in the database.
	Secret string
	// OperatorToken lets the kitchen's system in; empty keeps everybody out.
	OperatorToken string
	// Simulate runs the kitchen and courier of the demo: when asked for, else only
	// with the demo's content.
	Simulate bool
	// SimulatePace is the time between two steps of the simulated kitchen.
	SimulatePace time.Duration
	// PaymentDeadline is how long an order that is paid online waits for its payment.
	PaymentDeadline time.Duration
	// LogFormat is text or json.
	LogFormat string
	// LogLevel is the least level that is logged.
	LogLevel slog.Level
	// TrustedProxies are the networks whose forwarding headers are believed.
	TrustedProxies []netip.Prefix
	// CallsPerSecond is how many calls of the API one address may make.
	CallsPerSecond int
	// Drain is how long running requests and jobs may take to end at a stop.
	Drain time.Duration

	simulate, mailbox string // on, off, or empty when nobody said
}

func defaults() Config {
	return Config{
		Addr:            ":8080",
		Data:            "./data",
		SimulatePace:    20 * time.Second,
		PaymentDeadline: 10 * time.Minute,
		LogFormat:       "text",
		CallsPerSecond:  50,
		Drain:           15 * time.Second,
	}
}

// Logger makes the program's logger from the settings.
func (c Config) Logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
