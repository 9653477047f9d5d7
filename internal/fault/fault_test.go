package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"servery/internal/fault"
)

// A wrapped fault has its code and key, matches a fault of the same code and key, and still
// matches its cause.
func TestOf_findsAFaultThatIsWrapped(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("add to cart: %w", fault.New(fault.Conflict, "cart.changed", fault.Because(io.EOF)))

	if got := fault.CodeOf(err); got != fault.Conflict {
		t.Errorf("CodeOf = %v, want conflict", got)
	}
	if got := fault.KeyOf(err); got != "cart.changed" {
		t.Errorf("KeyOf = %q", got)
	}
	if !errors.Is(err, fault.New(fault.Conflict, "cart.changed")) {
		t.Error("errors.Is does not match the same code and key")
	}
	if errors.Is(err, fault.New(fault.Conflict, "cart.other")) {
		t.Error("errors.Is matches another key")
	}
	if !errors.Is(err, io.EOF) {
		t.Error("the cause is lost")
	}
}

// An error that is no fault is Internal and has no key.
func TestCodeOf_isInternalForOtherErrors(t *testing.T) {
	t.Parallel()
	if got := fault.CodeOf(io.EOF); got != fault.Internal {
		t.Errorf("CodeOf = %v, want internal", got)
	}
	if got := fault.KeyOf(io.EOF); got != "" {
		t.Errorf("KeyOf = %q, want none", got)
	}
}

// Two messages for one field are kept in order with their arguments, beside that of another
// field.
func TestField_addsMessages(t *testing.T) {
	t.Parallel()
	err := fault.New(
		fault.Invalid, "common.invalid",
		fault.Field("count", "cart.too_many", fault.Args{"max": 100}),
		fault.Field("count", "cart.not_multiple"),
		fault.Field("delivery_address", "cart.no_address"),
		fault.RetryAfter(3*time.Second),
	)
	if got := len(err.Fields["count"]); got != 2 {
		t.Errorf("count has %d messages, want 2", got)
	}
	if got := err.Fields["count"][0].Args["max"]; got != 100 {
		t.Errorf("max = %v, want 100", got)
	}
	if err.RetryAfter != 3*time.Second {
		t.Errorf("RetryAfter = %v", err.RetryAfter)
	}
}

// The text of a fault has its code and key and not the phone in its arguments.
func TestError_leavesOutTheArguments(t *testing.T) {
	t.Parallel()
	err := fault.New(fault.Invalid, "user.bad_phone", fault.With(fault.Args{"phone": "+79990001122"}))
	if got, want := err.Error(), "invalid: user.bad_phone"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}
