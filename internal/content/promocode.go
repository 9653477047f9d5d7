package content

import (
	"regexp"
	"slices"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/site"
)

// codePattern matches a code of latin or of Cyrillic letters: a mix of both could not be typed from
// its look.
var codePattern = regexp.MustCompile(`^(?:[A-Z0-9-]{3,32}|[А-ЯЁІЇЄҐ0-9-]{3,32})$`)

// promocodeFields is an entry of promocodes.yaml: its one benefit, and bounds that each may be
// absent.
type promocodeFields struct {
	ID   idValue   `field:"id,required"`
	Code codeValue `field:"code,required"`

	// Percent off each product it is for
	Percent int `field:"percent" min:"1" max:"100" either:"benefit"`
	// Off all products it is for
	Sum pricesValue `field:"sum" either:"benefit"`
	// The gift that it brings
	Gift aliasValue `field:"gift" either:"benefit"`
	// The order is delivered for nothing
	FreeDelivery bool `field:"free_delivery" either:"benefit"`

	// The first day on which it holds
	From *clock.Day `field:"from"`
	// The last day on which it holds
	Until *clock.Day `field:"until"`
	// On these days of the week only
	Days daysValue `field:"days"`
	// In these hours only; those past 24:00 belong to the day on which they began
	Hours spansValue `field:"hours" items:"1"`
	// In these cities only
	OnlyCities []aliasValue `field:"only_cities" unique:"true"`
	// For one order type only
	OrderTypes []site.OrderType `field:"order_types" one:"orderTypes" unique:"true"`
	// From this subtotal on
	Minimum pricesValue `field:"minimum"`
	// With one of them in the cart, and then for them only
	Products []aliasValue `field:"products" unique:"true"`
	// With a product of one of them in the cart, and then for those only
	Groups []aliasValue `field:"groups" unique:"true"`
	// For customers and phones without an earlier order
	FirstOrder bool `field:"first_order"`
	// While it was used less often by all
	Limit *int `field:"limit" min:"1"`
	// While it was used less often by one phone
	LimitPerPhone *int `field:"limit_per_phone" min:"1"`
}

// readPromocodes reads promocodes.yaml, which may be absent.
func (b *brandReader) readPromocodes() {
	v, ok := b.openFile("promocodes.yaml")
	if !ok {
		return
	}
	for _, entry := range v.toList() {
		b.brand.Promocodes = append(b.brand.Promocodes, b.readPromocode(entry))
	}
}

// readPromocode reads a promocode with its bounds and its one benefit.
func (b *brandReader) readPromocode(v value) catalog.PromocodeEntry {
	f, o := readFields[promocodeFields](v)
	p := catalog.PromocodeEntry{
		ID: b.readID(f.ID, "promocode"),
		PromocodeBounds: catalog.PromocodeBounds{
			From: f.From, Until: f.Until, When: readWindow(f.Days, f.Hours), OrderTypes: o.checkOrderTypes(f.OrderTypes),
			FirstOrder: f.FirstOrder, Limit: f.Limit, LimitPerPhone: f.LimitPerPhone,
		},
		OnlyCities: b.idsOf(f.OnlyCities, "city of the brand", b.cities),
		Products:   b.productIDs(f.Products), Groups: b.idsOf(f.Groups, "product group", b.groups),
		Minimum: b.readSums(f.Minimum),
	}
	if !f.Code.isNull() {
		p.Code = b.readCode(f.Code)
	}
	b.readBenefit(f, o, &p)
	if p.Until != nil {
		b.ends = append(b.ends, end{v, "promocode " + p.Code, p.Until.String(), clock.At(p.Until.Add(2), 0, time.UTC)})
	}
	switch {
	case p.From != nil && p.Until != nil && p.Until.Before(*p.From):
		v.addFault("until %s is before from %s", p.Until, p.From)
	case p.Kind == catalog.FreeDelivery && len(p.OrderTypes) > 0 && !slices.Contains(p.OrderTypes, site.Delivery):
		v.addFault("free_delivery has no effect on orders that are not delivered")
	case p.Limit != nil && p.LimitPerPhone != nil && *p.LimitPerPhone > *p.Limit:
		v.addFault("limit_per_phone %d is above limit %d", *p.LimitPerPhone, *p.Limit)
	}
	return p
}

// readCode returns the text that the customer types, in upper case. It adds a fault when the text is no
// code or is taken.
func (b *brandReader) readCode(v codeValue) string {
	code := catalog.NormalCode(v.toText())
	if !codePattern.MatchString(code) {
		v.addFault("a code is 3 to 32 letters, digits and dashes, all letters latin or all Cyrillic: %q", code)
	}
	b.checkUnique(v.value, b.kindOf("promocode"), code)
	return code
}

// readBenefit sets the benefit of the code, which must be exactly one.
func (b *brandReader) readBenefit(f *promocodeFields, o *object, p *catalog.PromocodeEntry) {
	switch {
	case o.chosen["benefit"] != 1:
		o.addFault("a promocode has one benefit: percent, sum, gift or free_delivery: true")
	case f.Percent > 0:
		p.Kind, p.Percent = catalog.PercentOff, f.Percent
	case !f.Sum.isNull():
		p.Kind, p.Sum = catalog.SumOff, b.readSums(f.Sum)
	case f.FreeDelivery:
		p.Kind = catalog.FreeDelivery
	default:
		p.Kind, p.GiftID = catalog.GiftGiven, b.idsOf([]aliasValue{f.Gift}, "gift", b.gifts)[0]
	}
}
