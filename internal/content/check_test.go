package content_test

import (
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"servery/internal/catalog"
	"servery/internal/content"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

func TestRead_refusesADepositThatIsAModifierToo(t *testing.T) {
	t.Parallel()
	const rolls = "sushi/menu/01-rolls.yaml"
	expectFault(t, rolls+":12: the deposit extra-rice is among the modifiers too, and would be taken twice",
		change{"sushi/modifiers.yaml", "price: 50,", "price: 50, min: 1, count: 1,"}, change{rolls, "make_minutes: 4", "deposit: extra-rice"})
}

func TestCheck_warnsOfAPromotionOfWhatTheCityDoesNotSell(t *testing.T) {
	t.Parallel()
	expectFault(t, "sushi/cities.yaml:4: warning: the promotion two leads to salmon-roll, which is not sold in moscow",
		change{"sushi/promotions.yaml", ", picture: banner", ", picture: banner, product: salmon-roll"},
		change{"sushi/menu/01-rolls.yaml", "make_minutes: 4", "not_cities: [moscow]"})
}

func TestCheck_warnsOfABannerThatLeadsNowhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		changed change
		want    []string
	}{
		"no such page":      {change{"sushi/banners.yaml", "link: /promotions", "link: /promotion"}, []string{": warning: the button of the banner hello leads to /promotion, which berlin does not have"}},
		"no such promotion": {change{"sushi/banners.yaml", "link: /promotions", `link: "/promotions?alias=three"`}, []string{": warning: the button of the banner hello leads to /promotions?alias=three, which berlin does not have"}},
		"over no page":      {change{"sushi/banners.yaml", "[/, /shops]", "[/, /delivery]"}, []string{": warning: the banner hello never opens over /delivery, which berlin does not have"}},
		"a promotion":       {change{"sushi/banners.yaml", "link: /promotions", `link: "/promotions?alias=two"`}, nil},
		"a product":         {change{"sushi/banners.yaml", "link: /promotions", `link: "/?product=philadelphia"`}, nil},
		"the cart":          {change{"sushi/banners.yaml", "link: /promotions", "link: /cart"}, nil},
		"another site":      {change{"sushi/banners.yaml", "link: /promotions", "link: https://sushi.test/"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, found := content.Read(newFolder(t, c.changed))
			want := make([]string, len(c.want))
			for i, w := range c.want {
				want[i] = "sushi/cities.yaml:7" + w
			}
			expectFaults(t, found, want)
		})
	}
}

func TestCheck_warnsOfAPriceThatLooksLikeASlip(t *testing.T) {
	t.Parallel()
	const drinks = "sushi/menu/03-drinks.yaml"
	menu := func(prices ...string) string {
		text := "group: {id: 13, alias: drinks, name: Напитки}\nproducts:\n"
		for i, price := range prices {
			text += fmt.Sprintf("  - {id: %d, alias: drink-%d, name: Напиток, picture: none, price: %s}\n", 1300+i, i, price)
		}
		return text
	}
	for name, c := range map[string]struct {
		prices []string
		want   []string
	}{
		"a digit is missing":     {[]string{"120", "149", "12", "190", "{ru: 99, de: 1}"}, []string{drinks + ":5: warning: most products of this group cost 10 times as much: is a digit of the price missing?"}},
		"a digit is too many":    {[]string{"120", "149", "1290", "190", "99"}, []string{drinks + ":5: warning: the price is 8 times that of most products of this group: is a digit too many?"}},
		"a dear and a cheap one": {[]string{"120", "149", "30", "800", "99"}, nil},
		"a gift":                 {[]string{"120", "149", "0", "190", "99", "110"}, nil},
		"a group of few":         {[]string{"120", "149", "1290", "190"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read, found := content.Read(newFolder(t, change{drinks, "", menu(c.prices...)}))
			if read == nil {
				t.Fatal("a warning refuses the content")
			}
			expectFaults(t, found, c.want)
		})
	}
}

func TestRead_reportsEachFaultWithFileAndLine(t *testing.T) {
	t.Parallel()
	const rolls, cities, shops = "sushi/menu/01-rolls.yaml", "sushi/cities.yaml", "sushi/shops.yaml"
	for name, c := range map[string]struct {
		change change
		want   string
	}{
		"broken YAML":            {change{cities, "price_list: ru", "price_list: [ru"}, "sushi/cities.yaml:3: not YAML: ',' or ']' must be specified: a bracket is not closed, or a text needs quotes"},
		"missing file":           {change{shops, "", ""}, "sushi/shops.yaml: this file is missing"},
		"empty file":             {change{"sushi/ingredients.yaml", "", "# nothing\n"}, "sushi/ingredients.yaml: the file is empty"},
		"unknown field":          {change{rolls, "make_minutes: 4", "make_minute: 4"}, rolls + ":12: unknown field make_minute"},
		"field twice":            {change{rolls, "accent: hit", "price: 1"}, rolls + `:13: not YAML: mapping key "price" already defined at [7:5]`},
		"wrong type":             {change{rolls, "make_minutes: 4", "make_minutes: four"}, rolls + ":12: must be a whole number from 0 to 1440"},
		"number as text":         {change{"sushi/brand.yaml", "email: hello@sushi.test", "email: 7"}, "sushi/brand.yaml:7: must be a text; put numbers in quotes"},
		"anchor":                 {change{rolls, "accent: hit", "accent: &a hit"}, rolls + ":13: anchors and aliases (& and *) are not taken; write the value out"},
		"unknown ingredient":     {change{rolls, "[rice, salmon]", "[rice, tuna]"}, rolls + ":10: unknown ingredient tuna"},
		"unknown allergen":       {change{"sushi/ingredients.yaml", "[fish]", "[fishes]"}, "sushi/ingredients.yaml:2: \"fishes\" is not one of gluten, crustaceans, molluscs, eggs, fish, peanuts, soy, milk, nuts, celery, mustard, sesame, sulphites, lupin"},
		"unknown modifier":       {change{rolls, "[extra-rice, sauce]", "[extra-rice, sause]"}, rolls + ":14: unknown modifier or group of modifiers sause"},
		"unknown group":          {change{rolls, "related_groups: [sauces]", "related_groups: [drinks]"}, rolls + ":1: unknown product group drinks"},
		"set of nothing":         {change{rolls, "product: rice-roll", "product: tuna-roll"}, rolls + ":17: unknown product tuna-roll"},
		"set of a set":           {change{rolls, "product: rice-roll", "product: set"}, rolls + ":17: set is a set itself"},
		"duplicate id":           {change{rolls, "id: 1002", "id: 1001"}, rolls + ":16: product id 1001 is taken already at sushi/menu/01-rolls.yaml:3"},
		"duplicate alias":        {change{rolls, "alias: rice-roll", "alias: salmon-roll"}, rolls + ":16: sushi product salmon-roll is taken already at sushi/menu/01-rolls.yaml:4"},
		"alias":                  {change{rolls, "alias: set", "alias: Set_1"}, rolls + ":17: \"Set_1\" must be lower-case latin letters, digits and single dashes, at most 64"},
		"default language":       {change{rolls, "{ru: Ролл с лососем, en: Salmon roll}", "{en: Salmon roll}"}, rolls + ":5: the text is missing in ru, the language of the brand's texts"},
		"unknown language":       {change{rolls, "en: Salmon roll", "eng: Salmon roll"}, rolls + ":5: \"eng\" is not a language tag like ru, pl or pt-BR"},
		"place not translated":   {change{"places/berlin.yaml", "{ru: Берлин, en: Berlin}", "{en: Berlin}"}, cities + ":7: the name in places/berlin.yaml has no text in ru, the language of the brand's texts"},
		"negative amount":        {change{rolls, "price: 549", "price: -549"}, rolls + ":7: an amount cannot be negative"},
		"amount too fine":        {change{rolls, "price: 549", "price: 549.123"}, rolls + ":7: must be an amount like 349 or 12.50"},
		"price missing":          {change{rolls, "{ru: 100, de: 9.9}", "{de: 9.9}"}, rolls + ":16: the price is missing in price list ru"},
		"page without alias":     {change{"sushi/pages/about.yaml", "alias: about\n", ""}, "sushi/pages/about.yaml:1: alias is missing"},
		"theme in brand.yaml":    {change{"sushi/brand.yaml", "email: hello@sushi.test", "theme: sushi"}, "sushi/brand.yaml:7: unknown field theme"},
		"no price":               {change{rolls, "    price: 549\n", ""}, rolls + ":3: price is missing"},
		"discount below":         {change{rolls, "basic_price: 649", "basic_price: 449"}, rolls + ":8: basic_price is below the price in price list ru"},
		"takeaway above":         {change{rolls, "takeaway_price: 499", "takeaway_price: 599"}, rolls + ":9: takeaway_price is above the price in price list ru"},
		"picture missing":        {change{rolls, "picture: roll\n  -", "picture: rol\n  -"}, rolls + ":15: picture rol is missing: there is no sushi/pictures/rol.jpg"},
		"picture elsewhere":      {change{rolls, "picture: roll\n  -", "picture: ../roll\n  -"}, rolls + ":15: a picture is named without folder and ending: \"../roll\""},
		"picture is none":        {change{"sushi/pictures/roll.jpg", "", "GIF"}, rolls + ":15: picture sushi/pictures/roll.jpg: not a JPEG, PNG or WebP picture"},
		"bounds":                 {change{"sushi/modifiers.yaml", "price: 50,", "price: 50, min: 2,"}, "sushi/modifiers.yaml:2: min 2 is above max 1"},
		"default outside":        {change{"sushi/modifiers.yaml", "price: 50,", "price: 50, count: 2,"}, "sushi/modifiers.yaml:2: count 2, chosen by default, is not between min 0 and max 1"},
		"group out of reach":     {change{"sushi/modifiers.yaml", "min: 1\n    max: 1", "min: 3\n    max: 3"}, "sushi/modifiers.yaml:4: min 3 cannot be reached: the modifiers allow 2 together"},
		"more free than chosen":  {change{"sushi/modifiers.yaml", "    max: 1\n", "    max: 1\n    free: 2\n"}, "sushi/modifiers.yaml:4: free 2 is above max 1"},
		"deposit to choose":      {change{rolls, "make_minutes: 4", "deposit: extra-rice"}, rolls + ":12: the deposit extra-rice can be left out: give it the same min, max and count"},
		"unknown deposit":        {change{rolls, "make_minutes: 4", "deposit: bottle"}, rolls + ":12: unknown single modifier bottle"},
		"packed of no weight":    {change{rolls, "weight: {value: 245, unit: g}", "packed: true"}, rolls + ":3: what is packed needs its weight, of which the price of a kilogram or litre is made"},
		"lowest price absent":    {change{"countries.yaml", `"+49 (###) ########"}`, `"+49 (###) ########"}, product_facts: [lowest_price]`}, cities + ":7: berlin shows the lowest price of 30 days: salmon-roll is reduced and has no lowest_price in price list de"},
		"more by default":        {change{"sushi/modifiers.yaml", "price: 30}", "price: 30, count: 1}"}, "sushi/modifiers.yaml:4: 2 are chosen by default, more than max 1"},
		"free from too little":   {change{cities, "free_delivery: true", "free_delivery_from: 699"}, cities + ":6: free_delivery_from is below minimum_order"},
		"free from twice":        {change{cities, "free_delivery: true", "free_delivery: true, free_delivery_from: 900"}, cities + ":6: free_delivery_from has no meaning with free_delivery: true, where minimum_order is that sum"},
		"hours after midnight":   {change{shops, `5-7: ["10:00-26:00"]`, `5-7: ["24:00-26:00"]`}, shops + `:8: "24:00-26:00": a shift begins between 00:00 and 23:59, not at 24:00`},
		"two corners":            {change{cities, ", [55.8, 37.7]]", "]"}, cities + ":6: an area needs three corners or more"},
		"self-crossing":          {change{cities, "[[55.7, 37.5], [55.8, 37.5], [55.8, 37.7]]", "[[55.7, 37.5], [55.8, 37.7], [55.8, 37.5], [55.7, 37.9]]"}, cities + ":6: the border crosses itself: side 1 meets side 3"},
		"zone of no shop":        {change{cities, "shop: arbat", "shop: tverskaya"}, cities + ":6: unknown shop tverskaya"},
		"zone without delivery":  {change{cities, "shop: arbat", "shop: pokrovka"}, cities + ":6: shop pokrovka does not deliver"},
		"hours":                  {change{shops, `5-7: ["10:00-26:00"]`, `5-7: ["10-26"]`}, shops + `:8: "10-26" is not a time span like 10:00-22:00`},
		"weekday":                {change{shops, "1-4:", "0-4:"}, shops + `:8: "0-4" is not a weekday, 1 (Monday) to 7 (Sunday), nor a range like 1-5`},
		"date":                   {change{shops, "2026-12-31", "31.12.2026"}, shops + `:8: "31.12.2026" is not a date like 2026-01-31`},
		"unknown place":          {change{shops, "city: berlin", "city: bonn"}, shops + ":12: unknown place bonn: there is no such alias in places/"},
		"currency of 3 decimals": {change{"sushi/brand.yaml", "de: {currency: EUR,", "de: {currency: KWD,"}, "sushi/brand.yaml:12: sums of KWD have 3 decimals, but are kept with two only: nothing can be sold in it"},
		"half a yen":             {change{"sushi/brand.yaml", "currency: EUR, from: ru, rate: \"0.0235\", round_to: \"0.1\"", "currency: JPY, from: ru, rate: \"2\", round_to: \"0.5\""}, "sushi/brand.yaml:12: JPY has no decimals, so 0.5 is not a sum of it"},
		"price of half a yen":    {change{"sushi/brand.yaml", "currency: EUR, from: ru, rate: \"0.0235\", round_to: \"0.1\"", "currency: JPY, from: ru, rate: \"2\""}, rolls + ":16: JPY has no decimals, so 9.9 is not a sum of it"},
		"banknote of half a yen": {change{"countries.yaml", "currency: RUB, phone: {code: \"+7\", mask: \"+7 (###) ###-##-##\"}, banknotes: [500, 1000]", "currency: JPY, phone: {code: \"+7\", mask: \"+7 (###) ###-##-##\"}, banknotes: [500.5, 1000]"}, "countries.yaml:1: JPY has no decimals, so 500.5 is not a sum of it"},
		"texts of no language":   {change{"sushi/brand.yaml", "default_language: ru", "default_language: ru\ncontent_language: polski"}, "sushi/brand.yaml:7: \"polski\" is not a language tag like ru, pl or pt-BR"},
		"currency":               {change{cities, "price_list: de", "price_list: ru"}, cities + ":7: price list ru is in RUB, but the city pays in EUR"},
		"price list":             {change{"sushi/brand.yaml", "from: ru", "from: kz"}, "sushi/brand.yaml:12: price list kz is not among those above"},
		"rate":                   {change{"sushi/brand.yaml", `rate: "0.0235"`, `rate: "1/3"`}, "sushi/brand.yaml:12: must be a rate above zero like \"0.036\""},
		"time zone":              {change{"places/berlin.yaml", "Europe/Berlin", "Europe/Bonn"}, `places/berlin.yaml:6: "Europe/Bonn" is not a time zone like Europe/Moscow`},
		"unknown country":        {change{"places/berlin.yaml", "country: DE", "country: FR"}, "places/berlin.yaml:3: unknown country FR"},
		"stop without a reason":  {change{cities, "  price_list: ru", "  price_list: ru\n  type: stop"}, cities + ":1: type stop needs an alert with the reason for customers"},
		"popular":                {change{cities, "popular: [salmon-roll]", "popular: [tuna-roll]"}, cities + ":3: unknown product tuna-roll"},
		"logo with a script":     {change{"sushi/brand.yaml", "email: hello@sushi.test", "email: hello@sushi.test\nlogo: /etc/logo.svg"}, `sushi/brand.yaml:8: logo is a file of the brand's folder, SVG, PNG, JPEG or WebP: "/etc/logo.svg"`},
		"tiles without places":   {change{"sushi/brand.yaml", "{interval_minutes: 30}", `{map_tiles: "https://tiles.example/map.png", map_attribution: x}`}, "sushi/brand.yaml:8: map_tiles must look like https://tiles.example/{z}/{x}/{y}.png"},
		"tiles in the open":      {change{"sushi/brand.yaml", "{interval_minutes: 30}", `{map_tiles: "http://tiles.example/{z}/{x}/{y}.png", map_attribution: x}`}, "sushi/brand.yaml:8: map_tiles must look like https://tiles.example/{z}/{x}/{y}.png"},
		"tiles of no one":        {change{"sushi/brand.yaml", "{interval_minutes: 30}", `{map_tiles: "https://tiles.example/{z}/{x}/{y}.png"}`}, "sushi/brand.yaml:8: map_tiles needs map_attribution: the credit that the owner of the map requires"},
		"zone, longitude first":  {change{cities, "[[55.7, 37.5], [55.8, 37.5], [55.8, 37.7]]", "[[37.5, 55.7], [37.5, 55.8], [37.7, 55.8]]"}, cities + ":6: 37.5, 55.7 is outside of moscow: did you swap latitude and longitude? The latitude stands first"},
		"zone elsewhere":         {change{cities, "[55.8, 37.7]]", "[58.8, 37.7]]"}, cities + ":6: 58.8, 37.7 is outside of moscow: the map in places/moscow.yaml has the bbox [55.5 37.3 55.9 37.9]"},
		"shop, longitude first":  {change{shops, "latitude: 55.75\n  longitude: 37.60", "latitude: 37.60\n  longitude: 55.75"}, shops + ":1: 37.6, 55.75 is outside of moscow: did you swap latitude and longitude? The latitude stands first"},
		"shop without a bbox":    {change{shops, "latitude: 52.5, longitude: 13.4", "latitude: 55.5, longitude: 13.4"}, shops + ":12: 55.5, 13.4 is outside of berlin, whose map in places/berlin.yaml has its middle at 52.52, 13.4"},
		"street elsewhere":       {change{"places/moscow.yaml", "from: [55.75, 37.60]", "from: [37.60, 55.75]"}, "places/moscow.yaml:10: 37.6, 55.75 is outside of moscow: did you swap latitude and longitude? The latitude stands first"},
		"bbox, longitude first":  {change{"places/moscow.yaml", "[55.5, 37.3, 55.9, 37.9]", "[37.3, 55.5, 37.9, 55.9]"}, "places/moscow.yaml:7: 55.75, 37.61 is outside of moscow: did you swap latitude and longitude? The latitude stands first"},
		"address field twice":    {change{"countries.yaml", "cash_limit: 5000}", "cash_limit: 5000, address_form: [{field: floor}, {field: floor}]}"}, "countries.yaml:1: floor stands here twice"},
		"required private house": {change{"countries.yaml", "cash_limit: 5000}", "cash_limit: 5000, address_form: [{field: private_house, required: true}]}"}, "countries.yaml:1: private_house is a box, which not every customer can tick: it cannot be required"},
		"unknown address field":  {change{"countries.yaml", "cash_limit: 5000}", "cash_limit: 5000, address_form: [{field: flat}]}"}, "countries.yaml:1: \"flat\" is not one of room, private_house, building, rear_building, entrance, floor, intercom, bell_name, landmark"},
		"empty address form":     {change{"countries.yaml", "cash_limit: 5000}", "cash_limit: 5000, address_form: []}"}, "countries.yaml:1: address_form needs 1 or more"},
		"flats only":             {change{"countries.yaml", "cash_limit: 5000}", "cash_limit: 5000, address_form: [{field: room, required: true}]}"}, "countries.yaml:1: warning: room is required, so that no private house can order: add the field private_house"},
		"consent, no page":       {change{"countries.yaml", "cash_limit: 5000}", `cash_limit: 5000, consents: [{alias: notice, text: Прочитано, version: "1", url: /privacy-policy}]}`}, "countries.yaml:1: write the whole address of the document, https://…, or page: the alias of a page in place of /privacy-policy"},
		"consent, two links":     {change{"countries.yaml", "cash_limit: 5000}", `cash_limit: 5000, consents: [{alias: notice, text: Прочитано, version: "1", url: "https://a.example/x", page: about}]}`}, "countries.yaml:1: the document is either a page or an url"},
		"consent, page absent":   {change{"countries.yaml", "cash_limit: 5000}", `cash_limit: 5000, consents: [{alias: notice, text: Прочитано, version: "1", page: privacy-policy}]}`}, cities + ":1: moscow needs the page privacy-policy: write sushi/pages/privacy-policy.yaml"},
		"required page absent":   {change{"countries.yaml", `"+49 (###) ########"}`, `"+49 (###) ########"}, required_pages: [about, imprint]`}, cities + ":7: berlin needs the page imprint: write sushi/pages/imprint.yaml"},
		"page of the program":    {change{"sushi/pages/about.yaml", "alias: about", "alias: cart"}, "sushi/pages/about.yaml:1: cart is a page of the program, which has no words of the brand"},
		"page of no country":     {change{"sushi/pages/about.yaml", "alias: about", "alias: about\nonly_countries: [FR]"}, "sushi/pages/about.yaml:2: unknown country FR"},
		"page, twice":            {change{"sushi/pages/again.yaml", "", fixture["sushi/pages/about.yaml"]}, "sushi/pages/again.yaml:1: sushi page about is taken already at sushi/pages/about.yaml:1"},
		"page without words":     {change{"sushi/pages/about.yaml", "sections:\n", "sections: []\nx:\n"}, "sushi/pages/about.yaml:4: sections needs 1 or more"},
		"page with a script":     {change{"sushi/pages/about.yaml", "<p>Режем", "<script>x</script><p>Режем"}, "sushi/pages/about.yaml:5: warning: taken out of the text: <script>"},
		"mask without digits":    {change{"countries.yaml", "+7 (###) ###-##-##", "+7 (999) 999-99-99"}, "countries.yaml:1: a phone mask has a # for every digit that is typed: \"+7 (999) 999-99-99\" has none"},
		"mask one digit short":   {change{"countries.yaml", "+7 (###) ###-##-##", "+7 (###) ###-##-#"}, "countries.yaml:1: the mask has 9 digits after +7, and mobile phones of RU have 10"},
		"picture in capitals":    {change{"sushi/pictures/roll.jpg", "", ""}, rolls + ":15: picture roll is missing: there is no sushi/pictures/roll.jpg, but there is sushi/pictures/ROLL.JPG: rename it, letter case counts"},
		"file in capitals":       {change{"sushi/ingredients.yaml", "", ""}, "sushi/ingredients.yaml: this file is missing, but there is sushi/Ingredients.yaml: rename it, letter case counts"},
		"no brand.yaml":          {change{"sushi/brand.yaml", "", ""}, "sushi/brand.yaml: this file is missing"},
		"another encoding":       {change{"sushi/ingredients.yaml", "", "rice: {name: \xf0\xe8\xf1}\n"}, "sushi/ingredients.yaml: not written in UTF-8: save the file in that encoding"},
		"endless shift":          {change{shops, `5-7: ["10:00-26:00"]`, `5-7: ["10:00-36:00"]`}, shops + `:8: "10:00-36:00": a shift lasts at most 24 hours: one that begins at 10:00 ends by 34:00, not at 36:00`},
		"promotion of both":      {change{"sushi/promotions.yaml", ", picture: banner", ", picture: banner, product: set, group: rolls"}, "sushi/promotions.yaml:1: a promotion leads to a product or to a group, not to both"},
		"promotion, no product":  {change{"sushi/promotions.yaml", ", picture: banner", ", picture: banner, product: boat"}, "sushi/promotions.yaml:1: unknown product boat"},
		"promotion, no group":    {change{"sushi/promotions.yaml", ", picture: banner", ", picture: banner, group: boats"}, "sushi/promotions.yaml:1: unknown product group boats"},
		"promotion, no picture":  {change{"sushi/promotions.yaml", ", picture: banner", ""}, "sushi/promotions.yaml:1: picture is missing: a promotion has one, twice as wide as high, 1440 pixels wide or more"},
		"banner, no page":        {change{"sushi/banners.yaml", "pages: [/, /shops]", "pages: []"}, "sushi/banners.yaml:1: pages needs 1 or more"},
		"banner, page's query":   {change{"sushi/banners.yaml", "/shops]", `"/shops?a=b"]`}, `sushi/banners.yaml:1: a page begins with / and has no query: "/shops?a=b"`},
		"banner, foreign link":   {change{"sushi/banners.yaml", "link: /promotions", `link: "javascript:alert(1)"`}, `sushi/banners.yaml:1: a link begins with https://, or with / for a page of the city: "javascript:alert(1)"`},
		"banner, other host":     {change{"sushi/banners.yaml", "link: /promotions", `link: "//evil.example"`}, `sushi/banners.yaml:1: a link begins with https://, or with / for a page of the city: "//evil.example"`},
		"banner, no button":      {change{"sushi/banners.yaml", "button_text: Смотреть, ", ""}, "sushi/banners.yaml:1: link needs button_text: what the button says"},
		"banner, no such day":    {change{"sushi/banners.yaml", "2026-12-01 10:00", "2026-12-32 10:00"}, `sushi/banners.yaml:1: a moment is written as "2026-12-01 10:00": "2026-12-32 10:00"`},
		"banner, never shown":    {change{"sushi/banners.yaml", "2027-01-01", "2026-12-01"}, "sushi/banners.yaml:1: to is not after from: it would never be shown"},
		"takeaway nowhere":       {change{shops, "longitude: 13.4, order_types: [takeaway]", "longitude: 13.4, order_types: [delivery]"}, cities + ":7: warning: nothing can be picked up in berlin: no shop there has takeaway among its order_types"},
		"banner, unknown":        {change{cities, "[hello]", "[goodbye]"}, cities + ":7: unknown banner goodbye"},
		"host in other letters":  {change{"sushi/brand.yaml", "sushi.localhost", `"суши.рф"`}, "sushi/brand.yaml:2: write суши.рф as browsers send it: xn--h1argu.xn--p1ai"},
		"country of no numbers":  {change{"countries.yaml", "code: DE", "code: UK"}, `countries.yaml:2: "UK" is not the code of a country by ISO 3166-1, such as GB`},
		"code of another land":   {change{"countries.yaml", `code: "+49"`, `code: "+7"`}, "countries.yaml:2: the numbers of DE begin with +49"},
		"mask one digit long":    {change{"countries.yaml", "+7 (###) ###-##-##", "+7 (###) ####-##-##"}, "countries.yaml:1: the mask has 11 digits after +7, and mobile phones of RU have 10"},
		"two phones":             {change{"sushi/brand.yaml", "email: hello@sushi.test", `phone: "+7 495 000-00-01, +7 495 000-00-02"`}, `sushi/brand.yaml:7: a phone is one number of digits, blanks, brackets and dashes: "+7 495 000-00-01, +7 495 000-00-02"`},
		"phone with words":       {change{"sushi/brand.yaml", "email: hello@sushi.test", "phone: 8 495 000-00-01 доб. 5"}, `sushi/brand.yaml:7: a phone is one number of digits, blanks, brackets and dashes: "8 495 000-00-01 доб. 5"`},
		"email without @":        {change{"sushi/brand.yaml", "hello@sushi.test", "hello.sushi.test"}, `sushi/brand.yaml:7: an e-mail is written like hello@example.com: "hello.sushi.test"`},
		"mask without the code":  {change{"countries.yaml", `"+49 (###) ########"`, `"(###) ########"`}, `countries.yaml:2: a phone mask begins with the code +49: "(###) ########"`},
		"modifier twice":         {change{rolls, "[extra-rice, sauce]", "[sauce, sauce]"}, rolls + ":14: sauce stands here twice"},
		"lowest above basic":     {change{rolls, "make_minutes: 4", "lowest_price: 700"}, rolls + ":12: lowest_price is above basic_price in price list ru"},
		"city in and out":        {change{rolls, "make_minutes: 4", "only_cities: [moscow]\n    not_cities: [moscow]"}, rolls + ":13: moscow is among only_cities too"},
		"name of blanks":         {change{rolls, "{ru: Ролл с лососем, en: Salmon roll}", `"  "`}, rolls + ":5: the text is empty"},
		"amount too high":        {change{rolls, "price: 549", "price: 1000000000.01"}, rolls + ":7: an amount cannot be above 1000000000"},
		"delivery never paid":    {change{cities, "minimum_order: 700, ", ""}, cities + ":6: warning: delivery costs nothing in this zone: free_delivery has no minimum_order"},
		"ceiling of no work":     {change{shops, "ceiling: {delivery: 60}", "ceiling: {delivery: 0}"}, shops + ":9: warning: arbat takes no orders for delivery: a ceiling of 0 minutes is no work at all"},
		"price like an octal":    {change{rolls, "price: 549", "price: 0549"}, rolls + ":7: warning: 0549 is read as 549, and by other programs of YAML as an octal number: leave out the 0 before it"},
		"octal price":            {change{rolls, "price: 549", "price: 0555"}, rolls + ":7: warning: 0555 is read as 555, and by other programs of YAML as an octal number: leave out the 0 before it"},
		"minutes like an octal":  {change{rolls, "make_minutes: 4", "make_minutes: 010"}, rolls + ":12: warning: 010 is read as 10, and by other programs of YAML as an octal number: leave out the 0 before it"},
		"night over a morning":   {change{shops, `longitude: 13.4, order_types: [takeaway], hours: {default: {1-7: ["10:00-22:00"]}}`, `longitude: 13.4, order_types: [takeaway], hours: {default: {5: ["10:00-03:00"], 6: ["02:00-22:00"]}}`}, shops + ":12: warning: mitte: the shift of weekday 5 lasts until 03:00, and that of weekday 6 begins at 02:00"},
		"night over a date":      {change{shops, `longitude: 13.4, order_types: [takeaway], hours: {default: {1-7: ["10:00-22:00"]}}`, `longitude: 13.4, order_types: [takeaway], hours: {default: {1-7: ["02:00-22:00"]}, custom: {2026-12-31: ["10:00-26:30"]}}`}, shops + ":12: warning: mitte: the shift of 2026-12-31 lasts until 02:30, and that of 2027-01-01 begins at 02:00"},
		"date under a night":     {change{shops, `longitude: 13.4, order_types: [takeaway], hours: {default: {1-7: ["10:00-22:00"]}}`, `longitude: 13.4, order_types: [takeaway], hours: {default: {1-7: ["10:00-02:00"]}, custom: {2027-01-01: ["00:00-24:00"]}}`}, shops + ":12: warning: mitte: the shift of 2026-12-31 lasts until 02:00, and that of 2027-01-01 begins at 00:00"},
		"never open":             {change{shops, `longitude: 13.4, order_types: [takeaway], hours: {default: {1-7: ["10:00-22:00"]}}`, `longitude: 13.4, order_types: [takeaway], hours: {default: {1-7: []}}`}, shops + ":12: warning: mitte takes no orders: no shift is as long as its cooking_minutes, 30"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectFault(t, c.want, c.change)
		})
	}
}

func TestRead_takesAPickupAsLateAfterHalfAnHourUnlessTheBrandSaysOtherwise(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]int{"{interval_minutes: 30}": 30, "{interval_minutes: 30, late_minutes: 45}": 45} {
		brand := readBrand(t, change{"sushi/brand.yaml", "{interval_minutes: 30}", settings})
		if got := brand.Site.Settings.LateMinutes; got != want {
			t.Errorf("%s: late after %d minutes, want %d", settings, got, want)
		}
	}
}

func TestRead_textsAreInTheLanguageOfTheBrandsTexts(t *testing.T) {
	t.Parallel()
	read, found := content.Read(newFolder(t,
		change{"sushi/brand.yaml", "default_language: ru", "default_language: ru\ncontent_language: en"},
		change{"sushi/modifiers.yaml", "name: Рис,", "name: {en: Rice, pl: Ryż, pt-BR: Arroz},"}))
	if len(found) > 0 {
		t.Fatal(found)
	}
	brand := read.Document.Brands[0]
	if got := brand.Site.TextLanguage(); got != "en" {
		t.Errorf("the language of the texts is %q", got)
	}
	rice := brand.Singles[0].Name
	if text, in := rice.Pick("pt-BR"); text != "Arroz" || in != "pt-BR" {
		t.Errorf("in Brazilian Portuguese: %q, %s", text, in)
	}
	if text, in := rice.Pick(lang.RU, brand.Site.TextLanguage()); text != "Rice" || in != lang.EN {
		t.Errorf("in Russian: %q, %s", text, in)
	}
}

func TestCheck_warnsOfPagesThatAreStillThoseOfTheStarter(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Write here who you are.",
		"Schreiben Sie hier, wer Sie sind.",
		"Trattoria GmbH, Torstraße 100, Berlin.",
		"Kaffee GmbH. Put your own data here before you open.",
		"Kaffee GmbH. Setzen Sie hier Ihre eigenen Angaben ein, bevor Sie öffnen.",
		"Put your own privacy policy here before you open.",
		"Setzen Sie hier Ihre eigene Datenschutzerklärung ein, bevor Sie öffnen.",
	} {
		expectFault(t, "sushi/pages/about.yaml:5: warning: this is still the text of about that new-brand wrote: write your own before you open",
			change{"sushi/pages/about.yaml", "We cut <b>fish</b>", text})
	}
}

// expectFault checks the fixture with the changes, which must have the fault.
func expectFault(t *testing.T, want string, changes ...change) {
	t.Helper()
	files := newFolder(t, changes...)
	files["sushi/pictures/ROLL.JPG"] = &fstest.MapFile{Data: roll()}
	files["sushi/Ingredients.yaml"] = &fstest.MapFile{Data: []byte(fixture["sushi/ingredients.yaml"])}
	found := content.Check(files)
	for _, f := range found {
		if f.String() == want {
			return
		}
	}
	t.Errorf("want %q, got %q", want, found)
}

func TestCheck_readsMapTilesWithTheirAttribution(t *testing.T) {
	t.Parallel()
	const pattern = "https://{s}.tiles.example/{z}/{x}/{y}.png"
	read, found := content.Read(newFolder(t, change{"sushi/brand.yaml", "{interval_minutes: 30}", `{map_tiles: "` + pattern + `", map_attribution: "© Tiles"}`}))
	if len(found) > 0 {
		t.Fatal(found)
	}
	s := read.Document.Brands[0].Site.Settings
	if s.MapTiles != pattern || s.MapAttribution != "© Tiles" {
		t.Errorf("got %q by %q", s.MapTiles, s.MapAttribution)
	}
}

func TestCheck_readsTermsAndTakesDefaultsForTheRest(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]site.Terms{
		"{interval_minutes: 30}":                             site.DefaultTerms(),
		"{terms: {personal_months: 12, guest_cart_days: 7}}": {PersonalMonths: 12, GuestCartDays: 7, CustomerCartDays: 90},
	} {
		read, found := content.Read(newFolder(t, change{"sushi/brand.yaml", "{interval_minutes: 30}", settings}))
		if len(found) > 0 {
			t.Fatal(found)
		}
		if got := read.Document.Brands[0].Site.Settings.Terms.WithDefaults(); got != want {
			t.Errorf("%s: the terms are %+v, want %+v", settings, got, want)
		}
	}
	_, found := content.Read(newFolder(t, change{"sushi/brand.yaml", "{interval_minutes: 30}", "{terms: {personal_months: 0}}"}))
	if len(found) == 0 {
		t.Error("a term of no time is taken")
	}
}

func TestCheck_refusesLinksOutOfTheFolder(t *testing.T) {
	t.Parallel()
	files := newFolder(t)
	files["sushi/pictures/passwd.jpg"] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("/etc/passwd")}
	found := content.Check(files)
	if len(found) != 1 || found[0].File != "sushi/pictures/passwd.jpg" {
		t.Errorf("got %v", found)
	}
}

func TestRead_roundsDerivedPricesHalfUpToTheirStep(t *testing.T) {
	t.Parallel()
	for price, want := range map[string]money.Amount{
		"549":   1290, // 12.9015
		"551":   1290, // 12.9485
		"551.1": 1300, // 12.95085
		"200":   470,
		"0":     0,
	} {
		read, found := content.Read(newFolder(t, change{"sushi/menu/01-rolls.yaml", "price: 549\n    basic_price: 649\n    takeaway_price: 499", "price: " + price}))
		if len(found) > 0 {
			t.Fatal(found)
		}
		if got := read.Document.Brands[0].Products[0].Prices["de"]; got != want {
			t.Errorf("%s roubles are %s euros, want %s", price, got, want)
		}
	}
}

func TestDocument_keepsWhatWasWritten(t *testing.T) {
	t.Parallel()
	dirty := change{"sushi/promotions.yaml", "<p>Два <b>за</b> один</p>", "<p onclick='x'>Два <b>за</b> один<script>alert(1)</script> <a href='javascript:x'>y</a></p>"}
	read, _ := content.Read(newFolder(t, dirty))
	if read == nil {
		t.Fatal("the folder has faults")
	}
	b := read.Document.Brands[0]
	if got := b.Products[1].Prices["de"]; got != 990 {
		t.Errorf("a price that is written out for a derived list is %s, want 9.9", got)
	}
	if got := b.Promotions[0].Description["ru"]; got != "<p>Два <b>за</b> один y</p>" {
		t.Errorf("description is %q", got)
	}
	if got := b.Shops[0].Shop.GroupCeilings[11]; got != 40 {
		t.Errorf("the ceiling of rolls is %d", got)
	}
	if b.Shops[1].Today == nil || len(*b.Shops[1].Today) != 0 {
		t.Error("the shop that is closed today is not")
	}
	set := b.Products[2]
	if len(set.SetOf) != 2 || set.SetOf[0] != (catalog.PartEntry{ProductID: 1001, Count: 2}) {
		t.Errorf("set of %v", set.SetOf)
	}
	if len(set.NotCities) != 1 || set.NotCities[0] != 2 {
		t.Errorf("not in %v", set.NotCities)
	}
}
