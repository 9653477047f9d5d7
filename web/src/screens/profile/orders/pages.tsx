import { Trans, useLingui } from '@lingui/react/macro';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCityPath } from '@/entities/city/context';
import { Icon } from '@/ui/icon';
import { ButtonLink } from '@/ui/link';

/** Links to newer and older orders; nothing when all are on one page. */
export function Pages({ page, pages }: { page: number; pages: number }) {
  const { t } = useLingui();
  if (pages <= 1 || page > pages) return null;
  return (
    <nav
      aria-label={t({ id: 'profile.orders.pages-of-list', message: 'Pages of the list' })}
      className="flex items-center justify-between gap-2"
    >
      <Step to={page - 1} pages={pages}>
        <Icon of={ChevronLeft} size="small" />
        <Trans id="profile.orders.previous">Previous</Trans>
      </Step>
      <p className="numeral text-center text-note text-ink-soft">
        {t({ id: 'profile.orders.page-of', message: `${page} of ${pages}` })}
      </p>
      <Step to={page + 1} pages={pages}>
        <Trans id="profile.orders.next">Next</Trans>
        <Icon of={ChevronRight} size="small" />
      </Step>
    </nav>
  );
}

interface StepProps {
  to: number;
  pages: number;
  children: ReactNode;
}

/** A link to a page; an empty place where there is none. */
function Step({ to, pages, children }: StepProps) {
  const path = useCityPath();
  if (to < 1 || to > pages) return <span className="min-w-28" />;
  return (
    <span className="flex min-w-28 first:justify-start last:justify-end">
      <ButtonLink look="secondary" href={path(`/profile?tab=orders&page=${to}`)}>
        {children}
      </ButtonLink>
    </span>
  );
}
