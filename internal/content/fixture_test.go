package content_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// fixture is a small content folder without faults.
var fixture = map[string]string{
	"countries.yaml": `- {id: 1, code: RU, name: {ru: Россия, en: Russia}, currency: RUB, phone: {code: "+7", mask: "+7 (###) ###-##-##"}, banknotes: [500, 1000], cash_limit: 5000}
- {id: 2, code: DE, name: {ru: Германия, en: Germany}, currency: EUR, phone: {code: "+49", mask: "+49 (###) ########"}}
`,
	"places/moscow.yaml": `id: 1
alias: moscow
country: RU
name: {ru: Москва, en: Moscow}
phrase: {ru: в Москве, en: in Moscow}
timezone: Europe/Moscow
map: {latitude: 55.75, longitude: 37.61, zoom: 12, bbox: [55.5, 37.3, 55.9, 37.9]}
big: true
streets:
  - {name: {ru: улица Арбат}, from: [55.75, 37.60], to: [55.74, 37.58], houses: [1, 54]}
`,
	"places/berlin.yaml": `id: 2
alias: berlin
country: DE
name: {ru: Берлин, en: Berlin}
phrase: {ru: в Берлине, en: in Berlin}
timezone: Europe/Berlin
map: {latitude: 52.52, longitude: 13.4}
`,
	"sushi/brand.yaml": `alias: sushi
hosts: [localhost, sushi.localhost]
default: true
name: Умико
languages: [ru, en]
default_language: ru
email: hello@sushi.test
settings: {interval_minutes: 30}
payment_types: {delivery: [cash, card], takeaway: [cash]}
price_lists:
  ru: {currency: RUB}
  de: {currency: EUR, from: ru, rate: "0.0235", round_to: "0.1"}
bonus_programme: {percent: "7.5", accrual_until: "2026-10-31", spend_until: "2027-05-21"}
`,
	"sushi/ingredients.yaml": `rice: {name: {ru: рис, en: rice}}
salmon: {name: {ru: лосось, en: salmon}, allergens: [fish]}
soy: {name: {ru: соевый соус, en: soy sauce}, allergens: [soy, gluten]}
`,
	"sushi/modifiers.yaml": `singles:
  - {id: 1, alias: extra-rice, name: Рис, price: 50, ingredient: rice}
groups:
  - id: 1
    alias: sauce
    name: Соус
    min: 1
    max: 1
    modifiers:
      - {id: 2, alias: soy-sauce, name: Соевый, price: 0, count: 1, ingredient: soy}
      - {id: 3, alias: spicy-sauce, name: Острый, price: 30}
`,
	"sushi/packages.yaml": `- {id: 1, alias: paket, name: Пакет, price: 15, rule: per_order, can_refuse: true}
- {id: 2, alias: palochki, name: Палочки, price: 0, rule: {per_items: 3}, order_types: [delivery]}
`,
	"sushi/promotions.yaml": `- {alias: two, name: Два, description: "<p>Два <b>за</b> один</p>", picture: banner}
`,
	"sushi/banners.yaml": `- {id: 1, alias: hello, name: Привет, description: Скидка, link: /promotions, button_text: Смотреть, pages: [/, /shops], from: "2026-12-01 10:00", to: "2027-01-01 00:00", delay: 3, frequency: 12, frequency_unit: hours}
`,
	"sushi/shops.yaml": `- id: 11
  alias: arbat
  city: moscow
  name: Арбат
  street: улица Арбат, 1
  latitude: 55.75
  longitude: 37.60
  hours: {default: {1-4: ["10:00-23:00"], 5-7: ["10:00-26:00"]}, custom: {"2026-12-31": ["10:00-20:00"]}}
  ceiling: {delivery: 60}
  ceiling_groups: {rolls: 40}
- {id: 12, alias: pokrovka, city: moscow, name: Покровка, street: Покровка, latitude: 55.76, longitude: 37.65, order_types: [takeaway], hours: {default: {1-7: ["10:00-22:00"]}, custom: {today: []}}}
- {id: 13, alias: mitte, city: berlin, name: Митте, street: Торштрассе, latitude: 52.5, longitude: 13.4, order_types: [takeaway], hours: {default: {1-7: ["10:00-22:00"]}}}
`,
	"sushi/cities.yaml": `- place: moscow
  price_list: ru
  popular: [salmon-roll]
  promotions: [two]
  zones:
    - {id: 101, name: Центр, shop: arbat, priority: 1, delivery: 149, minimum_order: 700, free_delivery: true, area: [[55.7, 37.5], [55.8, 37.5], [55.8, 37.7]]}
- {place: berlin, price_list: de, order_types: [takeaway], bonus_programme: false, promotions: [two], banners: [hello]}
`,
	"sushi/pages/about.yaml": `alias: about
title: {ru: О нас, en: About us}
description: {ru: Кто готовит, en: Who cooks}
sections:
  - {heading: {ru: Кухня, en: Kitchen}, text: {ru: "<p>Режем <b>рыбу</b></p>", en: "<p>We cut <b>fish</b></p>"}}
`,
	"sushi/gifts.yaml": `- id: 1
  alias: gift-soy
  product: soy
  max_count: 2
  stock: 5
  only_cities: [moscow]
  conditions:
    - {subtotal: {ru: 1000, de: 25}}
    - {groups: [rolls]}
    - {products: [set, rice-roll]}
    - {days: [1-5, 7], hours: ["12:00-16:00", "22:00-26:00"]}
    - {order_types: [takeaway]}
    - {first_order: true}
- {id: 2, alias: gift-roll, product: rice-roll, name: Подарок, picture: roll, personal: true}
`,
	"sushi/promocodes.yaml": `- {id: 1, code: friday20, percent: 20, from: "2026-01-01", until: "2027-12-31", days: [5], hours: ["16:00-26:00"], only_cities: [moscow], order_types: [delivery], minimum: 1500, products: [set], groups: [rolls], first_order: true, limit: 1000, limit_per_phone: 1}
- {id: 2, code: MINUS300, sum: 300}
- {id: 3, code: РОЛЛ, gift: gift-roll}
- {id: 4, code: FREEWAY, free_delivery: true}
`,
	"sushi/menu/01-rolls.yaml": `group: {id: 11, alias: rolls, name: Роллы, show_on_main: true, related_groups: [sauces]}
products:
  - id: 1001
    alias: salmon-roll
    name: {ru: Ролл с лососем, en: Salmon roll}
    weight: {value: 245, unit: g}
    price: 549
    basic_price: 649
    takeaway_price: 499
    composition: [rice, salmon]
    nutrition: {proteins: 9.1, fats: 8, carbohydrates: 22, kilocalories: 198}
    make_minutes: 4
    accent: hit
    modifiers: [extra-rice, sauce]
    picture: roll
  - {id: 1002, alias: rice-roll, name: Ролл с рисом, price: {ru: 100, de: 9.9}, composition: [rice], picture: roll, only_shops: [arbat]}
  - {id: 1003, alias: set, name: Сет, price: 900, set_of: [{product: salmon-roll, count: 2}, {product: rice-roll}], picture: roll, not_cities: [berlin]}
`,
	"sushi/menu/02-sauces.yaml": `group: {id: 12, alias: sauces, name: Соусы}
products:
  - {id: 1004, alias: soy, name: Соевый соус, price: 30, composition: [soy], picture: roll}
  - {id: 1005, alias: wasabi, name: Васаби, price: 20, related: true, picture: roll}
`,
}

// unprepared leaves the picture without variants.
var unprepared = change{file: "sushi/pictures/roll.192.webp"}

// change replaces a text of the fixture, or a whole file when old is empty; a file
// without a text is removed.
type change struct{ file, old, new string }

// newFolder returns the content folder of the fixture after the changes.
func newFolder(t *testing.T, changes ...change) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{
		"sushi/pictures/roll.jpg":        {Data: roll()},
		"sushi/pictures/roll.192.webp":   {Data: []byte("prepared")},
		"sushi/pictures/banner.jpg":      {Data: banner()},
		"sushi/pictures/banner.480.webp": {Data: []byte("prepared")},
	}
	for name, text := range fixture {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, c := range changes {
		switch {
		case c.old == "" && c.new == "":
			delete(files, c.file)
		case c.old == "":
			files[c.file] = &fstest.MapFile{Data: []byte(c.new)}
		default:
			text := fixture[c.file]
			if !strings.Contains(text, c.old) {
				t.Fatalf("%s has no %q", c.file, c.old)
			}
			files[c.file] = &fstest.MapFile{Data: []byte(strings.Replace(text, c.old, c.new, 1))}
		}
	}
	return files
}

// roll is the picture of every dish of the fixture, banner that of its promotion.
var (
	roll   = sync.OnceValue(func() []byte { return encodePhoto(800, 800) })
	banner = sync.OnceValue(func() []byte { return encodePhoto(1440, 720) })
)

// encodePhoto returns a JPEG of the size.
func encodePhoto(width, height int) []byte {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height / 4 {
		picture.Set(i%width, i/width*3, color.RGBA{R: uint8(i), G: uint8(width), B: uint8(i >> 8), A: 255})
	}
	var body bytes.Buffer
	if err := jpeg.Encode(&body, picture, nil); err != nil {
		panic(err)
	}
	return body.Bytes()
}
