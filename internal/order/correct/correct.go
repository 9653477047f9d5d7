// Package correct corrects orders for the restaurant before they are sent: whom and where they go to,
// and when. Price and zone follow from the new address by the rules of the cart.
package correct

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/order"
)

// Field is what of an order was corrected. The set is closed; the values are stored and go over the
// wire.
type Field string

// The fields.
const (
	Name    Field = "name"
	Phone   Field = "phone"
	Comment Field = "comment"
	Address Field = "address"
	Time    Field = "time"
	Price   Field = "price" // of the delivery, because of the address
)

// Request is how the restaurant corrects an order. What is nil stays as it is.
type Request struct {
	// Key is an idempotency key; it may be empty for a preview.
	Key     string  `json:"key"`
	Name    *string `json:"name,omitempty"`
	Phone   *string `json:"phone,omitempty"`
	Comment *string `json:"comment,omitempty"`
	// IntervalID is the time that the order is wanted for.
	IntervalID *string       `json:"interval_id,omitempty"`
	Address    *AddressInput `json:"address,omitempty"`
	// Note is for the restaurant's own people, and may be empty.
	Note string `json:"note,omitempty"`
	// IsPreview says that nothing is stored.
	IsPreview bool `json:"-"`
	// Actor names who does it; it may be empty.
	Actor string `json:"-"`
}

// AddressInput has the corrected parts of the address. A part that is nil stays as it is; an empty one is
// removed. Street and house need the point, which decides the zone.
type AddressInput struct {
	Street         *string    `json:"street,omitempty"`
	House          *string    `json:"house,omitempty"`
	Room           *string    `json:"room,omitempty"`
	Entrance       *string    `json:"entrance,omitempty"`
	Floor          *string    `json:"floor,omitempty"`
	Intercom       *string    `json:"intercom,omitempty"`
	Description    *string    `json:"description,omitempty"`
	Point          *geo.Point `json:"point,omitempty"`
	IsPrivateHouse *bool      `json:"private_house,omitempty"`
	Building       *string    `json:"building,omitempty"`
	RearBuilding   *string    `json:"rear_building,omitempty"`
	BellName       *string    `json:"bell_name,omitempty"`
	Landmark       *string    `json:"landmark,omitempty"`
}

// details returns the changes of the address's details.
func (in AddressInput) details() geo.Details {
	return geo.Details{
		Room: in.Room, Entrance: in.Entrance, Floor: in.Floor, Intercom: in.Intercom, Description: in.Description,
		IsPrivateHouse: in.IsPrivateHouse, Building: in.Building, RearBuilding: in.RearBuilding, BellName: in.BellName, Landmark: in.Landmark,
	}
}

// Effect is what a correction changes. It names no person. Where nothing is changed, the values before
// and after are the same.
type Effect struct {
	// Fields are in the order of their constants; there are none when nothing is changed.
	Fields                        []Field      `json:"fields"`
	ZoneBefore, ZoneAfter         int64        // 0 for takeaway
	DeliveryBefore, DeliveryAfter money.Amount // the price
	TotalBefore, TotalAfter       money.Amount
	// ToCollect is what is to be collected at the hand-over after the correction. Refund is what the
	// correction refunds of the money that was paid online.
	ToCollect, Refund    money.Amount
	FromBefore, ToBefore time.Time // the promise
	FromAfter, ToAfter   time.Time
	IntervalID           string
}

// Correction is a correction as it was stored.
type Correction struct {
	Key    string
	Effect Effect
	// Before and After have the fields that were corrected; both are empty once the person is erased.
	Before, After Contact
	Note          string
	Actor         string
	At            time.Time

	hash []byte
}

// Contact is what a correction changes of the person of an order; only what it changes is set.
type Contact struct {
	Name       string       `json:"name,omitempty"`
	Phone      string       `json:"phone,omitempty"`
	Comment    string       `json:"comment,omitempty"`
	Address    *geo.Address `json:"address,omitempty"`
	IntervalID string       `json:"interval_id,omitempty"`
}

// The longest texts that are taken, in characters.
const (
	maxName    = 100
	maxComment = 500
	maxNote    = 500
	maxStreet  = 200
	maxHouse   = 32
)

// check returns common.invalid (Invalid) with the fields that are wrong.
func (r Request) check() error {
	var wrong []fault.Option
	if r.Key == "" && !r.IsPreview {
		wrong = append(wrong, fault.Field("key", "common.required"))
	}
	texts := []sizedText{{"name", r.Name, maxName}, {"comment", r.Comment, maxComment}, {"note", &r.Note, maxNote}}
	if a := r.Address; a != nil {
		texts = append(texts, sizedText{"address.street", a.Street, maxStreet}, sizedText{"address.house", a.House, maxHouse})
		if a.Point == nil && (a.Street != nil || a.House != nil) {
			wrong = append(wrong, fault.Field("address.coordinates", "common.required"))
		}
		if a.Point != nil && !a.Point.Valid() {
			wrong = append(wrong, fault.Field("address.coordinates", "order.bad_point"))
		}
	}
	for _, t := range texts {
		if t.text != nil && utf8.RuneCountInString(*t.text) > t.longest {
			wrong = append(wrong, fault.Field(t.field, "common.too_long", fault.Args{"max": t.longest}))
		}
	}
	if r.Name != nil && strings.TrimSpace(*r.Name) == "" {
		wrong = append(wrong, fault.Field("name", "order.name_required"))
	}
	if len(wrong) > 0 {
		return fault.New(fault.Invalid, "common.invalid", wrong...)
	}
	return nil
}

// sizedText is the text of a field, nil for none, with how long it may be.
type sizedText struct {
	field   string
	text    *string
	longest int
}

// newEffect returns the effect of a correction that changes nothing.
func newEffect(o order.Order) Effect {
	return Effect{
		Fields: []Field{}, ZoneBefore: o.ZoneID, ZoneAfter: o.ZoneID, DeliveryBefore: o.Prices.Delivery, DeliveryAfter: o.Prices.Delivery,
		TotalBefore: o.Prices.Total, TotalAfter: o.Prices.Total, ToCollect: o.ToCollect(),
		FromBefore: o.PromisedFrom, ToBefore: o.PromisedTo, FromAfter: o.PromisedFrom, ToAfter: o.PromisedTo, IntervalID: o.IntervalID,
	}
}

// withResult returns the effect with the corrected fields, the order after the correction and the
// refund.
func (e Effect) withResult(fields []Field, o order.Order, refund money.Amount) Effect {
	slices.SortFunc(fields, func(a, b Field) int { return slices.Index(allFields, a) - slices.Index(allFields, b) })
	e.Fields, e.ZoneAfter, e.DeliveryAfter, e.TotalAfter = fields, o.ZoneID, o.Prices.Delivery, o.Prices.Total
	e.ToCollect, e.Refund, e.FromAfter, e.ToAfter, e.IntervalID = o.ToCollect(), refund, o.PromisedFrom, o.PromisedTo, o.IntervalID
	return e
}

// allFields are all fields, in the order in which effects list them.
var allFields = []Field{Name, Phone, Comment, Address, Time, Price}
