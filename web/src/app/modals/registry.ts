import type { ComponentType } from 'react';
import {
  type ModalKind,
  type ModalName,
  type ModalParams,
  setModalKind,
} from '@/ui/modals/modal-names';
import './modal-params';

/** How a modal is loaded, and its params when the address asks for it with `?modal=name`. */
interface ModalEntry<Name extends ModalName> {
  kind?: ModalKind;
  load: () => Promise<{ default: ComponentType<ModalParams[Name]> }>;
  /** Reads the params from the query; null when they are not there. Without it the address can't open the modal. */
  fromQuery?: (query: URLSearchParams) => ModalParams[Name] | null;
}

/** Every modal of the page. */
export const registry: { [Name in ModalName]: ModalEntry<Name> } = {
  allergens: {
    kind: 'confirm',
    load: () => import('@/screens/allergens/allergens-dialog'),
    fromQuery: () => ({}),
  },
  'bonus-info': { load: () => import('@/screens/bonus/bonus-dialog'), fromQuery: () => ({}) },
  cities: { load: () => import('@/screens/cities/cities-dialog'), fromQuery: () => ({}) },
  'confirm-empty-cart': {
    kind: 'confirm',
    load: () => import('@/screens/checkout/cart/confirm-empty-cart'),
  },
  info: { load: () => import('../frame/info-dialog') },
  product: {
    kind: 'once',
    load: () => import('@/screens/product/product-dialog'),
    fromQuery: (query) => {
      const productKey = query.get('product');
      return productKey ? { productKey } : null;
    },
  },
  promo: {
    load: () => import('@/screens/promo/promo-dialog'),
    fromQuery: (query) => {
      const alias = query.get('alias');
      return alias ? { alias } : null;
    },
  },
  search: { load: () => import('@/screens/search/search-dialog'), fromQuery: () => ({}) },
  'server-error': { load: () => import('./server-error') },
  'order-types': {
    load: () => import('@/screens/place/order-types-dialog'),
    fromQuery: (query) => {
      const orderType = query.get('order_type');
      return orderType === 'delivery' || orderType === 'takeaway' ? { orderType } : {};
    },
  },
  intervals: {
    load: () => import('@/screens/checkout/intervals/intervals-dialog'),
    fromQuery: () => ({}),
  },
  'nearest-shop': { load: () => import('@/screens/place/shops/nearest-shop') },
  'confirm-shop': { kind: 'confirm', load: () => import('@/screens/place/shops/confirm-shop') },
  'confirm-takeaway': {
    kind: 'confirm',
    load: () => import('@/screens/place/shops/confirm-takeaway'),
  },
  'confirm-delete-address': {
    kind: 'confirm',
    load: () => import('@/screens/place/address/confirm-delete-address'),
  },
  'confirm-select-address': {
    kind: 'confirm',
    load: () => import('@/screens/place/address/confirm-select-address'),
  },
  'order-status': {
    load: () => import('@/screens/tracking/order-status-dialog'),
    fromQuery: () => ({}),
  },
  'order-changes': { load: () => import('@/screens/tracking/order-changes-dialog') },
  'confirm-cancel-order': {
    kind: 'confirm',
    load: () => import('@/screens/tracking/confirm-cancel-order'),
  },
  'confirm-repeat': { kind: 'confirm', load: () => import('@/screens/tracking/confirm-repeat') },
  'confirm-delete-account': {
    kind: 'confirm',
    load: () => import('@/screens/profile/own-data/confirm-delete-account'),
  },
  'user-login': {
    load: () => import('@/screens/login/user-login-dialog'),
    fromQuery: (query) => ({
      intent: query.get('intent') === 'order' ? 'order' : undefined,
      needsPhone: query.get('reason') === 'phone',
    }),
  },
};

for (const [name, { kind }] of Object.entries(registry)) {
  if (kind) setModalKind(name as ModalName, kind);
}
