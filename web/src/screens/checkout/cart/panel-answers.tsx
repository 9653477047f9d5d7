import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { Bike, MapPin, ShoppingBag, Store } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useCity } from '@/entities/city/context';
import { paymentTypesQuery } from '@/entities/payment-state/queries';
import { usePlace } from '@/entities/place/place';
import { Button } from '@/ui/button';
import { Disclosure } from '@/ui/disclosure';
import { RadioGroup } from '@/ui/fields/radio-group';
import { Icon } from '@/ui/icon';
import { openModal } from '@/ui/modals/modal-store';
import { readDraft, writeDraftPayment } from '../form/draft';
import { firstChoice, payableHere } from '../form/payment-choice';
import { PaymentMark } from '../form/payment-words';

/** Order type, place and payment type of the order, each in a line with a button that changes it. */
export function PanelAnswers() {
  return (
    <div className="border-t border-line">
      <OrderTypeLine />
      <PlaceLine />
      <PaymentLine />
    </div>
  );
}

/** The order type, with a button to the other one when the city has both. */
function OrderTypeLine() {
  const { delivery, takeaway } = useCity().order_types;
  const isDelivery = usePlace().orderType === 'delivery';
  const other = isDelivery ? 'takeaway' : 'delivery';
  return (
    <Line
      icon={isDelivery ? Bike : ShoppingBag}
      action={
        delivery &&
        takeaway && (
          <Button
            look="quiet"
            size="small"
            onClick={() => openModal('order-types', { orderType: other })}
          >
            {isDelivery ? (
              <Trans id="checkout.panel.switch-to-takeaway">Switch to takeaway</Trans>
            ) : (
              <Trans id="checkout.panel.switch-to-delivery">Switch to delivery</Trans>
            )}
          </Button>
        )
      }
    >
      {isDelivery ? (
        <Trans id="common.delivery">Delivery</Trans>
      ) : (
        <Trans id="common.takeaway">Takeaway</Trans>
      )}
    </Line>
  );
}

/** The address or the shop; nothing until one is chosen. */
function PlaceLine() {
  const { t } = useLingui();
  const { orderType, address, shop } = usePlace();
  const isDelivery = orderType === 'delivery';
  const name = isDelivery ? address?.address : shop?.name;
  if (!name) return null;
  return (
    <Line
      icon={isDelivery ? MapPin : Store}
      action={
        <Button
          look="quiet"
          size="small"
          aria-label={
            isDelivery
              ? t({ id: 'checkout.panel.change-address', message: 'Change the address' })
              : t({ id: 'checkout.panel.change-shop', message: 'Change the shop' })
          }
          onClick={() => openModal('order-types', { orderType })}
        >
          <Trans id="checkout.change">Change</Trans>
        </Button>
      }
    >
      {name}
    </Line>
  );
}

/**
 * The payment type, with a folded choice, which is stored in the draft of the checkout; nothing while there is
 * none.
 */
function PaymentLine() {
  const { t } = useLingui();
  const { id: cityId } = useCity();
  const { data: offered } = useQuery(paymentTypesQuery(usePlace()));
  const types = useMemo(() => payableHere(offered ?? [], window), [offered]);
  const [picked, setPicked] = useState(() => readDraft(cityId).values.paymentType);
  const chosen = types.find(({ alias }) => alias === picked) ?? firstChoice(types);
  if (!chosen) return null;
  return (
    <Disclosure
      summary={
        <span className="flex items-center gap-3 font-normal">
          <PaymentMark alias={chosen.alias} />
          <span className="min-w-0">
            <span className="sr-only">
              <Trans id="checkout.how-to-pay">How to pay</Trans>:{' '}
            </span>
            {chosen.name}
          </span>
        </span>
      }
    >
      <RadioGroup
        legend={t({ id: 'checkout.how-to-pay', message: 'How to pay' })}
        hideLegend
        options={types.map(({ alias, name }) => ({ value: alias, label: name }))}
        value={chosen.alias}
        onChange={(alias) => {
          setPicked(alias);
          writeDraftPayment(cityId, alias);
        }}
      />
    </Disclosure>
  );
}

interface LineProps {
  icon: LucideIcon;
  action: ReactNode;
  children: ReactNode;
}

/** A line with an icon, a text and a button. */
function Line({ icon, action, children }: LineProps) {
  return (
    <div className="flex min-h-12 items-center gap-3 border-b border-line">
      <span className="text-accent-ink">
        <Icon of={icon} size="large" />
      </span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {action}
    </div>
  );
}
