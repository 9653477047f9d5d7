import { Trans, useLingui } from '@lingui/react/macro';
import { CirclePause, Clock, Trash2 } from 'lucide-react';
import { isRemovalNotice } from '@/entities/cart/acknowledged/changes-since';
import { useOrderChanges } from '@/entities/cart/acknowledged/use-order-changes';
import { lineMax } from '@/entities/cart/line-max';
import { useCart } from '@/entities/cart/queries';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { openModal } from '@/ui/modals/modal-store';
import { Gifts } from '../gifts/gift-list';
import { CartLine } from './cart-line';
import { Packages } from './packages';

/** The content of the cart: the server's messages, lines, packages, the button that empties it, and gifts. */
export function CartLines() {
  const { t } = useLingui();
  const { cart, lines } = useCart();
  const { changes } = useOrderChanges();
  const reasons = changes.map((change) => change.kind === 'gift' && change.reason);
  // The notice of changes shows why a gift was removed.
  const messages =
    cart?.messages.filter(
      (one) => one.position === 'top' && !(isRemovalNotice(one) && reasons.includes(one.text)),
    ) ?? [];
  return (
    <div>
      {messages.map(({ icon, title, text }) => (
        <div key={text} className="py-1">
          <Notice title={title} tone={toneOf(icon)} icon={iconOf(icon)}>
            {text}
          </Notice>
        </div>
      ))}
      <ul
        aria-label={t({ id: 'checkout.cart.products-in-cart', message: 'Products in the cart' })}
        className="divide-y divide-line"
      >
        {lines.map((line) => (
          <CartLine
            key={line.key}
            shown={line}
            max={lineMax(lines, line)}
            isAlike={lines.some((one) => one !== line && one.productKey === line.productKey)}
          />
        ))}
      </ul>
      {cart && lines.length > 0 && <Packages cart={cart} />}
      {lines.length > 0 && (
        <Button
          look="quiet"
          size="small"
          icon={Trash2}
          onClick={() => openModal('confirm-empty-cart')}
        >
          <Trans id="checkout.cart.empty">Empty the cart</Trans>
        </Button>
      )}
      {cart && lines.length > 0 && <Gifts />}
    </div>
  );
}

/** Returns the icon beside a message; undefined for the icon of its tone. */
const iconOf = (icon: string | undefined) => {
  if (icon === 'clock') return Clock;
  return icon === 'pause' ? CirclePause : undefined;
};

/** Returns the tone of a message: a message with a clock informs, any other is about a loss. */
const toneOf = (icon: string | undefined) => (icon === 'clock' ? 'info' : 'warn');
