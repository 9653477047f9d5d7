// Package doctor examines an installation: whether what its settings name is there, answers, and fits
// together. It changes nothing but a row that exists for such probes.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"servery/internal/access"
	"servery/internal/app"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/provider"
	"servery/internal/site"
)

const (
	// maxDrift is how far this machine's clock may be from others'.
	maxDrift = 5 * time.Second
	// minSpace is how many bytes the disk of an SQLite database should have left.
	minSpace = 1 << 30
)

// Finding is what was found of one part of an installation.
type Finding struct {
	// Part is what was examined, such as "database".
	Part string
	// Text says what was found or, where IsProblem, what to set right.
	Text      string
	IsProblem bool
}

// examination collects the findings of one installation.
type examination struct {
	cfg   config.Config
	clock clock.Clock
	found []Finding
	// hasToken reports whether the database has a token that opens the operator's calls.
	hasToken bool
}

// addOK records that a part is all right.
func (e *examination) addOK(part, format string, args ...any) {
	e.found = append(e.found, Finding{Part: part, Text: fmt.Sprintf(format, args...)})
}

// addProblem records what to set right.
func (e *examination) addProblem(part, format string, args ...any) {
	e.found = append(e.found, Finding{Part: part, Text: fmt.Sprintf(format, args...), IsProblem: true})
}

// Examine examines the installation that the settings describe and returns what it found, part by part. It
// calls the providers' servers, without a secret, and the shop at its own and at its public address.
func Examine(ctx context.Context, cfg config.Config, c clock.Clock) []Finding {
	e := &examination{cfg: cfg, clock: c}
	for _, u := range cfg.Unknown {
		e.addProblem("settings", "%s", u)
	}
	sites := e.examineDatabase(ctx)
	e.examineDisk()
	e.examineProviders(ctx, sites)
	e.examineService(ctx)
	e.examineAddresses(ctx, sites)
	if cfg.OperatorToken == "" && !e.hasToken {
		e.addProblem("operator", "SERVERY_OPERATOR_TOKEN is not set, and servery token add has made no token: no system of the kitchen can call")
	}
	if cfg.Secret == "" {
		e.addOK("secret", "it is kept in the database; with SERVERY_SECRET a copy of the database cannot make codes")
	}
	return e.found
}

// examineDatabase examines the database and its content, and returns the brands; none when they cannot
// be read.
func (e *examination) examineDatabase(ctx context.Context) (sites []*site.Site) {
	name := app.DatabaseName(e.cfg)
	d, err := app.OpenAsItIs(ctx, e.cfg)
	if err != nil {
		e.addProblem("database", "%v", err)
		return nil
	}
	defer func() {
		if err := d.Close(); err != nil {
			e.addProblem("database", "%v", err)
		}
	}()
	held, err := d.Held(ctx)
	if err == nil {
		err = d.Probe(ctx, e.clock.Now())
	}
	switch {
	case err != nil:
		e.addProblem("database", "%s: %v; where tables are missing, servery migrate makes them", name, err)
		return nil
	case held.IsHeld():
		e.addProblem("database", "%s is held: %s; nothing is sent until servery restore -go", name, held.Because)
	default:
		e.addOK("database", "%s takes writes", name)
	}
	e.examineClock(ctx, d)
	e.examineTokens(ctx, d)
	content, err := catalog.Open(ctx, d, e.clock, slog.New(slog.DiscardHandler), nil)
	if errors.Is(err, catalog.ErrEmpty) {
		e.addProblem("content", "there is none: servery import DIR")
		return nil
	}
	if err != nil {
		e.addProblem("content", "%v", err)
		return nil
	}
	sites = content.Current().Sites.All()
	e.addOK("content", "%s", strings.Join(aliasesOf(sites), ", "))
	return sites
}

// examineTokens reads whether a token of the database opens the operator's calls now.
func (e *examination) examineTokens(ctx context.Context, d *db.DB) {
	tokens, err := access.NewTokens(d, e.clock).List(ctx)
	if err != nil {
		e.addProblem("operator", "tokens cannot be read: %v", err)
		return
	}
	now := e.clock.Now()
	e.hasToken = slices.ContainsFunc(tokens, func(t access.Token) bool { return t.IsValid(now) })
}

// examineClock compares this machine's clock with that of PostgreSQL.
func (e *examination) examineClock(ctx context.Context, d *db.DB) {
	if d.Engine() != db.Postgres {
		return
	}
	var there time.Time
	if err := d.Reader().QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&there); err != nil {
		e.addProblem("clock", "PostgreSQL does not say its time: %v", err)
		return
	}
	e.compareClock("PostgreSQL", there)
}

// compareClock records whether this machine's clock agrees with another one, which shows there.
func (e *examination) compareClock(whose string, there time.Time) {
	drift := e.clock.Now().Sub(there).Round(time.Second)
	if drift.Abs() > maxDrift {
		e.addProblem("clock", "this machine is %s from %s: set it by NTP, codes and promises depend on it", drift, whose)
		return
	}
	e.addOK("clock", "it agrees with %s", whose)
}

// examineDisk examines how much room an SQLite database has.
func (e *examination) examineDisk() {
	if e.cfg.DatabaseURL != "" {
		return
	}
	free, err := freeSpace(e.cfg.Data)
	switch {
	case err != nil:
		e.addProblem("disk", "%s (SERVERY_DATA): %v", e.cfg.Data, err)
	case free < minSpace:
		e.addProblem("disk", "%d MB are left for %s: leave 1000 at least", free>>20, e.cfg.Data)
	default:
		e.addOK("disk", "%d MB are left for %s", free>>20, e.cfg.Data)
	}
}

// examineProviders examines the file of providers: whether it can be read, has what the brands name, and
// whether the servers that it names answer.
func (e *examination) examineProviders(ctx context.Context, sites []*site.Site) {
	book := provider.Book{}
	if e.cfg.Providers == "" {
		e.addOK("providers", "there is no file of providers")
	} else {
		var known, addresses []string // a nil known, of unknown brands, lets the file name any brand
		if sites != nil {
			known = aliasesOf(sites)
		}
		var err error
		if book, addresses, err = provider.ReadWithAddresses(e.cfg.Providers, known, e.clock); err != nil {
			e.addProblem("providers", "%v", err)
			return
		}
		e.addOK("providers", "%s can be read", e.cfg.Providers)
		e.callProviders(ctx, addresses)
	}
	for _, u := range app.FindUnmet(book, sites) {
		e.addProblem("providers", "%s", u)
	}
	for _, f := range app.CheckAccounts(sites, book.Accounts(aliasesOf(sites))) {
		if f.Warning {
			e.addOK("providers", "%s", f)
		} else {
			e.addProblem("providers", "%s", f)
		}
	}
}

// aliasesOf returns the aliases of the brands.
func aliasesOf(sites []*site.Site) []string {
	aliases := make([]string, len(sites))
	for i, s := range sites {
		aliases[i] = s.Alias
	}
	return aliases
}
