import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { MapPinHouse, Plus } from 'lucide-react';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { usePlace } from '@/entities/place/place';
import { addressesQuery } from '@/entities/place/queries';
import { SavedAddressRow } from '@/entities/place-choice/saved-address-row';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Skeleton } from '@/ui/feedback/skeleton';
import { openModal } from '@/ui/modals/modal-store';
import { LoadFailed } from '../load-failed';
import { useAddressOfLink, useSelectAddress } from './select-address';

type Address = Schema<'DeliveryAddress'>;

/** The tab of the saved addresses of all cities; a skeleton while they load, and a notice when they did not load. */
export function AddressesTab() {
  const { data: addresses, isError, isFetching, refetch } = useQuery(addressesQuery());
  if (!addresses) {
    return isError ? (
      <LoadFailed isBusy={isFetching} retry={() => void refetch()}>
        <Trans id="profile.addresses.addresses-did-not-load">Your addresses did not load.</Trans>
      </LoadFailed>
    ) : (
      <div aria-busy="true" className="flex flex-col gap-5 rounded-card bg-surface p-4">
        <Skeleton shape="line" count={4} />
      </div>
    );
  }
  return <Addresses addresses={addresses} />;
}

/**
 * The list of the saved addresses, where a tap chooses an address for the order, and the button that adds
 * another. It also selects the address that the page's own URL names.
 */
function Addresses({ addresses }: { addresses: readonly Address[] }) {
  const city = useCity();
  const { orderType, address: chosen } = usePlace();
  const { select, busyId } = useSelectAddress();
  useAddressOfLink(addresses, select);
  if (addresses.length === 0) {
    return (
      <EmptyState
        icon={MapPinHouse}
        title={<Trans id="profile.addresses.no-addresses-yet">No addresses yet</Trans>}
        action={<AddButton />}
      >
        <Trans id="profile.addresses.add-yours-once">
          Add yours once, and ordering takes a tap less.
        </Trans>
      </EmptyState>
    );
  }
  return (
    <>
      <p className="mb-3 text-ink-soft">
        <Trans id="profile.addresses.tap-on-address-brings-order">
          Tap an address to have your order brought there.
        </Trans>
      </p>
      <ul className="mb-4 rounded-card bg-surface px-4 py-1">
        {addresses.map((address) =>
          address.id === undefined ? null : (
            <SavedAddressRow
              key={address.id}
              address={address}
              id={address.id}
              isChosen={orderType === 'delivery' && chosen?.id === address.id}
              isBusy={busyId === address.id}
              isElsewhere={address.city.id !== city.id}
              onPress={select}
            />
          ),
        )}
      </ul>
      <AddButton />
    </>
  );
}

/** The button that opens the map with the field for an address. */
const AddButton = () => (
  <Button icon={Plus} onClick={() => openModal('order-types', { orderType: 'delivery' })}>
    <Trans id="profile.addresses.add-address">Add an address</Trans>
  </Button>
);
