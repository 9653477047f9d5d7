package order

import (
	"time"

	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/site"
)

// Request is what a customer sends to place an order.
type Request struct {
	CityID      int64          `json:"city_id"`
	OrderType   site.OrderType `json:"order_type"`
	ShopID      int64          `json:"shop_id"`
	CacheKey    string         `json:"cache_key"`
	Phone       string         `json:"phone"`
	Username    string         `json:"username"`
	Email       string         `json:"email"`
	PaymentType string         `json:"payment_type"`
	// Cash is what the customer pays with; nil or 0 when no change is needed.
	Cash       *money.Amount `json:"cash"`
	Comment    string        `json:"comment"`
	IntervalID string        `json:"interval_id"`
	// Address names one of the visitor's addresses and completes it; nil for takeaway.
	Address *AddressInput `json:"address"`
	// Allergens are the aliases of what the customer does not eat.
	Allergens []string `json:"allergens,omitempty"`
	// Consents are the aliases of the city's consents that the customer agrees to.
	Consents []string `json:"consents,omitempty"`
	// SeenTotal is the total of the cart that the customer agreed to, Fingerprint its fingerprint.
	// Without a fingerprint only the total is compared.
	SeenTotal   money.Amount `json:"seen_total"`
	Fingerprint string       `json:"fingerprint,omitempty"`
	// SeenEnd is the end of the interval that the customer agreed to; nil when the request
	// says nothing of it.
	SeenEnd *time.Time `json:"seen_end,omitempty"`
}

// AddressInput is one of the visitor's addresses with details for the courier. A detail that is nil
// stays as stored; an empty one is removed.
type AddressInput struct {
	ID int64 `json:"id"`
	geo.Details
}
