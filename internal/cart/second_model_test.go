package cart_test

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/geo"
	"servery/internal/schedule"
	"servery/internal/site"
)

// The second model of prices. It was written from docs/pricing.md without a look at the
// first one and shares nothing with it: it reads what content wrote instead of the menu,
// works with maps and exact fractions, and is a sheet of cells, each with the formula
// of the page. Where the two disagree, the page says who is right.

// priceCase is a case: all that a price depends on.
type priceCase struct {
	house *plainHouse
	city  *site.City
	// shop cooks the order, 0 while it is not known; zone is nil where there is none.
	shop  int64
	zone  *geo.Zone
	cart  cart.Cart
	facts cart.Facts
	now   time.Time
}

// answer is the result of a model for a case: its lines, sums, gifts and code.
type answer struct {
	Lines    []answeredLine
	Cells    map[string]int64
	Packages map[int64]int
	// PackageBonuses is what bonuses pay of each package.
	PackageBonuses map[int64]int64
	Gifts          []answeredGift
	Presents       []answeredGift
	Kept           map[string]map[int64]int // what is left in the cart, by gifts and presents
	Code           string                   // "", "unknown", "active" or the bound that fails first
	Minimum        string
	// BonusShown is whether the customer sees a balance, BonusSpendable whether it can be spent.
	BonusShown, BonusSpendable bool
}

// answeredLine is a line in an answer.
type answeredLine struct {
	Key                      string
	Count                    int
	Sold                     bool
	Portion, Total, Discount int64
	Bonuses                  int64
}

// answeredGift is a gift or present in an answer.
type answeredGift struct {
	ID         int64
	Kind       string
	Count, Max int
	Earned     bool
	Conditions string // + or - for each, in the order of content
}

// sheet computes the cells of a case, each once.
type sheet struct {
	priceCase
	cells   map[string]int64
	working map[string]bool // the cells that are being computed, or were
	lines   []answeredLine
	entries []*catalog.ProductEntry // of the lines
	shares  []int64                 // of the discount, by line
	spread  bool                    // whether shares is set
	// keepsDeposits counts deposits as prices, against the page, to see where they decide something.
	keepsDeposits bool
}

// unit is one unit of the currency, in minor units.
const unit = 100

// answerOf returns the second model's answer to a case.
func answerOf(m priceCase) answer {
	s := &sheet{priceCase: m, cells: map[string]int64{}, working: map[string]bool{}}
	return s.answer()
}

// answerWithDeposits returns what the answer to a case were if deposits were prices like others.
func answerWithDeposits(m priceCase) answer {
	s := &sheet{priceCase: m, cells: map[string]int64{}, working: map[string]bool{}, keepsDeposits: true}
	return s.answer()
}

// answer returns the answer to the case of the sheet.
func (s *sheet) answer() answer {
	s.fillLines()
	a := answer{
		Cells: map[string]int64{}, Packages: s.countPackages(), Code: s.codeState(), Minimum: s.missingMinimum(),
		BonusShown: s.showsBonus(), BonusSpendable: s.spendsBonuses(), Kept: map[string]map[int64]int{},
		PackageBonuses: map[int64]int64{},
	}
	for _, name := range []string{"subtotal", "packages", "delivery", "discount", "bonuses", "upcoming", "total", "limit", "portions", deliveryShare} {
		a.Cells[name] = s.cell(name)
	}
	for i := range s.lines {
		s.lines[i].Discount, s.lines[i].Bonuses = s.shareOf(i), s.cell(lineShare(i))
	}
	for _, p := range s.house.Packages {
		if share := s.cell(packageShare(p.ID)); share > 0 {
			a.PackageBonuses[p.ID] = share
		}
	}
	a.Lines = s.lines
	s.fillGifts(&a)
	return a
}

// cell returns the value of a cell by its name, computed once by its formula. It panics when a cell
// depends on itself.
func (s *sheet) cell(name string) int64 {
	if v, ok := s.cells[name]; ok {
		return v
	}
	if s.working[name] {
		panic("the cell " + name + " depends on itself")
	}
	if strings.HasPrefix(name, "share ") {
		s.shareBonuses()
		return s.cells[name]
	}
	s.working[name] = true
	v := formulas[name](s)
	s.cells[name] = v
	return v
}

// formulas compute the cells of a sheet by their names. The numbers beside them are the sections of
// docs/pricing.md.
var formulas map[string]func(*sheet) int64

// init sets the formulas, which call each other through the sheet and so cannot be in the
// declaration.
func init() {
	formulas = map[string]func(*sheet) int64{
		"portions": func(s *sheet) int64 { // sold or not
			return sumOver(s.lines, func(_ int, l answeredLine) int64 { return int64(l.Count) })
		},
		"sold": func(s *sheet) int64 {
			return sumOver(s.lines, func(_ int, l answeredLine) int64 { return valueIf(l.Sold, int64(l.Count)) })
		},
		// 1.4
		"subtotal": func(s *sheet) int64 {
			return sumOver(s.lines, func(_ int, l answeredLine) int64 { return valueIf(l.Sold, l.Total) })
		},
		// 1.6
		"bare": func(s *sheet) int64 {
			return sumOver(s.lines, func(i int, _ answeredLine) int64 { return s.bareOf(i) })
		},
		// 3
		"packages": func(s *sheet) int64 {
			packed := s.countPackages()
			return sumOver(s.house.Packages, func(_ int, p catalog.PackageEntry) int64 {
				return int64(p.Prices[s.city.PriceList]) * int64(packed[p.ID])
			})
		},
		// 4.3
		"discount": func(s *sheet) int64 {
			return sumOver(s.lines, func(i int, _ answeredLine) int64 { return s.shareOf(i) })
		},
		// 5
		"goods": func(s *sheet) int64 { return s.cell("bare") + s.cell("packages") },
		"delivery": func(s *sheet) int64 {
			z := s.zone
			switch {
			case s.cart.OrderType == site.Takeaway, z == nil, s.cell("sold") == 0:
				return 0
			case s.codeState() == "active" && s.promocode().Kind == catalog.FreeDelivery:
				return 0
			case z.HasFreeDelivery && s.cell("goods") >= int64(z.MinimumOrder):
				return 0
			case !z.HasFreeDelivery && z.FreeFrom != nil && s.cell("goods") >= int64(*z.FreeFrom):
				return 0
			}
			return int64(z.Delivery)
		},
		// 6.3
		"room": func(s *sheet) int64 {
			return sumOver(s.bonusParts(), func(_ int, p bonusPart) int64 { return p.payable })
		},
		"limit": func(s *sheet) int64 {
			if !s.spendsBonuses() || s.cell("discount") > 0 {
				return 0
			}
			return lesser(int64(s.facts.Balance), s.cell("room"))
		},
		// 6.4
		"bonuses": func(s *sheet) int64 { return lesser(int64(s.cart.Bonuses), s.cell("limit")) },
		// 6.6
		"upcoming": func(s *sheet) int64 {
			b := s.city.Bonus
			if s.facts.CustomerID == 0 || b == nil || b.AccrualUntil != nil && s.cityDate() > b.AccrualUntil.String() {
				return 0
			}
			paid := sumOver(s.lines, func(i int, _ answeredLine) int64 {
				return s.bareOf(i) - s.shareOf(i) - s.cell(lineShare(i))
			})
			return roundHalfUp(big.NewRat(paid*int64(b.BasisPoints), 100*100))
		},
		// 7
		"full":  func(s *sheet) int64 { return s.cell("subtotal") + s.cell("packages") + s.cell("delivery") },
		"total": func(s *sheet) int64 { return s.cell("full") - s.cell("discount") - s.cell("bonuses") },
	}
}

// fillLines sets the lines with their prices, and whether each is sold (1). Products that
// content no longer has are left out.
func (s *sheet) fillLines() {
	for _, l := range s.cart.Lines {
		entry, known := s.house.products[l.ProductID]
		if !known {
			continue
		}
		line := answeredLine{Key: l.Key, Count: l.Count}
		if kind := s.typeOf(entry); kind == "default" || kind == "related" {
			line.Sold = s.isValid(entry, tallyOf(l.Modifiers))
		}
		line.Portion = s.portionPrice(entry, tallyOf(l.Modifiers))
		line.Total = line.Portion * int64(l.Count)
		s.lines, s.entries = append(s.lines, line), append(s.entries, entry)
	}
}

// typeOf returns whether the product is sold at the place: default, related, stop or
// unavailable.
func (s *sheet) typeOf(p *catalog.ProductEntry) string {
	_, priced := p.Prices[s.city.PriceList]
	named := func(ids []int64, id int64) bool { return len(ids) == 0 || slices.Contains(ids, id) }
	for _, holds := range []bool{
		priced,
		s.cart.OrderType == site.Takeaway && s.city.Takeaway || s.cart.OrderType == site.Delivery && s.city.Delivery,
		named(p.OnlyCities, s.city.ID),
		!slices.Contains(p.NotCities, s.city.ID),
		s.shop == 0 || named(p.OnlyShops, s.shop),
		len(p.OnlyOrderTypes) == 0 || slices.Contains(p.OnlyOrderTypes, s.cart.OrderType),
	} {
		if !holds {
			return "unavailable"
		}
	}
	if s.isStopped(catalog.StopProduct, p.Alias) {
		return "stop"
	}
	if p.Related {
		return "related"
	}
	return "default"
}

// isStopped reports whether a product or modifier is stopped in the shop or everywhere.
func (s *sheet) isStopped(kind catalog.StopKind, alias string) bool {
	return slices.ContainsFunc(s.house.Stops, func(e catalog.StopEntry) bool {
		return e.Kind == kind && e.Alias == alias && (e.ShopID == 0 || e.ShopID == s.shop)
	})
}

// countPackages returns how many of each package the order needs, by id (3).
func (s *sheet) countPackages() map[int64]int {
	counts := map[int64]int{}
	sold := int(s.cell("sold"))
	for _, p := range s.house.Packages {
		if !slices.Contains(p.OrderTypes, s.cart.OrderType) || sold == 0 || p.CanRefuse && s.cart.WithoutBag {
			continue
		}
		counts[p.ID] = 1
		if p.PerItems > 0 {
			counts[p.ID] = sold / p.PerItems
			if sold%p.PerItems > 0 {
				counts[p.ID]++
			}
		}
	}
	return counts
}

// missingMinimum returns which minimum is not reached, as text, and an empty text when none is
// missing (5).
func (s *sheet) missingMinimum() string {
	z := s.zone
	if s.cart.OrderType == site.Takeaway || z == nil {
		return ""
	}
	goods := s.cell("goods")
	free := s.codeState() == "active" && s.promocode().Kind == catalog.FreeDelivery
	lacks := func(kind cart.MinimumKind, amount int64) string {
		return minimumText(kind, amount, amount-goods)
	}
	switch {
	case !z.HasFreeDelivery && goods < int64(z.MinimumOrder):
		return lacks(cart.ForOrder, int64(z.MinimumOrder))
	case free, z.Delivery == 0:
		return ""
	case z.HasFreeDelivery && goods < int64(z.MinimumOrder):
		return lacks(cart.ForFreeDelivery, int64(z.MinimumOrder))
	case !z.HasFreeDelivery && z.FreeFrom != nil && goods < int64(*z.FreeFrom):
		return lacks(cart.ForFreeDelivery, int64(*z.FreeFrom))
	}
	return ""
}

// Time as the city's clock shows it.

// cityDate returns the date of the case by the city's clock.
func (s *sheet) cityDate() string { return s.now.In(s.city.Location).Format(time.DateOnly) }

// isOpen reports whether the time of the case, by the city's clock, lies within the window
// (2.1). Hours after midnight belong to the day before.
func (s *sheet) isOpen(w *catalog.Window) bool {
	if w == nil {
		return true
	}
	local := s.now.In(s.city.Location)
	return s.isOpenBy(w, local, 0) || s.isOpenBy(w, local, 1)
}

// isOpenBy reports whether the local time lies within hours of the window that began that many days ago.
func (*sheet) isOpenBy(w *catalog.Window, local time.Time, daysAgo int) bool {
	seconds := (local.Hour()*60+local.Minute()+daysAgo*24*60)*60 + local.Second()
	weekday := (int(local.Weekday())+6-daysAgo)%7 + 1
	hours := w.Hours
	if len(hours) == 0 {
		hours = []schedule.Span{{From: 0, To: 24 * 60}}
	}
	isNamed := len(w.Days) == 0 || slices.Contains(w.Days, weekday)
	return isNamed && slices.ContainsFunc(hours, func(h schedule.Span) bool { return h.From*60 <= seconds && seconds < h.To*60 })
}

// anySold reports whether a line that is sold is of one of the products or groups.
func (s *sheet) anySold(products, groups []int64) bool {
	return slices.ContainsFunc(s.lineIndexes(), func(i int) bool {
		return s.lines[i].Sold && (slices.Contains(products, s.entries[i].ID) || slices.Contains(groups, s.entries[i].GroupID))
	})
}

// lineIndexes returns the indexes of all lines.
func (s *sheet) lineIndexes() []int {
	all := make([]int, len(s.lines))
	for i := range all {
		all[i] = i
	}
	return all
}

// Bonuses (6.1).

// showsBonus reports whether the customer is shown their bonuses: where there is a programme,
// and where the city has switched it off but they have bonuses (6.1).
func (s *sheet) showsBonus() bool {
	return s.facts.CustomerID != 0 && (s.city.Bonus != nil || s.house.Site.Bonus != nil && s.facts.Balance > 0)
}

// spendsBonuses reports whether the customer can pay with bonuses in this city on this day (6.1).
func (s *sheet) spendsBonuses() bool {
	b := s.city.Bonus
	return s.facts.CustomerID != 0 && b != nil && (b.SpendUntil == nil || s.cityDate() <= b.SpendUntil.String())
}
