package content

import (
	"servery/internal/catalog"
	"servery/internal/site"
)

// readPackages reads packages.yaml, which may be absent.
func (b *brandReader) readPackages() {
	v, ok := b.openFile("packages.yaml")
	if !ok {
		return
	}
	for _, entry := range v.toList() {
		o := entry.toObject()
		p := catalog.PackageEntry{
			ID: b.readID(o, b.kindOf("package")), Alias: b.readAlias(o, b.kindOf("package")),
			Name: o.requiredLocalizedText("name", b.texts), Prices: b.needPrices(o),
			CanRefuse: o.optionalBool("can_refuse", false), OrderTypes: o.readOrderTypes("order_types", site.OrderTypes()...),
		}
		if rule, ok := o.required("rule"); ok {
			if rule.isMap() {
				f := rule.toObject()
				if per, ok := f.required("per_items"); ok {
					p.PerItems = int(per.toInt(1, maxCount))
				}
				f.checkFields()
			} else {
				toOneOf(rule, []string{"per_order"})
			}
		}
		o.checkFields()
		b.brand.Packages = append(b.brand.Packages, p)
	}
}

// readPromotions reads promotions.yaml, which may be absent.
func (b *brandReader) readPromotions() {
	v, ok := b.openFile("promotions.yaml")
	if !ok {
		return
	}
	for _, entry := range v.toList() {
		o := entry.toObject()
		p := catalog.Promotion{
			Alias: b.readAlias(o, b.kindOf("promotion")), Name: o.requiredLocalizedText("name", b.texts),
			Subtitle: o.localizedText("subtitle", b.texts), Description: o.safeHTML("description", b.texts),
		}
		if picture, ok := o.optional("picture"); ok {
			p.Picture = b.album.usePicture(picture, b.dir, picture.toText(), bannerWidth)
		} else {
			o.addFault("picture is missing: a promotion has one, twice as wide as high, %d pixels wide or more", bannerWidth)
		}
		o.checkFields()
		b.promotions[p.Alias] = true
		b.brand.Promotions = append(b.brand.Promotions, p)
	}
}
