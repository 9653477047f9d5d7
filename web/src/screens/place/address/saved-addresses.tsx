import { Trans } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useLocation } from 'wouter';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { usePlace } from '@/entities/place/place';
import { addressesQuery } from '@/entities/place/queries';
import { useChooseAddress } from '@/entities/place-choice/choose';
import { SavedAddressRow } from '@/entities/place-choice/saved-address-row';
import { showFailure } from '@/ui/feedback/show-failure';
import { useWhileShown } from '@/ui/hooks/use-while-shown';
import { openModal } from '@/ui/modals/modal-store';
import { usePosition } from '../position';
import { reasonToAsk } from './address-question';

type Address = Schema<'DeliveryAddress'>;

/** A saved address with the id that it is saved under. */
interface Chosen {
  address: Address;
  id: number;
}

/** The visitor's saved addresses, each of which can be chosen or deleted; nothing when there are none. */
export function SavedAddresses({ onChosen }: { onChosen: () => void }) {
  const heading = useId();
  const [, navigate] = useLocation();
  const city = useCity();
  const { orderType, address: chosen } = usePlace();
  const { position } = usePosition();
  const { data: addresses = [] } = useQuery(addressesQuery());
  const choose = useChooseAddress();
  const openCity = useWhileShown((alias: string) => navigate(`/${alias}`));
  const { mutateAsync, isPending, variables } = useMutation({
    mutationFn: ({ id }: Chosen) => choose.byId(id),
    onSuccess: (failure, { address }) => {
      if (failure) {
        showFailure(failure);
        return;
      }
      onChosen();
      if (address.city.id !== city.id) openCity(address.city.alias);
    },
  });
  const set = (address: Address, id: number) => mutateAsync({ address, id });
  const press = (address: Address, id: number) => {
    const reason = reasonToAsk(address, city.id, position);
    if (!reason) void set(address, id);
    else
      openModal('confirm-select-address', { address, reason, onConfirm: () => set(address, id) });
  };

  if (addresses.length === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className="mb-1 text-note strong">
        <Trans id="place.address.your-addresses">Your addresses</Trans>
      </h3>
      <ul>
        {addresses.map((address) =>
          address.id === undefined ? null : (
            <SavedAddressRow
              key={address.id}
              address={address}
              id={address.id}
              isChosen={orderType === 'delivery' && chosen?.id === address.id}
              isBusy={isPending && variables.id === address.id}
              isElsewhere={address.city.id !== city.id}
              onPress={press}
            />
          ),
        )}
      </ul>
    </section>
  );
}
