import { useLingui } from '@lingui/react/macro';
import { LoaderCircle } from 'lucide-react';
import { Icon } from '../icon';

/** A turning icon, read as "Loading" by screen readers unless `silent`. */
export function Spinner({ silent = false }: { silent?: boolean }) {
  const { t } = useLingui();
  const turning = (
    <span className="inline-flex animate-[turn_800ms_linear_infinite]">
      <Icon of={LoaderCircle} />
    </span>
  );
  if (silent) return turning;
  return (
    <span
      role="status"
      aria-label={t({ id: 'common.loading', message: 'Loading' })}
      className="inline-flex"
    >
      {turning}
    </span>
  );
}
