package content

import (
	"regexp"
	"slices"

	"servery/internal/catalog"
	"servery/internal/site"
)

// codePattern is a code of latin or of Cyrillic letters: with both, nobody could tell
// by the look of it how it is typed.
var codePattern = regexp.MustCompile(`^(?:[A-Z0-9-]{3,32}|[А-ЯЁІЇЄҐ0-9-]{3,32})$`)

func (b *brandReader) readPromocodes() {
	v, ok := b.open("promocodes.yaml")
	if !ok {
		return
	}
	for _, entry := range v.list() {
		b.brand.Promocodes = append(b.brand.Promocodes, b.promocode(entry))
	}
}

func (b *brandReader) promocode(v value) catalog.PromocodeEntry {
	o := v.object()
	p := catalog.PromocodeEntry{
		ID: b.id(o, "promocode"),
		PromocodeBounds: catalog.PromocodeBounds{
			From: o.day("from"), Until: o.day("until"), When: o.window(), OrderTypes: o.fewOrderTypes(),
			FirstOrder: o.truth("first_order", false), Limit: o.limit("limit"), LimitPerPhone: o.limit("limit_per_phone"),
		},
		OnlyCities: b.idsOf(o.list("only_cities"), "city of the brand", b.cities),
		Products:   b.productIDs(o.list("products")), Groups: b.idsOf(o.list("groups"), "product group", b.groups),
	}
	if code, ok := o.need("code"); ok {
		p.Code = b.code(code)
	}
	if minimum, ok := o.get("minimum"); ok {
		p.Minimum = b.sums(minimum)
	}
	b.benefit(o, &p)
	switch {
	case p.From != nil && p.Until != nil && p.Until.Before(*p.From):
		v.fault("until %s is before from %s", p.Until, p.From)
	case p.Kind == catalog.FreeDelivery && len(p.OrderTypes) > 0 && !slices.Contains(p.OrderTypes, site.Delivery):
		v.fault("free_delivery never gives anything to orders that are not delivered")
	case p.Limit != nil && p.LimitPerPhone != nil && *p.LimitPerPhone > *p.Limit:
		v.fault("limit_per_phone %d is above limit %d", *p.LimitPerPhone, *p.Limit)
	}
	o.done()
	return p
}

// code reads what the customer types; its letter case means nothing.
func (b *brandReader) code(v value) string {
	code := catalog.NormalCode(v.text())
	if !codePattern.MatchString(code) {
		v.fault("a code is 3 to 32 letters, digits and dashes, all letters latin or all Cyrillic: %q", code)
	}
	b.unique(v, b.kind("promocode"), code)
	return code
}

// benefit reads what the code gives, which is one thing.
func (b *brandReader) benefit(o *object, p *catalog.PromocodeEntry) {
	given := 0
	if percent, ok := o.get("percent"); ok {
		p.Kind, p.Percent = catalog.PercentOff, int(percent.whole(1, 100))
		given++
	}
	if sum, ok := o.get("sum"); ok {
		p.Kind, p.Sum = catalog.SumOff, b.sums(sum)
		given++
	}
	if gift, ok := o.get("gift"); ok {
		p.Kind = catalog.GiftGiven
		if ids := b.idsOf([]value{gift}, "gift", b.gifts); len(ids) > 0 {
			p.GiftID = ids[0]
		}
		given++
	}
	if o.truth("free_delivery", false) {
		p.Kind = catalog.FreeDelivery
		given++
	}
	if given != 1 {
		o.fault("a promocode gives one thing: percent, sum, gift or free_delivery: true")
	}
}
