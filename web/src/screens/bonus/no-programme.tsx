import { Trans } from '@lingui/react/macro';
import { Coins } from 'lucide-react';
import { EmptyState } from '@/ui/empty-state';

/** The city has no bonus programme. */
export function NoProgramme() {
  return (
    <EmptyState icon={Coins} title={<Trans>There are no bonuses in this city</Trans>}>
      <Trans>Look at the promotions, something may be waiting for you there.</Trans>
    </EmptyState>
  );
}
