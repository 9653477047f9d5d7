package main

import (
	"errors"
	"fmt"
	"io"

	"servery/internal/acquiring"
	"servery/internal/app"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/content"
	"servery/internal/provider"
	"servery/internal/site"
)

// checkFolder prints all faults and warnings of a content folder, and of the file of providers for it; with
// missing also the texts that are not translated. It returns errPrinted when there is a fault.
func checkFolder(cfg config.Config, args []string, missing bool, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("check takes one content folder")
	}
	folder, _, err := app.OpenFolder(args[0])
	if err != nil {
		return err
	}
	if _, err := content.Choose(folder, cfg.Sites); err != nil {
		return fmt.Errorf("SERVERY_SITES: %w", err)
	}
	read, found := content.Read(folder)
	if err := printFaults(found, out); err != nil {
		return err
	}
	if read == nil {
		return errPrinted
	}
	if err := printFaults(read.Ended(clock.System{}.Now()), out); err != nil {
		return err
	}
	if missing {
		if err := printFaults(read.Untranslated(), out); err != nil {
			return err
		}
	}
	if err := checkProvidersOf(cfg, read.Document, out); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s, no faults\n", args[0], content.Count(read.Document))
	return err
}

// checkProviders returns the faults of the file of providers by itself; nil when the settings name no file.
func checkProviders(cfg config.Config) error {
	if cfg.Providers == "" {
		return nil
	}
	_, err := provider.Read(cfg.Providers, nil, clock.System{})
	return err
}

// checkProvidersOf checks the file of providers, if there is one, against the brands of the content. It prints the
// faults and returns errPrinted when there are any. A provider that the content requires and the file lacks is a
// warning; in a release it is a fault.
func checkProvidersOf(cfg config.Config, d *catalog.Document, out io.Writer) error {
	if cfg.Providers == "" {
		return nil
	}
	known, sites := []string{}, []*site.Site{}
	for _, b := range d.Brands {
		known, sites = append(known, b.Site.Alias), append(sites, b.Site)
	}
	book, err := provider.Read(cfg.Providers, known, clock.System{})
	if err != nil {
		return printFaultsOf(err, out)
	}
	if err := checkAccounts(cfg, book.Accounts(known), sites, out); err != nil {
		return err
	}
	unmet := app.FindUnmet(book, sites)
	if config.Release && len(unmet) > 0 {
		return printFaultsOf(&provider.Unconfigured{All: unmet}, out)
	}
	for _, u := range unmet {
		if _, err := fmt.Fprintf(out, "%s: warning: %s\n", cfg.Providers, u); err != nil {
			return err
		}
	}
	return nil
}

// checkAccounts prints what the content requires and the acquirers' accounts do not support. It returns errPrinted
// when a line is more than a warning.
func checkAccounts(cfg config.Config, accounts acquiring.Accounts, sites []*site.Site, out io.Writer) error {
	isSound := true
	for _, f := range app.CheckAccounts(sites, accounts) {
		if _, err := fmt.Fprintf(out, "%s: %s\n", cfg.Providers, f); err != nil {
			return err
		}
		isSound = isSound && f.Warning
	}
	if !isSound {
		return errPrinted
	}
	return nil
}
