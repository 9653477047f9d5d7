//go:build !release

package app

import (
	"context"
	"net/http"

	"servery/internal/acquiring"
	"servery/internal/acquiring/sandbox"
)

// withSandbox returns the accounts of all brands, with accounts of the test bank added to each. An account
// of the same name in the settings stays. It also serves the bank's pages below /dev/, beside the mailbox,
// and sets the bank's work for run.
func (a *App) withSandbox(ctx context.Context, accounts acquiring.Accounts) acquiring.Accounts {
	bank := sandbox.New(sandbox.Options{DB: a.db, Clock: a.clock, Log: a.log, Address: LocalAddress(a.Addr().String())})
	filled := acquiring.Accounts{}
	for _, s := range a.areas.Catalog.Current().Sites.All() {
		own := map[string]acquiring.Acquirer{sandbox.Name: bank.Acquirer(s.Alias), sandbox.NameVerifying: bank.VerifyingAcquirer(s.Alias)}
		for name, acquirer := range accounts[s.Alias] {
			own[name] = acquirer
		}
		filled[s.Alias] = own
	}
	mux := http.NewServeMux()
	mux.Handle(sandbox.Root, bank.PagesHandler())
	if a.development != nil {
		mux.Handle("/dev/", a.development)
	}
	a.development, a.developmentOpen, a.sandbox = mux, sandbox.OpenPatterns(), bank.Run
	a.log.WarnContext(ctx, "the test bank takes payments where content names it: no money is moved, see "+sandbox.Root)
	return filled
}
