import type { ComponentType } from 'react';
import { withTexts } from '@/i18n/load';
import type { FormKind } from '@/screens/feedback/form-rules';
import { loadMap } from '@/ui/map/load-map';
import type { ModalName, ModalParams } from '@/ui/modals/modal-names';
import { openModal } from '@/ui/modals/modal-store';
import './modal-params';

/** How a modal is loaded, and how its params are read when the address opens it with `?modal=name`. */
interface ModalEntry<Name extends ModalName> {
  load: () => Promise<{ default: ComponentType<ModalParams[Name]> }>;
  /**
   * Reads the params from the query; null when the query lacks them. Without it the address cannot open the
   * modal.
   */
  fromQuery?: (query: URLSearchParams) => ModalParams[Name] | null;
}

type Registry = { [Name in ModalName]: ModalEntry<Name> };

/** Returns the entry of a form to the brand. */
const formEntry = (kind: FormKind) => ({
  load: async () => {
    const { dialogs } = await withTexts(
      'feedback',
      () => import('@/screens/feedback/feedback-dialog'),
    );
    return { default: dialogs[kind] };
  },
  fromQuery: () => ({}),
});

/** Every modal of the page, in the chunk of the late parts; `modal-kinds.ts` has what must be known at once. */
export const registry: Registry = {
  allergens: {
    load: () => withTexts('allergens', () => import('@/screens/allergens/allergens-dialog')),
    fromQuery: () => ({}),
  },
  'bonus-info': {
    load: () => withTexts('bonus', () => import('@/screens/bonus/bonus-dialog')),
    fromQuery: () => ({}),
  },
  cities: {
    load: () => withTexts('cities', () => import('@/screens/cities/cities-dialog')),
    fromQuery: () => ({}),
  },
  'cookie-settings': {
    load: () => withTexts('consent', () => import('@/screens/consent/cookie-settings-dialog')),
    fromQuery: () => ({}),
  },
  'confirm-empty-cart': {
    load: () => withTexts('checkout', () => import('@/screens/checkout/cart/confirm-empty-cart')),
  },
  info: { load: () => import('../frame/info-dialog') },
  product: {
    load: () => withTexts('product', () => import('@/screens/product/product-dialog')),
    fromQuery: (query) => {
      const productKey = query.get('product');
      return productKey ? { productKey } : null;
    },
  },
  promo: {
    load: () => withTexts('promo', () => import('@/screens/promo/promo-dialog')),
    fromQuery: (query) => {
      const alias = query.get('alias');
      return alias ? { alias } : null;
    },
  },
  'marketing-banner': {
    load: () => withTexts('marketing', () => import('@/screens/marketing/banner-dialog')),
    fromQuery: (query) => {
      const bannerId = Number(query.get('banner'));
      return bannerId > 0 ? { bannerId } : null;
    },
  },
  search: {
    load: () => withTexts('search', () => import('@/screens/search/search-dialog')),
    fromQuery: () => ({}),
  },
  'server-error': { load: () => import('./server-error') },
  'order-types': {
    load: () => {
      // The dialog shows a map at once, whose code loads beside its own.
      loadMap().catch(() => {});
      return withTexts('place', () => import('@/screens/place/order-types-dialog'));
    },
    fromQuery: (query) => {
      const orderType = query.get('order_type');
      return orderType === 'delivery' || orderType === 'takeaway' ? { orderType } : {};
    },
  },
  intervals: {
    load: () =>
      withTexts('checkout', () => import('@/screens/checkout/intervals/intervals-dialog')),
    fromQuery: () => ({}),
  },
  'nearest-shop': {
    load: () => withTexts('place', () => import('@/screens/place/shops/nearest-shop')),
  },
  'confirm-shop': {
    load: () => withTexts('place', () => import('@/screens/place/shops/confirm-shop')),
  },
  'confirm-takeaway': {
    load: () => withTexts('place', () => import('@/screens/place/shops/confirm-takeaway')),
  },
  'confirm-delete-address': {
    load: () => withTexts('place', () => import('@/screens/place/address/confirm-delete-address')),
  },
  'confirm-select-address': {
    load: () => withTexts('place', () => import('@/screens/place/address/confirm-select-address')),
  },
  'confirm-other-city': {
    load: () => withTexts('place', () => import('@/screens/place/address/confirm-other-city')),
  },
  'order-status': {
    load: () => withTexts('tracking', () => import('@/screens/tracking/order-status-dialog')),
    fromQuery: () => ({}),
  },
  'order-changes': {
    load: () => withTexts('tracking', () => import('@/screens/tracking/order-changes-dialog')),
  },
  'confirm-cancel-order': {
    load: () => withTexts('tracking', () => import('@/screens/tracking/confirm-cancel-order')),
  },
  'confirm-repeat': {
    load: () => withTexts('tracking', () => import('@/screens/tracking/confirm-repeat')),
  },
  'confirm-delete-account': {
    load: () =>
      withTexts('profile', () => import('@/screens/profile/own-data/confirm-delete-account')),
  },
  'call-me-back': formEntry('call-me-back'),
  feedback: formEntry('feedback'),
  supplier: formEntry('supplier'),
  landlord: formEntry('landlord'),
  'return-request': formEntry('return-request'),
  'user-login': {
    load: () => withTexts('login', () => import('@/screens/login/user-login-dialog')),
    fromQuery: (query) => ({
      intent: query.get('intent') === 'order' ? 'order' : undefined,
      needsPhone: query.get('reason') === 'phone',
    }),
  },
};

/**
 * Opens the modal that the query of the address names. Where a query cannot open it, or lacks its params, `modal` is
 * removed from the address. The cart is no modal, and stays.
 */
export function openFromAddress() {
  const query = new URLSearchParams(location.search);
  const name = query.get('modal');
  if (name === null || name === 'cart') return;
  const isRegistered = (text: string): text is ModalName => Object.hasOwn(registry, text);
  const params = isRegistered(name) && registry[name].fromQuery?.(query);
  if (params) {
    // The registry pairs each name with its own params, which the compiler can't see through the union.
    openModal(name as ModalName, params as never);
    return;
  }
  query.delete('modal');
  const kept = `${query}` && `?${query}`;
  history.replaceState(history.state, '', location.pathname + kept + location.hash);
}
