import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import type { ShownLine } from '@/features/cart/changes';
import { counterMax } from '@/features/cart/counter-max';
import { useChangeCart } from '@/features/cart/queries';
import { useCity } from '@/features/city/context';
import { PriceCounter } from '@/ui/counter';
import { openModal } from '@/ui/modals/modal-store';
import { Price } from '@/ui/price';
import { VisuallyHidden } from '@/ui/visually-hidden';
import { countedLine } from './counted-line';
import { startsFrom } from './product-facts';

interface ProductControlProps {
  product: Schema<'Product'>;
  /** The product's lines in the cart. */
  lines?: readonly ShownLine[];
}

/**
 * The price that becomes a counter. What has modifiers is chosen in its own dialog first, unless it
 * is in the cart already. Nothing can be added while the city takes no orders.
 */
export function ProductControl({ product, lines = [] }: ProductControlProps) {
  const { setCount } = useChangeCart();
  const isStopped = useCity().type === 'stop';
  const count = lines.reduce((sum, line) => sum + line.count, 0);
  const change = (next: number) => {
    const line = countedLine(product.key, lines, next);
    setCount(line.lineKey, line.count);
  };
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <PriceCounter
        name={product.name}
        price={product.price}
        count={count}
        step={product.sale_multiplicity}
        max={isStopped ? count : counterMax}
        from={startsFrom(product)}
        onChange={change}
        onChoose={
          product.modifiers.available
            ? () => openModal('product', { productKey: product.key })
            : undefined
        }
      />
      {product.basic_price > product.price && <OldPrice amount={product.basic_price} />}
    </span>
  );
}

function OldPrice({ amount }: { amount: number }) {
  const { t } = useLingui();
  return (
    <del className="text-ink-soft">
      <VisuallyHidden>{t`Before:`} </VisuallyHidden>
      <Price amount={amount} size="small" />
    </del>
  );
}
