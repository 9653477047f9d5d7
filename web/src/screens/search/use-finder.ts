import { useDeferredValue, useMemo } from 'react';
import { useAccentWord } from '@/entities/menu/product-facts';
import { productsByKey, useMenu } from '@/entities/menu/queries';
import { type Found, indexDishes } from './dish-index';

/** At most this many rows are shown. */
const maxRows = 40;

const noWords: ReadonlySet<string> = new Set();

/** Returns the dishes of the menu that match a text, their number, the popular dishes and the groups. */
export function useFinder(text: string) {
  const { data: menu } = useMenu();
  const accentsOf = useAccentWord();
  const groups = useMemo(
    () => menu?.product_groups.filter((group) => group.products.length > 0) ?? [],
    [menu],
  );
  const find = useMemo(() => indexDishes(groups, accentsOf), [groups, accentsOf]);
  const deferredText = useDeferredValue(text);
  const found = useMemo(() => find(deferredText), [find, deferredText]);
  const popular = useMemo((): Found[] => {
    if (!menu) return [];
    const byKey = productsByKey(menu);
    return menu.popular_products.flatMap((key) => {
      const product = byKey.get(key);
      const group = groups.find(({ id }) => id === product?.product_group_id);
      return product?.type === 'default' && group ? [{ product, group, words: noWords }] : [];
    });
  }, [menu, groups]);
  return {
    groups,
    popular,
    /** The best dishes that were found. */
    found: found.slice(0, maxRows),
    /** How many dishes were found. */
    count: found.length,
    isAsked: deferredText.trim() !== '',
    isLoading: menu === undefined,
  };
}
