import { expect } from '@playwright/test';
import { startsWith } from '../storefront.ts';
import type { Stop } from './stops.ts';
import type { Tour } from './tour.ts';

/** Returns a stop that opens a page with a modal by the address. */
const byAddress = (modal: string, path = ''): Stop => ({ show: (tour) => tour.openByAddress(modal, path) });

/** Opens the list of the shops of a city. */
async function openShops(tour: Tour, city: string) {
  await tour.openByAddress('order-types&order_type=takeaway', '', city);
  await expect(tour.shop.dialog().getByRole('article').first()).toBeVisible();
}

/** Presses the button that chooses a shop by its name. */
async function pressShop(tour: Tour, name: string) {
  await tour.press(tour.shop.dialog().getByRole('button', { name: tour.say('Choose: {name}', { name }) }));
}

/** Presses "Order again" at the completed order. */
async function repeatOrder(tour: Tour) {
  await tour.goTo('/profile?tab=orders');
  await tour.press(tour.orderCard(tour.done).getByRole('button', { name: tour.say('Order again') }));
}

/** The stops that show dialogs, by the names of the dialogs. */
export const dialogStops: Record<string, Stop> = {
  'modal allergens': byAddress('allergens'),
  'modal bonus-info': byAddress('bonus-info'),
  'modal cities': byAddress('cities'),
  'modal cookie-settings': byAddress('cookie-settings'),
  'modal search': byAddress('search'),
  'modal order-status': byAddress('order-status'),
  'modal order-types': byAddress('order-types&order_type=delivery'),
  'modal intervals': byAddress('intervals', '/cart'),
  'modal info': {
    device: 'phone',
    show: async (tour) => {
      await tour.goTo('/delivery');
      await tour.press(tour.button('app.frame.info'));
    },
  },
  'modal product': {
    show: async (tour) => tour.openByAddress(`product&product=${await tour.keyOf(tour.scene.dish)}`),
  },
  'modal promo': { show: (tour) => tour.openByAddress(`promo&alias=${tour.scene.promotion}`, '/promotions') },
  'modal marketing-banner': { brands: ['pizza'], show: (tour) => tour.openByAddress('marketing-banner&banner=1') },
  'modal confirm-empty-cart': {
    show: async (tour) => {
      await tour.goTo('/cart');
      await tour.press(tour.button('Empty the cart'));
    },
  },
  'modal server-error': {
    show: async (tour) => {
      // The body of the server's answer about a shop that does not exist.
      const { body } = await tour.caller.call('POST', '/shops/set', { shop_id: 1 });
      await tour.page.route('**/api/shops/set', (route) => route.fulfill({ status: 500, json: body }));
      await tour.chooseDelivery();
      await openShops(tour, 'moscow');
      await pressShop(tour, await tour.nameOfShop('moscow', tour.scene.spot.place.shop_id ?? 0));
    },
  },
  'modal nearest-shop': {
    show: async (tour) => {
      await tour.openByAddress('order-types&order_type=delivery');
      await enterOutside(tour);
      await tour.press(tour.button('About the shop'));
    },
  },
  'modal confirm-other-city': {
    show: async (tour) => {
      await tour.chooseDelivery();
      await tour.openByAddress('order-types&order_type=delivery');
      // Every brand delivers there.
      const box = tour.shop.dialog().getByRole('combobox', { name: tour.say('Street and house') });
      await box.fill('Istanbul, Bağdat Caddesi 5');
      await tour.press(tour.shop.dialog().getByRole('status').getByRole('button'));
    },
  },
  'modal confirm-shop': {
    show: async (tour) => {
      const { city, shopId } = tour.scene.closed;
      await openShops(tour, city);
      await pressShop(tour, await tour.nameOfShop(city, shopId));
    },
  },
  'modal confirm-takeaway': {
    show: async (tour) => {
      await tour.chooseDelivery();
      // Nothing of the cart is sold at the other shop.
      await tour.page.route(/\/api\/products(\?|$)/, (route) =>
        route.fulfill({ json: { product_groups: [], popular_products: [] } }),
      );
      await openShops(tour, 'moscow');
      await pressShop(tour, await tour.nameOfShop('moscow', tour.scene.spot.place.shop_id ?? 0));
    },
  },
  'modal confirm-delete-address': {
    show: async (tour) => {
      await tour.goTo('/profile?tab=addresses');
      await tour.press(tour.page.getByRole('main').getByRole('button', { name: startsWith(tour.say('Delete the address {written}')) }));
    },
  },
  'modal confirm-select-address': {
    show: async (tour) => {
      await tour.goTo('/profile?tab=addresses', tour.scene.elsewhere.city);
      await tour.press(tour.page.getByRole('main').getByRole('button', { name: tour.address }));
    },
  },
  'modal order-changes': {
    show: async (tour) => {
      await tour.page.route('**/api/order/repeat', async (route) => {
        const { cart } = await tour.caller.ask<{ cart: unknown }>('PUT', '/cart', tour.scene.spot.place);
        const changes = [
          { kind: 'gone', name: 'Филадельфия с угрём' },
          { kind: 'price', name: 'Том ям с креветками', old_price: 490, new_price: 520 },
          { kind: 'promocode', name: 'UMIKO10' },
        ];
        await route.fulfill({
          json: { order_type: 'takeaway', city_alias: 'moscow', cart, product_groups: [], popular_products: [], changes },
        });
      });
      await repeatOrder(tour);
    },
  },
  'modal confirm-cancel-order': {
    show: async (tour) => {
      await tour.goTo('/profile?tab=orders');
      await tour.press(tour.orderCard(tour.active).getByRole('button', { name: tour.say('Cancel the order') }));
    },
  },
  'modal confirm-repeat': { show: repeatOrder },
  'modal confirm-delete-account': {
    show: async (tour) => {
      await tour.goTo('/profile');
      await tour.press(tour.button('Delete the account'));
    },
  },
  'modal user-login': { ...byAddress('user-login'), isGuest: true },
};

/** Types an address that no zone covers, and takes the suggestion. */
export async function enterOutside(tour: Tour) {
  const box = tour.shop.dialog().getByRole('combobox', { name: tour.say('Street and house') });
  await box.fill(tour.scene.outside);
  await tour.page.getByRole('option', { name: numberOf(tour.scene.outside) }).first().click();
  await expect(tour.shop.button('About the shop')).toBeVisible();
}

/** Returns a pattern for the number of a house, which is the same in every language. */
export const numberOf = (house: string) => new RegExp(`\\b${house.match(/\d+$/)?.[0]}\\b`);
