package orders_test

import (
	"testing"

	"servery/internal/db"
	"servery/internal/order/ordertest"
)

// house is a brand with its services, and with helpers that only the tests of orders need.
type house struct{ *ordertest.Restaurant }

// newHouse returns a house on the database, without offers and bonuses.
func newHouse(t testing.TB, d *db.DB) *house {
	t.Helper()
	return &house{ordertest.New(t, d)}
}

// newShop returns a house on the database with offers and a bonus programme.
func newShop(t testing.TB, d *db.DB) *house {
	t.Helper()
	return &house{ordertest.NewWithOffers(t, d)}
}
