import { expect, type Locator, type Page } from '@playwright/test';
import type { Caller, Schema } from '../caller.ts';
import { newCustomer, saveAddress, signIn } from '../customers.ts';
import { fillCart, placeOrder, product } from '../orders.ts';
import { type OnlineOrder, orderToPay } from '../paying.ts';
import { Storefront } from '../storefront.ts';
import type { Say } from '../texts.ts';
import { type Scene, scenes } from './scenes.ts';

export type Brand = keyof typeof scenes;

interface Given {
  page: Page;
  brand: Brand;
  say: Say;
  /** Shares the session of the page's browser. */
  caller: Caller;
}

/** A customer with addresses, orders and a filled cart, who visits one stop after another. */
export class Tour {
  readonly scene: Scene;
  readonly shop: Storefront;
  /** The number of an order that is not completed. */
  active = 0;
  /** The number of a completed order. */
  done = 0;
  /** The saved address of the city, as it is written. */
  address = '';

  private constructor(
    readonly page: Page,
    readonly say: Say,
    readonly caller: Caller,
    brand: Brand,
  ) {
    this.scene = scenes[brand];
    this.shop = new Storefront(page, say);
  }

  /** Signs a new customer in, places two orders, completes one, saves addresses, and fills the cart for takeaway. */
  static async begin({ page, brand, say, caller }: Given): Promise<Tour> {
    const tour = new Tour(page, say, caller, brand);
    await signIn(caller, newCustomer(brand));
    const { place, dish } = tour.scene.spot;
    for (const kind of ['done', 'active'] as const) {
      tour[kind] = (await placeOrder(caller, { place, alias: dish })).order_id;
    }
    for (const status of ['cooking', 'done']) {
      await caller.operate('POST', `/orders/${tour.done}/status`, { status });
    }
    await saveAddress(caller, tour.scene.elsewhere.city, tour.scene.elsewhere.house);
    await tour.chooseDelivery();
    await tour.chooseTakeaway();
    await caller.lendSession(page.context());
    // Closed today: opened by itself, it would come between two presses of Tab. Its own stop opens it by its address.
    const now = String(Math.floor(Date.now() / 1000));
    await page.context().addCookies([{ name: 'banner_1', value: now, url: caller.origin }]);
    return tour;
  }

  /** Chooses takeaway at the shop and adds the dish twice to the cart. */
  async chooseTakeaway(): Promise<void> {
    const { place, dish } = this.scene.spot;
    await this.caller.ask('POST', '/shops/set', { shop_id: place.shop_id });
    await fillCart(this.caller, place, dish, 2);
  }

  /** Chooses delivery to the customer's house. */
  async chooseDelivery(): Promise<void> {
    this.address = (await saveAddress(this.caller, 'moscow', this.scene.house)).address;
  }

  /** Opens a page of the city. */
  async goTo(path = '', city = 'moscow'): Promise<void> {
    await this.page.goto(`/${city}${path}`);
    await this.settle();
  }

  /** Opens a page with a dialog by the parameter `modal` of the address. */
  async openByAddress(modal: string, path = '', city = 'moscow'): Promise<void> {
    await this.page.goto(`/${city}${path}${path.includes('?') ? '&' : '?'}modal=${modal}`);
    await this.settle();
  }

  /** Presses the first visible element of the locator. */
  async press(opener: Locator): Promise<void> {
    await opener.filter({ visible: true }).first().click();
  }

  /** Waits until the page has its heading and no request is pending. */
  async settle(): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, includeHidden: true }).first()).toBeAttached();
    await this.page.waitForLoadState('networkidle');
  }

  button(id: string): Locator {
    return this.page.getByRole('button', { name: this.say(id) });
  }

  /** The card of an order in the list of the customer's orders. */
  orderCard(id: number): Locator {
    const heading = this.page.getByRole('heading', { name: this.say('Order no. {orderId}', { orderId: id }) });
    return this.page.getByRole('listitem').filter({ has: heading });
  }

  /** The key of a product, by its alias. */
  async keyOf(alias: string): Promise<string> {
    return (await product(this.caller, this.scene.spot.place, alias)).key;
  }

  /** Places an order that waits for its payment. */
  orderToPay(): Promise<OnlineOrder> {
    return orderToPay(this.caller, this.scene.spot, 'sbp');
  }

  /** Returns the name of a shop in the customer's language. */
  async nameOfShop(cityAlias: string, id: number): Promise<string> {
    const { list } = await this.caller.ask<Schema<'CityList'>>('GET', '/cities');
    const cityId = list.find(({ alias }) => alias === cityAlias)?.id;
    const { shops } = await this.caller.ask<{ shops: Schema<'Shop'>[] }>('GET', `/shops?city_id=${cityId}`);
    const found = shops.find((shop) => shop.id === id);
    if (!found) throw new Error(`${cityAlias} has no shop ${id}`);
    return found.name;
  }
}
