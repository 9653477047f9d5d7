import type { Schema } from '@/api/types';

/** A modal that opens without being told anything. */
export type NoParams = Record<never, never>;

/** What the visitor was about to do when it turned out that he has to sign in: to order, or to see a page of the site. */
export type SignInIntent = 'order' | { uri: string };

/**
 * Every modal of the product with what it has to be told. A feature that builds one gives it a line
 * in `src/app/modals/registry.ts` too.
 */
export interface ModalParams {
  cities: NoParams;
  /** What a phone's header has no room for. */
  info: NoParams;
  'order-types': {
    orderType?: Schema<'OrderType'>;
    /** Why it is asked. */
    message?: string;
    /** Called after the modal has closed with a place. */
    onChosen?: () => void;
  };
  cart: { step?: 1 | 2 };
  product: { productKey: Schema<'ProductKey'>; lineKey?: Schema<'ProductKey'> };
  /** What the visitor does not eat. */
  allergens: NoParams;
  search: NoParams;
  intervals: NoParams;
  'order-status': NoParams;
  'confirm-empty-cart': NoParams;
  'confirm-takeaway': {
    shopName: string;
    /** Dishes that cannot be had there, and the chosen time where it cannot. */
    losses: { products: string[]; time?: Schema<'Interval'> };
    onConfirm: () => Promise<void>;
  };
  'confirm-shop': { shop: Schema<'Shop'>; onConfirm: () => Promise<void> };
  'confirm-delete-address': {
    address: Schema<'DeliveryAddress'>;
    onConfirm: () => Promise<void>;
  };
  'confirm-select-address': {
    address: Schema<'DeliveryAddress'>;
    /** Why it is asked: the address is in another city, or far from where the visitor is. */
    reason: 'other-city' | 'far';
    onConfirm: () => Promise<void>;
  };
  'nearest-shop': { nearest: Schema<'NearestShop'> };
  'confirm-cancel-order': {
    orderId: number;
    /** Where the order stood when it was asked for. */
    status: Schema<'OrderStatus'>;
    onConfirm: () => Promise<void>;
  };
  'confirm-repeat': { onChoose: (mode: 'add' | 'replace') => void };
  /** What of a repeated order is not as it was, and how to bring back the cart of before. */
  'order-changes': { changes: Schema<'OrderChange'>[]; onUndo?: () => void };
  'confirm-delete-account': NoParams;
  'server-error': { message: string; reference?: string };
  promo: { alias: string };
  /** How the bonus programme works. */
  'bonus-info': NoParams;
  'user-login': {
    /** What goes on once the visitor is signed in: his order, or the page that he asked for. Else he stays. */
    intent?: SignInIntent;
    /** Whether VK has told who it is but no phone, so that a code has to confirm one. */
    needsPhone?: boolean;
    /** A phone that was typed already, in the city's mask of that id. */
    typed?: { phone: string; maskId: number };
  };
}

export type ModalName = keyof ModalParams;

/** Confirm modals stack over another; any other modal takes the place of the one before. */
const confirmModals: ReadonlySet<ModalName> = new Set([
  'allergens',
  'confirm-empty-cart',
  'confirm-takeaway',
  'confirm-shop',
  'confirm-delete-address',
  'confirm-select-address',
  'confirm-cancel-order',
  'confirm-repeat',
  'confirm-delete-account',
  'server-error',
]);

export const isConfirm = (name: ModalName) => confirmModals.has(name);

/** Product info is not shown again when the modal that replaced it closes. */
export const isReopened = (name: ModalName) => name !== 'product';
