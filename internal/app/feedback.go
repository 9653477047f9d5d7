package app

import (
	"servery/internal/feedback"
	"servery/internal/geo"
	"servery/internal/server/request"
	"servery/internal/site"
)

// openFeedback makes the area of what visitors send. It fails for a public address that cannot be read.
func (a *App) openFeedback() error {
	addresses, err := request.NewSiteAddresses(a.cfg.PublicURL)
	if err != nil {
		return err
	}
	a.areas.Feedback = feedback.New(feedback.Options{
		DB: a.db, Queue: a.queue, Clock: a.clock, Log: a.log, Forwarders: a.areas.Providers, Senders: a.areas.Providers, Limits: a.cfg.Limits,
		Site:     func(alias string) (*site.Site, bool) { return a.areas.Catalog.Current().Sites.ByAlias(alias) },
		Coverage: a.coverage, Address: addresses.Canonical,
	})
	return nil
}

// coverage returns what is delivered to by the content in use.
func (a *App) coverage() feedback.Coverage {
	snapshot := a.areas.Catalog.Current()
	return feedback.Coverage{Revision: snapshot.Revision, Covers: func(alias string, cityID int64, at geo.Point) bool {
		brand, ok := snapshot.Sites.ByAlias(alias)
		if !ok {
			return false
		}
		city, ok := brand.City(cityID)
		if !ok || city.Stopped || !city.Delivery {
			return false
		}
		_, ok = snapshot.Atlas(brand).FindZone(cityID, at)
		return ok
	}}
}
