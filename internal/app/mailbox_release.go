//go:build release

package app

import "context"

// openMailbox does nothing: a release has no mailbox, and no settings that want one.
func (*App) openMailbox(context.Context) {}
