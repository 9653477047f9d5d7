package access

import "slices"

// Role is what a member of staff does. The set is closed; the values are stored and go over the wire.
type Role string

// The roles.
const (
	Owner   Role = "owner"
	Manager Role = "manager" // of a brand, or of some of its shops
	Kitchen Role = "kitchen"
	Courier Role = "courier"
	Support Role = "support" // talks to customers
)

// Roles returns all roles.
func Roles() []Role { return []Role{Owner, Manager, Kitchen, Courier, Support} }

// ParseRole returns the role of that name, and false when there is none.
func ParseRole(name string) (Role, bool) { return Role(name), slices.Contains(Roles(), Role(name)) }

// Rights returns the rights of a role; nil for an unknown one. No role has [SignInCustomers]: only a
// token can have it.
func (r Role) Rights() Rights {
	switch r {
	case Owner:
		return UsualRights()
	case Manager:
		return Rights{
			ReadOrders, MoveOrders, DeliverOrders, RefuseOrders, CancelOrders, CorrectOrders, PlaceOrders, AssignCouriers, MakeRefunds,
			ReadPayments, ReadCustomers, ReadKitchen, SetKitchen, SetStops, SetPrices, SetAlerts, ReadAudit, ManageDevices,
		}
	case Kitchen:
		return Rights{ReadOrders, MoveOrders, DeliverOrders, RefuseOrders, ReadKitchen, SetKitchen, SetStops}
	case Courier:
		return Rights{ReadOrders, DeliverOrders, ReadCustomers}
	case Support:
		return Rights{
			ReadOrders, RefuseOrders, CancelOrders, CorrectOrders, PlaceOrders, MakeRefunds, ReadPayments, ReadCustomers, RewardCustomers,
			ReadFeedback, ReadKitchen,
		}
	default:
		return nil
	}
}
