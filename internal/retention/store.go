package retention

import (
	"context"
	"fmt"

	"servery/internal/db"
)

// eachSite calls do with the alias of each site that has customers, orders or carts, including
// sites that content no longer has. It ends at the first error and returns it.
func eachSite(ctx context.Context, d *db.DB, do func(alias string) error) error {
	alias := "" // sorts before all sites
	for {
		next, err := d.Read().NextSite(ctx, alias)
		if err != nil {
			return fmt.Errorf("find sites: %w", err)
		}
		if next == "" {
			return nil
		}
		if err := do(next); err != nil {
			return fmt.Errorf("site %s: %w", next, err)
		}
		alias = next
	}
}
