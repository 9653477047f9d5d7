import type { Schema } from '@/api/types';
import type { SignInParams } from '@/entities/session/require-sign-in';

/** Every modal of the app with its parameters; each has its entry in `registry.ts`. */
declare module '@/ui/modals/modal-names' {
  interface ModalParams {
    cities: NoParams;
    /** Which cookies may be kept. */
    'cookie-settings': NoParams;
    /** The parts that a phone's header has no room for. */
    info: NoParams;
    'order-types': {
      orderType?: Schema<'OrderType'>;
      /** The reason why the place is asked for. */
      message?: string;
      /** Whether a dish waits for the choice to be added to the cart. */
      hasDish?: boolean;
      /** Called after the modal has closed with a place. */
      onChosen?: () => void;
    };
    product: { productKey: Schema<'ProductKey'>; lineKey?: Schema<'ProductKey'> };
    /** What the visitor does not eat. */
    allergens: NoParams;
    search: NoParams;
    intervals: NoParams;
    'order-status': NoParams;
    'confirm-empty-cart': NoParams;
    'confirm-takeaway': {
      shopName: string;
      /** The dishes that are not available there; the chosen time when it is not. */
      losses: { products: string[]; time?: Schema<'Interval'> };
      onConfirm: () => Promise<unknown>;
    };
    'confirm-shop': { shop: Schema<'Shop'>; onConfirm: () => Promise<void> };
    'confirm-delete-address': {
      /** As the list shows it, with that by which its door differs from others. */
      address: string;
      onConfirm: () => Promise<unknown>;
    };
    'confirm-select-address': {
      address: Schema<'DeliveryAddress'>;
      /** The reason of the question: the address is in another city, or far from the visitor. */
      reason: 'other-city' | 'far';
      onConfirm: () => Promise<unknown>;
    };
    'confirm-other-city': {
      city: Schema<'OtherCity'>;
      /** The city of the page in a phrase, such as "in Berlin". */
      here: string;
      onConfirm: () => void;
    };
    'nearest-shop': { nearest: Schema<'NearestShop'> };
    'confirm-cancel-order': {
      orderId: number;
      /** The state of the order when the question was asked. */
      status: Schema<'OrderStatus'>;
      onConfirm: () => Promise<unknown>;
    };
    'confirm-repeat': {
      /** The city of the cart in a phrase, such as "in Berlin"; absent when it is that of the page. */
      where?: string;
      onChoose: (mode: 'add' | 'replace') => void;
    };
    /** How a repeated order differs, and how to restore the cart before it. */
    'order-changes': { changes: Schema<'OrderChange'>[]; onUndo?: () => void };
    'confirm-delete-account': NoParams;
    promo: { alias: string };
    'marketing-banner': { bannerId: number };
    'call-me-back': NoParams;
    /** A question, praise or a complaint. */
    feedback: NoParams;
    supplier: NoParams;
    landlord: NoParams;
    'return-request': NoParams;
    /** How the bonus programme works. */
    'bonus-info': NoParams;
    'user-login': SignInParams;
  }
}
