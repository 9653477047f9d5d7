package order_test

import (
	"testing"

	"servery/internal/db"
	"servery/internal/order/ordertest"
)

// house is a kitchen with what only the tests of orders do in it.
type house struct{ *ordertest.House }

func newHouse(t testing.TB, d *db.DB) *house {
	t.Helper()
	return &house{ordertest.New(t, d)}
}

func newShop(t testing.TB, d *db.DB) *house {
	t.Helper()
	return &house{ordertest.NewShop(t, d)}
}
