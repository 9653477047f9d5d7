import { useLingui } from '@lingui/react/macro';
import { Skeleton } from '@/ui/feedback/skeleton';

const groups = [0, 1, 2];
const cards = [0, 1, 2, 3, 4, 5, 6, 7];

/** The skeleton of a menu that is loading: 16 categories, three groups of eight cards. */
export function MenuSkeleton() {
  const { t } = useLingui();
  return (
    <section
      aria-busy="true"
      aria-label={t({ id: 'home.menu-skeleton.menu-loading', message: 'The menu is loading' })}
    >
      <div className="flex gap-1 overflow-hidden px-4 py-1.5 desktop:px-0 desktop:py-1">
        <Skeleton shape="chip" count={16} />
      </div>
      {groups.map((group) => (
        <div key={group} className="px-4 pt-5 desktop:px-0">
          <Skeleton shape="title" />
          <div className="mt-4 grid gap-6 tablet:grid-cols-2 desktop:grid-cols-3 desktop:gap-4 wide:grid-cols-4">
            {cards.map((card) => (
              <CardSkeleton key={card} />
            ))}
          </div>
        </div>
      ))}
    </section>
  );
}

/** The skeleton of a card of the menu. */
function CardSkeleton() {
  return (
    <div className="flex h-38 gap-4 desktop:h-auto desktop:flex-col-reverse desktop:gap-3 desktop:rounded-card desktop:bg-surface desktop:p-4">
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <Skeleton shape="line" count={3} />
        <div className="mt-auto w-28">
          <Skeleton shape="button" />
        </div>
      </div>
      <div className="desktop:hidden">
        <Skeleton shape="dish" />
      </div>
      <div className="hidden desktop:block">
        <Skeleton shape="card" />
      </div>
    </div>
  );
}
