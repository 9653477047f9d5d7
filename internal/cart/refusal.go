package cart

import (
	"errors"

	"servery/internal/fault"
)

// Refusal is a fault with the fresh cart beside it, for the page to show with the reason. Make it with
// [Refuse], and find the cart with [FreshCart].
type Refusal struct {
	Cart Quoted

	fault error
}

// Error returns the fault, for logs.
func (r *Refusal) Error() string { return r.fault.Error() }

// Unwrap returns the fault.
func (r *Refusal) Unwrap() error { return r.fault }

// Refuse returns a [Refusal] of the fault in err that carries the fresh cart; a cart that err carried
// already is dropped. An error that is no fault is returned as it is.
func Refuse(err error, fresh Quoted) error {
	if _, ok := fault.Of(err); !ok {
		return err
	}
	return &Refusal{Cart: fresh, fault: err}
}

// FreshCart returns the cart beside a fault, and reports whether there is one.
func FreshCart(err error) (Quoted, bool) {
	var r *Refusal
	if !errors.As(err, &r) {
		return Quoted{}, false
	}
	return r.Cart, true
}
