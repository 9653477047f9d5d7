import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Schema } from '@/api/types';
import { AllergenWarning } from '@/entities/allergens/allergen-warning';
import { useCart } from '@/entities/cart/queries';
import { useCity } from '@/entities/city/context';
import { PriceFacts } from '@/entities/menu/price-facts';
import { Notice } from '@/ui/feedback/notice';
import { Picture } from '@/ui/picture';
import { Price } from '@/ui/price';
import { Sheet } from '@/ui/sheet';
import { AddBar } from './add-bar';
import { InCart } from './in-cart';
import { ModifierGroup } from './modifier-group';
import { OrderTypePrices } from './order-type-prices';
import { Portion, ProductFacts } from './product-facts';
import { Related } from './related';
import { type Choice, firstChoice, setInGroup, setSingle, withoutStopped } from './rules';
import { SetParts } from './set-parts';
import { SingleModifiers } from './single-modifiers';

/**
 * A dish with its picture, its modifiers and the bar that adds it to the cart; for a dish that cannot be
 * ordered, a notice instead of both.
 */
export function ProductSheet({ product }: { product: Schema<'Product'> }) {
  const { t } = useLingui();
  const { lines } = useCart();
  const [chosen, setChosen] = useState(() => firstChoice(product));
  const choice = withoutStopped(product, chosen);
  const change = (next: (now: Choice) => Choice) =>
    setChosen((now) => next(withoutStopped(product, now)));
  const own = lines.filter((line) => line.productKey === product.key);
  const { groups } = product.modifiers;
  const city = useCity();
  const isSold = product.type === 'default' || product.type === 'related';
  const canOrder = isSold && city.type !== 'stop';
  return (
    <Sheet
      title={<span lang={product.lang}>{product.name}</span>}
      hideTitle
      size="large"
      pane={
        <div className="p-0 desktop:p-6 desktop:pe-0">
          <Picture picture={product.images.big ?? product.images.small} alt="" shape="hero" eager />
        </div>
      }
      footer={canOrder ? <AddBar product={product} choice={choice} lines={own} /> : undefined}
    >
      <div className="flex flex-col gap-5">
        {/* Screen readers read the sheet's own title instead. This one stays in sight while the rest scrolls. */}
        <p
          aria-hidden="true"
          lang={product.lang}
          className="title sticky top-0 z-1 -mx-4 -mb-6 flex min-h-15 items-center bg-surface py-2 ps-4 pe-16 text-title desktop:-mx-6 desktop:min-h-17 desktop:ps-6"
        >
          {product.name}
        </p>
        <div className="flex flex-col gap-1.5">
          <p className="text-note text-ink-soft">
            <Portion product={product} />
          </p>
          <Price amount={product.price} oldAmount={product.basic_price} size="large" />
          <OrderTypePrices prices={product.order_type_prices} />
          <PriceFacts product={product} />
          {product.description && <p lang={product.description_lang}>{product.description}</p>}
        </div>
        {!canOrder && (
          <>
            <Notice
              tone="warn"
              title={t({
                id: 'product.product-sheet.cannot-be-ordered-now',
                message: 'Cannot be ordered now',
              })}
            >
              {isSold ? city.alert : product.alert}
            </Notice>
            <AllergenWarning allergens={product.allergens} />
          </>
        )}
        <SetParts parts={product.set_of} />
        {product.modifiers.available && <InCart name={product.name} lines={own} />}
        {canOrder && (
          <>
            {groups.map((group) => (
              <ModifierGroup
                key={group.id}
                group={group}
                choice={choice}
                onCount={(modifier, count) =>
                  change((now) => setInGroup(now, group, modifier, count))
                }
              />
            ))}
            <SingleModifiers
              modifiers={singlesOf(product)}
              choice={choice}
              onCount={(modifier, count) => change((now) => setSingle(now, modifier, count))}
            />
          </>
        )}
        <ProductFacts product={product} />
        {canOrder && <Related product={product} />}
      </div>
    </Sheet>
  );
}

/**
 * Returns the single modifiers. Of a product with a deposit it leaves out those with a fixed count: that is the
 * deposit, shown beside the price.
 */
function singlesOf({ deposit, modifiers: { single } }: Schema<'Product'>) {
  return deposit ? single.filter(({ min, max }) => min === 0 || min < max) : single;
}
