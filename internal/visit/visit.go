// Package visit describes one request of a customer to the areas: which brand it is for, from which
// content it is answered, and whose session it belongs to.
package visit

import (
	"context"
	"time"

	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/limit"
	"servery/internal/phone"
	"servery/internal/site"
)

// Context is what the areas know about a request. It keeps one snapshot of the content from
// beginning to end, so that all parts of an answer agree. It is a value and safe to copy.
type Context struct {
	Snapshot *catalog.Snapshot
	Site     *site.Site
	// SessionID is 0 for a visitor without a session: the cart is empty and nothing is saved.
	SessionID int64
	// BeginSession begins the session of a visitor who has none, in the transaction of the first write that
	// needs one, and returns its id; nil for calls that begin none. It may be called again when that
	// transaction is repeated.
	BeginSession func(ctx context.Context, tx *db.Tx) (sessionID int64, err error)
	// CustomerID is 0 for a guest, whose CustomerPhone is empty.
	CustomerID    int64
	CustomerPhone string
	// Caller is what limits are counted by.
	Caller limit.Caller
	// Marks stand for phones in what each phone gets once.
	Marks phone.Marks
	Lang  lang.Lang
	Now   time.Time
	// IdempotencyKey, where it is not empty, makes a change happen once however often the
	// request is repeated.
	IdempotencyKey string
}

// City returns the brand's city with the id. It returns cart.unknown_city (NotFound) when there
// is none.
func (c Context) City(id int64) (*site.City, error) {
	if city, ok := c.Site.City(id); ok {
		return city, nil
	}
	return nil, fault.New(fault.NotFound, "cart.unknown_city")
}

// MarkPhone returns the hash that stands for a phone at the brand, empty for an empty phone.
func (c Context) MarkPhone(number string) string { return c.Marks.Of(c.Site.Alias, number) }
