package carttest

import (
	"fmt"
	"strings"
)

// The products of [RuleTexts] beside those of [Texts].
const (
	Bowl  int64 = 1301
	Mint  int64 = 1302
	Third int64 = 1303
)

// The modifiers of the bowl, which are a group.
const (
	Toppings int64 = 31
	Truffle  int64 = 32
	Cheese   int64 = 33
)

// KeyOf returns the key of a product in Moscow.
func KeyOf(product int64) string { return fmt.Sprintf("%d-%d", Moscow, product) }

// RuleTexts are the files of a brand with an offer for each rule of docs/pricing.md.
var RuleTexts = map[string]string{
	"sushi/brand.yaml": `alias: sushi
hosts: [localhost]
default: true
name: Умико
languages: [ru, en]
default_language: ru
settings: {last_hour: true, interval_minutes: 30, days_ahead: 7}
payment_types: {delivery: [cash, card], takeaway: [cash]}
price_lists:
  ru: {currency: RUB}
  tr: {currency: TRY, from: ru, rate: "0.4", round_to: 1}
  de: {currency: EUR, from: ru, rate: "0.1", round_to: "0.01"}
bonus_programme: {percent: "7.5", accrual_until: "2026-12-31", spend_until: "2027-01-31"}
`,
	"sushi/cities.yaml": strings.Replace(Texts["sushi/cities.yaml"], "    - {id: 102", `    - {id: 103, name: Запад, shop: arbat, delivery: 0, minimum_order: 700, free_delivery: true, delivery_minutes: 25, area: [[55.7, 37.4], [55.8, 37.4], [55.8, 37.49], [55.7, 37.49]]}
    - {id: 104, name: Восток, shop: arbat, delivery: 0, minimum_order: 700, free_delivery_from: 1500, delivery_minutes: 25, area: [[55.7, 37.71], [55.8, 37.71], [55.8, 37.8], [55.7, 37.8]]}
    - {id: 102`, 1) +
		"- {place: berlin, price_list: de, order_types: [takeaway], bonus_programme: false}\n",
	"sushi/shops.yaml": Texts["sushi/shops.yaml"] +
		`- {id: 41, alias: mitte, city: berlin, name: Mitte, street: Oranienburger, latitude: 52.5, longitude: 13.4, cooking_minutes: 20, order_types: [takeaway], hours: {default: {1-7: ["00:00-24:00"]}}}
`,
	"sushi/modifiers.yaml": Texts["sushi/modifiers.yaml"] + `  - id: 31
    alias: toppings
    name: {ru: Топпинги, en: Toppings}
    max: 5
    free: 2
    modifiers:
      - {id: 32, alias: truffle, name: {ru: Трюфель, en: Truffle}, price: 60, max: 3}
      - {id: 33, alias: cheese, name: {ru: Сыр, en: Cheese}, price: 40, max: 3}
      - {id: 34, alias: onion, name: {ru: Лук, en: Onion}, price: 40, max: 3}
`,
	"sushi/menu/03-bowls.yaml": `group: {id: 13, alias: bowls, name: {ru: Боулы, en: Bowls}}
products:
  - {id: 1301, alias: bowl, name: {ru: Боул, en: Bowl}, price: 200, modifiers: [toppings], make_minutes: 3, picture: none}
  - {id: 1302, alias: mint, name: {ru: Мята, en: Mint}, price: 0.5, picture: none}
  - {id: 1303, alias: third, name: {ru: Треть, en: Third}, price: 33.33, picture: none}
`,
	"sushi/gifts.yaml": `- {id: 1, alias: g-subtotal, product: wasabi, name: {ru: Васаби, en: Wasabi}, max_count: 3, conditions: [{subtotal: 500}]}
- {id: 2, alias: g-product, product: wasabi, name: {ru: Имбирь, en: Ginger}, conditions: [{products: [bowl]}]}
- {id: 3, alias: g-products, product: wasabi, name: {ru: Чай, en: Tea}, conditions: [{products: [bowl, mint]}]}
- {id: 4, alias: g-group, product: wasabi, name: {ru: Салат, en: Salad}, conditions: [{groups: [bowls]}]}
- {id: 5, alias: g-lunch, product: wasabi, name: {ru: Морс, en: Lemonade}, conditions: [{days: [1-5], hours: ["12:00-16:00"]}]}
- {id: 6, alias: g-night, product: wasabi, name: {ru: Кофе, en: Coffee}, conditions: [{days: [5, 6], hours: ["22:00-26:00"]}]}
- {id: 7, alias: g-takeaway, product: wasabi, name: {ru: Шоппер, en: Tote}, conditions: [{order_types: [takeaway]}]}
- {id: 8, alias: g-delivery, product: wasabi, name: {ru: Магнит, en: Magnet}, conditions: [{order_types: [delivery]}]}
- {id: 9, alias: g-first, product: wasabi, name: {ru: Значок, en: Badge}, conditions: [{first_order: true}]}
- {id: 10, alias: g-stock, product: rice-roll, name: {ru: Кружка, en: Mug}, max_count: 3, stock: 5}
- {id: 11, alias: g-two, product: wasabi, name: {ru: Пирог, en: Pie}, conditions: [{subtotal: 1000}, {groups: [bowls]}]}
- {id: 12, alias: g-personal, product: soy, name: {ru: Торт, en: Cake}, max_count: 1, personal: true}
- {id: 13, alias: g-ankara, product: wasabi, name: {ru: Айран, en: Ayran}, only_cities: [ankara]}
- {id: 14, alias: g-stoppable, product: soy, name: {ru: Соус, en: Sauce}}
- {id: 15, alias: g-arbat, product: arbat-roll, name: {ru: Ролл, en: Roll}}
- {id: 16, alias: g-early, product: wasabi, name: {ru: Завтрак, en: Breakfast}, conditions: [{hours: ["01:30-02:30"]}]}
- {id: 17, alias: g-days, product: wasabi, name: {ru: Пончик, en: Doughnut}, conditions: [{days: [1, 2, 6]}]}
- {id: 18, alias: g-groups, product: wasabi, name: {ru: Десерт, en: Dessert}, conditions: [{groups: [bowls, rolls]}]}
`,
	"sushi/promocodes.yaml": `- {id: 1, code: TEN, percent: 10}
- {id: 2, code: BOWLS33, percent: 33, groups: [bowls]}
- {id: 3, code: SUM100, sum: 100}
- {id: 4, code: SUM9999, sum: 9999}
- {id: 5, code: SAUCE10, sum: 10, products: [rice-roll, third, soy]}
- {id: 6, code: CAKE, gift: g-personal}
- {id: 7, code: MUG, gift: g-stock}
- {id: 8, code: FREEWAY, free_delivery: true}
- {id: 9, code: ANKARA, percent: 10, only_cities: [ankara]}
- {id: 10, code: DECEMBER, percent: 10, from: "2026-12-01"}
- {id: 11, code: AUTUMN, percent: 10, until: "2026-11-19"}
- {id: 12, code: TODAY, percent: 10, from: "2026-11-20", until: "2026-11-20"}
- {id: 13, code: NIGHT, percent: 10, days: [5], hours: ["22:00-26:00"]}
- {id: 14, code: PICKUP, percent: 10, order_types: [takeaway]}
- {id: 15, code: BRING, percent: 10, order_types: [delivery]}
- {id: 16, code: THOUSAND, sum: 100, minimum: 1000}
- {id: 17, code: WELCOME, percent: 10, first_order: true}
- {id: 18, code: TWICE, percent: 10, limit_per_phone: 2}
- {id: 19, code: HUNDRED, percent: 10, limit: 100}
- {id: 20, code: ALL100, percent: 100}
- {id: 21, code: ROLL, gift: g-arbat}
- {id: 22, code: EVERY, sum: 50, minimum: 200, first_order: true, limit: 10, limit_per_phone: 1, groups: [bowls], order_types: [delivery], from: "2026-01-01", until: "2026-12-31", days: [1-7], hours: ["00:00-24:00"], only_cities: [moscow]}
- {id: 23, code: ONENIGHT, percent: 10, from: "2026-11-20", until: "2026-11-20", hours: ["22:00-26:00"]}
`,
}
