import { screen } from '@testing-library/react';
import { usePlace } from '@/entities/place/place';
import { makeCart, makePageData } from '@/testing/fixtures';
import { makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import type { ModalParams } from '@/ui/modals/modal-names';
import { openModal } from '@/ui/modals/modal-store';
// Loads the dialog's chunk before the clock of the first test starts.
import './order-types-dialog';

export const shop = makeShop({ id: 3, name: 'Mitte' });
export const closed = makeShop({
  id: 4,
  name: 'Wedding',
  open_state: { open: false, text: 'This shop is closed today' },
});
export const menu = { product_groups: [], popular_products: [] };

function Place() {
  const { orderType, shop, address } = usePlace();
  const name = orderType === 'takeaway' ? shop?.name : address?.address;
  return <p>{`place: ${orderType} ${name ?? 'nowhere'}`}</p>;
}

/** Opens the dialog beside a text that names the visitor's place. The reason says why the dialog asks. */
export function openDialog(
  data = makePageData({ shops: [shop, closed] }),
  reason: Pick<ModalParams['order-types'], 'message' | 'hasDish'> = {},
) {
  const shown = renderInCity(<Place />, { data });
  openModal('order-types', reason);
  return shown;
}

/** Answers the calls of the dialog: no saved addresses, no suggestions, an empty cart, and the shop that is chosen. */
export function serveDialog(): void {
  server.use(
    answer('get', '/user/addresses', () => ({ delivery_addresses: [] })),
    answer('post', '/geocoder/suggest', () => ({ suggestions: [] })),
    answer('put', '/cart', () => ({ cart: makeCart() })),
    answer('post', '/shops/set', () => ({
      shop,
      cart: makeCart([], { order_type: 'takeaway', shop }),
      ...menu,
    })),
  );
}

/** Returns the field for the address. */
export const field = () => screen.findByLabelText('Street and house');
