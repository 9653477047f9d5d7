package order_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/order"
	"servery/internal/site"
)

// movers are all actors that move orders.
var movers = []order.Actor{order.Customer, order.Operator, order.Acquirer, order.Deadline}

// For each order type, all of its states can be reached, and exactly the final ones have no
// move.
func TestNext_reachesEachStateAndEndsInFinalOnes(t *testing.T) {
	t.Parallel()
	for _, orderType := range site.OrderTypes() {
		reached := []order.State{order.WaitingForPayment}
		for i := 0; i < len(reached); i++ {
			from, isStuck := reached[i], true
			for _, by := range movers {
				for _, to := range order.Next(from, orderType, by) {
					isStuck = false
					if !slices.Contains(reached, to) {
						reached = append(reached, to)
					}
				}
			}
			if isStuck != from.IsFinal() {
				t.Errorf("%s: %s is final: %v, but nobody moves it on: %v", orderType, from, from.IsFinal(), isStuck)
			}
		}
		for _, s := range order.States() {
			want := s != order.Sent || orderType == site.Delivery
			if got := slices.Contains(reached, s); got != want {
				t.Errorf("%s: %s is reachable: %v, want %v", orderType, s, got, want)
			}
		}
	}
}

// Each step of the path is one that the operator may make.
func TestPath_hasAllowedMovesOnly(t *testing.T) {
	t.Parallel()
	for _, orderType := range site.OrderTypes() {
		path := order.Path(orderType)
		for i := range path[1:] {
			if !order.CanMove(path[i], path[i+1], orderType, order.Operator) {
				t.Errorf("%s: %s -> %s is not the operator's move", orderType, path[i], path[i+1])
			}
		}
	}
}

// The customer can cancel an accepted order, one that is cooked if it will be late, and an unpaid one
// by beginning again. Only a done order can be repeated.
func TestCanMove_letsCustomersCancel(t *testing.T) {
	t.Parallel()
	agreed := time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC)
	for _, s := range order.States() {
		onTime := order.Order{State: s, PromisedTo: agreed}
		late := order.Order{State: s, PromisedTo: agreed.Add(time.Minute), AgreedTo: agreed}
		narrowed := order.Order{State: s, PromisedTo: agreed.Add(-time.Minute), AgreedTo: agreed}
		if onTime.CanCancel() != (s == order.Accepted) || narrowed.CanCancel() != onTime.CanCancel() {
			t.Errorf("%s: may be canceled: %v, and when it is promised earlier: %v", s, onTime.CanCancel(), narrowed.CanCancel())
		}
		if late.CanCancel() != (s == order.Accepted || s == order.Cooking) {
			t.Errorf("%s and late: may be canceled: %v", s, late.CanCancel())
		}
		for _, orderType := range site.OrderTypes() {
			got := order.CanMove(s, order.Canceled, orderType, order.Customer)
			if got != (late.CanCancel() || s == order.WaitingForPayment) {
				t.Errorf("%s %s: the customer may cancel: %v", orderType, s, got)
			}
		}
		if s.CanRepeat() != (s == order.Done) {
			t.Errorf("%s: can be repeated: %v", s, s.CanRepeat())
		}
	}
}

// docs/states.md has a row for each move and no other.
func TestMoves_areThoseOfTheDocumentation(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../docs/states.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, from := range order.States() {
		for _, by := range movers {
			delivery, takeaway := order.Next(from, site.Delivery, by), order.Next(from, site.Takeaway, by)
			for _, to := range order.States() {
				kind := ""
				switch d, t := slices.Contains(delivery, to), slices.Contains(takeaway, to); {
				case d && t:
					kind = "both"
				case d:
					kind = "delivery"
				case t:
					kind = "takeaway"
				default:
					continue
				}
				rows++
				row := fmt.Sprintf("| `%s` | `%s` | %s | %s |", from, to, by, kind)
				if !strings.Contains(string(document), row) {
					t.Errorf("docs/states.md lacks %s", row)
				}
			}
		}
	}
	if got := strings.Count(string(document), "\n| `"); got != rows {
		t.Errorf("docs/states.md has %d moves, the program %d", got, rows)
	}
}
