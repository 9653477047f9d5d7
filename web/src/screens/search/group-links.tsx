import { Trans } from '@lingui/react/macro';
import { useLocation } from 'wouter';
import type { Schema } from '@/api/types';
import { useCityPath } from '@/entities/city/context';
import { scrollToGroup } from '@/entities/menu/use-group-in-view';

/** Links to the groups of the menu, which also scroll to the group. */
export function GroupLinks({ groups }: { groups: readonly Schema<'ProductGroup'>[] }) {
  const path = useCityPath();
  const [, navigate] = useLocation();
  return (
    <section>
      <h3 className="mb-2 text-lead strong">
        <Trans id="common.menu-groups">Menu groups</Trans>
      </h3>
      <ul className="flex flex-wrap gap-2">
        {groups.map(({ id, alias, name }) => {
          const href = path(`?group=${encodeURIComponent(alias)}`);
          return (
            <li key={id}>
              <a
                href={href}
                onClick={(event) => {
                  event.preventDefault();
                  navigate(href);
                  // From another page the menu itself scrolls to the group once it is loaded.
                  setTimeout(() => scrollToGroup(alias));
                }}
                className="target flex min-h-9 items-center rounded-chip border-[length:var(--line-width)] border-line px-3 hover:border-edge"
              >
                {name}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
