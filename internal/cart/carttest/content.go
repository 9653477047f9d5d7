package carttest

// Texts are the files of the restaurant's content.
var Texts = map[string]string{
	"countries.yaml": `- {id: 1, code: RU, name: Россия, currency: RUB, phone: {code: "+7", mask: "+7 (###) ###-##-##"}, banknotes: [500, 1000, 5000], cash_limit: 5000}
- {id: 2, code: TR, name: Турция, currency: TRY, phone: {code: "+90", mask: "+90 (###) ### ## ##"}}
- {id: 3, code: DE, name: Германия, currency: EUR, phone: {code: "+49", mask: "+49 (###) ########"}}
`,
	"places/moscow.yaml": `{id: 1, alias: moscow, country: RU, name: Москва, phrase: в Москве, timezone: Europe/Moscow, map: {latitude: 55.75, longitude: 37.61}}
`,
	"places/ankara.yaml": `{id: 2, alias: ankara, country: TR, name: Анкара, phrase: в Анкаре, timezone: Europe/Istanbul, map: {latitude: 39.93, longitude: 32.86}}
`,
	"places/berlin.yaml": `{id: 3, alias: berlin, country: DE, name: Берлин, phrase: в Берлине, timezone: Europe/Berlin, map: {latitude: 52.52, longitude: 13.4}}
`,
	"sushi/brand.yaml": `alias: sushi
hosts: [localhost]
default: true
name: Умико
phone: "8 800 000-00-01"
languages: [ru, en]
default_language: ru
settings: {courier_tracking: true, last_hour: true, interval_minutes: 30, days_ahead: 7}
payment_types: {delivery: [cash, card], takeaway: [cash]}
price_lists:
  ru: {currency: RUB}
  tr: {currency: TRY, from: ru, rate: "0.4", round_to: 1}
`,
	"sushi/ingredients.yaml": `rice: {name: рис}
salmon: {name: лосось, allergens: [fish]}
soy: {name: соевый соус, allergens: [soy]}
`,
	"sushi/modifiers.yaml": `singles:
  - {id: 1, alias: extra-rice, name: {ru: Рис, en: Rice}, price: 50, ingredient: rice}
  - {id: 4, alias: ginger, name: {ru: Имбирь, en: Ginger}, price: 20, max: 3}
groups:
  - id: 1
    alias: sauce
    name: {ru: Соус, en: Sauce}
    min: 1
    max: 2
    modifiers:
      - {id: 2, alias: soy-sauce, name: {ru: Соевый, en: Soy}, price: 0, count: 1, ingredient: soy}
      - {id: 3, alias: spicy-sauce, name: {ru: Острый, en: Spicy}, price: 30.5}
`,
	"sushi/shops.yaml": `- {id: 11, alias: arbat, city: moscow, name: Арбат, street: улица Арбат, latitude: 55.75, longitude: 37.6, cooking_minutes: 20, hours: {default: {1-7: ["10:00-23:00"]}}, ceiling: {delivery: 60, takeaway: 60}}
- {id: 12, alias: pokrovka, city: moscow, name: Покровка, street: Покровка, latitude: 55.76, longitude: 37.65, cooking_minutes: 20, order_types: [takeaway], hours: {default: {1-7: ["10:00-22:00"]}}, ceiling: {takeaway: 5}}
- {id: 21, alias: kizilay, city: ankara, name: Kızılay, street: Atatürk Bulvarı, latitude: 39.92, longitude: 32.85, cooking_minutes: 20, order_types: [takeaway], hours: {default: {1-7: ["10:00-22:00"]}}}
`,
	"sushi/cities.yaml": `- place: moscow
  phone: "+7 495 000-00-11"
  price_list: ru
  zones:
    - {id: 101, name: Центр, shop: arbat, delivery: 149, minimum_order: 700, free_delivery: true, delivery_minutes: 25, area: [[55.7, 37.5], [55.8, 37.5], [55.8, 37.7], [55.7, 37.7]]}
    - {id: 102, name: Юг, shop: arbat, delivery: 199, minimum_order: 700, free_delivery_from: 1500, delivery_minutes: 40, area: [[55.6, 37.5], [55.69, 37.5], [55.69, 37.7], [55.6, 37.7]]}
- {place: ankara, price_list: tr, order_types: [takeaway], type: stop, alert: {ru: "Ремонт до марта", en: "Closed until March"}}
`,
	"sushi/pages/about.yaml": `{alias: about, title: {ru: О нас, en: About us}, description: {ru: Кто готовит, en: Who cooks}, sections: [{heading: {ru: Кухня, en: The kitchen}, text: {ru: "<p>Варим рис</p>", en: "<p>We cook rice</p>"}}]}
`,
	"sushi/pages/delivery.yaml": `{alias: delivery, title: {ru: Доставка, en: Delivery}, sections: [{text: {ru: "<p>Позвоним от двери</p>", en: "<p>We call at the door</p>"}}]}
`,
	"sushi/pages/privacy-policy.yaml": `{alias: privacy-policy, title: {ru: Личные данные, en: Privacy}, sections: [{text: {ru: "<p>Храним адрес</p>", en: "<p>We keep the address</p>"}}]}
`,
	"sushi/pages/privacy-policy-tr.yaml": `{alias: privacy-policy, only_countries: [TR], title: {ru: Личные данные в Турции, en: Privacy in Türkiye}, sections: [{text: {ru: "<p>По закону 6698</p>", en: "<p>By law 6698</p>"}}]}
`,
	"sushi/packages.yaml": `- {id: 1, alias: paket, name: Пакет, price: 10, rule: per_order, can_refuse: true, order_types: [delivery, takeaway]}
- {id: 2, alias: box, name: Коробка, price: 5, rule: {per_items: 4}, order_types: [delivery]}
`,
	"sushi/menu/01-rolls.yaml": `group: {id: 11, alias: rolls, name: Роллы, related_groups: [sauces]}
products:
  - {id: 1001, alias: salmon-roll, name: {ru: Ролл с лососем, en: Salmon roll}, price: 549, basic_price: 649, takeaway_price: 499, composition: [rice, salmon], make_minutes: 4, modifiers: [extra-rice, ginger, sauce], picture: none}
  - {id: 1002, alias: rice-roll, name: {ru: Ролл с рисом, en: Rice roll}, price: 100, composition: [rice], make_minutes: 5, picture: none}
  - {id: 1006, alias: pair-roll, name: {ru: Ролл парами, en: Pair roll}, price: 60.25, sale_multiplicity: 2, sale_multiplicity_last_hour: 4, picture: none}
  - {id: 1007, alias: arbat-roll, name: {ru: Ролл Арбат, en: Arbat roll}, price: 300, only_shops: [arbat], picture: none}
`,
	"sushi/menu/02-sauces.yaml": `group: {id: 12, alias: sauces, name: Соусы}
products:
  - {id: 1004, alias: soy, name: Соевый соус, price: 30, composition: [soy], picture: none}
  - {id: 1005, alias: wasabi, name: Васаби, price: 20, related: true, picture: none}
`,
	"pizza/brand.yaml": `alias: pizza
hosts: [pizza.localhost]
name: Пицца
languages: [ru]
default_language: ru
payment_types: {delivery: [cash], takeaway: [cash]}
price_lists: {ru: {currency: RUB}, de: {currency: EUR, from: ru, rate: "0.01", round_to: "0.1"}}
`,
	"pizza/ingredients.yaml": "{}\n",
	"pizza/shops.yaml": `- {id: 31, alias: kreuzberg, city: berlin, name: Kreuzberg, street: Oranienstraße, latitude: 52.5, longitude: 13.42, cooking_minutes: 15, order_types: [takeaway], hours: {default: {1-7: ["10:00-22:00"]}}}
`,
	"pizza/cities.yaml": `- {place: berlin, price_list: de, order_types: [takeaway]}
`,
	"pizza/menu/01-pizza.yaml": `group: {id: 51, alias: pizza, name: Пицца}
products:
  - {id: 5001, alias: margherita, name: Маргарита, price: 500, picture: none}
`,
}
