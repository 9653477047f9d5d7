import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@/api/types';
import { countOf } from '@/entities/cart/changes';
import { useCart } from '@/entities/cart/queries';
import { RelatedCard, relatedQuery } from '@/entities/cart/related-products';
import { usePlace } from '@/entities/place/place';
import { ScrollRow } from '@/ui/scroll-row';

/** The products that go well with a dish; nothing while they load and when there are none. */
export function Related({ product }: { product: Schema<'Product'> }) {
  const { t } = useLingui();
  const { lines } = useCart();
  const groups = product.has_related_products ? [product.product_group_id] : [];
  const { data: products } = useQuery(relatedQuery(usePlace(), groups));
  const others = products?.filter(({ key }) => key !== product.key) ?? [];
  if (others.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 text-lead strong">
        <Trans id="common.goes-well-with">Goes well with it</Trans>
      </h3>
      <div className="-mx-4 desktop:mx-0">
        <ScrollRow
          label={t({ id: 'common.goes-well-with', message: 'Goes well with it' })}
          itemWidth="medium"
        >
          {others.map((other) => (
            <RelatedCard key={other.key} product={other} count={countOf(lines, other.key)} />
          ))}
        </ScrollRow>
      </div>
    </section>
  );
}
