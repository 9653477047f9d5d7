package races_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

// maxOperations is how many operations a history may have: see [operations].
const maxOperations = 256

// operations is a set of the operations of a history, by their numbers.
type operations [maxOperations / 64]uint64

// has reports whether operation i is in the set.
func (o operations) has(i int) bool { return o[i/64]>>(i%64)&1 == 1 }

// with returns the set with operation i.
func (o operations) with(i int) operations {
	o[i/64] |= 1 << (i % 64)
	return o
}

// operation is a call of a history with its answer. S is the state of the called thing.
type operation[S comparable] struct {
	// call and ret are the instants of the call and of its return, from one counter of the whole history.
	call, ret int64
	// step returns the state after the operation, and whether its answer fits the state before.
	step func(S) (S, bool)
	text string
}

// linearizable reports whether the operations can be put into an order in which each takes effect at one instant
// between its call and its return, and each answer fits. It searches all orders and remembers which states of the
// search have failed. It sorts history by the calls.
func linearizable[S comparable](start S, history []operation[S]) bool {
	slices.SortFunc(history, func(a, b operation[S]) int { return cmp.Compare(a.call, b.call) })
	type place struct {
		done  operations
		state S
	}
	failed := map[place]bool{}
	var search func(place, int) bool
	search = func(p place, count int) bool {
		if count == len(history) {
			return true
		}
		if failed[p] {
			return false
		}
		// An operation that was called after the first return among the rest cannot be the next one.
		firstReturn := int64(-1)
		for i, o := range history {
			if !p.done.has(i) && (firstReturn < 0 || o.ret < firstReturn) {
				firstReturn = o.ret
			}
		}
		for i, o := range history {
			if o.call > firstReturn {
				break
			}
			if p.done.has(i) {
				continue
			}
			if next, ok := o.step(p.state); ok && search(place{p.done.with(i), next}, count+1) {
				return true
			}
		}
		failed[p] = true
		return false
	}
	return search(place{state: start}, 0)
}

// describe returns the texts of the operations, a line each.
func describe[S comparable](history []operation[S]) string {
	var text strings.Builder
	for _, o := range history {
		text.WriteString(o.text + "\n")
	}
	return text.String()
}

func TestLinearizable(t *testing.T) {
	t.Parallel()
	write := func(call, ret int64, value int) operation[int] {
		return operation[int]{call: call, ret: ret, step: func(int) (int, bool) { return value, true }}
	}
	read := func(call, ret int64, value int) operation[int] {
		return operation[int]{call: call, ret: ret, step: func(s int) (int, bool) { return s, s == value }}
	}
	for _, c := range []struct {
		name string
		all  []operation[int]
		want bool
	}{
		{"one after the other", []operation[int]{write(1, 2, 7), read(3, 4, 7)}, true},
		{"a read beside a write sees either", []operation[int]{write(1, 4, 7), read(2, 3, 0), read(5, 6, 7)}, true},
		{"a stale read", []operation[int]{write(1, 2, 7), read(3, 4, 0)}, false},
		{"a read that goes back", []operation[int]{write(1, 6, 7), read(2, 3, 7), read(4, 5, 0)}, false},
		{"a write that is lost", []operation[int]{write(1, 3, 7), write(2, 4, 8), read(5, 6, 7), read(7, 8, 8)}, false},
		{"writes in either order", []operation[int]{write(1, 3, 7), write(2, 4, 8), read(5, 6, 7)}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := linearizable(0, c.all); got != c.want {
				t.Errorf("linearizable is %t", got)
			}
		})
	}
}
