import { Trans } from '@lingui/react/macro';
import { Coins } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '@/ui/feedback/empty-state';

/** The message that the city has no bonus programme. */
export function NoProgramme({ action }: { action?: ReactNode }) {
  return (
    <EmptyState
      icon={Coins}
      action={action}
      title={
        <Trans id="bonus.no-programme.no-bonuses-in-city">There are no bonuses in this city</Trans>
      }
    >
      <Trans id="bonus.no-programme.look-at-promotions">
        Look at the promotions, something may be waiting for you there.
      </Trans>
    </EmptyState>
  );
}
