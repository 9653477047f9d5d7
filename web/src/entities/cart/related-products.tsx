import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { type OrderPlace, toQuery, usePlace } from '@/entities/place/place';
import { Button } from '@/ui/button';
import { Skeleton } from '@/ui/feedback/skeleton';
import { PriceCounter } from '@/ui/fields/counter';
import { openModal } from '@/ui/modals/modal-store';
import { Picture } from '@/ui/picture';
import { ScrollRow } from '@/ui/scroll-row';
import { countOf } from './changes';
import { counterMax } from './counter-max';
import { useCart, useChangeCart } from './queries';
import { groupsOf } from './rules';

/** The products that go with groups of the cart, as the server suggests them. */
export const relatedQuery = (place: OrderPlace, groups: readonly number[]) =>
  queryOptions({
    queryKey: keys.related(toQuery(place), groups),
    queryFn: async ({ signal }) => {
      const body = { ...toQuery(place), product_groups_ids: [...groups] };
      return (await fetchData(api.POST('/products/get-related-products', { body, signal })))
        .products;
    },
    enabled: groups.length > 0,
    placeholderData: keepPreviousData,
  });

/** How many skeletons are shown while products load, and how many products a list shows at first. */
const initialCounts = { list: 5, slider: 3 };

/**
 * Products that go well with those in the cart: a list beside the menu, a sliding row in the checkout. Nothing
 * when the cart is empty, there are none, or they could not be loaded.
 */
export function RelatedProducts({ layout }: { layout: keyof typeof initialCounts }) {
  const { t } = useLingui();
  const { cart, lines } = useCart();
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const { data: products, isLoading } = useQuery(
    relatedQuery(usePlace(), cart ? groupsOf(cart) : []),
  );
  const showMore = () => {
    flushSync(() => setWhole(true));
    // The pressed button is gone: the focus goes on with the first product that it has added.
    list.current?.children[initialCounts.list]?.querySelector('button')?.focus();
  };
  if (lines.length === 0 || (!isLoading && !products?.length)) return null;
  const isCut = layout === 'list' && !isWhole && products && products.length > initialCounts.list;
  const shown = isCut ? products.slice(0, initialCounts.list) : products;
  const cards = shown
    ? shown.map((product) => (
        <RelatedCard key={product.key} product={product} count={countOf(lines, product.key)} />
      ))
    : Array.from({ length: initialCounts[layout] }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are all alike and never move
        <WaitingCard key={place} />
      ));
  return (
    <section aria-busy={isLoading} className="border-t border-line py-3">
      <h3 className="mb-2 strong">
        <Trans id="common.goes-well-with">Goes well with it</Trans>
      </h3>
      {layout === 'list' ? (
        <ul
          ref={list}
          aria-label={t({ id: 'common.goes-well-with', message: 'Goes well with it' })}
          className="flex flex-col gap-3"
        >
          {cards.map((card) => (
            <li key={card.key}>{card}</li>
          ))}
        </ul>
      ) : (
        <div className="-mx-4 desktop:mx-0">
          <ScrollRow
            label={t({ id: 'common.goes-well-with', message: 'Goes well with it' })}
            itemWidth="medium"
          >
            {cards}
          </ScrollRow>
        </div>
      )}
      {isCut && (
        <Button look="quiet" size="small" onClick={showMore}>
          <Trans id="cart.related-products.show-more">Show more</Trans>
        </Button>
      )}
    </section>
  );
}

/**
 * A card of a suggested product: its picture opens the product, its price adds it to the cart. While the city
 * takes no orders the count can only be lowered.
 */
export function RelatedCard({ product, count }: { product: Schema<'Product'>; count: number }) {
  const { t } = useLingui();
  const { setProductCount } = useChangeCart();
  const isStopped = useCity().type === 'stop';
  const { key, name, price, sale_multiplicity: step, modifiers } = product;
  const open = () => openModal('product', { productKey: key });
  return (
    // Of little height, so that it is seen whole above the sums of a panel that scrolls.
    <article className="flex h-full min-w-0 flex-wrap gap-3">
      <button
        type="button"
        aria-label={t({ id: 'common.about', message: `About ${name}` })}
        onClick={open}
        className="self-start rounded-plate"
      >
        <Picture picture={product.images.small} alt="" shape="thumb" />
      </button>
      <div className="flex min-w-0 grow basis-30 flex-col gap-1.5">
        <p lang={product.lang} className="line-clamp-2 text-note">
          {name}
        </p>
        <span className="mt-auto">
          <PriceCounter
            name={name}
            price={price}
            count={count}
            step={step}
            max={isStopped ? count : counterMax}
            wide
            onChange={(next) => setProductCount(product, next)}
            onChoose={modifiers.available ? open : undefined}
          />
        </span>
      </div>
    </article>
  );
}

/** The skeleton of a card while the products load. */
const WaitingCard = () => (
  <div className="flex gap-3">
    <Skeleton shape="thumb" />
    <div className="flex flex-1 flex-col justify-between gap-1.5">
      <Skeleton shape="line" />
      <Skeleton shape="button" />
    </div>
  </div>
);
