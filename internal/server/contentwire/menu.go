// Package contentwire converts what a brand's content says (cities, shops, menus, banners, pages of
// words) into the contract's types.
package contentwire

import (
	"strconv"
	"time"

	"servery/internal/catalog"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// Localizer converts what a brand shows into the contract's types, in one language.
type Localizer struct{ convert.Localizer }

// MenuLocalizer converts a menu for one city, in whose time the ends of stops are written.
type MenuLocalizer struct {
	Localizer
	city *site.City
	now  time.Time
}

// InCity returns the converter of menus for a city at an instant.
func (s Localizer) InCity(city *site.City, now time.Time) MenuLocalizer {
	return MenuLocalizer{s, city, now}
}

// SmallPicture converts a picture in its small sizes; nil for none.
func SmallPicture(p *catalog.Picture) *wire.Picture {
	if p == nil {
		return nil
	}
	return picture(p, p.Small())
}

// picture converts a picture, of whose files it takes only the sources.
func picture(p *catalog.Picture, sources []catalog.Source) *wire.Picture {
	w := &wire.Picture{Width: p.Width, Height: p.Height, Src: p.Src}
	if len(sources) > 0 {
		w.Sources = make([]wire.PictureSource, len(sources))
		for i, source := range sources {
			w.Sources[i] = wire.PictureSource(source)
		}
	}
	return w
}

// Images converts a picture in small and big sizes; both are absent for none.
func Images(p *catalog.Picture) wire.Images {
	if p == nil {
		return wire.Images{}
	}
	return wire.Images{Small: picture(p, p.Small()), Big: picture(p, p.Big())}
}

// Allergens converts allergens with their names.
func (s Localizer) Allergens(list []catalog.Allergen) []wire.Allergen {
	out := make([]wire.Allergen, len(list))
	for i, a := range list {
		out[i] = wire.Allergen{Alias: string(a), Name: s.Message(a.Message())}
	}
	return out
}

// modifier converts a modifier; sort is its place in its list.
func (s Localizer) modifier(m *catalog.Modifier, sort int) wire.Modifier {
	w := wire.Modifier{
		ID: m.ID, Name: s.Text(m.Name), Lang: s.ForeignLang(m.Name), Price: m.Price, Min: m.Min, Max: m.Max, Count: m.Count,
		Type: wire.ModifierTypeDefault, Sort: &sort, Allergens: s.Allergens(m.Allergens), Image: SmallPicture(m.Picture),
	}
	if m.Stopped {
		w.Type = wire.ModifierTypeStop
	}
	return w
}

// modifiers converts single modifiers and groups; the modifiers of a group are by their id.
func (s Localizer) modifiers(m catalog.Modifiers) wire.Modifiers {
	w := wire.Modifiers{Available: m.Available(), Single: []wire.Modifier{}, Groups: []wire.ModifierGroup{}}
	for i, single := range m.Singles {
		w.Single = append(w.Single, s.modifier(single, i))
	}
	for _, g := range m.Groups {
		group := wire.ModifierGroup{
			ID: g.ID, Name: s.Text(g.Name), Lang: s.ForeignLang(g.Name), Min: g.Min, Max: g.Max, Free: g.Free,
			Modifiers: make(map[string]wire.Modifier, len(g.Modifiers)),
		}
		for i, choice := range g.Modifiers {
			group.Modifiers[strconv.FormatInt(choice.ID, 10)] = s.modifier(choice, i)
		}
		w.Groups = append(w.Groups, group)
	}
	return w
}

// Weight converts a weight with the name of its unit; nil for none.
func (s Localizer) Weight(weight *catalog.Weight) *wire.Weight {
	if weight == nil {
		return nil
	}
	return &wire.Weight{Value: weight.Value, Unit: s.Message(weight.Unit.Message())}
}

// Product converts a product with its stop, if there is one.
func (m MenuLocalizer) Product(p *catalog.Product) wire.Product {
	w := wire.Product{
		ID: p.ID, Key: p.Key, Alias: convert.OrNil(p.Alias), Name: m.Text(p.Name), Description: m.Text(p.Description),
		Lang: m.ForeignLang(p.Name), DescriptionLang: m.ForeignLang(p.Description), CompositionLang: m.compositionLang(p),
		Images: Images(p.Picture), Weight: m.Weight(p.Weight), Quantity: p.Quantity,
		SaleMultiplicity: p.SaleMultiplicity, SaleMultiplicityLastHour: p.SaleMultiplicityLastHour,
		Price: p.Price, BasicPrice: p.BasicPrice, Discount: p.Discount(),
		Accent: convert.OrNil(p.Accent), AccentText: m.Optional(p.AccentText),
		Type: wire.ProductType(p.Type), ProductGroupID: p.GroupID, HasRelatedProducts: p.HasRelated,
		Allergens: m.Allergens(p.Allergens), Composition: p.CompositionText(m.Lang, m.Site.TextLanguage()),
		Modifiers: m.modifiers(p.Modifiers),
	}
	if len(p.SetOf) > 0 {
		parts := m.setParts(p.SetOf)
		w.SetOf = &parts
	}
	if both := p.OrderTypePrices; both != nil {
		w.OrderTypePrices = &wire.OrderTypePrices{Delivery: both.Delivery, Takeaway: both.Takeaway}
	}
	m.addFacts(&w, p)
	if p.Stop != nil {
		w.Alert = convert.OrNil(m.Message(p.Stop.Message(m.city.Location, m.now)))
	}
	if n := p.Nutrition; n != nil {
		w.NutritionalValue = &wire.NutritionalValue{Proteins: n.Proteins, Fats: n.Fats, Carbohydrates: n.Carbohydrates, Kilocalories: n.Kilocalories}
	}
	return w
}

// addFacts adds the facts of a product that only some countries demand: lowest price, deposit, price per
// unit and additives.
func (m MenuLocalizer) addFacts(w *wire.Product, p *catalog.Product) {
	w.LowestPrice, w.Deposit = convert.OrNil(p.LowestPrice), convert.OrNil(p.Deposit)
	if unit := p.UnitPrice; unit != nil {
		w.UnitPrice = &wire.UnitPrice{Amount: unit.Amount, Unit: m.Message(unit.Unit.Message())}
	}
	if text := m.Optional(p.Additives); text != nil {
		w.Additives, w.AdditivesLang = text, m.ForeignLang(p.Additives)
	}
}

// compositionLang returns the language of the product's composition; nil when that is the page's own.
// As a rule all names in a composition are written in one language, so the first name decides.
func (m MenuLocalizer) compositionLang(p *catalog.Product) *string {
	switch {
	case len(p.Composition) > 0:
		return m.ForeignLang(p.Composition[0].Name)
	case len(p.SetOf) > 0:
		return m.ForeignLang(p.SetOf[0].Product.Name)
	}
	return nil
}

// setParts converts the parts of a set.
func (m MenuLocalizer) setParts(list []catalog.Part) []wire.SetPart {
	out := make([]wire.SetPart, len(list))
	for i, part := range list {
		out[i] = wire.SetPart{ProductKey: part.Product.Key, Name: m.Text(part.Product.Name), Count: part.Count}
	}
	return out
}

// Products converts products with their stops.
func (m MenuLocalizer) Products(list []*catalog.Product) []wire.Product {
	out := make([]wire.Product, len(list))
	for i, p := range list {
		out[i] = m.Product(p)
	}
	return out
}

// Menu converts a menu; popular are keys of the products that are often ordered.
func (m MenuLocalizer) Menu(menu *catalog.Menu, popular []string) wire.Menu {
	w := wire.Menu{ProductGroups: make([]wire.ProductGroup, len(menu.Groups)), PopularProducts: popular}
	if popular == nil {
		w.PopularProducts = []string{}
	}
	for i, g := range menu.Groups {
		w.ProductGroups[i] = wire.ProductGroup{
			ID: g.ID, Alias: g.Alias, Name: m.Text(g.Name), Lang: m.ForeignLang(g.Name), Products: m.Products(g.Products),
			Images: Images(g.Picture), Icon: convert.OrNil(g.Icon), ShowOnMain: g.ShowOnMain, Sort: g.Sort,
		}
	}
	return w
}
