import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { openModal } from '@/ui/modals/modal-store';
import { type AddressDraft, moveDraft } from './address-draft';

interface OtherCityProps {
  draft: AddressDraft;
  city: Schema<'OtherCity'>;
}

/** Says that an address lies in another city of the brand, and offers to order there with the same address. */
export function OtherCity({ draft, city }: OtherCityProps) {
  const order = useOrderThere(draft, city);
  const { where } = city;
  return (
    <div role="status">
      <Notice
        title={
          <Trans id="place.address.is-in-other-city">This address is {where}. Order there?</Trans>
        }
        action={
          <Button size="small" onClick={order}>
            <Trans id="place.address.order-in-city">Order {where}</Trans>
          </Button>
        }
      >
        <Trans id="place.address.other-city-opens">
          The menu and the cart of that city will open with this address.
        </Trans>
      </Notice>
    </div>
  );
}

/**
 * Returns a function that opens the other city with its choice of an address, where the same address is
 * looked up. It asks first when there is something in the cart, which stays in its city.
 */
function useOrderThere({ target }: AddressDraft, city: Schema<'OtherCity'>) {
  const here = useCity();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const open = () => {
    moveDraft(here.id, city.id, lookedUpThere(target, city));
    navigate(`/${city.alias}`);
    openModal('order-types', { orderType: 'delivery' });
  };
  return () => {
    const cart = client.getQueryData<Schema<'Cart'>>(keys.cart(here.id));
    if (!cart?.count) open();
    else openModal('confirm-other-city', { city, here: here.seo_name, onConfirm: open });
  };
}

/** Returns what is looked up in the other city: the same point, or the text without the city's name. */
function lookedUpThere(
  target: AddressDraft['target'],
  { address = '' }: Schema<'OtherCity'>,
): Pick<AddressDraft, 'text' | 'target'> {
  if (target?.kind === 'point')
    return { text: '', target: { kind: 'point', coordinates: target.coordinates } };
  return { text: address, target: address === '' ? null : { kind: 'text', address } };
}
