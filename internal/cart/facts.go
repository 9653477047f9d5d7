package cart

import (
	"time"

	"servery/internal/money"
)

// Facts are what a price depends on besides cart and content: what is on record about the customer,
// and how much of limited stock is used. The zero value is a guest without orders while nothing is
// used up.
type Facts struct {
	// CustomerID is 0 for a guest.
	CustomerID int64
	// HasOrdered says that the customer or the phone has ordered from the brand before.
	HasOrdered bool
	// Balance is the number of bonuses that the customer has.
	Balance money.Amount
	// Presents are the customer's own, oldest first.
	Presents []Present
	// GiftsUsed is how many of a gift are used or held by all customers, by gift id.
	GiftsUsed map[int64]int
	// PromocodeUsed is how often the cart's code is used or held by all customers,
	// PromocodeUsedByPhone how often by the customer's phone.
	PromocodeUsed, PromocodeUsedByPhone int
}

// Present is a gift that belongs to one customer.
type Present struct {
	ID, GiftID int64
	// MaxCount is how many there are, Used how many of them are used or held.
	MaxCount, Used int
	// ExpiresAt is zero when it never does.
	ExpiresAt time.Time
}
