package content

import (
	"strings"

	"github.com/microcosm-cc/bluemonday"

	"servery/internal/catalog"
	"servery/internal/lang"
	"servery/internal/site"
)

func (b *brandReader) readPackages() {
	v, ok := b.openOptional("packages.yaml")
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
	v, ok := b.openOptional("promotions.yaml")
	if !ok {
		return
	}
	for _, entry := range v.list() {
		o := entry.object()
		p := catalog.Promotion{
			Alias: b.alias(o, b.kind("promotion")), Name: o.needWords("name", b.tongue),
			Subtitle: o.words("subtitle", b.tongue), Description: safe(o.needWords("description", b.tongue)),
		}
		if picture, ok := o.need("picture"); ok {
			p.Picture = b.album.use(picture, b.dir, picture.text())
		}
		o.done()
		b.promotions[p.Alias] = true
		b.brand.Promotions = append(b.brand.Promotions, p)
	}
}

// policy is what the description of a promotion may be made of.
var policy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "b", "strong", "i", "em", "ul", "ol", "li", "br")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("https")
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	return p
}()

// safe leaves of HTML only what the policy allows.
func safe(text lang.Text) lang.Text {
	clean := lang.Text{}
	for l, html := range text {
		clean[l] = strings.TrimSpace(policy.Sanitize(html))
	}
	return clean
}
