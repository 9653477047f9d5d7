package content

import (
	"servery/internal/catalog"
	"servery/internal/site"
)

// packageFields is an entry of packages.yaml.
type packageFields struct {
	ID    idValue     `field:"id,required"`
	Alias aliasValue  `field:"alias,required"`
	Name  textValue   `field:"name,required"`
	Price pricesValue `field:"price,required"`
	// How many an order needs
	Rule ruleValue `field:"rule,required"`
	// The customer may leave it out
	CanRefuse bool `field:"can_refuse"`
	// With which orders it comes; absent is with all
	OrderTypes []site.OrderType `field:"order_types" one:"orderTypes" unique:"true"`
}

// perOrder is the rule of a package of which an order needs one.
const perOrder = "per_order"

// perItemsFields is the rule of a package of which an order needs one for every few portions begun.
type perItemsFields struct {
	// For so many portions
	PerItems int `field:"per_items,required" min:"1" max:"100"`
}

// promotionFields is an entry of promotions.yaml.
type promotionFields struct {
	Alias    aliasValue `field:"alias,required"`
	Name     textValue  `field:"name,required"`
	Subtitle textValue  `field:"subtitle"`
	// HTML of p, b, strong, i, em, ul, ol, li, br and a with href https; anything else is taken out
	Description textValue `field:"description,required"`
	// Name in pictures/, without folder and ending; twice as wide as high, 1440 pixels wide or more
	Picture aliasValue `field:"picture,required" hint:"a promotion has one, twice as wide as high, 1440 pixels wide or more"`
	// The product that its button opens
	Product aliasValue `field:"product"`
	// The group of the menu that its button leads to, in place of a product
	Group aliasValue `field:"group"`
}

// readPackages reads packages.yaml, which may be absent.
func (b *brandReader) readPackages() {
	v, ok := b.openFile("packages.yaml")
	if !ok {
		return
	}
	for _, entry := range v.toList() {
		f, _ := readFields[packageFields](entry)
		p := catalog.PackageEntry{
			ID: b.readID(f.ID, b.kindOf("package")), Alias: b.readAlias(f.Alias, b.kindOf("package")),
			Name: f.Name.localizedText(b.texts), Prices: b.needPrices(f.Price),
			CanRefuse: f.CanRefuse, OrderTypes: typesOrAll(f.OrderTypes),
		}
		switch {
		case f.Rule.isMap():
			rule, _ := readFields[perItemsFields](f.Rule.value)
			p.PerItems = rule.PerItems
		case !f.Rule.isNull():
			toOneOf(f.Rule.value, []string{perOrder})
		}
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
		f, o := readFields[promotionFields](entry)
		p := catalog.Promotion{
			Alias: b.readAlias(f.Alias, b.kindOf("promotion")), Name: f.Name.localizedText(b.texts),
			Subtitle: f.Subtitle.localizedText(b.texts), Description: f.Description.safeHTML(b.texts),
			Picture: b.readPicture(f.Picture, bannerWidth),
		}
		b.promotions[p.Alias] = true
		b.brand.Promotions = append(b.brand.Promotions, p)
		b.readPromotionTarget(f, o, len(b.brand.Promotions)-1)
	}
}

// readPromotionTarget sets what the promotion at a place of the list leads to, once the menu was read.
func (b *brandReader) readPromotionTarget(f *promotionFields, o *object, at int) {
	product, group := f.Product, f.Group
	if !product.isNull() && !group.isNull() {
		o.addFault("a promotion leads to a product or to a group, not to both")
	}
	if !group.isNull() {
		b.brand.Promotions[at].Group = group.toText()
		b.referLater(group, "product group", b.groups, func(int64) {})
	}
	if product.isNull() {
		return
	}
	alias := product.toText()
	b.later = append(b.later, func() {
		if p, known := b.products[alias]; known {
			b.brand.Promotions[at].ProductID = p.ID
		} else {
			b.addUnknown(product.value, "product", alias)
		}
	})
}
