import { Trans, useLingui } from '@lingui/react/macro';
import { Bike, ShoppingBag } from 'lucide-react';
import { useState } from 'react';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { usePlace } from '@/entities/place/place';
import { useChooseShop } from '@/entities/place-choice/choose';
import { announce } from '@/ui/feedback/announcer';
import { Notice } from '@/ui/feedback/notice';
import { SegmentedSwitch } from '@/ui/fields/segmented-switch';
import { Icon } from '@/ui/icon';
import { useModalFrame } from '@/ui/modals/modal-frame';
import type { ModalParams } from '@/ui/modals/modal-names';
import { Sheet } from '@/ui/sheet';
import { AddressPane } from './address/address-pane';
import { useAddressEntry } from './address/use-address-entry';
import { PlaceMap } from './place-map';
import { ShopPane } from './shops/shop-pane';
import { useShopQuestion } from './shops/use-shop-question';

/** The dialog that chooses the place of the order: an address for delivery, or a shop for takeaway. */
export default function OrderTypesDialog({
  orderType,
  message,
  hasDish = false,
  onChosen,
}: ModalParams['order-types']) {
  const { t } = useLingui();
  const { close } = useModalFrame();
  const city = useCity();
  const place = usePlace();
  const asked = supportedType(city, orderType ?? place.orderType);
  const [type, setType] = useState(asked);
  const finish = () => {
    close();
    announce(
      t({
        id: 'place.order-types.place-of-order-chosen',
        message: 'Your choice is saved.',
      }),
    );
    onChosen?.();
  };
  const entry = useAddressEntry(finish);
  const { choose, busyId } = useChooseShop(finish);
  const askShop = useShopQuestion(choose);
  const isDelivery = type === 'delivery';
  const { step } = entry;
  const address = isDelivery && step && 'address' in step ? step.address : undefined;
  const at = address?.map.coordinates;
  // The message says why the dialog was opened. It stays until an address was looked up, and only with the order type that was asked for.
  const isAnswered = type !== asked || step !== undefined;

  return (
    <Sheet
      size="large"
      title={
        isDelivery ? (
          <Trans id="place.order-types.where-to-bring">Where to bring it</Trans>
        ) : (
          <Trans id="place.order-types.where-to-pick-up">Where to pick it up</Trans>
        )
      }
      pane={
        <div className="h-[min(13rem,var(--full-height)*0.4)] desktop:h-full desktop:min-h-[min(40rem,var(--full-height)*0.76)]">
          <PlaceMap
            orderType={type}
            home={at && { at, name: address.address }}
            // For an address outside the zones the map shows the whole city, so that the zones are visible.
            focus={step?.step === 'elsewhere' ? undefined : at}
            chosenShopId={place.shopId}
            onPick={entry.lookUpPoint}
            onShop={askShop}
          />
        </div>
      }
    >
      <div className="flex flex-col gap-4">
        {city.order_types.delivery && city.order_types.takeaway && (
          <TypeSwitch type={type} onChange={setType} />
        )}
        {city.type === 'stop' && <Notice tone="warn">{city.alert}</Notice>}
        {(hasDish || message) && !isAnswered && city.type !== 'stop' && (
          <Notice>{hasDish ? <WaitingDish /> : message}</Notice>
        )}
        {isDelivery ? (
          <AddressPane entry={entry} onChosen={finish} onShop={askShop} busyShopId={busyId} />
        ) : (
          <ShopPane chosenId={place.shopId} busyId={busyId} onChoose={askShop} onKeep={close} />
        )}
      </div>
    </Sheet>
  );
}

/** What the visitor has to choose for a dish to be added to the cart. */
function WaitingDish() {
  const { delivery, takeaway } = useCity().order_types;
  if (delivery && takeaway) {
    return (
      <Trans id="place.order-types.choose-for-dish">
        Choose delivery or takeaway first, and we will add the dish to your cart.
      </Trans>
    );
  }
  return delivery ? (
    <Trans id="place.order-types.address-for-dish">
      Tell us the address first, and we will add the dish to your cart.
    </Trans>
  ) : (
    <Trans id="place.order-types.shop-for-dish">
      Choose where you will pick it up first, and we will add the dish to your cart.
    </Trans>
  );
}

interface TypeSwitchProps {
  type: Schema<'OrderType'>;
  onChange: (type: Schema<'OrderType'>) => void;
}

/** The switch between delivery and takeaway. */
function TypeSwitch({ type, onChange }: TypeSwitchProps) {
  const { t } = useLingui();
  return (
    <SegmentedSwitch
      label={t({
        id: 'place.order-types.delivery-or-takeaway',
        message: 'Delivery or takeaway',
      })}
      value={type}
      onChange={onChange}
      options={[
        {
          value: 'delivery',
          label: (
            <TypeLabel icon={Bike}>{t({ id: 'common.delivery', message: 'Delivery' })}</TypeLabel>
          ),
        },
        {
          value: 'takeaway',
          label: (
            <TypeLabel icon={ShoppingBag}>
              {t({ id: 'common.takeaway', message: 'Takeaway' })}
            </TypeLabel>
          ),
        },
      ]}
    />
  );
}

/** The icon and the name of an order type. */
function TypeLabel({ icon, children }: { icon: typeof Bike; children: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <Icon of={icon} />
      {children}
    </span>
  );
}

/** Returns the wanted order type, or the other type where the city does not offer it. */
function supportedType(city: Schema<'City'>, wanted: Schema<'OrderType'>): Schema<'OrderType'> {
  if (city.order_types[wanted]) return wanted;
  return wanted === 'delivery' ? 'takeaway' : 'delivery';
}
