// Package access says who may make which of the operator's calls, and of which brand and shops: rights,
// the principal that makes a call, and the tokens of systems.
package access

import (
	"context"
	"slices"

	"servery/internal/audit"
)

// Right is what a principal may do. The set is closed: the contract names one for each call, and tokens
// store them.
type Right string

// The rights.
const (
	ReadOrders      Right = "orders.read"       // without what names the customer, and the changes of orders
	MoveOrders      Right = "orders.move"       // take, cook, delay, step back
	DeliverOrders   Right = "orders.deliver"    // take an order along, hand it over, report where it is
	RefuseOrders    Right = "orders.refuse"     // while they are accepted, or that could not be delivered
	CancelOrders    Right = "orders.cancel"     // also those that are cooked
	CorrectOrders   Right = "orders.correct"    // before they are sent
	PlaceOrders     Right = "orders.place"      // for a customer on the phone
	AssignCouriers  Right = "couriers.assign"   // others than oneself
	MakeRefunds     Right = "refunds.make"      // and say what of a canceled order's money goes back
	ReadPayments    Right = "payments.read"     // of an order
	ReadCustomers   Right = "customers.read"    // phone, address and what else of an order names its customer
	RewardCustomers Right = "customers.reward"  // bonuses and presents
	SignInCustomers Right = "customers.sign_in" // links that sign in as a customer
	ReadFeedback    Right = "feedback.read"     // forms of visitors
	ReadKitchen     Right = "kitchen.read"      // pauses, busy times, times of a day, stops, prices, alerts
	SetKitchen      Right = "kitchen.set"       // pauses and busy times
	SetStops        Right = "stops.set"
	SetPrices       Right = "prices.set"
	SetAlerts       Right = "alerts.set"
	ManageWebhooks  Right = "webhooks.manage"
	ReadAudit       Right = "audit.read"
	ManageDevices   Right = "devices.manage" // codes that enrol them, and their end
)

// AllRights returns all rights.
func AllRights() Rights {
	return append(UsualRights(), SignInCustomers)
}

// UsualRights returns all rights but [SignInCustomers], which has to be named by itself.
func UsualRights() Rights {
	return Rights{
		ReadOrders, MoveOrders, DeliverOrders, RefuseOrders, CancelOrders, CorrectOrders, PlaceOrders, AssignCouriers, MakeRefunds,
		ReadPayments, ReadCustomers, RewardCustomers, ReadFeedback, ReadKitchen, SetKitchen, SetStops, SetPrices, SetAlerts,
		ManageWebhooks, ReadAudit, ManageDevices,
	}
}

// Rights is a set of rights.
type Rights []Right

// Has reports whether the right is in the set.
func (r Rights) Has(right Right) bool { return slices.Contains(r, right) }

// Scope is where the rights of a principal hold.
type Scope struct {
	// Site is the alias of a brand; empty for every brand.
	Site string
	// Shops are ids of shops of the brand; empty for all of them.
	Shops []int64
}

// HasSite reports whether the scope has the brand, or at least some of its shops.
func (s Scope) HasSite(site string) bool { return s.Site == "" || s.Site == site }

// HasShop reports whether the scope holds the shop of the brand. Shop 0 stands for all shops of a
// brand; a scope with a list of shops does not hold it.
func (s Scope) HasShop(site string, shopID int64) bool {
	return s.HasSite(site) && (len(s.Shops) == 0 || slices.Contains(s.Shops, shopID))
}

// Principal is who makes a call.
type Principal struct {
	Scope

	Kind audit.Kind
	// ID is the number of the token or the account; 0 for the token of the settings.
	ID int64
	// SessionID is that of a person who has signed in.
	SessionID int64
	// Name is that of the token or the login.
	Name string
	// Person is who has signed in or works at the device; empty for a token, whose calls may name a person.
	Person string
	// Role is empty for a token.
	Role   Role
	Rights Rights
}

// May reports whether the principal has the right.
func (p Principal) May(right Right) bool { return p.Rights.Has(right) }

// MayReadCustomer reports whether the principal may read who an order is for. courierID names who delivers
// the order while it is under way; else it is empty. A courier with an account may read only the customers
// of their own deliveries. Their login is their id as a courier.
func (p Principal) MayReadCustomer(courierID string) bool {
	return p.May(ReadCustomers) && (!p.IsCourier() || courierID == p.Name)
}

// IsCourier reports whether the principal is a courier with an account of their own, whose login is their id
// as a courier. It is false for a device of the shop, which reads no customers.
func (p Principal) IsCourier() bool { return p.Kind == audit.Staff && p.Role == Courier }

type principalKey struct{}

// With returns a context whose calls are made by the principal.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// From returns who makes the calls of the context. Where nobody is known it returns a principal without
// a right.
func From(ctx context.Context) Principal {
	p, _ := ctx.Value(principalKey{}).(Principal)
	return p
}
