import type { AnalyticsEvent, Item, Sender } from './events';
import { loadScript, removeCookies } from './load-script';

/** The globals that the tag shares with the page. */
interface TagWindow {
  dataLayer?: unknown[];
  [disabled: `ga-disable-${string}`]: boolean;
}

const script = 'https://www.googletagmanager.com/gtag/js?id=';

/** Returns the consent in the words of the tag. */
const toConsent = (isAllowed: boolean) => (isAllowed ? 'granted' : 'denied');

/**
 * Loads the tag of Google Analytics 4 and returns its sender. Advertising signals are sent only with
 * `allowsMarketing`.
 */
export function createGA4(
  id: string,
  allowsMarketing: boolean,
  page = window as unknown as TagWindow,
): Sender {
  page.dataLayer ??= [];
  const { dataLayer } = page;
  page[`ga-disable-${id}`] = false;
  // The tag reads the `arguments` object; it ignores an array.
  function gtag(..._: unknown[]) {
    // biome-ignore lint/complexity/noArguments: see above
    dataLayer.push(arguments);
  }
  gtag('consent', 'default', {
    analytics_storage: 'granted',
    ad_storage: toConsent(allowsMarketing),
    ad_user_data: toConsent(allowsMarketing),
    ad_personalization: toConsent(allowsMarketing),
  });
  gtag('js', new Date());
  gtag('config', id, {
    send_page_view: false,
    allow_google_signals: allowsMarketing,
    allow_ad_personalization_signals: allowsMarketing,
  });
  loadScript(script + id);
  return {
    view: ({ address, from }) => {
      // Otherwise the tag reads the address and the title of the document, which may name an order.
      gtag('set', { page_location: address, page_referrer: from ?? '', page_title: '' });
      gtag('event', 'page_view', { send_to: id });
    },
    send: (event) => gtag('event', names[event.kind], { send_to: id, ...toParams(event) }),
    stop: () => {
      page[`ga-disable-${id}`] = true;
      removeCookies('_ga', '_gcl');
    },
  };
}

const names: Record<AnalyticsEvent['kind'], string> = {
  'view-list': 'view_item_list',
  'view-item': 'view_item',
  add: 'add_to_cart',
  remove: 'remove_from_cart',
  'begin-checkout': 'begin_checkout',
  purchase: 'purchase',
  promocode: 'promocode',
  comment: 'comment',
};

/** Returns the parameters of an event with the names that GA4 has for them. */
function toParams(event: AnalyticsEvent) {
  switch (event.kind) {
    case 'view-list':
      return { item_list_name: event.list, items: event.items.map(toItem) };
    case 'view-item':
      return { currency: event.currency, value: event.item.price, items: [toItem(event.item, 0)] };
    case 'add':
    case 'remove': {
      const value = event.items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
      return { currency: event.currency, value, items: event.items.map(toItem) };
    }
    case 'begin-checkout':
      return { currency: event.currency, value: event.value, items: event.items.map(toItem) };
    case 'purchase':
      return {
        transaction_id: String(event.orderId),
        currency: event.currency,
        value: event.value,
        items: event.items.map(toItem),
      };
    default:
      return {};
  }
}

/** Returns an item with the names that GA4 has for its fields. */
const toItem = ({ id, name, price, quantity, category }: Item, index: number) => ({
  item_id: id,
  item_name: name,
  price,
  quantity,
  item_category: category,
  index,
});
