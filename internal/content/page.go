package content

import (
	"slices"

	"servery/internal/site"
)

// pageFields is a file of pages/.
type pageFields struct {
	// The last part of the page's address; the words of bonus, delivery, promotions and shops stand on those pages
	Alias aliasValue `field:"alias,required"`
	// Codes of countries that have this page in place of the one for all
	OnlyCountries []wordValue `field:"only_countries" match:"^[A-Z]{2}$" unique:"true"`
	Title         textValue   `field:"title,required"`
	// One sentence for search engines
	Description textValue                      `field:"description"`
	Sections    []mappingOf[pageSectionFields] `field:"sections,required" items:"1"`
}

// pageSectionFields is a part of a page.
type pageSectionFields struct {
	Heading textValue `field:"heading"`
	// HTML of p, b, strong, i, em, ul, ol, li, br and a with href https; anything else is taken out
	Text textValue `field:"text,required"`
}

// readPages reads the files of pages/, of which there may be none. It must be called before the
// cities are read.
func (b *brandReader) readPages() {
	for _, name := range b.yamlFiles(b.dir + "/pages") {
		tree, ok := b.trees[name]
		if !ok {
			b.unread[b.dir+"/pages"] = true
			continue
		}
		f, _ := readFields[pageFields](tree)
		p := &site.Page{Alias: f.Alias.readAlias(), Title: f.Title.localizedText(b.texts), Description: f.Description.localizedText(b.texts)}
		if site.IsPersonalPage(p.Alias) {
			f.Alias.addFault("%s is a page of the program, which has no words of the brand", p.Alias)
		}
		for _, ref := range f.OnlyCountries {
			code := ref.toText()
			if _, known := b.countries[code]; !known && !b.unread[countriesFile] {
				ref.addFault("unknown country %s", code)
			}
			b.checkUnique(ref.value, b.kindOf("page"), p.Alias+" of "+code)
			p.Countries = append(p.Countries, code)
		}
		if len(p.Countries) == 0 {
			b.checkUnique(f.Alias.value, b.kindOf("page"), p.Alias)
		}
		for _, section := range f.Sections {
			s, _ := section.readMapping()
			text := s.Text.safeHTML(b.texts)
			if isOfStarter(text) {
				s.Text.addWarning("this is still the text of %s that new-brand wrote: write your own before you open", p.Alias)
			}
			p.Sections = append(p.Sections, site.PageSection{Heading: s.Heading.localizedText(b.texts), Text: text})
		}
		b.brand.Site.Pages = append(b.brand.Site.Pages, p)
	}
}

// checkPages adds a fault for each page that the brand lacks: those that the country of a city
// requires, and those that its consents lead to.
func (b *brandReader) checkPages(city value, c *site.City, country *site.Country) {
	needed := slices.Clone(country.RequiredPages)
	for _, consent := range country.Consents {
		if consent.Page != "" {
			needed = append(needed, consent.Page)
		}
	}
	slices.Sort(needed)
	for _, alias := range slices.Compact(needed) {
		if _, ok := b.brand.Site.Page(alias, c); !ok && !b.isUnread("pages") {
			city.addFault("%s needs the page %s: write %s/pages/%s.yaml", c.Alias, alias, b.dir, alias)
		}
	}
}
