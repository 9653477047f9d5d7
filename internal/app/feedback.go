package app

import (
	"servery/internal/feedback"
	"servery/internal/geo"
	"servery/internal/server/request"
	"servery/internal/site"
)

// findSite returns a brand of the content in use; false when there is none.
func (a *App) findSite(alias string) (*site.Site, bool) {
	return a.areas.Catalog.Current().Sites.ByAlias(alias)
}

// openFeedback makes the area of the forms and requests for delivery that visitors send.
func (a *App) openFeedback(addresses request.SiteAddresses) {
	a.areas.Feedback = feedback.New(feedback.Options{
		DB: a.db, Queue: a.queue, Clock: a.clock, Log: a.log, Forwarders: a.areas.Providers, Senders: a.areas.Providers, Limits: a.cfg.Limits,
		Site: a.findSite, Coverage: a.coverage, Address: addresses.Canonical,
	})
}

// coverage returns the check whether customers can order a delivery to a point, by the content in use.
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
