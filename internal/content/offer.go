package content

import (
	"servery/internal/catalog"
	"servery/internal/site"
)

func (b *brandReader) readPackages() {
	v, ok := b.open("packages.yaml")
	if !ok {
		return
	}
	for _, entry := range v.list() {
		o := entry.object()
		p := catalog.PackageEntry{
			ID: b.id(o, b.kind("package")), Alias: b.alias(o, b.kind("package")),
			Name: o.needWords("name", b.tongue), Prices: b.needPrices(o),
			CanRefuse: o.truth("can_refuse", false), OrderTypes: o.orderTypes("order_types", site.OrderTypes()...),
		}
		if rule, ok := o.need("rule"); ok {
			if rule.isMap() {
				f := rule.object()
				if per, ok := f.need("per_items"); ok {
					p.PerItems = int(per.whole(1, maxCount))
				}
				f.done()
			} else {
				oneOf(rule, []string{"per_order"})
			}
		}
		o.done()
		b.brand.Packages = append(b.brand.Packages, p)
	}
}

func (b *brandReader) readPromotions() {
	v, ok := b.open("promotions.yaml")
	if !ok {
		return
	}
	for _, entry := range v.list() {
		o := entry.object()
		p := catalog.Promotion{
			Alias: b.alias(o, b.kind("promotion")), Name: o.needWords("name", b.tongue),
			Subtitle: o.words("subtitle", b.tongue), Description: o.safeWords("description", b.tongue),
		}
		if picture, ok := o.get("picture"); ok {
			p.Picture = b.album.use(picture, b.dir, picture.text(), bannerWidth)
		} else {
			o.fault("picture is missing: a promotion has one, twice as wide as high, %d pixels wide or more", bannerWidth)
		}
		o.done()
		b.promotions[p.Alias] = true
		b.brand.Promotions = append(b.brand.Promotions, p)
	}
}
