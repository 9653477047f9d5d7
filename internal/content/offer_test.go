package content_test

import (
	"slices"
	"testing"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/content"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/schedule"
	"servery/internal/site"
)

func TestRead_reportsEachFaultOfAnOfferWithFileAndLine(t *testing.T) {
	t.Parallel()
	const (
		gifts, codes  = "sushi/gifts.yaml", "sushi/promocodes.yaml"
		brand, cities = "sushi/brand.yaml", "sushi/cities.yaml"
		modifiers     = "sushi/modifiers.yaml"
		oneCondition  = ": a condition is one of subtotal, products, groups, order_types, first_order: true, or days and hours"
		oneThing      = ": a promocode has one benefit: percent, sum, gift or free_delivery: true"
		badCode       = ": a code is 3 to 32 letters, digits and dashes, all letters latin or all Cyrillic: "
		cannotSpend   = "bonuses would be accrued that cannot be spent"
	)
	for name, c := range map[string]struct {
		change change
		want   string
	}{
		"gift id twice":              {change{gifts, "{id: 2,", "{id: 1,"}, gifts + ":14: gift id 1 is taken already at sushi/gifts.yaml:1"},
		"gift alias twice":           {change{gifts, "alias: gift-roll", "alias: gift-soy"}, gifts + ":14: sushi gift gift-soy is taken already at sushi/gifts.yaml:2"},
		"gift of nothing":            {change{gifts, "product: rice-roll, ", ""}, gifts + ":14: product is missing"},
		"gift of an unknown product": {change{gifts, "product: soy", "product: soya"}, gifts + ":3: unknown product soya"},
		"gift no one can choose for": {change{modifiers, "price: 0, count: 1, ingredient: soy", "price: 0"}, gifts + ":14: salmon-roll cannot be given: its modifiers sauce need a choice, and 0 of 1 are chosen by default"},
		"personal with conditions":   {change{gifts, "  stock: 5", "  stock: 5\n  personal: true"}, gifts + ":1: a personal gift has no conditions: it is given as a present or by a promocode"},
		"personal in a city":         {change{gifts, "personal: true", "personal: true, only_cities: [moscow]"}, gifts + ":14: a personal gift is offered nowhere, so only_cities has no meaning"},
		"more than there are":        {change{gifts, "stock: 5", "stock: 1"}, gifts + ":1: max_count 2 is above stock 1"},
		"stock of none":              {change{gifts, "stock: 5", "stock: 0"}, gifts + ":5: must be a whole number from 1 to 2147483647"},
		"gift in an unknown city":    {change{gifts, "[moscow]", "[bonn]"}, gifts + ":6: unknown city of the brand bonn"},
		"gift picture":               {change{gifts, "picture: roll", "picture: rol"}, gifts + ":14: picture rol is missing: there is no sushi/pictures/rol.jpg"},
		"unknown field of a gift":    {change{gifts, "stock: 5", "stok: 5"}, gifts + ":5: unknown field stok"},
		"empty condition":            {change{gifts, "{first_order: true}", "{first_order: false}"}, gifts + ":13" + oneCondition},
		"two conditions in one":      {change{gifts, "{groups: [rolls]}", "{groups: [rolls], order_types: [delivery]}"}, gifts + ":9" + oneCondition},
		"unknown condition":          {change{gifts, "{groups: [rolls]}", "{group: [rolls]}"}, gifts + ":9: unknown field group"},
		"condition on no group":      {change{gifts, "groups: [rolls]", "groups: [wok]"}, gifts + ":9: unknown product group wok"},
		"condition on no product":    {change{gifts, "[set, rice-roll]", "[set, tuna-roll]"}, gifts + ":10: unknown product tuna-roll"},
		"product twice":              {change{gifts, "[set, rice-roll]", "[set, set]"}, gifts + ":10: set stands here twice"},
		"condition on all":           {change{gifts, "[takeaway]", "[delivery, takeaway]"}, gifts + ":12: order_types names all of them; leave it out"},
		"subtotal of nothing":        {change{gifts, "de: 25", "de: 0"}, gifts + ":8: the amount is zero in price list de"},
		"subtotal in no list":        {change{gifts, "{ru: 1000, de: 25}", "{de: 25}"}, gifts + ":8: the price is missing in price list ru"},
		"no days":                    {change{gifts, "[1-5, 7]", "[]"}, gifts + ":11: days names none; without the field it is every day"},
		"day twice":                  {change{gifts, "[1-5, 7]", "[1-5, 5]"}, gifts + ":11: weekday 5 stands here twice"},
		"eighth day":                 {change{gifts, "[1-5, 7]", "[8]"}, gifts + `:11: "8" is not a weekday, 1 (Monday) to 7 (Sunday), nor a range like 1-5`},
		"no hours":                   {change{gifts, `["12:00-16:00", "22:00-26:00"]`, "[]"}, gifts + ":11: hours names none; without the field it is the whole day"},
		"hours overlap":              {change{gifts, "12:00-16:00", "12:00-23:00"}, gifts + ":11: the spans of hours must be in order and not overlap"},
		"hours no clock shows":       {change{gifts, "12:00-16:00", "12-16"}, gifts + `:11: "12-16" is not a time span like 10:00-22:00`},

		"promocode id twice":   {change{codes, "id: 4", "id: 3"}, codes + ":4: promocode id 3 is taken already at sushi/promocodes.yaml:3"},
		"code twice":           {change{codes, "code: MINUS300", "code: Friday20"}, codes + ":2: sushi promocode FRIDAY20 is taken already at sushi/promocodes.yaml:1"},
		"code missing":         {change{codes, "code: MINUS300, ", ""}, codes + ":2: code is missing"},
		"code too short":       {change{codes, "MINUS300", "M3"}, codes + ":2" + badCode + `"M3"`},
		"code with a space":    {change{codes, "MINUS300", "MINUS 300"}, codes + ":2" + badCode + `"MINUS 300"`},
		"code of two scripts":  {change{codes, "РОЛЛ", "РОЛL"}, codes + ":3" + badCode + `"РОЛL"`},
		"code as a number":     {change{codes, "MINUS300", "300"}, codes + ":2: must be a text; put numbers in quotes"},
		"without benefit":      {change{codes, "free_delivery: true", "free_delivery: false"}, codes + ":4" + oneThing},
		"two benefits":         {change{codes, "sum: 300", "sum: 300, percent: 10"}, codes + ":2" + oneThing},
		"percent too high":     {change{codes, "percent: 20", "percent: 101"}, codes + ":1: must be a whole number from 1 to 100"},
		"sum of nothing":       {change{codes, "sum: 300", "sum: 1"}, codes + ":2: the amount is zero in price list de"},
		"unknown gift":         {change{codes, "gift: gift-roll", "gift: roll"}, codes + ":3: unknown gift roll"},
		"no such date":         {change{codes, "2027-12-31", "2027-02-31"}, codes + `:1: "2027-02-31" is not a date like 2026-01-31`},
		"ends before it began": {change{codes, "2027-12-31", "2025-12-31"}, codes + ":1: until 2025-12-31 is before from 2026-01-01"},
		"code in no city":      {change{codes, "only_cities: [moscow]", "only_cities: [bonn]"}, codes + ":1: unknown city of the brand bonn"},
		"code for no product":  {change{codes, "products: [set]", "products: [sets]"}, codes + ":1: unknown product sets"},
		"code for no group":    {change{codes, "groups: [rolls]", "groups: [wok]"}, codes + ":1: unknown product group wok"},
		"limits":               {change{codes, "limit: 1000", "limit: 1"}, ""},
		"limit per phone":      {change{codes, "limit_per_phone: 1", "limit_per_phone: 1001"}, codes + ":1: limit_per_phone 1001 is above limit 1000"},
		"free of no delivery":  {change{codes, "free_delivery: true", "free_delivery: true, order_types: [takeaway]"}, codes + ":4: free_delivery has no effect on orders that are not delivered"},
		"unknown bound":        {change{codes, "minimum: 1500", "minimal: 1500"}, codes + ":1: unknown field minimal"},

		"percent too fine":      {change{brand, `"7.5"`, `"7.555"`}, brand + `:13: must be a percentage from 0.01 to 100 like "7.5"`},
		"percent of nothing":    {change{brand, `"7.5"`, "0"}, brand + `:13: must be a percentage from 0.01 to 100 like "7.5"`},
		"percent above all":     {change{brand, `"7.5"`, `"100.01"`}, brand + `:13: must be a percentage from 0.01 to 100 like "7.5"`},
		"no percent":            {change{brand, `percent: "7.5", `, ""}, brand + ":13: percent is missing"},
		"spent before accrued":  {change{brand, "2027-05-21", "2026-05-21"}, brand + ":13: spend_until 2026-05-21 is before accrual_until 2026-10-31: " + cannotSpend},
		"accrued for ever":      {change{brand, `accrual_until: "2026-10-31", `, ""}, brand + ":13: spend_until needs accrual_until: " + cannotSpend},
		"programme of no brand": {change{cities, "bonus_programme: false", "bonus_programme: yes"}, cities + ":7: must be true or false"},
		"free above max":        {change{modifiers, "    max: 1\n", "    max: 1\n    free: 2\n"}, modifiers + ":4: free 2 is above max 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes := []change{c.change}
			if name == "gift no one can choose for" {
				changes = append(changes, change{gifts, "product: rice-roll", "product: salmon-roll"})
			}
			if c.want == "" {
				if found := content.Check(newFolder(t, changes...)); len(found) > 0 {
					t.Error(found)
				}
				return
			}
			expectFault(t, c.want, changes...)
		})
	}
}

func TestRead_refusesABonusProgrammeOfACityThatTheBrandLacks(t *testing.T) {
	t.Parallel()
	expectFault(
		t, "sushi/cities.yaml:7: the brand has no bonus_programme that could be on here",
		change{"sushi/brand.yaml", `bonus_programme: {percent: "7.5", accrual_until: "2026-10-31", spend_until: "2027-05-21"}`, ""},
		change{"sushi/cities.yaml", "bonus_programme: false", "bonus_programme: true"},
	)
}

func TestRead_takesABrandWithoutOffers(t *testing.T) {
	t.Parallel()
	files := newFolder(t, change{file: "sushi/gifts.yaml"}, change{file: "sushi/promocodes.yaml"})
	if found := content.Check(files); len(found) > 0 {
		t.Error(found)
	}
}

func TestRead_keepsGiftsAsWritten(t *testing.T) {
	t.Parallel()
	gifts := readBrand(t).Gifts
	if len(gifts) != 2 {
		t.Fatalf("%d gifts", len(gifts))
	}
	g := gifts[0]
	if g.ID != 1 || g.Alias != "gift-soy" || g.ProductID != 1004 || g.MaxCount != 2 || *g.Stock != 5 || g.Personal || !slices.Equal(g.OnlyCities, []int64{1}) {
		t.Errorf("got %+v", g)
	}
	if c := g.Conditions[0]; c.Subtotal["ru"] != 100000 || c.Subtotal["de"] != 2500 {
		t.Errorf("subtotal %v", c.Subtotal)
	}
	if c := g.Conditions[1]; !slices.Equal(c.Groups, []int64{11}) {
		t.Errorf("groups %v", c.Groups)
	}
	if c := g.Conditions[2]; !slices.Equal(c.Products, []int64{1003, 1002}) {
		t.Errorf("products %v", c.Products)
	}
	when := g.Conditions[3].When
	if !slices.Equal(when.Days, []int{1, 2, 3, 4, 5, 7}) || !slices.Equal(when.Hours, []schedule.Span{{From: 720, To: 960}, {From: 1320, To: 1560}}) {
		t.Errorf("when %v", when)
	}
	if c := g.Conditions[4]; !slices.Equal(c.OrderTypes, []site.OrderType{site.Takeaway}) {
		t.Errorf("order types %v", c.OrderTypes)
	}
	if !g.Conditions[5].FirstOrder {
		t.Error("the first order is forgotten")
	}
	if p := gifts[1]; !p.Personal || p.MaxCount != 1 || p.Stock != nil || p.Name["ru"] != "Подарок" || p.Picture == nil {
		t.Errorf("got %+v", p)
	}
}

func TestRead_keepsPromocodesAsWritten(t *testing.T) {
	t.Parallel()
	codes := readBrand(t).Promocodes
	if len(codes) != 4 {
		t.Fatalf("%d codes", len(codes))
	}
	p := codes[0]
	if p.Code != "FRIDAY20" || p.Kind != catalog.PercentOff || p.Percent != 20 || !p.FirstOrder || *p.Limit != 1000 || *p.LimitPerPhone != 1 {
		t.Errorf("got %+v", p)
	}
	if *p.From != (clock.Day{Year: 2026, Month: 1, Day: 1}) || *p.Until != (clock.Day{Year: 2027, Month: 12, Day: 31}) {
		t.Errorf("from %s until %s", p.From, p.Until)
	}
	if !slices.Equal(p.When.Days, []int{5}) || !slices.Equal(p.When.Hours, []schedule.Span{{From: 960, To: 1560}}) {
		t.Errorf("when %v", p.When)
	}
	if !slices.Equal(p.OnlyCities, []int64{1}) || !slices.Equal(p.OrderTypes, []site.OrderType{site.Delivery}) ||
		!slices.Equal(p.Products, []int64{1003}) || !slices.Equal(p.Groups, []int64{11}) {
		t.Errorf("for %v %v %v %v", p.OnlyCities, p.OrderTypes, p.Products, p.Groups)
	}
	if p.Minimum["ru"] != 150000 || p.Minimum["de"] != 3530 { // 35.25
		t.Errorf("minimum %v", p.Minimum)
	}
	if p := codes[1]; p.Kind != catalog.SumOff || p.Sum["ru"] != 30000 || p.Sum["de"] != 710 { // 7.05
		t.Errorf("got %+v", p)
	}
	if p := codes[2]; p.Code != "РОЛЛ" || p.Kind != catalog.GiftGiven || p.GiftID != 2 {
		t.Errorf("got %+v", p)
	}
	if p := codes[3]; p.Kind != catalog.FreeDelivery || p.Limit != nil || p.LimitPerPhone != nil || p.When != nil {
		t.Errorf("got %+v", p)
	}
}

func TestRead_takesTheBrandsBonusProgrammeUnlessTheCitySwitchesItOff(t *testing.T) {
	t.Parallel()
	s := readBrand(t).Site
	p := s.Cities[0].Bonus
	if p == nil || p.BasisPoints != 750 || p.AccrualUntil.String() != "2026-10-31" || p.SpendUntil.String() != "2027-05-21" {
		t.Errorf("in Moscow %+v", p)
	}
	if s.Cities[1].Bonus != nil {
		t.Errorf("in Berlin %+v", s.Cities[1].Bonus)
	}
}

func TestRead_takesAModifierGroupWithSomeFree(t *testing.T) {
	t.Parallel()
	if got := readBrand(t, change{"sushi/modifiers.yaml", "    max: 1\n", "    max: 1\n    free: 1\n"}).ModifierGroups[0].Free; got != 1 {
		t.Errorf("%d are free", got)
	}
}

// readBrand returns the brand of the fixture with the changes.
func readBrand(t *testing.T, changes ...change) catalog.Brand {
	t.Helper()
	folder, found := content.Read(newFolder(t, changes...))
	if len(found) > 0 {
		t.Fatal(found)
	}
	return folder.Document.Brands[0]
}

// A promocode whose last day is over everywhere on earth, with a night that follows it, is refused to every customer who
// types it. A banner is shown no more from its last moment on.
func TestFolder_Ended_warnsOfPromocodesAndBannersThatAreOver(t *testing.T) {
	t.Parallel()
	read, found := content.Read(newFolder(t))
	if read == nil {
		t.Fatal(found)
	}
	const bannerOver = "sushi/banners.yaml:1: warning: the banner hello ended on 2027-01-01 00:00"
	newYear, midnight := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)
	if ended := read.Ended(newYear.Add(12*time.Hour - time.Second)); len(ended) > 0 {
		t.Errorf("in the last hours of the banner in the west: %v", ended)
	}
	expectFaults(t, read.Ended(newYear.Add(12*time.Hour)), []string{bannerOver})
	expectFaults(t, read.Ended(midnight.Add(36*time.Hour-time.Second)), []string{bannerOver}) // in the last night of the promocode
	expectFaults(t, read.Ended(midnight.Add(36*time.Hour)), []string{bannerOver, "sushi/promocodes.yaml:1: warning: the promocode FRIDAY20 ended on 2027-12-31"})
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		result, err := content.Import(t.Context(), d, newFolder(t), content.Options{Now: midnight.AddDate(0, 1, 0)})
		if err != nil || len(result.Warnings) != 2 {
			t.Errorf("an import warns of %v, %v", result.Warnings, err)
		}
	})
}
