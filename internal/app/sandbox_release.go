//go:build release

package app

import (
	"context"

	"servery/internal/pay"
)

// withSandbox does nothing: a release has no test bank.
func (*App) withSandbox(_ context.Context, accounts pay.Accounts) pay.Accounts { return accounts }
