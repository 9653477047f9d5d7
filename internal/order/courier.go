package order

import (
	"strings"

	"servery/internal/fault"
)

// Courier is who brings an order, as the restaurant's system names them. The zero value is none.
type Courier struct {
	ID string
	// Name is the full name; customers see the first word of it. Phone may be empty.
	Name, Phone string
}

// The longest texts of a courier, in characters.
const (
	maxCourierID    = 64
	maxCourierName  = 100
	maxCourierPhone = 32
)

// FirstName returns the first word of the courier's name.
func (c Courier) FirstName() string {
	if words := strings.Fields(c.Name); len(words) > 0 {
		return words[0]
	}
	return ""
}

// Check returns common.invalid (Invalid) with the fields that are wrong.
func (c Courier) Check() error {
	var wrong FieldErrors
	for field, text := range map[string]string{"id": c.ID, "name": c.Name} {
		if strings.TrimSpace(text) == "" {
			wrong.Add(field, "common.required")
		}
	}
	wrong.CheckLength("id", c.ID, maxCourierID)
	wrong.CheckLength("name", c.Name, maxCourierName)
	wrong.CheckLength("phone", c.Phone, maxCourierPhone)
	if len(wrong) > 0 {
		return fault.New(fault.Invalid, "common.invalid", wrong...)
	}
	return nil
}

// CourierTaken returns the fault order.courier_taken (Conflict) of an order that the courier with the id
// brings already.
func CourierTaken(id string) error {
	return fault.New(fault.Conflict, "order.courier_taken", fault.With(fault.Args{"courier": id}))
}

// MaxActorName is how many characters the name of a person who changes an order may have.
const MaxActorName = 64
