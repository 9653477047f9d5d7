import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';

interface LoadFailedProps {
  /** What could not be loaded. */
  children: ReactNode;
  isBusy: boolean;
  retry: () => void;
}

/** Says that a part of the profile could not be loaded; the other parts are shown. */
export function LoadFailed({ children, isBusy, retry }: LoadFailedProps) {
  return (
    <Notice
      tone="warn"
      action={
        <Button look="secondary" size="small" busy={isBusy} onClick={retry}>
          <Trans id="common.try-again">Try again</Trans>
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
