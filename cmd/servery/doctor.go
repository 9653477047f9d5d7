package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/doctor"
	"servery/internal/provider"
)

// examineInstallation examines the installation of the settings and prints each finding. It returns errPrinted when
// a finding is a problem.
func examineInstallation(ctx context.Context, cfg config.Config, out io.Writer) error {
	return printFindings(doctor.Examine(ctx, cfg, clock.System{}), out)
}

// tryProviders makes one real call to each of a brand's providers of one kind, and prints the answers.
// args are the kind and, for codes, a phone. brand may be empty when the file has only one brand.
func tryProviders(ctx context.Context, cfg config.Config, brand string, args []string, out, errs io.Writer) error {
	if len(args) == 0 || len(args) > 2 {
		return errors.New("try takes sms or call with your phone, payment, captcha, feedback, changes or geocoder, after the settings")
	}
	if cfg.Providers == "" {
		return errors.New("SERVERY_PROVIDERS names no file of providers")
	}
	book, err := provider.Read(cfg.Providers, nil, clock.System{})
	if err != nil {
		return printFaultsOf(err, errs)
	}
	if brand == "" {
		if len(book) == 0 {
			return fmt.Errorf("%s names no provider yet", cfg.Providers)
		}
		if len(book) != 1 {
			return fmt.Errorf("-site says which brand's: %s", strings.Join(slices.Sorted(maps.Keys(book)), ", "))
		}
		for brand = range book { // the only one
		}
	}
	phone := ""
	if len(args) == 2 {
		phone = args[1]
	}
	found, err := doctor.Try(ctx, book.Site(brand), args[0], phone, clock.System{}.Now())
	if err != nil {
		return err
	}
	return printFindings(found, out)
}

// printFindings prints findings, a line each, and returns errPrinted when one is a problem.
func printFindings(found []doctor.Finding, out io.Writer) error {
	var err error
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range found {
		state := "ok"
		if f.IsProblem {
			state, err = "SET RIGHT", errPrinted
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", state, f.Part, strings.ReplaceAll(f.Text, "\n", "; ")) //nolint:errcheck // Flush returns the error
	}
	return errors.Join(t.Flush(), err)
}
