import { Trans, useLingui } from '@lingui/react/macro';
import { Trash2 } from 'lucide-react';
import { Button } from '@/ui/button';
import { openModal } from '@/ui/modals/modal-store';
import { Notice } from '@/ui/notice';
import { CartLine } from './cart-line';
import { Packages } from './packages';
import { useCart } from './queries';

/** What is in the cart: the server's messages, the lines, the packages and the way to empty it all. */
export function CartLines() {
  const { t } = useLingui();
  const { cart, lines } = useCart();
  const messages = cart?.messages.filter(({ position }) => position === 'top') ?? [];
  return (
    <div>
      {messages.map(({ title, text }) => (
        <div key={text} className="py-1">
          <Notice title={title} tone="warn">
            {text}
          </Notice>
        </div>
      ))}
      <ul aria-label={t`Products in the cart`} className="divide-y divide-line">
        {lines.map((line) => (
          <CartLine key={line.key} shown={line} />
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
          <Trans>Empty the cart</Trans>
        </Button>
      )}
    </div>
  );
}
