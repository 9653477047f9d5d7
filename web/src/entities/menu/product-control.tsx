import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import type { ShownLine } from '@/entities/cart/changes';
import { counterMax } from '@/entities/cart/counter-max';
import { useChangeCart } from '@/entities/cart/queries';
import { useCity } from '@/entities/city/context';
import { useOrderType } from '@/entities/place/place';
import { PriceCounter } from '@/ui/fields/counter';
import { openModal } from '@/ui/modals/modal-store';
import { useMoney } from '@/ui/money';
import { Price } from '@/ui/price';
import { VisuallyHidden } from '@/ui/visually-hidden';
import { PriceFacts } from './price-facts';
import { startsFrom } from './product-facts';

interface ProductControlProps {
  product: Schema<'Product'>;
  /** The product's lines in the cart. */
  lines?: readonly ShownLine[];
}

/** The price or the counter of a product; a note when the product is not available. */
export function ProductControl(props: ProductControlProps) {
  return isUnavailable(props.product) ? (
    <UnavailableNote product={props.product} />
  ) : (
    <PriceOrCount {...props} />
  );
}

/** Reports whether a product is not available now. */
export const isUnavailable = ({ type }: Schema<'Product'>) =>
  type === 'stop' || type === 'unavailable';

/** The note that a product is not available now, with the server's reason. */
function UnavailableNote({ product }: { product: Schema<'Product'> }) {
  const { t } = useLingui();
  return (
    <span className="flex min-h-11 flex-col justify-center text-note">
      <span className="strong">
        {t({ id: 'menu.product-control.be-back-later', message: 'Will be back later' })}
      </span>
      {product.alert && <span className="text-ink-soft">{product.alert}</span>}
    </span>
  );
}

/**
 * The price as a button, or the counter when the product is in the cart, with the price where modifiers do not
 * change it. While the city takes no orders the count can only be lowered.
 */
function PriceOrCount({ product, lines = [] }: ProductControlProps) {
  const { setProductCount } = useChangeCart();
  const isStopped = useCity().type === 'stop';
  const count = lines.reduce((sum, line) => sum + line.count, 0);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <PriceCounter
        name={product.name}
        price={product.price}
        count={count}
        step={product.sale_multiplicity}
        max={isStopped ? count : counterMax}
        from={startsFrom(product)}
        onChange={(next) => setProductCount(product, next)}
        onChoose={
          product.modifiers.available
            ? () => openModal('product', { productKey: product.key })
            : undefined
        }
      />
      {count > 0 && !product.modifiers.available && (
        // Below that width it would take a line of its own and move what follows.
        <span className="hidden min-[22.5rem]:inline">
          <Price amount={product.price} size="small" />
        </span>
      )}
      {product.basic_price > product.price && <OldPrice amount={product.basic_price} />}
      {count === 0 && <OtherPrice product={product} />}
      <PriceFacts product={product} />
    </span>
  );
}

/** The former price, struck through. */
function OldPrice({ amount }: { amount: number }) {
  const { t } = useLingui();
  return (
    <del className="text-ink-soft">
      <VisuallyHidden>{t({ id: 'common.price-before', message: 'Before:' })} </VisuallyHidden>
      <Price amount={amount} size="small" />
    </del>
  );
}

/** The price with the other order type; nothing when it is the same or not known. */
function OtherPrice({ product }: { product: Schema<'Product'> }) {
  const { t } = useLingui();
  const money = useMoney();
  const orderType = useOrderType();
  const { price, order_type_prices: prices } = product;
  if (!prices) return null;
  const other = orderType === 'delivery' ? 'takeaway' : 'delivery';
  // While the menu of a new order type loads, the shown price is still that of the other one.
  if (prices[other] === price) return null;
  const amount = money(prices[other]);
  return (
    <span className="text-note text-ink-soft">
      {other === 'takeaway'
        ? t({ id: 'menu.product-control.takeaway-price', message: `Takeaway ${amount}` })
        : t({ id: 'menu.product-control.delivery-price', message: `Delivery ${amount}` })}
    </span>
  );
}
