package content

import (
	"regexp"
	"slices"

	"servery/internal/catalog"
	"servery/internal/site"
)

// codePattern matches a code of latin or of Cyrillic letters: a mix of both could not be typed from
// its look.
var codePattern = regexp.MustCompile(`^(?:[A-Z0-9-]{3,32}|[А-ЯЁІЇЄҐ0-9-]{3,32})$`)

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
	o := v.toObject()
	p := catalog.PromocodeEntry{
		ID: b.readID(o, "promocode"),
		PromocodeBounds: catalog.PromocodeBounds{
			From: o.readDay("from"), Until: o.readDay("until"), When: o.readWindow(), OrderTypes: o.fewOrderTypes(),
			FirstOrder: o.optionalBool("first_order", false), Limit: o.readLimit("limit"), LimitPerPhone: o.readLimit("limit_per_phone"),
		},
		OnlyCities: b.idsOf(o.optionalList("only_cities"), "city of the brand", b.cities),
		Products:   b.productIDs(o.optionalList("products")), Groups: b.idsOf(o.optionalList("groups"), "product group", b.groups),
	}
	if code, ok := o.required("code"); ok {
		p.Code = b.readCode(code)
	}
	if minimum, ok := o.optional("minimum"); ok {
		p.Minimum = b.readSums(minimum)
	}
	b.readBenefit(o, &p)
	switch {
	case p.From != nil && p.Until != nil && p.Until.Before(*p.From):
		v.addFault("until %s is before from %s", p.Until, p.From)
	case p.Kind == catalog.FreeDelivery && len(p.OrderTypes) > 0 && !slices.Contains(p.OrderTypes, site.Delivery):
		v.addFault("free_delivery has no effect on orders that are not delivered")
	case p.Limit != nil && p.LimitPerPhone != nil && *p.LimitPerPhone > *p.Limit:
		v.addFault("limit_per_phone %d is above limit %d", *p.LimitPerPhone, *p.Limit)
	}
	o.checkFields()
	return p
}

// readCode reads the text that the customer types, in any letter case.
func (b *brandReader) readCode(v value) string {
	code := catalog.NormalCode(v.toText())
	if !codePattern.MatchString(code) {
		v.addFault("a code is 3 to 32 letters, digits and dashes, all letters latin or all Cyrillic: %q", code)
	}
	b.checkUnique(v, b.kindOf("promocode"), code)
	return code
}

// readBenefit reads the benefit of the code, which is exactly one.
func (b *brandReader) readBenefit(o *object, p *catalog.PromocodeEntry) {
	given := 0
	if percent, ok := o.optional("percent"); ok {
		p.Kind, p.Percent = catalog.PercentOff, int(percent.toInt(1, 100))
		given++
	}
	if sum, ok := o.optional("sum"); ok {
		p.Kind, p.Sum = catalog.SumOff, b.readSums(sum)
		given++
	}
	if gift, ok := o.optional("gift"); ok {
		p.Kind = catalog.GiftGiven
		if ids := b.idsOf([]value{gift}, "gift", b.gifts); len(ids) > 0 {
			p.GiftID = ids[0]
		}
		given++
	}
	if o.optionalBool("free_delivery", false) {
		p.Kind = catalog.FreeDelivery
		given++
	}
	if given != 1 {
		o.addFault("a promocode has one benefit: percent, sum, gift or free_delivery: true")
	}
}
