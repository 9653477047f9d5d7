import type { AnalyticsEvent, Item, Sender } from './events';
import { loadScript, removeCookies } from './load-script';

type Call = (id: number, ...args: unknown[]) => void;

/** The globals that the counter shares with the page. */
interface MetrikaWindow {
  ym?: Call & { a?: unknown[]; l?: number };
  /** The events of e-commerce, which the counter reads. */
  metrikaEvents?: unknown[];
}

const script = 'https://mc.yandex.ru/metrika/tag.js';

/**
 * Loads Yandex.Metrika and returns its sender of page views, goals and e-commerce. It records no screen, clicks
 * or forms.
 */
export function createMetrika(id: number, page = window as MetrikaWindow): Sender {
  page.metrikaEvents ??= [];
  const { metrikaEvents: events } = page;
  // Stores calls until the script has loaded and makes them.
  page.ym ??= Object.assign((...args: Parameters<Call>) => void page.ym?.a?.push(args), {
    a: [] as unknown[],
    l: Date.now(),
  });
  const call: Call = (...args) => page.ym?.(...args);
  call(id, 'init', {
    defer: true,
    ecommerce: 'metrikaEvents',
    clickmap: false,
    trackLinks: false,
    webvisor: false,
    accurateTrackBounce: false,
  });
  loadScript(script);
  return {
    view: ({ address, from }) => call(id, 'hit', address, { referer: from, title: '' }),
    send: (event) => {
      const ecommerce = toEcommerce(event);
      if (ecommerce) events.push({ ecommerce });
      // Events about dishes are e-commerce, the others are goals.
      if ('items' in event || 'item' in event) return;
      call(id, 'reachGoal', event.kind);
    },
    stop: () => {
      call(id, 'destruct');
      removeCookies('_ym');
    },
  };
}

/** Returns the event in the provider's form; undefined when it is no e-commerce. */
function toEcommerce(event: AnalyticsEvent) {
  switch (event.kind) {
    case 'view-list':
      return {
        currencyCode: event.currency,
        impressions: event.items.map((item, at) => ({
          ...toProduct(item),
          list: event.list,
          position: at + 1,
        })),
      };
    case 'view-item':
      return { currencyCode: event.currency, detail: { products: [toProduct(event.item)] } };
    case 'add':
    case 'remove':
      return {
        currencyCode: event.currency,
        [event.kind]: { products: event.items.map(toProduct) },
      };
    case 'begin-checkout':
      return {
        currencyCode: event.currency,
        checkout: { actionField: { step: 1 }, products: event.items.map(toProduct) },
      };
    case 'purchase':
      return {
        currencyCode: event.currency,
        purchase: {
          actionField: { id: String(event.orderId), revenue: event.value },
          products: event.items.map(toProduct),
        },
      };
    default:
      return undefined;
  }
}

/** Returns the fields of an item that Metrika takes; they have the same names there. */
const toProduct = ({ id, name, price, quantity, category }: Item) => ({
  id,
  name,
  price,
  quantity,
  category,
});
