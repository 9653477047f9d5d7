import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';

interface LoadFailedProps {
  /** The text that names the part which could not be loaded. */
  children: ReactNode;
  isBusy: boolean;
  retry: () => void;
}

/** The notice that a part of the profile could not be loaded, with a button that loads it again. */
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
