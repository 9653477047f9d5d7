package app

import (
	"context"

	"servery/internal/limit"
	"servery/internal/login"
	"servery/internal/phone"
	"servery/internal/site"
)

// makeLogin makes the area that signs in by codes, and the hashes that stand for phones and addresses.
// Both use the secret of the settings or, without one, a secret that the first process has stored in the
// database.
func (a *App) makeLogin(ctx context.Context) (err error) {
	secret := []byte(a.cfg.Secret)
	if len(secret) == 0 {
		if secret, err = login.OwnSecret(ctx, a.db, a.clock); err != nil {
			return err
		}
	}
	a.areas.Marks, a.areas.AddressMarks = phone.NewMarks(secret), limit.NewMarks(secret)
	a.areas.Login = login.New(login.Options{
		DB: a.db, Queue: a.queue, Clock: a.clock, Log: a.log, Senders: a.areas.Providers,
		Sessions: a.areas.Sessions, Customers: a.areas.Customers, Secret: secret,
		Site: func(alias string) (*site.Site, bool) { return a.areas.Catalog.Current().Sites.ByAlias(alias) },
	})
	return nil
}
