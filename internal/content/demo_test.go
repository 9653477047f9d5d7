package content_test

import (
	"slices"
	"testing"
	"time"

	demo "servery/content"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/content"
	"servery/internal/lang"
	"servery/internal/site"
)

func TestDemo_hasNoFaults(t *testing.T) {
	t.Parallel()
	for _, f := range content.Check(demo.Demo()) {
		t.Error(f)
	}
}

// expectSeen fails the test for each of the names that is not in seen.
func expectSeen(t *testing.T, seen map[string]bool, names ...string) {
	t.Helper()
	for _, name := range names {
		if !seen[name] {
			t.Errorf("nothing in the demo shows: %s", name)
		}
	}
}

func TestDemo_showsEveryKindOfGift(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, b := range demoBrands(t) {
		if n := len(b.Gifts); n < 4 {
			t.Errorf("%s has %d gifts", b.Site.Alias, n)
		}
		for _, g := range b.Gifts {
			seen["stock"] = seen["stock"] || g.Stock != nil
			seen["personal"] = seen["personal"] || g.Personal
			seen["only_cities"] = seen["only_cities"] || len(g.OnlyCities) > 0
			seen["several in one cart"] = seen["several in one cart"] || g.MaxCount > 1
			seen["one condition"] = seen["one condition"] || len(g.Conditions) == 1
			seen["two conditions"] = seen["two conditions"] || len(g.Conditions) == 2
			seen["more conditions"] = seen["more conditions"] || len(g.Conditions) > 2
			for _, c := range g.Conditions {
				seen["subtotal"] = seen["subtotal"] || len(c.Subtotal) > 0
				seen["products"] = seen["products"] || len(c.Products) > 0
				seen["groups"] = seen["groups"] || len(c.Groups) > 0
				seen["order_types"] = seen["order_types"] || len(c.OrderTypes) > 0
				seen["first_order"] = seen["first_order"] || c.FirstOrder
				if c.When != nil {
					seen["days"] = seen["days"] || len(c.When.Days) > 0
					seen["hours"] = seen["hours"] || len(c.When.Hours) > 0
					for _, span := range c.When.Hours {
						seen["hours past midnight"] = seen["hours past midnight"] || span.To > clock.MinutesPerDay
					}
				}
			}
		}
	}
	expectSeen(t, seen, "stock", "personal", "only_cities", "several in one cart", "one condition", "two conditions", "more conditions",
		"subtotal", "products", "groups", "order_types", "first_order", "days", "hours", "hours past midnight")
}

func TestDemo_showsEveryKindAndBoundOfAPromocode(t *testing.T) {
	t.Parallel()
	written := clock.Day{Year: 2026, Month: time.December, Day: 1}
	later := clock.Day{Year: 2030, Month: time.January, Day: 1}
	seen := map[string]bool{}
	for _, b := range demoBrands(t) {
		if n := len(b.Promocodes); n < 6 {
			t.Errorf("%s has %d promocodes", b.Site.Alias, n)
		}
		for _, p := range b.Promocodes {
			seen[string(p.Kind)] = true
			seen["expired"] = seen["expired"] || p.Until != nil && p.Until.Before(written)
			seen["lasts"] = seen["lasts"] || p.From != nil && p.Until != nil && p.From.Before(written) && later.Before(*p.Until)
			seen["friday"] = seen["friday"] || p.When != nil && slices.Equal(p.When.Days, []int{5})
			seen["hours"] = seen["hours"] || p.When != nil && len(p.When.Hours) > 0
			seen["one city"] = seen["one city"] || len(p.OnlyCities) == 1
			seen["order_types"] = seen["order_types"] || len(p.OrderTypes) > 0
			seen["minimum"] = seen["minimum"] || len(p.Minimum) > 0
			seen["products"] = seen["products"] || len(p.Products) > 0
			seen["groups"] = seen["groups"] || len(p.Groups) > 0
			seen["first_order"] = seen["first_order"] || p.FirstOrder
			seen["limit of 100"] = seen["limit of 100"] || p.Limit != nil && *p.Limit == 100
			seen["once for a phone"] = seen["once for a phone"] || p.LimitPerPhone != nil && *p.LimitPerPhone == 1
		}
	}
	expectSeen(t, seen, "percent", "sum", "gift", "free_delivery", "expired", "lasts", "friday", "hours", "one city", "order_types",
		"minimum", "products", "groups", "first_order", "limit of 100", "once for a phone")
}

func TestDemo_showsEveryStateOfTheBonusProgramme(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.December, 1, 12, 0, 0, 0, time.UTC)
	seen := map[string]bool{}
	for _, b := range demoBrands(t) {
		for _, c := range b.Site.Cities {
			seen["no programme"] = seen["no programme"] || b.Site.Bonus == nil && c.Bonus == nil
			seen["switched off in a city"] = seen["switched off in a city"] || b.Site.Bonus != nil && c.Bonus == nil
			seen["on"] = seen["on"] || c.Bonus.IsAccruing(now, time.UTC) && c.Bonus.IsSpendable(now, time.UTC)
			seen["paused"] = seen["paused"] || !c.Bonus.IsAccruing(now, time.UTC) && c.Bonus.IsSpendable(now, time.UTC)
		}
	}
	expectSeen(t, seen, "no programme", "switched off in a city", "on", "paused")
}

func TestDemo_showsEveryKindOfChoiceAmongModifiers(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, b := range demoBrands(t) {
		for _, g := range b.ModifierGroups {
			chosen := 0
			for _, m := range g.Modifiers {
				chosen += m.Count
			}
			seen["one of several"] = seen["one of several"] || g.Min == 1 && g.Max == 1
			seen["as many as one likes"] = seen["as many as one likes"] || g.Min == 0 && g.Max > 1
			seen["between two bounds"] = seen["between two bounds"] || g.Min > 0 && g.Max > g.Min
			seen["a default"] = seen["a default"] || chosen > 0
			seen["no default where one is needed"] = seen["no default where one is needed"] || g.Min > chosen
			seen["free, and needed"] = seen["free, and needed"] || g.Free > 0 && g.Min > 0
			seen["free, and more at a price"] = seen["free, and more at a price"] || g.Free > 0 && g.Max > g.Free
		}
	}
	expectSeen(t, seen, "one of several", "as many as one likes", "between two bounds", "a default", "no default where one is needed",
		"free, and needed", "free, and more at a price")
}

func TestDemo_namesGlutenInEveryDough(t *testing.T) {
	t.Parallel()
	doughs := 0
	for _, b := range demoBrands(t) {
		allergens := map[string][]catalog.Allergen{}
		for _, ingredient := range b.Ingredients {
			allergens[ingredient.Alias] = ingredient.Allergens
		}
		for _, g := range b.ModifierGroups {
			if g.Alias != "dough" {
				continue
			}
			for _, m := range g.Modifiers {
				doughs++
				if named := slices.Concat(allergens[m.Ingredient], m.Allergens); !slices.Contains(named, "gluten") {
					t.Errorf("%s names no gluten, but %v", m.Alias, named)
				}
			}
		}
	}
	if doughs == 0 {
		t.Error("the demo has no choice of a dough")
	}
}

func TestDemo_hasHoursAndOtherPricesForTakeawayOfEachBrand(t *testing.T) {
	t.Parallel()
	lastHour := 0
	for _, b := range demoBrands(t) {
		cheaper := 0
		for _, p := range b.Products {
			if p.MakeMinutes == 0 && len(p.SetOf) == 0 {
				t.Errorf("%s: %s takes the kitchen no time", b.Site.Alias, p.Alias)
			}
			for list, price := range p.TakeawayPrices {
				if price < p.Prices[list] {
					cheaper++
				}
			}
			if b.Site.Settings.LastHour && p.SaleMultiplicityLastHour > p.SaleMultiplicity {
				lastHour++
			}
		}
		if cheaper < 3*len(b.Site.PriceLists) {
			t.Errorf("%s: %d prices are lower for takeaway", b.Site.Alias, cheaper)
		}
	}
	if lastHour == 0 {
		t.Error("nothing is sold in portions in the last hour")
	}
}

func TestDemo_hasItsOffersInEachLanguage(t *testing.T) {
	t.Parallel()
	for _, b := range demoBrands(t) {
		for _, g := range b.Gifts {
			for _, text := range []lang.Text{g.Name, g.Description} {
				for _, l := range b.Site.Languages {
					if !text.IsZero() && text[l] == "" {
						t.Errorf("%s: %s has a text that is missing in %s", b.Site.Alias, g.Alias, l)
					}
				}
			}
		}
		for _, banner := range b.Banners {
			for _, text := range []lang.Text{banner.Name, banner.Description, banner.ButtonText} {
				for _, l := range b.Site.Languages {
					if text[l] == "" {
						t.Errorf("%s: banner %s has a text that is missing in %s", b.Site.Alias, banner.Alias, l)
					}
				}
			}
		}
		for _, p := range b.Promotions {
			for _, text := range []lang.Text{p.Name, p.Subtitle, p.Description} {
				for _, l := range b.Site.Languages {
					if text[l] == "" {
						t.Errorf("%s: %s has a text that is missing in %s", b.Site.Alias, p.Alias, l)
					}
				}
			}
		}
	}
}

// A gift for takeaway only must not be promised where there is no takeaway.
func TestDemo_offersGiftsWhereTheyCanBeEarned(t *testing.T) {
	t.Parallel()
	for _, b := range demoBrands(t) {
		products := map[int64]catalog.ProductEntry{}
		for _, p := range b.Products {
			products[p.ID] = p
		}
		for _, g := range b.Gifts {
			p := products[g.ProductID]
			for _, c := range b.Site.Cities {
				if len(g.OnlyCities) > 0 && !slices.Contains(g.OnlyCities, c.ID) || c.Stopped {
					continue
				}
				if len(p.OnlyCities) > 0 && !slices.Contains(p.OnlyCities, c.ID) || slices.Contains(p.NotCities, c.ID) {
					t.Errorf("%s: %s has what %s does not sell", b.Site.Alias, g.Alias, c.Alias)
				}
				for _, condition := range g.Conditions {
					if len(condition.OrderTypes) > 0 && !slices.ContainsFunc(condition.OrderTypes, func(o site.OrderType) bool { return c.Sells(o) }) {
						t.Errorf("%s: %s cannot be earned in %s", b.Site.Alias, g.Alias, c.Alias)
					}
				}
			}
		}
	}
}

func TestDemo_hasEveryPageInEveryLanguage(t *testing.T) {
	t.Parallel()
	wanted := []string{
		"about", "payment-info", "delivery", "careers", "franchise", "supplier", "landlord", "return-request", "legal-info", "user-agreement", "privacy-policy",
	}
	for _, b := range demoBrands(t) {
		for _, city := range b.Site.Cities {
			for _, alias := range wanted {
				if _, ok := b.Site.Page(alias, city); !ok {
					t.Errorf("%s has no page %s in %s", b.Site.Alias, alias, city.Alias)
				}
			}
			if _, ok := b.Site.Page("imprint", city); ok != (city.CountryCode == "DE") {
				t.Errorf("%s in %s: an imprint %v", b.Site.Alias, city.Alias, ok)
			}
		}
		for _, p := range b.Site.Pages {
			texts := []lang.Text{p.Title, p.Description}
			for _, section := range p.Sections {
				texts = append(texts, section.Heading, section.Text)
			}
			for _, text := range texts {
				for _, l := range b.Site.Languages {
					if !text.IsZero() && text[l] == "" {
						t.Errorf("%s: %s has a text that is missing in %s", b.Site.Alias, p.Alias, l)
					}
				}
			}
		}
	}
}

func demoBrands(t *testing.T) []catalog.Brand {
	t.Helper()
	folder, found := content.Read(demo.Demo())
	if len(found) > 0 {
		t.Fatal(found)
	}
	return folder.Document.Brands
}
