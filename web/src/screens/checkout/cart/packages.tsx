import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import type { Schema } from '@/api/types';
import { useCartSession } from '@/entities/cart/queries';
import { Checkbox } from '@/ui/fields/checkbox';
import { Price } from '@/ui/price';

/** The packages of the order with their prices, and a checkbox to leave out all that can be refused. */
export function Packages({ cart }: { cart: Schema<'Cart'> }) {
  const { t } = useLingui();
  const packed = cart.packages.filter(({ count }) => count > 0);
  const refusable = cart.packages.filter((one) => one.can_refuse);
  if (packed.length === 0 && refusable.length === 0) return null;
  return (
    <section
      aria-label={t({ id: 'checkout.cart.packages', message: 'Packages' })}
      className="border-t border-line py-2"
    >
      <ul>
        {packed.map(({ id, name, count, price }) => (
          <li key={id} className="flex justify-between gap-3 py-1 text-ink-soft">
            <span>{count > 1 ? `${name} × ${count}` : name}</span>
            {price > 0 && <Price amount={price * count} />}
          </li>
        ))}
      </ul>
      {refusable.length > 0 && (
        <LeaveOut names={refusable.map(({ name }) => name)} areRefused={cart.without_bag} />
      )}
    </section>
  );
}

/**
 * A checkbox that leaves out the named packages, which are refused together. It shows the choice at once, before the
 * server has answered.
 */
function LeaveOut({ names, areRefused }: { names: string[]; areRefused: boolean }) {
  const { t } = useLingui();
  const { outbox, whereNow, announceTotal } = useCartSession();
  // The last choice, until the server has answered it.
  const [pendingChoice, setPendingChoice] = useState<boolean>();
  const presses = useRef(0);
  const change = (next: boolean) => {
    presses.current += 1;
    const press = presses.current;
    setPendingChoice(next);
    const onDecided = () => {
      // The answer to an earlier press must not undo a later one.
      if (press === presses.current) setPendingChoice(undefined);
    };
    const body = { ...whereNow(), without_bag: next };
    outbox.post((header) => attempt(api.PUT('/cart/packages/bag', { body, params: { header } })), {
      onAccepted: announceTotal,
      onDecided,
    });
  };
  const packages = names.join(', ');
  return (
    <Checkbox
      label={t({ id: 'checkout.cart.leave-out', message: `Leave out: ${packages}` })}
      checked={pendingChoice ?? areRefused}
      onChange={(event) => change(event.target.checked)}
    />
  );
}
