package app

import (
	"context"
	"log/slog"
	"slices"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/provider"
	"servery/internal/site"
	"servery/internal/vk"
)

// openProviders reads the file of providers, if the settings name one, and opens the mailbox if they want
// it. It fails when the file has a brand that the content lacks, and in a release when the content names a
// provider that the file lacks. A held database gets no providers, and starts without those that the content
// names.
func (a *App) openProviders(ctx context.Context) (err error) {
	a.areas.Providers, a.areas.VK = provider.Book{}, vk.NewAccounts(a.db, a.clock)
	sites := a.areas.Catalog.Current().Sites.All()
	if a.cfg.Providers != "" {
		if a.areas.Providers, err = readProviders(a.cfg, sites, a.clock); err != nil {
			return err
		}
	}
	if a.cfg.Mailbox {
		a.openMailbox(ctx)
	}
	if err = a.checkUnmet(ctx, sites, config.Release); err == nil && a.held.IsHeld() {
		a.areas.Providers = provider.Book{} // nothing of a copy is sent
	}
	return err
}

// checkUnmet returns an error in a release when content names something without a configured
// provider, unless the database is held. Otherwise it logs it, and customers are not offered it. In a
// development build without a file of providers it does not log ways to sign in, because the mailbox
// delivers the codes.
func (a *App) checkUnmet(ctx context.Context, sites []*site.Site, isRelease bool) error {
	unmet := FindUnmet(a.areas.Providers, sites)
	if isRelease && len(unmet) > 0 && !a.held.IsHeld() {
		return &provider.Unconfigured{All: unmet}
	}
	if !isRelease && a.cfg.Providers == "" {
		unmet = slices.DeleteFunc(unmet, provider.Unmet.IsSignIn)
	}
	logUnmet(ctx, a.log, unmet)
	return nil
}

// logUnmet logs a warning for each name without a provider.
func logUnmet(ctx context.Context, log *slog.Logger, unmet []provider.Unmet) {
	for _, u := range unmet {
		log.WarnContext(ctx, "provider not configured", "site", u.Site, "field", u.Field, "names", u.Names, "remedy", u.Remedy)
	}
}

// FindUnmet returns the names in the content of the brands for which the book has no provider. In a
// development build the test bank needs none.
func FindUnmet(book provider.Book, sites []*site.Site) []provider.Unmet {
	const hasSandbox = !config.Release
	var all []provider.Unmet
	for _, s := range sites {
		all = append(all, book.FindUnmet(s, hasSandbox)...)
	}
	return all
}

// readProviders reads the file of providers, whose brands must be among the sites.
func readProviders(cfg config.Config, sites []*site.Site, c clock.Clock) (provider.Book, error) {
	known := []string{}
	for _, s := range sites {
		known = append(known, s.Alias)
	}
	return provider.Read(cfg.Providers, known, c)
}

// newProviderCheck returns a check for an import or a rollback. In a release it returns an error when content
// names a provider that is not configured, because the next start would fail. Without a file of
// providers in the settings it cannot check anything, and only logs that.
func newProviderCheck(ctx context.Context, cfg config.Config, log *slog.Logger, c clock.Clock) func(*catalog.Document) error {
	return func(d *catalog.Document) error {
		var sites []*site.Site
		for _, b := range d.Brands {
			sites = append(sites, b.Site)
		}
		if cfg.Providers == "" {
			if unmet := FindUnmet(provider.Book{}, sites); config.Release && len(unmet) > 0 {
				log.WarnContext(ctx, "content names providers, and SERVERY_PROVIDERS is not set here: not checked", "names", len(unmet))
			}
			return nil
		}
		book, err := readProviders(cfg, sites, c)
		if err != nil {
			return err
		}
		unmet := FindUnmet(book, sites)
		if config.Release && len(unmet) > 0 {
			return &provider.Unconfigured{All: unmet}
		}
		logUnmet(ctx, log, unmet)
		return nil
	}
}
