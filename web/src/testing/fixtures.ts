import type { Schema } from '@/api/types';

/** Returns a site with usual values; in all these functions `own` replaces the values that matter to a test. */
export function makeSite(own: Partial<Schema<'Site'>> = {}): Schema<'Site'> {
  return {
    alias: 'sushi',
    name: 'Umi',
    languages: ['en', 'ru'],
    default_language: 'en',
    show_lang_button: true,
    is_auth_enabled: false,
    guest_orders: true,
    notification_channels: [],
    code_length: 4,
    enable_fractional_prices: false,
    show_popular_product_groups: true,
    links: [],
    pages: [],
    brands: [],
    map_tiles: '',
    ...own,
  };
}

/** The phone masks of a city whose brand sells in two countries. */
export const twoMasks: Schema<'City'>['phone_masks'] = [
  { id: 1, name: 'Germany', code: '+49', mask: '+49 ### ########', country_code: 'DE' },
  { id: 2, name: 'Turkey', code: '+90', mask: '+90 ### ### ## ##', country_code: 'TR' },
];

/** Returns a city that delivers and has takeaway, prices in euro. */
export function makeCity(own: Partial<Schema<'City'>> = {}): Schema<'City'> {
  return {
    id: 1,
    alias: 'berlin',
    name: 'Berlin',
    seo_name: 'in Berlin',
    timezone: 1,
    type: 'default',
    country: { id: 1, code: 'DE', name: 'Germany' },
    order_types: { delivery: true, takeaway: true },
    phone: '+49 30 1234567',
    phone_masks: [
      { id: 1, name: 'Germany', code: '+49', mask: '+49 ### ########', country_code: 'DE' },
    ],
    prices: { currency: '€', currency_code: 'EUR' },
    delivery_zones: [],
    address_form: [
      { field: 'room', is_required: true, is_for_flats: true },
      { field: 'private_house', is_required: false, is_for_flats: false },
      { field: 'entrance', is_required: false, is_for_flats: true },
      { field: 'floor', is_required: false, is_for_flats: true },
      { field: 'intercom', is_required: false, is_for_flats: false },
    ],
    map: { coordinates: { latitude: 52.52, longitude: 13.4 }, zoom: 12 },
    promotions: [],
    pages: [],
    banners: [],
    banknotes: [50, 100],
    cash_limit: 500,
    courier_tracking: true,
    late_minutes: 60,
    ...own,
  };
}

/** Returns a product without modifiers that is available. */
export function makeProduct(own: Partial<Schema<'Product'>> = {}): Schema<'Product'> {
  return {
    id: 1,
    key: 'philadelphia',
    name: 'Philadelphia',
    description: '',
    images: {},
    quantity: 8,
    sale_multiplicity: 1,
    sale_multiplicity_last_hour: 1,
    price: 12.5,
    basic_price: 12.5,
    discount: 0,
    type: 'default',
    product_group_id: 1,
    has_related_products: false,
    allergens: [],
    composition: 'rice, salmon, cream cheese',
    modifiers: { available: false, single: [], groups: [] },
    ...own,
  };
}

/** Returns a modifier that can be chosen once. */
export function makeModifier(own: Partial<Schema<'Modifier'>> = {}): Schema<'Modifier'> {
  return {
    id: 1,
    name: 'Sesame',
    price: 0.5,
    min: 0,
    max: 1,
    count: 0,
    type: 'default',
    allergens: [],
    ...own,
  };
}

/** Returns a group with one product. */
export function makeGroup(own: Partial<Schema<'ProductGroup'>> = {}): Schema<'ProductGroup'> {
  return {
    id: 1,
    alias: 'rolls',
    name: 'Rolls',
    images: {},
    show_on_main: false,
    sort: 1,
    products: [makeProduct()],
    ...own,
  };
}

/** Returns a line of the cart: one Philadelphia without modifiers. */
export function makeLine(own: Partial<Schema<'CartProduct'>> = {}): Schema<'CartProduct'> {
  const key = own.key ?? 'philadelphia';
  return {
    key,
    product_key: key,
    id: 1,
    name: 'Philadelphia',
    images: {},
    count: 1,
    price: 12.5,
    basic_price: 12.5,
    price_with_modifiers: 12.5,
    total: 12.5,
    type: 'default',
    sale_multiplicity: 1,
    modifiers: [],
    product_group_id: 1,
    added_at: '2026-01-01T12:00:00Z',
    allergens: [],
    ...own,
  };
}

/** Returns a gift for everybody that is earned and not taken yet. */
export function makeGift(own: Partial<Schema<'Gift'>> = {}): Schema<'Gift'> {
  return {
    id: 1,
    name: 'Miso soup',
    price: 0,
    basic_price: 4,
    quantity: 1,
    count: 0,
    max_count: 1,
    is_available: true,
    type: 'gift',
    images: {},
    conditions: [],
    allergens: [],
    ...own,
  };
}

/** Returns a cart with these lines and the server's sums for them, without delivery and packages. */
export function makeCart(
  lines: readonly Schema<'CartProduct'>[] = [],
  own: Partial<Schema<'Cart'>> = {},
): Schema<'Cart'> {
  const subtotal = lines.reduce((sum, line) => sum + line.total, 0);
  return {
    city_id: 1,
    order_type: 'delivery',
    count: lines.reduce((sum, line) => sum + line.count, 0),
    products: Object.fromEntries(lines.map((line) => [line.key, line])),
    packages: [],
    without_bag: false,
    messages: [],
    gifts: [],
    presents: [],
    fingerprint: 'seen',
    prices: {
      subtotal,
      delivery: 0,
      packages: 0,
      discount: 0,
      bonuses: 0,
      upcoming_bonuses: 0,
      total: subtotal,
    },
    ...own,
  };
}

/** Returns the data of a city's home page. */
export function makePageData(own: Partial<Schema<'PageData'>> = {}): Schema<'PageData'> {
  const city = own.city ?? makeCity();
  return {
    page: 'home',
    reports_errors: false,
    lang: 'en',
    path: `/${city.alias}`,
    site: makeSite(),
    cities: { list: [city], big_cities: [city] },
    city,
    place: { city_id: city.id, order_type: 'delivery' },
    menu: { product_groups: [makeGroup()], popular_products: [] },
    ...own,
  };
}

/** Returns a banner of the home page without limits of time, shown five seconds after the page. */
export function makeBanner(
  own: Partial<Schema<'MarketingBanner'>> = {},
): Schema<'MarketingBanner'> {
  return {
    id: 1,
    name: 'First offer',
    images: {},
    click_url: '/berlin/promotions',
    button_text: 'See',
    page_url: ['/berlin'],
    schedule: { show_time: {}, display_frequency: 1, display_frequency_type: 'days', delay: 5 },
    ...own,
  };
}
