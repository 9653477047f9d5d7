// Package config reads the settings of the program from the environment and the
// flags, once, at the start. A flag wins over its variable; an empty variable is
// one that is not set.
package config

import (
	"io"
	"log/slog"
	"net/netip"
	"time"

	"servery/internal/limit"
)

// Version is the version of the program; the build sets it.
var Version = "development"

// Config holds all settings, checked.
type Config struct {
	// Addr is where to listen.
	Addr string
	// OpsAddr is where to serve metrics and readiness in place of Addr, and profiles; empty serves the former at Addr
	// and no profiles.
	OpsAddr string
	// PublicURL is how customers reach the program, without a path; empty means that it follows
	// from each request.
	PublicURL string
	// Data is the folder of the SQLite file.
	Data string
	// DatabaseURL is postgres://…, or empty for SQLite.
	DatabaseURL string
	// DatabaseConnections is how many connections are held to PostgreSQL at most; 0 takes 20.
	DatabaseConnections int
	// DatabaseWait is how long a start waits for a PostgreSQL that does not answer.
	DatabaseWait time.Duration
	// Content is the content folder that an empty database is filled from; empty for the
	// demo, which a release does not have.
	Content string
	// Sites are the folders of the brands that are imported; empty for all of the content folder.
	Sites []string
	// OrderNumbers are what the numbers of orders are taken from.
	OrderNumbers NumberRange
	// Import is when a start imports content: see ImportEmpty and ImportStart.
	Import string
	// Maps is the folder with the maps of cities; empty where there is none.
	Maps string
	// Providers is the file that names who sends codes, checks captchas, signs in, takes payments
	// and gets the forms of visitors, with the secrets; empty when there is none.
	Providers string
	// Mailbox shows codes in place of sending them, where no provider does. Unless it is set, it is on
	// without a file of providers. It is never on in a release.
	Mailbox bool
	// Secret makes the codes that sign customers in; empty lets the program make one and
	// keep it in the database.
	Secret string
	// OperatorToken lets the kitchen's system in; empty lets no one in.
	OperatorToken string
	// Simulate runs a simulated kitchen and courier, which do nothing while the content in use is not the
	// demo. Unless it is set, it is on without a content folder. It is never on in a release.
	Simulate bool
	// SimulatePace is the time between two steps of the simulated kitchen.
	SimulatePace time.Duration
	// PaymentDeadline is how long an order that is paid online waits for its payment, and a
	// checkout holds its time.
	PaymentDeadline time.Duration
	// ErrorReports is the address of the project that errors are reported to; empty reports none.
	ErrorReports string
	// LogFormat is LogText or LogJSON.
	LogFormat string
	// LogLevel is the least level that is logged.
	LogLevel slog.Level
	// TrustedProxies are the networks whose forwarding headers are trusted.
	TrustedProxies []netip.Prefix
	// CallsPerSecond is how many calls of the API one address may make.
	CallsPerSecond int
	// CallsAtWork is how many calls are answered concurrently; 0 takes one for each connection to PostgreSQL,
	// on SQLite 32 for each processor.
	CallsAtWork int
	// Limits bound what guests may take without paying.
	Limits limit.Limits
	// LameDuck is how long the program goes on answering at a stop while readiness already fails.
	LameDuck time.Duration
	// Drain is how long running requests and jobs may take to end at a stop.
	Drain time.Duration
	// Unknown are the variables of the environment that are probably meant to be settings and are none.
	Unknown []UnknownVariable

	simulate, mailbox string // as they were set: on, off, or empty; Load makes Simulate and Mailbox of them
}

// NumberRange is a range of numbers, with both ends.
type NumberRange struct{ Lowest, Highest int64 }

// How the log is written.
const (
	LogText = "text"
	LogJSON = "json"
)

// When a start imports content.
const (
	// ImportEmpty imports into an empty database only.
	ImportEmpty = "empty"
	// ImportStart imports what differs from the revision in use at each start.
	ImportStart = "start"
)

// defaultConfig returns the settings before environment and flags.
func defaultConfig() Config {
	return Config{
		Addr:            ":8080",
		Data:            "./data",
		DatabaseWait:    time.Minute,
		OrderNumbers:    NumberRange{Lowest: 10_000_000, Highest: 99_999_999},
		Import:          ImportEmpty,
		SimulatePace:    20 * time.Second,
		PaymentDeadline: 10 * time.Minute,
		LogFormat:       LogText,
		CallsPerSecond:  50,
		Limits:          limit.Default(),
		LameDuck:        lameDuck,
		Drain:           15 * time.Second,
	}
}

// NewLogger returns the program's logger according to the settings.
func (c Config) NewLogger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == LogJSON {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
