import type { ComponentType } from 'react';
import type { ModalName, ModalParams } from '@/ui/modals/modal-names';

/** How a modal is had: its chunk, and its params when the address asks for it with `?modal=name`. */
export interface ModalEntry<Name extends ModalName> {
  load: () => Promise<{ default: ComponentType<ModalParams[Name]> }>;
  /** Reads the params from the query; null when they are not there. Without it the address can't open the modal. */
  fromQuery?: (query: URLSearchParams) => ModalParams[Name] | null;
}

/** The modals that exist. A feature adds one line for each of its own. */
export const registry: { [Name in ModalName]?: ModalEntry<Name> } = {
  allergens: {
    load: () => import('@/features/allergens/allergens-dialog'),
    fromQuery: () => ({}),
  },
  'bonus-info': { load: () => import('@/features/bonus/bonus-dialog'), fromQuery: () => ({}) },
  cities: { load: () => import('@/features/city/cities-dialog'), fromQuery: () => ({}) },
  'confirm-empty-cart': { load: () => import('@/features/cart/confirm-empty-cart') },
  info: { load: () => import('../frame/info-dialog') },
  product: {
    load: () => import('@/features/product/product-dialog'),
    fromQuery: (query) => {
      const productKey = query.get('product');
      return productKey ? { productKey } : null;
    },
  },
  promo: {
    load: () => import('@/features/promo/promo-dialog'),
    fromQuery: (query) => {
      const alias = query.get('alias');
      return alias ? { alias } : null;
    },
  },
  search: { load: () => import('@/features/search/search-dialog'), fromQuery: () => ({}) },
  'server-error': { load: () => import('./server-error') },
  'order-types': {
    load: () => import('@/features/place/order-types-dialog'),
    fromQuery: (query) => {
      const orderType = query.get('order_type');
      return orderType === 'delivery' || orderType === 'takeaway' ? { orderType } : {};
    },
  },
  intervals: {
    load: () => import('@/features/cart/intervals/intervals-dialog'),
    fromQuery: () => ({}),
  },
  'nearest-shop': { load: () => import('@/features/place/nearest-shop') },
  'confirm-shop': { load: () => import('@/features/place/confirm-shop') },
  'confirm-takeaway': { load: () => import('@/features/place/confirm-takeaway') },
  'confirm-delete-address': { load: () => import('@/features/place/confirm-delete-address') },
  'confirm-select-address': { load: () => import('@/features/place/confirm-select-address') },
  'order-status': {
    load: () => import('@/features/tracking/order-status-dialog'),
    fromQuery: () => ({}),
  },
  'order-changes': { load: () => import('@/features/tracking/order-changes-dialog') },
  'confirm-cancel-order': { load: () => import('@/features/tracking/confirm-cancel-order') },
  'confirm-repeat': { load: () => import('@/features/tracking/confirm-repeat') },
  'confirm-delete-account': {
    load: () => import('@/features/profile/own-data/confirm-delete-account'),
  },
  'user-login': {
    load: () => import('@/features/login/user-login-dialog'),
    fromQuery: (query) => ({
      intent: query.get('intent') === 'order' ? 'order' : undefined,
      needsPhone: query.get('reason') === 'phone',
    }),
  },
};
