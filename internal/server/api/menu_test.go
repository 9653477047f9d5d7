package api

import (
	"strconv"
	"strings"
	"testing"

	"servery/internal/cart"
)

// Calls of menus cannot fill the memory: it takes only so many, and no long ones.
func TestKnownCalls_areBounded(t *testing.T) {
	t.Parallel()
	var known knownCalls
	long := knownCall{method: "POST", body: strings.Repeat(" ", maxKnownLength+1)}
	known.remember(long, cart.PlaceRequest{CityID: 1})
	if _, ok := known.find(long); ok {
		t.Errorf("a body of %d bytes is remembered", len(long.body))
	}
	for n := range maxKnownCalls + 1 {
		known.remember(knownCall{"GET", strconv.Itoa(n), ""}, cart.PlaceRequest{CityID: int64(n)})
	}
	if p, ok := known.find(knownCall{"GET", "7", ""}); !ok || p.CityID != 7 {
		t.Errorf("the place of a known call is %+v, %v", p, ok)
	}
	if _, ok := known.find(knownCall{"GET", strconv.Itoa(maxKnownCalls), ""}); ok {
		t.Errorf("more than %d calls are remembered", maxKnownCalls)
	}
}
