import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, MapPin, Trash2 } from 'lucide-react';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { ApiFault, attempt } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';
import { addressesQuery } from '@/entities/place/queries';
import { classes } from '@/ui/classes';
import { showFault } from '@/ui/feedback/show-failure';
import { Spinner } from '@/ui/feedback/spinner';
import { Icon } from '@/ui/icon';
import { IconButton } from '@/ui/icon-button';
import { openModal } from '@/ui/modals/modal-store';
import { useIsChoosing } from './choose';

type Address = Schema<'DeliveryAddress'>;

interface SavedAddressRowProps {
  address: Address;
  id: number;
  isChosen: boolean;
  isBusy: boolean;
  /** Whether it is in another city than the page's. */
  isElsewhere: boolean;
  onPress: (address: Address, id: number) => void;
}

/**
 * A saved address: a press chooses it, unless a place is being chosen; a button deletes it after a confirmation.
 */
export function SavedAddressRow({
  address,
  id,
  isChosen,
  isBusy,
  isElsewhere,
  onPress,
}: SavedAddressRowProps) {
  const { t } = useLingui();
  const client = useQueryClient();
  const written = useWrittenAddress(address);
  const isChoosing = useIsChoosing();
  const remove = useMutation({
    mutationFn: async () => {
      const params = { path: { id } };
      const result = await repeatUntilKnown(
        () => attempt(api.DELETE('/user/addresses/remove/{id}', { params })),
        { policy: repeatLost },
      );
      if (result.kind === 'ok') return result.data.delivery_addresses;
      // It has been deleted already: in another tab, or by a call whose answer was lost.
      if (result.kind === 'notFound') return undefined;
      throw new ApiFault(result);
    },
    onSuccess: (left) => {
      const { queryKey } = addressesQuery();
      if (left) client.setQueryData(queryKey, left);
      else void client.invalidateQueries({ queryKey });
      // The cart may have gone to this address.
      void client.invalidateQueries({ queryKey: keys.cart(address.city.id) });
    },
    onError: showFault,
  });
  const onConfirm = () => remove.mutateAsync();
  return (
    <li className="flex items-center gap-1 border-b border-line last:border-0">
      <button
        type="button"
        aria-pressed={isChosen}
        // The pressed row keeps the focus.
        disabled={!address.delivery_possible || (isChoosing && !isBusy)}
        onClick={() => {
          if (!isChoosing) onPress(address, id);
        }}
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
          {address.alert && <span className="block text-note text-warn">{address.alert}</span>}
          {!address.delivery_possible && (
            <span className="block text-note">
              <Trans id="place-choice.saved-address-row.no-longer-deliver">
                We no longer deliver there
              </Trans>
            </span>
          )}
        </span>
      </button>
      <IconButton
        icon={Trash2}
        label={t({
          id: 'place-choice.saved-address-row.delete-address',
          message: `Delete the address ${written}`,
        })}
        onClick={() =>
          openModal('confirm-delete-address', {
            address: `${address.city.name}, ${written}`,
            onConfirm,
          })
        }
      />
    </li>
  );
}

/** Returns the address with that by which its door differs from others of the house: a flat, or the name at the bell. */
function useWrittenAddress({ address, room, private_house: isPrivate, ...door }: Address): string {
  const { t } = useLingui();
  // A room without a letter or digit is none: before private houses had a checkbox, customers wrote a dash.
  const hasRoom = room && !isPrivate && /\p{L}|\p{N}/u.test(room);
  const written = hasRoom
    ? t({ id: 'place-choice.saved-address.with-room', message: `${address}, apt. ${room}` })
    : address;
  return [written, door.bell_name].filter(Boolean).join(', ');
}
