// Package doctor examines an installation: whether what its settings name is there, answers, and fits
// together. It changes nothing but a row that exists for such probes.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

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
	// Text says what was found or, where IsTrouble, what to set right.
	Text      string
	IsTrouble bool
}

// patient is an installation that is being examined.
type patient struct {
	cfg   config.Config
	clock clock.Clock
	found []Finding
}

// ok records that a part is all right.
func (p *patient) ok(part, format string, args ...any) {
	p.found = append(p.found, Finding{Part: part, Text: fmt.Sprintf(format, args...)})
}

// trouble records what to set right.
func (p *patient) trouble(part, format string, args ...any) {
	p.found = append(p.found, Finding{Part: part, Text: fmt.Sprintf(format, args...), IsTrouble: true})
}

// Examine examines the installation that the settings describe and returns what it found, part by part. It
// calls the providers' servers, without a secret, and the shop at its public address.
func Examine(ctx context.Context, cfg config.Config, c clock.Clock) []Finding {
	p := &patient{cfg: cfg, clock: c}
	sites := p.examineDatabase(ctx)
	p.examineDisk()
	p.examineProviders(ctx, sites)
	p.examineAddresses(ctx)
	if cfg.OperatorToken == "" {
		p.trouble("operator", "SERVERY_OPERATOR_TOKEN is not set: no system of the kitchen can call")
	}
	if cfg.Secret == "" {
		p.ok("secret", "it is kept in the database; with SERVERY_SECRET a copy of the database cannot make codes")
	}
	return p.found
}

// examineDatabase examines the database and its content, and returns the brands; none when they cannot
// be read.
func (p *patient) examineDatabase(ctx context.Context) (sites []*site.Site) {
	name := app.DatabaseName(p.cfg)
	d, err := app.OpenAsItIs(ctx, p.cfg)
	if err != nil {
		p.trouble("database", "%v", err)
		return nil
	}
	defer func() {
		if err := d.Close(); err != nil {
			p.trouble("database", "%v", err)
		}
	}()
	held, err := d.Held(ctx)
	if err == nil {
		err = d.Probe(ctx, p.clock.Now())
	}
	switch {
	case err != nil:
		p.trouble("database", "%s: %v; servery migrate makes its tables", name, err)
		return nil
	case held.IsHeld():
		p.trouble("database", "%s is held: %s; nothing is sent until servery restore -go", name, held.Because)
	default:
		p.ok("database", "%s takes writes", name)
	}
	p.examineClock(ctx, d)
	content, err := catalog.Open(ctx, d, p.clock, slog.New(slog.DiscardHandler), nil)
	if errors.Is(err, catalog.ErrEmpty) {
		p.trouble("content", "there is none: servery import DIR")
		return nil
	}
	if err != nil {
		p.trouble("content", "%v", err)
		return nil
	}
	sites = content.Current().Sites.All()
	p.ok("content", "%s", strings.Join(aliasesOf(sites), ", "))
	return sites
}

// examineClock compares this machine's clock with that of PostgreSQL.
func (p *patient) examineClock(ctx context.Context, d *db.DB) {
	if d.Engine() != db.Postgres {
		return
	}
	var there time.Time
	if err := d.Reader().QueryRowContext(ctx, "SELECT clock_timestamp()").Scan(&there); err != nil {
		p.trouble("clock", "PostgreSQL does not say its time: %v", err)
		return
	}
	p.compareClock("PostgreSQL", there)
}

// compareClock compares this machine's clock with another one.
func (p *patient) compareClock(whose string, there time.Time) {
	drift := p.clock.Now().Sub(there).Round(time.Second)
	if drift.Abs() > maxDrift {
		p.trouble("clock", "this machine is %s from %s: set it by NTP, codes and promises depend on it", drift, whose)
		return
	}
	p.ok("clock", "it agrees with %s", whose)
}

// examineDisk examines how much room an SQLite database has.
func (p *patient) examineDisk() {
	if p.cfg.DatabaseURL != "" {
		return
	}
	free, err := freeSpace(p.cfg.Data)
	switch {
	case err != nil:
		p.trouble("disk", "%v", err)
	case free < minSpace:
		p.trouble("disk", "%d MB are left for %s: leave 1000 at least", free>>20, p.cfg.Data)
	default:
		p.ok("disk", "%d MB are left for %s", free>>20, p.cfg.Data)
	}
}

// examineProviders examines the file of providers: whether it can be read, has what the brands name, and
// whether the servers that it names answer.
func (p *patient) examineProviders(ctx context.Context, sites []*site.Site) {
	book := provider.Book{}
	if p.cfg.Providers == "" {
		p.ok("providers", "there is no file of providers")
	} else {
		var known, addresses []string // known stays nil while the brands are unknown
		if sites != nil {
			known = aliasesOf(sites)
		}
		var err error
		if book, addresses, err = provider.ReadWithAddresses(p.cfg.Providers, known, p.clock); err != nil {
			p.trouble("providers", "%v", err)
			return
		}
		p.ok("providers", "%s can be read", p.cfg.Providers)
		p.reach(ctx, addresses)
	}
	for _, u := range app.FindUnmet(book, sites) {
		p.trouble("providers", "%s", u)
	}
	for _, f := range app.CheckAccounts(sites, book.Accounts(aliasesOf(sites))) {
		if f.Warning {
			p.ok("providers", "%s", f)
		} else {
			p.trouble("providers", "%s", f)
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
