import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Search, SearchX } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useCart } from '@/entities/cart/queries';
import { linesByProduct } from '@/entities/menu/lines-by-product';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Skeleton } from '@/ui/feedback/skeleton';
import { TextField } from '@/ui/fields/text-field';
import { useSettled } from '@/ui/hooks/use-settled';
import { Icon } from '@/ui/icon';
import { Sheet } from '@/ui/sheet';
import type { Found } from './dish-index';
import { DishRow } from './dish-row';
import { GroupLinks } from './group-links';
import { stepInList } from './list-steps';
import { useFinder } from './use-finder';

/** How long the number of found dishes must stay the same before it is announced, in milliseconds. */
const announceAfter = 500;

/** At most this many dishes are shown before anything was typed. */
const maxPopular = 5;

/** The typed text and the opened dish, which stay while that dish's dialog replaces the search. */
const lastSearch: { text: string; dish?: string } = { text: '' };

/**
 * The dialog of the search: it lists the found dishes while the visitor types, and popular dishes before. The groups
 * are listed before and when nothing is found.
 */
export default function SearchDialog() {
  const { t } = useLingui();
  const words = t({
    id: 'search.dish-ingredient-or-spicy',
    message: 'Dish, ingredient or “spicy”',
  });
  const [text, setText] = useState(lastSearch.text);
  const { groups, popular, found, count, isAsked, isLoading } = useFinder(text);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    lastSearch.text = text;
  }, [text]);
  const dishes = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-dish]') ?? [])];
  // Returns the row of the dish that was opened from here; otherwise the field, with its text selected.
  const firstFocus = () => {
    const opened = dishes().find(({ dataset }) => dataset.dish === lastSearch.dish);
    lastSearch.dish = undefined;
    if (!opened) field.current?.select();
    return opened ?? field.current;
  };
  const moveFocus = (event: KeyboardEvent) => {
    const next = stepInList(event.key, [field.current, ...dishes()], document.activeElement);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <Sheet
      title={t({ id: 'search.search-menu', message: 'Search the menu' })}
      size="tall"
      initialFocus={firstFocus}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows go along what stands inside of it */}
      <div ref={list} onKeyDown={moveFocus}>
        <search className="sticky top-0 z-2 -mx-1 block bg-surface px-1 pb-3">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              dishes()[0]?.focus();
            }}
          >
            <TextField
              ref={field}
              type="search"
              enterKeyHint="search"
              autoComplete="off"
              autoCorrect="off"
              spellCheck={false}
              label={words}
              hideLabel
              placeholder={words}
              prefix={<Icon of={Search} />}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </form>
        </search>
        <AnnouncedCount count={count} isAsked={isAsked && !isLoading} />
        {isLoading && <Skeleton shape="line" count={6} />}
        {isAsked && found.length > 0 && (
          <Dishes of={found} label={t({ id: 'search.found', message: 'Found' })} />
        )}
        {isAsked && count === 0 && !isLoading && <NothingFound />}
        {!isAsked && popular.length > 0 && (
          <section className="mb-4">
            <h3 className="text-lead strong">
              <Trans id="common.often-ordered">Often ordered</Trans>
            </h3>
            <Dishes
              of={popular.slice(0, maxPopular)}
              label={t({ id: 'common.often-ordered', message: 'Often ordered' })}
            />
          </section>
        )}
        {(!isAsked || count === 0) && <GroupLinks groups={groups} />}
      </div>
    </Sheet>
  );
}

/** The text that there is no such dish, with advice. */
function NothingFound() {
  return (
    <EmptyState
      icon={SearchX}
      title={<Trans id="search.no-such-dish">There is no such dish</Trans>}
      heading="h3"
    >
      <Trans id="search.check-spelling">
        Check the spelling, look for something else or go to a group of the menu.
      </Trans>
    </EmptyState>
  );
}

/** A list of dishes with their counters. */
function Dishes({ of, label }: { of: readonly Found[]; label: string }) {
  const { lines } = useCart();
  const byProduct = useMemo(() => linesByProduct(lines), [lines]);
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {of.map((found) => (
        <li key={found.product.key}>
          <DishRow
            found={found}
            lines={byProduct.get(found.product.key)}
            onOpen={(dish) => {
              lastSearch.dish = dish;
            }}
          />
        </li>
      ))}
    </ul>
  );
}

/** Announces to screen readers how many dishes were found, once the number has not changed for half a second. */
function AnnouncedCount({ count, isAsked }: { count: number; isAsked: boolean }) {
  const { t } = useLingui();
  const dishes = t({
    id: 'search.dishes',
    message: plural(count, { one: '# dish', other: '# dishes' }),
  });
  const announcement =
    count > 0
      ? t({ id: 'search.found-dishes', message: `Found: ${dishes}` })
      : t({ id: 'search.no-such-dish', message: 'There is no such dish' });
  const settled = useSettled(isAsked ? announcement : '', announceAfter);
  return (
    <p role="status" className="sr-only">
      {settled}
    </p>
  );
}
