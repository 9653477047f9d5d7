import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import type { Schema } from '@/api/types';
import { useDistance } from '@/entities/city/use-distance';
import { phoneDigits, phoneLength } from '@/lib/phone';
import { Button } from '@/ui/button';
import { openModal } from '@/ui/modals/modal-store';
import { Notice } from '@/ui/notice';
import { PhoneField } from '@/ui/phone-field';
import { usePhoneWords } from '@/ui/phone-words';
import { showFailure } from '@/ui/show-failure';
import type { AddressEntry } from './use-address-entry';

interface ElsewhereProps {
  entry: AddressEntry;
  address: Schema<'DeliveryAddress'>;
  nearest?: Schema<'NearestShop'>;
  onShop: (shop: Schema<'Shop'>) => void;
  busyShopId: number | undefined;
}

/** The food is not brought there: two ways on, the nearest shop or a message when that changes. */
export function Elsewhere({ entry, address, nearest, onShop, busyShopId }: ElsewhereProps) {
  const metres = useDistance();
  const distance = nearest && metres(nearest.distance);
  const shop = nearest?.shop;
  return (
    <div className="flex flex-col gap-4">
      <div role="status">
        <Notice tone="warn" title={<Trans>We do not deliver here yet</Trans>}>
          {shop ? (
            <Trans>
              The nearest shop is {shop.name}, {distance} away.
            </Trans>
          ) : (
            <Trans>Choose another address, or leave a phone and we will tell you.</Trans>
          )}
        </Notice>
      </div>
      {nearest && shop && (
        <div className="flex flex-wrap gap-2">
          <Button busy={busyShopId === shop.id} onClick={() => onShop(shop)}>
            <Trans>Pick it up at {shop.name}</Trans>
          </Button>
          <Button look="quiet" onClick={() => openModal('nearest-shop', { nearest })}>
            <Trans>About the shop</Trans>
          </Button>
        </div>
      )}
      <LeavePhone entry={entry} address={address} />
    </div>
  );
}

function LeavePhone({ entry, address }: Pick<ElsewhereProps, 'entry' | 'address'>) {
  const { t } = useLingui();
  const phoneWords = usePhoneWords();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isKept, setKept] = useState(false);
  const { city, draft } = entry;
  const mask = city.phone_masks[0]?.mask;
  if (!mask) return null;

  const send = async () => {
    const length = phoneLength(draft.phone, mask);
    if (length !== 'whole') {
      setError(phoneWords(length) ?? t`Enter the whole phone number.`);
      return;
    }
    setBusy(true);
    const body = {
      city_id: city.id,
      coordinates: address.map.coordinates,
      phone: phoneDigits(draft.phone, mask),
    };
    const result = await attempt(api.POST('/feedback/unavailable-delivery-address', { body }));
    setBusy(false);
    if (result.kind === 'ok') setKept(true);
    else if (result.kind === 'invalid' && result.fields.phone) setError(result.fields.phone);
    else showFailure(result);
  };

  if (isKept) {
    return (
      <div role="status">
        <Notice tone="good">
          <Trans>Thank you. We will let you know when we deliver there.</Trans>
        </Notice>
      </div>
    );
  }
  return (
    <form
      className="flex flex-col gap-2"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <PhoneField
        mask={mask}
        label={t`Phone, to hear when we deliver there`}
        value={draft.phone}
        onInput={(event) => {
          setError(undefined);
          entry.setPhone(event.currentTarget.value);
        }}
        error={error}
      />
      <Button type="submit" look="secondary" busy={isBusy}>
        <Trans>Tell me</Trans>
      </Button>
    </form>
  );
}
