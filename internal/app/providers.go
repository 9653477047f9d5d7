package app

import (
	"context"

	"servery/internal/provider"
	"servery/internal/vk"
)

// providers reads who sends codes, checks captchas and signs in. Every brand of the file
// must be one of the content.
func (a *App) providers(ctx context.Context) (err error) {
	a.areas.Providers, a.areas.VK = provider.Book{}, vk.NewAccounts(a.db, a.clock)
	if a.cfg.Providers != "" {
		var known []string
		for _, s := range a.areas.Catalog.Current().Sites.All() {
			known = append(known, s.Alias)
		}
		if a.areas.Providers, err = provider.Read(a.cfg.Providers, known, a.clock); err != nil {
			return err //nolint:wrapcheck // it names the file and each line
		}
	}
	if a.cfg.Mailbox {
		a.openMailbox(ctx)
	}
	return nil
}
