import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { Schema } from '@/api/types';
import { AvoidedButton } from '@/entities/allergens/avoided-button';
import { groupElementId, scrollToGroup, useGroupInView } from '@/entities/menu/use-group-in-view';
import { classes } from '@/ui/classes';
import { ScrollArrows } from '@/ui/scroll-arrows';
import { GroupIcon } from './group-icon';
import { useNearEnd } from './use-near-end';

/**
 * The button for allergens to avoid, then the groups as chips. The bar stays at the top and
 * marks the group in view. On a phone it is hidden at the page's end, unless it has the focus.
 */
export function CategoryBar({ groups }: { groups: readonly Schema<'ProductGroup'>[] }) {
  const { t } = useLingui();
  // Here and not in the parent: the products need not render again when the group changes.
  const current = useGroupInView(groups.map((group) => group.alias));
  const isNearEnd = useNearEnd();
  const row = useRef<HTMLDivElement>(null);
  // The chip of the group stays in the middle of the bar, unless somebody goes through the chips by keyboard.
  useEffect(() => {
    const bar = row.current;
    const chip = bar?.querySelector<HTMLElement>('[aria-current]');
    if (!bar || bar.querySelector(':focus-visible')) return;
    const left = chip ? chip.offsetLeft - (bar.clientWidth - chip.offsetWidth) / 2 : 0;
    if (chip || current === null) bar.scrollTo({ left, behavior: 'smooth' });
  }, [current]);
  return (
    <nav
      aria-label={t({ id: 'common.menu-groups', message: 'Menu groups' })}
      className={classes(
        'sticky inset-bs-0 z-20 bg-ground focus-within:visible desktop:visible desktop:inset-bs-14',
        isNearEnd && 'invisible',
      )}
    >
      <div
        ref={row}
        className="relative flex items-center gap-2 overflow-x-auto overscroll-x-contain px-4 py-1.5 bare-scrollbar desktop:px-0 desktop:py-1"
      >
        <AvoidedButton />
        <ul className="flex gap-1">
          {groups.map((group) => {
            const isCurrent = group.alias === current;
            return (
              <li key={group.id} className="shrink-0">
                <a
                  href={`#${groupElementId(group.alias)}`}
                  aria-current={isCurrent ? 'true' : undefined}
                  lang={group.lang}
                  onFocus={({ currentTarget }) => keepInView(row.current, currentTarget)}
                  onClick={(event) => {
                    event.preventDefault();
                    scrollToGroup(group.alias);
                  }}
                  className={classes(
                    'target flex min-h-9 items-center gap-1.5 rounded-chip px-3 whitespace-nowrap transition-colors duration-(--motion-fast)',
                    isCurrent ? 'bg-ink text-ground' : 'text-ink hover:bg-raised',
                  )}
                >
                  <GroupIcon group={group} size="small" />
                  {group.name}
                </a>
              </li>
            );
          })}
        </ul>
      </div>
      <ScrollArrows row={row} shown="always" />
    </nav>
  );
}

/** Scrolls the bar to a chip that the keyboard has reached, and stops it where it was on its way to the group in view. */
function keepInView(bar: HTMLElement | null, chip: HTMLElement) {
  if (!bar || !chip.matches(':focus-visible')) return;
  bar.scrollTo({ left: bar.scrollLeft, behavior: 'instant' });
  chip.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
}
