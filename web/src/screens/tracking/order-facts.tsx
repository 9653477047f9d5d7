import { Trans, useLingui } from '@lingui/react/macro';
import { Link2, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Schema } from '@/api/types';
import { useDetailsLine } from '@/entities/address-form/details-line';
import { useCity } from '@/entities/city/context';
import { LegalName } from '@/entities/city/legal-name';
import { callHref } from '@/lib/call-href';
import { writtenPhone } from '@/lib/phone';
import { Button } from '@/ui/button';
import { flash } from '@/ui/flash/flash-store';
import { Link } from '@/ui/link';
import { useMoney } from '@/ui/money';

/**
 * The facts of an order: destination, customer, courier, payment, seller and comment, with buttons that copy its
 * link and print.
 */
export function OrderFacts({ order }: { order: Schema<'Order'> }) {
  const { phone_masks: masks, phone: cityPhone } = useCity();
  const { sold_by: seller, comment, link } = order;
  const phone = order.phone && writtenPhone(order.phone, masks);
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-1 gap-4 min-[30rem]:grid-cols-2">
        <Destination order={order} />
        {phone && (
          <Fact name={<Trans id="tracking.order-facts.customer">Customer</Trans>}>
            {order.username && <span className="block">{order.username}</span>}
            <span className="numeral">{phone}</span>
          </Fact>
        )}
        <CourierFact courier={order.courier} />
        <Fact name={<Trans id="common.payment">Payment</Trans>}>
          <PaymentText order={order} />
        </Fact>
        {seller?.company_name && (
          <Fact name={<Trans id="tracking.order-facts.seller">Seller</Trans>}>
            <LegalName name={seller.company_name} inn={seller.inn} ogrn={seller.ogrn} />
            {/* On the screen the number is a button. */}
            <span className="hidden numeral print:block">{cityPhone}</span>
          </Fact>
        )}
        {comment && (
          <Fact name={<Trans id="common.field.order-comment">Comment on the order</Trans>}>
            {comment}
          </Fact>
        )}
      </dl>
      <div className="flex flex-wrap gap-2 print:hidden">
        {link && <CopyLink link={link} />}
        {/* Firefox on Android prints since 114 only. */}
        {'print' in window && (
          <Button look="quiet" size="small" icon={Printer} onClick={() => window.print()}>
            <Trans id="tracking.order-facts.print">Print</Trans>
          </Button>
        )}
      </div>
    </div>
  );
}

/** The courier's name, with the phone where the brand shows it; nothing while no courier has the order. */
function CourierFact({ courier }: { courier: Schema<'Order'>['courier'] }) {
  const { phone_masks: masks } = useCity();
  if (!courier) return null;
  const phone = courier.phone && writtenPhone(courier.phone, masks);
  return (
    <Fact name={<Trans id="common.courier">Courier</Trans>}>
      {courier.name}
      {phone && (
        <span className="block numeral">
          <Link href={callHref(phone)}>{phone}</Link>
        </span>
      )}
    </Fact>
  );
}

const isCanceled = (order: Schema<'Order'>) => order.status.alias === 'canceled';

/** The address of a delivery, or the shop of a takeaway with a link to the route. */
function Destination({ order }: { order: Schema<'Order'> }) {
  const { delivery_address: address, sold_by: shop } = order;
  if (order.order_type === 'delivery') {
    if (!address) return null;
    return (
      <Fact name={<Trans id="tracking.order-facts.delivery-address">Delivery address</Trans>}>
        <AddressText address={address} />
      </Fact>
    );
  }
  if (!shop) return null;
  return (
    <Fact name={<Trans id="tracking.order-facts.pick-up-at">Pick up at</Trans>}>
      {shop.name}, {shop.street}
      {!isCanceled(order) && (
        <span className="block print:hidden">
          <Link href={routeHref(shop.coordinates)} target="_blank" rel="noreferrer">
            <Trans id="tracking.order-facts.show-way">Show the way</Trans>
          </Link>
        </span>
      )}
    </Fact>
  );
}

/**
 * The payment type of the order, the state of the payment, what is still to pay on receipt and the sum that the
 * customer wants change from; for a canceled order that was not paid, that nothing is to pay.
 */
function PaymentText({ order }: { order: Schema<'Order'> }) {
  const { t } = useLingui();
  const money = useMoney();
  const { payment_type: type, payment, cash } = order;
  if (isCanceled(order) && !wasPaid(payment))
    return <Trans id="tracking.order-facts.nothing-to-pay">Nothing to pay</Trans>;
  return (
    <>
      {type.name}
      <PaidMark payment={payment} />
      {payment?.to_collect !== undefined && payment.to_collect > 0 && (
        <span className="block">
          {t({
            id: 'tracking.order-facts.more-on-receipt',
            message: `${money(payment.to_collect)} more to pay on receipt`,
          })}
        </span>
      )}
      {cash !== undefined && cash > 0 && (
        <span className="block">
          {t({ id: 'tracking.order-facts.change-from', message: `change from ${money(cash)}` })}
        </span>
      )}
    </>
  );
}

/** The button that copies the secret address which shows the order to anyone. */
function CopyLink({ link }: { link: string }) {
  const { t } = useLingui();
  const copy = async () => {
    const { origin, pathname } = location;
    try {
      await navigator.clipboard.writeText(`${origin}${pathname}?t=${encodeURIComponent(link)}`);
      flash(
        t({
          id: 'tracking.order-facts.link-copied',
          message: 'The link is copied. Anyone who has it sees the order.',
        }),
        { tone: 'success' },
      );
    } catch {
      flash(
        t({
          id: 'tracking.order-facts.browser-did-not-let-link',
          message: 'The browser did not let the link be copied.',
        }),
        { tone: 'error' },
      );
    }
  };
  return (
    <Button look="quiet" size="small" icon={Link2} onClick={() => void copy()}>
      <Trans id="tracking.order-facts.copy-link-to-order">Copy the link to the order</Trans>
    </Button>
  );
}

/** A name with its value in the list of facts. */
function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-note text-ink-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The address of a delivery with the details of the door. */
function AddressText({ address }: { address: Schema<'DeliveryAddress'> }) {
  const details = useDetailsLine()(address);
  const { description } = address;
  return (
    <>
      {address.full_address}
      {details && <span className="block">{details}</span>}
      {description && <span className="block text-ink-soft">{description}</span>}
    </>
  );
}

/** Reports whether money was taken for the order, or may have been; also when it was refunded. */
const wasPaid = (payment: Schema<'Order'>['payment']) =>
  payment !== undefined && ['paid', 'refunding', 'refunded', 'checking'].includes(payment.state);

/** The state of an online payment in words; none for an order without one or with a canceled one. */
function PaidMark({ payment }: { payment: Schema<'Order'>['payment'] }) {
  const { t } = useLingui();
  const money = useMoney();
  if (!payment) return null;
  const refunded = payment.refunded ?? 0;
  const sum = money(refunded);
  const words = () => {
    switch (payment.state) {
      case 'waiting':
      case 'pending':
        return t({ id: 'tracking.order-facts.not-paid-yet', message: 'not paid yet' });
      case 'checking':
        return t({ id: 'tracking.order-facts.asking-bank', message: 'we are asking the bank' });
      case 'paid':
        return refunded > 0
          ? t({ id: 'tracking.order-facts.paid-sum-sent-back', message: `paid, ${sum} sent back` })
          : t({ id: 'tracking.order-facts.paid', message: 'paid' });
      case 'refunding':
        return t({
          id: 'tracking.order-facts.money-on-way-back',
          message: 'the money is on its way back',
        });
      case 'refunded':
        return t({ id: 'tracking.order-facts.sum-sent-back', message: `${sum} sent back` });
      case 'canceled':
        return undefined;
    }
  };
  return <span className="block text-ink-soft">{words()}</span>;
}

/** Returns the address of a page with the route to a point; the phone's own map application may open it. */
const routeHref = ({ latitude, longitude }: Schema<'Coordinates'>) =>
  `https://www.openstreetmap.org/directions?to=${latitude}%2C${longitude}`;
