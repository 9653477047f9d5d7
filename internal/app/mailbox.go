//go:build !release

package app

import (
	"context"

	"servery/internal/notify/mailbox"
	"servery/internal/server"
)

// openMailbox makes the mailbox deliver the codes that no provider delivers, and serves its pages
// below /dev/.
func (a *App) openMailbox(ctx context.Context) {
	m := mailbox.New(a.clock, a.log)
	a.areas.Providers = a.areas.Providers.WithMailbox(m)
	a.development = server.MailboxPages(m)
	a.log.WarnContext(ctx, "codes are not sent where no provider is named: everybody sees them at /dev/mailbox")
}
