import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, MapPin, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import type { Schema } from '@/api/types';
import { cartKey } from '@/features/cart/queries';
import { useCity } from '@/features/city/context';
import { usePlace } from '@/features/city/place';
import { classes } from '@/ui/classes';
import { Icon } from '@/ui/icon';
import { IconButton } from '@/ui/icon-button';
import { openModal } from '@/ui/modals/modal-store';
import { showFailure } from '@/ui/show-failure';
import { Spinner } from '@/ui/spinner';
import { reasonToAsk } from './address-question';
import { useChooseAddress } from './choose';
import { usePosition } from './position';
import { addressesQuery } from './queries';

type Address = Schema<'DeliveryAddress'>;

/** The addresses that the visitor has used, to choose again or to forget; nothing when there are none. */
export function SavedAddresses({ onChosen }: { onChosen: () => void }) {
  const heading = useId();
  const [, navigate] = useLocation();
  const city = useCity();
  const { orderType, address: chosen } = usePlace();
  const { position } = usePosition();
  const { data: addresses = [] } = useQuery(addressesQuery());
  const choose = useChooseAddress();
  const [busyId, setBusyId] = useState<number>();

  const set = async (address: Address, id: number) => {
    setBusyId(id);
    const failure = await choose.byId(id);
    setBusyId(undefined);
    if (failure) {
      showFailure(failure);
      return;
    }
    onChosen();
    if (address.city.id !== city.id) navigate(`/${address.city.alias}`);
  };
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
        <Trans>Your addresses</Trans>
      </h3>
      <ul>
        {addresses.map((address) =>
          address.id === undefined ? null : (
            <SavedAddress
              key={address.id}
              address={address}
              id={address.id}
              isChosen={orderType === 'delivery' && chosen?.id === address.id}
              isBusy={busyId === address.id}
              isElsewhere={address.city.id !== city.id}
              onPress={press}
            />
          ),
        )}
      </ul>
    </section>
  );
}

interface SavedAddressProps {
  address: Address;
  id: number;
  isChosen: boolean;
  isBusy: boolean;
  /** Whether it is in another city than the page's. */
  isElsewhere: boolean;
  onPress: (address: Address, id: number) => void;
}

function SavedAddress({ address, id, isChosen, isBusy, isElsewhere, onPress }: SavedAddressProps) {
  const { t } = useLingui();
  const client = useQueryClient();
  const written = useWrittenAddress(address);
  const remove = async () => {
    const result = await attempt(
      api.DELETE('/user/addresses/remove/{id}', { params: { path: { id } } }),
    );
    if (result.kind !== 'ok') {
      showFailure(result);
      return;
    }
    client.setQueryData(addressesQuery().queryKey, result.data.delivery_addresses);
    // The cart may have gone to this address.
    void client.invalidateQueries({ queryKey: cartKey(address.city.id) });
  };
  return (
    <li className="flex items-center gap-1 border-b border-line last:border-0">
      <button
        type="button"
        aria-pressed={isChosen}
        disabled={!address.delivery_possible}
        onClick={() => onPress(address, id)}
        className="flex min-h-13 min-w-0 flex-1 cursor-pointer items-center gap-3 py-2 text-start disabled:cursor-not-allowed disabled:text-ink-soft"
      >
        <span className={classes('shrink-0', isChosen ? 'text-accent-ink' : 'text-ink-soft')}>
          {isBusy ? <Spinner silent /> : <Icon of={isChosen ? Check : MapPin} />}
        </span>
        <span className="min-w-0">
          <span className="block">{written}</span>
          {isElsewhere && (
            <span className="block text-note text-ink-soft">{address.city.name}</span>
          )}
          {!address.delivery_possible && (
            <span className="block text-note">
              <Trans>We no longer deliver there</Trans>
            </span>
          )}
        </span>
      </button>
      <IconButton
        icon={Trash2}
        label={t`Delete the address ${written}`}
        onClick={() => openModal('confirm-delete-address', { address, onConfirm: remove })}
      />
    </li>
  );
}

function useWrittenAddress({ address, room }: Address): string {
  const { t } = useLingui();
  // A dash stands for a house without apartments.
  return room && /\p{L}|\p{N}/u.test(room) ? t`${address}, apt. ${room}` : address;
}
