import { useEffect, useState } from 'react';
import { useCityPath } from '@/entities/city/context';
import { groupOf, withGroup } from './group-in-address';
import { groupInView, type Standing, standingIn } from './group-in-view';

/** How long scrolling must pause before the address follows it, in milliseconds; browsers limit rewrites. */
const restBeforeRewrite = 250;

/** Returns the id of the element of a group, whose heading the category bar leads to. */
export const groupElementId = (alias: string) => idPrefix + alias;

const idPrefix = 'group-';

/** Returns the element of a group; null when the menu does not have it. */
const elementOf = (alias: string) => document.getElementById(groupElementId(alias));

/** Scrolls to a group, below the category bar. It returns false when the menu has no such group. */
export function scrollToGroup(alias: string): boolean {
  const element = elementOf(alias);
  // Dishes that come near are drawn some frames later, higher or lower than was expected.
  const scroll = (frames: number) => {
    element?.scrollIntoView({ block: 'start', behavior: 'instant' });
    if (frames > 0) requestAnimationFrame(() => scroll(frames - 1));
  };
  scroll(4);
  return element !== null;
}

/**
 * Returns the alias of the group that the visitor reads, and writes it into the address as `?group=`. It scrolls
 * once to the group of the address, when the menu is there.
 */
export function useGroupInView(aliases: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  // The groups change when the place does; a new array with the same groups is no change.
  const key = aliases.join(' ');

  useEffect(() => {
    const order = key ? key.split(' ') : [];
    const observer = new IntersectionObserver(
      (entries) => {
        const band = entries.at(-1)?.rootBounds;
        if (!band) return;
        // All groups are measured: the observer does not report a group that a jump moves past the band.
        const standings = new Map<string, Standing>();
        for (const alias of order) {
          const element = elementOf(alias);
          if (element) standings.set(alias, standingIn(band, element.getBoundingClientRect()));
        }
        setCurrent(groupInView(order, standings));
      },
      // A band under the sticky bar: 104 px from the top to a third of the screen.
      { rootMargin: '-104px 0px -70% 0px' },
    );
    for (const alias of order) {
      const element = elementOf(alias);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [key]);

  useScrollToAskedGroup(key !== '');
  const home = useCityPath()();
  useEffect(() => {
    const rewrite = setTimeout(() => {
      // While the next page loads, this page is still shown although the address is already that of the next.
      if (location.pathname.replace(/\/$/, '') !== home) return;
      const search = withGroup(location.search, current);
      if (search === null) return;
      history.replaceState(history.state, '', location.pathname + search + location.hash);
    }, restBeforeRewrite);
    return () => clearTimeout(rewrite);
  }, [current, home]);
  return current;
}

/** Scrolls to the group that the address names, once the menu is there. */
function useScrollToAskedGroup(isReady: boolean) {
  useEffect(() => {
    const asked = isReady && groupOf(location.search);
    // Later than the frame, which scrolls to the top of a new page. After Back or a reload the position is restored.
    if (asked) setTimeout(() => scrollY === 0 && scrollToGroup(asked));
  }, [isReady]);
}
