// Package audit stores who changed what for the restaurant: who, when, by which call or command, what it
// was before and after. A row is written in the transaction of the change itself.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"servery/internal/db"
)

// Kind is what a change was made by. The set is closed; the values are stored and go over the wire.
type Kind string

// The kinds.
const (
	Program Kind = "program" // the program itself, where no one else is known
	Token   Kind = "token"   // a system with a token
	Staff   Kind = "staff"   // a person with an account
	Device  Kind = "device"  // a tablet of a shop
	Command Kind = "command" // a command line
)

// Origin is who makes a change, and by what.
type Origin struct {
	Kind Kind
	// Name is that of the token, the account, the device or the user of the machine.
	Name string
	// Person is who sits at a system or a device; empty where that is not known.
	Person string
	// Call is the route of the call or the name of the command.
	Call string
}

// Who returns the name of the person, or else the name of the account, token or device.
func (o Origin) Who() string {
	if o.Person != "" {
		return o.Person
	}
	return o.Name
}

type originKey struct{}

// With returns a context whose changes are made by the origin.
func With(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// From returns who makes the changes of the context: [Program] where nobody was named.
func From(ctx context.Context) Origin {
	if o, ok := ctx.Value(originKey{}).(Origin); ok {
		return o
	}
	return Origin{Kind: Program}
}

// Fields are what something is, by the names of its parts. What names a customer does not belong there:
// neither name nor phone, address or free text.
type Fields map[string]any

// Entry is a change.
type Entry struct {
	// Site is the alias of the brand; empty for what concerns all brands.
	Site string
	// ShopID is 0 for what concerns all shops of the brand.
	ShopID int64
	// Subject is the kind of what was changed and ID which one.
	Subject, ID string
	// Before and After say what changed. Parts that are the same in both are left out when it is stored.
	Before, After Fields
}

// Record stores a change with the origin of the context, without the fields that have not changed. It must be
// called in the transaction of the change.
func Record(ctx context.Context, tx *db.Tx, e Entry, now time.Time) error {
	before, after := Fields{}, Fields{}
	for name, value := range e.Before {
		if other, ok := e.After[name]; !ok || !reflect.DeepEqual(value, other) {
			before[name] = value
		}
	}
	for name, value := range e.After {
		if other, ok := e.Before[name]; !ok || !reflect.DeepEqual(value, other) {
			after[name] = value
		}
	}
	was, err := json.Marshal(before)
	if err != nil {
		return fmt.Errorf("write what a change was: %w", err)
	}
	is, err := json.Marshal(after)
	if err != nil {
		return fmt.Errorf("write what a change is: %w", err)
	}
	return insertEntry(ctx, tx.Q, From(ctx), e, string(was), string(is), now)
}
