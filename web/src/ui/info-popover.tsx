import { CSPProvider } from '@base-ui/react/csp-provider';
import { Popover } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
import { buttonClasses } from './button';

interface InfoPopoverProps {
  /** The text of the button that opens the popover. */
  label: ReactNode;
  /** The title inside the popover. */
  title: ReactNode;
  children: ReactNode;
}

/** A longer explanation in a popover: a tap, Enter or the pointer opens it, Escape closes it. */
export function InfoPopover({ label, title, children }: InfoPopoverProps) {
  return (
    <CSPProvider disableStyleElements>
      <Popover.Root>
        <Popover.Trigger openOnHover className={buttonClasses('quiet', 'small')}>
          {label}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={6} collisionPadding={12} className="z-50">
            <Popover.Popup className="max-w-[min(20rem,calc(100vw-24px))] rounded-[min(var(--radius-card),16px)] bg-surface p-4 text-ink shadow-high outline-none forced-colors:border">
              <Popover.Title className="mb-1 strong">{title}</Popover.Title>
              {children}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </CSPProvider>
  );
}
