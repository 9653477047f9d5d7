package acquiring_test

import (
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/money"
)

// A refund is found in a list by its id, or by its sum where the list has no ids and the acquirer has
// returned just that sum more than our books say. What else may be the refund leaves it unclear.
func TestRefund_FindIn(t *testing.T) {
	t.Parallel()
	const sum money.Amount = 1000
	listed := func(ref string, id acquiring.ID, state acquiring.RefundState, amount money.Amount) acquiring.ListedRefund {
		return acquiring.ListedRefund{
			Refunded: acquiring.Refunded{State: state, Ref: ref}, ID: id, Sum: acquiring.Sum{Amount: amount, Currency: rub},
		}
	}
	dollars := listed("a", "", acquiring.RefundDone, sum)
	dollars.Sum.Currency = money.Currency{Code: "USD", Decimals: 2}
	const ours, other, noID = acquiring.ID("part"), acquiring.ID("other"), acquiring.ID("")
	for name, c := range map[string]struct {
		before  money.Amount
		earlier []string
		list    []acquiring.ListedRefund
		want    acquiring.ListResult
		state   acquiring.RefundState
		ref     string
	}{
		"an empty list":           {want: acquiring.ListNotFound},
		"its id":                  {list: []acquiring.ListedRefund{listed("a", ours, acquiring.RefundDone, sum)}, want: acquiring.ListFound, state: acquiring.RefundDone, ref: "a"},
		"its id, pending":         {list: []acquiring.ListedRefund{listed("a", ours, acquiring.RefundPending, sum)}, want: acquiring.ListFound, state: acquiring.RefundPending, ref: "a"},
		"its id, failed":          {list: []acquiring.ListedRefund{listed("a", ours, acquiring.RefundFailed, sum)}, want: acquiring.ListFound, state: acquiring.RefundFailed, ref: "a"},
		"its id, another sum":     {list: []acquiring.ListedRefund{listed("a", ours, acquiring.RefundDone, sum-1)}, want: acquiring.ListUnclear},
		"its id, made twice":      {list: []acquiring.ListedRefund{listed("b", ours, acquiring.RefundFailed, sum), listed("a", ours, acquiring.RefundDone, sum)}, want: acquiring.ListFound, state: acquiring.RefundDone, ref: "a"},
		"another id":              {before: sum, list: []acquiring.ListedRefund{listed("a", other, acquiring.RefundDone, sum)}, want: acquiring.ListNotFound},
		"another id, not counted": {list: []acquiring.ListedRefund{listed("a", other, acquiring.RefundDone, sum)}, want: acquiring.ListUnclear},
		"its sum":                 {list: []acquiring.ListedRefund{listed("a", noID, acquiring.RefundDone, sum)}, want: acquiring.ListFound, state: acquiring.RefundDone, ref: "a"},
		"its sum, failed":         {list: []acquiring.ListedRefund{listed("a", noID, acquiring.RefundFailed, sum)}, want: acquiring.ListFound, state: acquiring.RefundFailed, ref: "a"},
		"its sum, failed before":  {earlier: []string{"a"}, list: []acquiring.ListedRefund{listed("a", noID, acquiring.RefundFailed, sum)}, want: acquiring.ListNotFound},
		"the sum of an earlier": {
			before: sum, earlier: []string{"a"}, list: []acquiring.ListedRefund{listed("a", noID, acquiring.RefundDone, sum)}, want: acquiring.ListNotFound,
		},
		"its sum beside an earlier": {
			before: sum, earlier: []string{"a"}, want: acquiring.ListFound, state: acquiring.RefundPending, ref: "b",
			list: []acquiring.ListedRefund{listed("b", noID, acquiring.RefundPending, sum), listed("a", noID, acquiring.RefundDone, sum)},
		},
		"its sum twice, one unknown to the books": {
			before: sum, want: acquiring.ListFound, state: acquiring.RefundPending, ref: "b",
			list: []acquiring.ListedRefund{listed("a", noID, acquiring.RefundDone, sum), listed("b", noID, acquiring.RefundPending, sum)},
		},
		"its sum twice": {
			list: []acquiring.ListedRefund{listed("b", noID, acquiring.RefundDone, sum), listed("a", noID, acquiring.RefundDone, sum)}, want: acquiring.ListUnclear,
		},
		"its sum, although the books say more": {
			before: 3 * sum, list: []acquiring.ListedRefund{listed("a", noID, acquiring.RefundDone, sum)}, want: acquiring.ListUnclear,
		},
		"less than its sum":   {list: []acquiring.ListedRefund{listed("a", noID, acquiring.RefundDone, sum-1)}, want: acquiring.ListNotFound},
		"more than its sum":   {list: []acquiring.ListedRefund{listed("a", noID, acquiring.RefundDone, sum+1)}, want: acquiring.ListUnclear},
		"its sum in pieces":   {list: []acquiring.ListedRefund{listed("b", noID, acquiring.RefundDone, sum/2), listed("a", noID, acquiring.RefundDone, sum/2)}, want: acquiring.ListUnclear},
		"in another currency": {list: []acquiring.ListedRefund{dollars}, want: acquiring.ListUnclear},
	} {
		r := acquiring.Refund{ID: ours, Sum: acquiring.Sum{Amount: sum, Currency: rub}, Before: c.before, Earlier: c.earlier}
		if got, result := r.FindIn(c.list); result != c.want || got != (acquiring.Refunded{State: c.state, Ref: c.ref}) {
			t.Errorf("%s: %+v, %d; want %s %q, %d", name, got, result, c.state, c.ref, c.want)
		}
	}
}

// A refund that no earlier call can have sent is never too old.
func TestRefund_IsOlderThan(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for since, want := range map[time.Time]bool{{}: false, now: false, now.Add(-59 * time.Minute): false, now.Add(-time.Hour): true} {
		if got := (acquiring.Refund{Since: since}).IsOlderThan(time.Hour, now); got != want {
			t.Errorf("since %s: %t", since, got)
		}
	}
}
