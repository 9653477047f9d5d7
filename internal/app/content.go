package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/config"
	contents "servery/internal/content"
	"servery/internal/db"
	"servery/internal/live"
)

// source is content that can be imported.
type source struct {
	name  string
	files fs.FS
}

// OpenFolder opens a content folder, which must exist, and returns its files and its absolute path.
// Revisions list the path as their source.
func OpenFolder(name string) (files fs.FS, path string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, "", fmt.Errorf("cannot read the content folder: %w", err)
	}
	if !info.IsDir() {
		return nil, "", fmt.Errorf("cannot read the content folder: %s is not a folder", name)
	}
	if path, err = filepath.Abs(name); err != nil {
		return nil, "", fmt.Errorf("cannot read the content folder: %w", err)
	}
	return os.DirFS(name), path, nil
}

// ImportFolder imports a content folder, or the brands of it that the settings choose, as a new revision, unless the
// newest revision is the same. After an import it logs the prices and alerts that stay set over the content,
// and warns of open orders of shops that the content lacks.
func ImportFolder(ctx context.Context, cfg config.Config, d *db.DB, name string, log *slog.Logger, c clock.Clock) (contents.Result, error) {
	files, path, err := OpenFolder(name)
	if err != nil {
		return contents.Result{}, err
	}
	if files, err = chooseSites(cfg, files); err != nil {
		return contents.Result{}, err
	}
	result, err := contents.Import(ctx, d, files, contents.Options{
		Source: path, Now: c.Now(), Check: newProviderCheck(ctx, cfg, log, c), Progress: logProgress(ctx, log),
	})
	if err != nil {
		return result, fmt.Errorf("content of %s: %w", name, err)
	}
	if result.New {
		err = logOutlasting(ctx, d, log, c)
	}
	return result, err
}

// RollBack makes the content of a stored revision the newest revision, as [contents.Rollback] does. It refuses
// content that an import would refuse because of the providers, and logs what [ImportFolder] logs.
func RollBack(ctx context.Context, cfg config.Config, d *db.DB, id int64, log *slog.Logger, c clock.Clock) (newest contents.Revision, changed bool, err error) {
	newest, changed, err = contents.Rollback(ctx, d, id, c.Now(), newProviderCheck(ctx, cfg, log, c))
	if err == nil && changed {
		err = logOutlasting(ctx, d, log, c)
	}
	return newest, changed, err
}

// logOutlasting logs what a change of content leaves as it was: prices, alerts, and open orders of shops that the
// content lacks.
func logOutlasting(ctx context.Context, d *db.DB, log *slog.Logger, c clock.Clock) error {
	return errors.Join(logLive(ctx, d, c.Now(), log), warnOfOrders(ctx, d, log, c))
}

// logLive logs each price and alert that is set over the content: an import leaves them in force.
func logLive(ctx context.Context, d *db.DB, now time.Time, log *slog.Logger) error {
	states, err := live.Read(ctx, d.Read(), now)
	if err != nil {
		return err
	}
	for _, alias := range slices.Sorted(maps.Keys(states)) {
		for _, p := range states[alias].Prices {
			log.InfoContext(ctx, "price set over the content stays", "site", alias, "product", p.Product, "price", p.Price.String(),
				"shop_id", p.ShopID, "price_list", p.PriceList, "order_type", p.OrderType, "actor", p.Actor)
		}
		for _, a := range states[alias].Alerts {
			log.InfoContext(ctx, "alert set over the content stays", "site", alias, "city_id", a.CityID, "shop_id", a.ShopID, "actor", a.Actor)
		}
	}
	return nil
}

// longestOpen is for how long orders are open at most: they are placed for 31 days ahead.
const longestOpen = 60 * 24 * time.Hour

// warnOfOrders warns of the open orders of each shop that the newest content lacks.
func warnOfOrders(ctx context.Context, d *db.DB, log *slog.Logger, c clock.Clock) error {
	listed, err := d.Read().ListOpenOrderShops(ctx, c.Now().Add(-longestOpen))
	if err != nil {
		return fmt.Errorf("list shops of open orders: %w", err)
	}
	type shop struct {
		site string
		id   int64
	}
	counts := map[shop]int{}
	for _, of := range listed {
		counts[shop{of.Site, of.ShopID}]++
	}
	content, err := catalog.Open(ctx, d, c, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		return err
	}
	for of, count := range counts {
		if _, err := content.Current().FindBrand(of.site, of.id); err != nil {
			log.WarnContext(ctx, "content lacks the shop of open orders: finish them, or give the shop its id back",
				"site", of.site, "shop_id", of.id, "open_orders", count)
		}
	}
	return nil
}

// logProgress returns a function that logs how many pictures are packed, about ten times in all.
func logProgress(ctx context.Context, log *slog.Logger) func(done, of int) {
	return func(done, of int) {
		if done*10/of > (done-1)*10/of { // another tenth is done
			log.InfoContext(ctx, "pictures packed", "done", done, "of", of)
		}
	}
}

// prepareContent fills an empty database. Content that is in use stays as it is, unless the
// settings want the content folder at each start: a process that is started with an older folder,
// or with none, must not change the menu of all others.
func (a *App) prepareContent(ctx context.Context) error {
	newest, err := contents.Newest(ctx, a.db)
	if err != nil {
		return err
	}
	if newest.ID == 0 {
		return a.fillDatabase(ctx)
	}
	return a.leaveOrImport(ctx, newest)
}

// fillDatabase imports the content folder, else the demo, into the empty database.
func (a *App) fillDatabase(ctx context.Context) error {
	from, ok, err := a.openSource()
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%s has no content yet: import a folder with the same settings (servery import DIR), or name one in SERVERY_CONTENT", DatabaseName(a.cfg))
	}
	imported, err := a.importSource(ctx, from, onlyIfEmpty)
	if err != nil || imported {
		return err
	}
	newest, err := contents.Newest(ctx, a.db) // another process has filled it first
	if err != nil {
		return err
	}
	return a.leaveOrImport(ctx, newest)
}

// leaveOrImport imports the content of the settings when they want it at each start. Else it leaves the
// revision in use as it is, and logs when the content of the settings differs. The demo never replaces
// other content.
func (a *App) leaveOrImport(ctx context.Context, newest contents.Revision) error {
	wanted := a.cfg.Import == config.ImportStart
	from, ok, err := a.openSource()
	switch {
	case err != nil && wanted:
		return err
	case err != nil:
		a.warnOfUnreadable(ctx, a.cfg.Content, err, newest)
	case !ok: // the settings name no content
	case a.cfg.Content == "" && !isDemo(newest.Source, newest.Hash): // from is the demo, the revision is not
		if wanted {
			a.log.WarnContext(ctx, "demo not imported: the revision in use is other content", "revision", newest.ID, "revision_from", newest.Source)
		}
	case wanted:
		_, err = a.importSource(ctx, from, overOther)
		return err
	default:
		a.warnOfDifference(ctx, from, newest)
	}
	return nil
}

// The values of onlyEmpty in importSource: whether an import leaves a revision that is in use.
const (
	onlyIfEmpty = true
	overOther   = false
)

// importSource imports content and reports whether it made a new revision. With onlyEmpty it imports
// into an empty database only. It logs the warnings of the content.
func (a *App) importSource(ctx context.Context, from source, onlyEmpty bool) (bool, error) {
	start := a.clock.Now()
	result, err := contents.Import(ctx, a.db, from.files, contents.Options{
		Source: from.name, OnlyEmpty: onlyEmpty, Now: start,
		Check: newProviderCheck(ctx, a.cfg, a.log, a.clock), Progress: logProgress(ctx, a.log),
	})
	if err != nil {
		return false, fmt.Errorf("content of %s: %w", from.name, err)
	}
	for _, w := range result.Warnings {
		a.log.WarnContext(ctx, "content warning", "at", w.Place(), "message", w.Message)
	}
	if result.New {
		a.log.InfoContext(ctx, "content imported", "from", from.name, "revision", result.RevisionID, "took", a.clock.Now().Sub(start))
		return true, logOutlasting(ctx, a.db, a.log, a.clock)
	}
	return false, nil
}

// warnOfDifference logs when the content of the settings differs from the revision in use.
func (a *App) warnOfDifference(ctx context.Context, from source, newest contents.Revision) {
	hash, err := contents.Hash(from.files)
	switch {
	case err != nil:
		a.warnOfUnreadable(ctx, from.name, err, newest)
	case hash != newest.Hash:
		a.log.WarnContext(ctx, "content folder differs from the revision in use and was not imported: use servery import, or SERVERY_IMPORT=start",
			"folder", from.name, "revision", newest.ID, "revision_from", newest.Source)
	}
}

// warnOfUnreadable logs that the content folder of the settings cannot be read, and which revision is served in its
// place.
func (a *App) warnOfUnreadable(ctx context.Context, folder string, err error, newest contents.Revision) {
	a.log.WarnContext(ctx, "content folder cannot be read: the content of the database is served",
		"folder", folder, "error", err, "revision", newest.ID, "revision_from", newest.Source)
}

// openSource returns the content folder of the settings, else the demo, of both the brands that the settings choose; ok
// is false when there is neither.
func (a *App) openSource() (from source, ok bool, err error) {
	if a.cfg.Content != "" {
		from.files, from.name, err = OpenFolder(a.cfg.Content)
		ok = err == nil
	} else {
		from, ok, err = demo()
	}
	if ok {
		from.files, err = chooseSites(a.cfg, from.files)
	}
	return from, ok && err == nil, err
}

// chooseSites returns the content of the brands that the settings choose, all of it when they choose none.
func chooseSites(cfg config.Config, files fs.FS) (fs.FS, error) {
	files, err := contents.Choose(files, cfg.Sites)
	if err != nil {
		return nil, fmt.Errorf("SERVERY_SITES: %w", err)
	}
	return files, nil
}
