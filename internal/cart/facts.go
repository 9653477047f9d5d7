package cart

import (
	"time"

	"servery/internal/money"
)

// Facts are what a price depends on besides cart and content: what is known of the
// customer and what is left of scarce things. The zero value is a guest of whom nothing
// is known, while nothing is used up.
type Facts struct {
	// CustomerID is 0 for a guest.
	CustomerID int64
	// HasOrdered says that the customer or the phone has ordered from the brand before.
	HasOrdered bool
	// Balance is what a customer has in bonuses.
	Balance money.Amount
	// Presents are the customer's own, in the order in which they were given.
	Presents []Present
	// GiftsUsed is how many of a gift are used or held over all customers, by gift id.
	GiftsUsed map[int64]int
	// PromocodeUsed is how often the cart's code is used or held over all customers,
	// PromocodeUsedByPhone by the phone that is known.
	PromocodeUsed, PromocodeUsedByPhone int
}

// Present is a gift that one customer was given.
type Present struct {
	ID, GiftID int64
	// MaxCount is how many there are, Used how many of them are used or held.
	MaxCount, Used int
	// ExpiresAt is zero when it never does.
	ExpiresAt time.Time
}
