//go:build release

package app

import (
	"context"

	"servery/internal/acquiring"
)

// withSandbox returns the accounts unchanged: a release has no test bank.
func (*App) withSandbox(_ context.Context, accounts acquiring.Accounts) acquiring.Accounts {
	return accounts
}
