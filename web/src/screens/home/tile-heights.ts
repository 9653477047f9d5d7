import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Schema } from '@/api/types';

/** The heights that tiles last had, without borders, in pixels by product key. */
const heights = new Map<string, number>();

/**
 * Returns the reference for a list whose items are the tiles of the products. A tile that is not drawn yet has the
 * height that it had when the menu was shown before: so Back leads to the dish from which the visitor went.
 */
export function useKeptHeights(
  products: readonly Schema<'Product'>[],
): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const keys = new Map<Element, string>();
    const observer = new ResizeObserver((entries) => {
      for (const { target, contentRect } of entries) {
        const key = keys.get(target);
        // A page that goes is hidden first: its tiles have no height then.
        if (key && contentRect.height) heights.set(key, contentRect.height);
      }
    });
    for (const [place, { key }] of products.entries()) {
      const tile = list.current?.children[place];
      if (!(tile instanceof HTMLElement)) continue;
      const height = heights.get(key);
      if (height) tile.style.containIntrinsicBlockSize = `auto ${height}px`;
      keys.set(tile, key);
      observer.observe(tile);
    }
    return () => observer.disconnect();
  }, [products]);
  return list;
}
