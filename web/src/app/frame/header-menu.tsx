import { CSPProvider } from '@base-ui/react/csp-provider';
import { Popover } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import { classes } from '@/ui/classes';

interface HeaderMenuProps {
  /** The button that has opened the menu. */
  anchor: RefObject<HTMLElement | null>;
  align: 'center' | 'end';
  /** The title's text and its look; `sr-only` when the button says the same. */
  title: ReactNode;
  titleClassName: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
}

/** An open menu below a button of the header. Escape and a press elsewhere close it; the focus returns to the button. */
export function HeaderMenu({
  anchor,
  align,
  title,
  titleClassName,
  className,
  onClose,
  children,
}: HeaderMenuProps) {
  return (
    <CSPProvider disableStyleElements>
      <Popover.Root
        open
        onOpenChange={(open, details) => {
          const { target } = details.event;
          // The button itself closes the menu that it has opened.
          const isButton = target instanceof Node && anchor.current?.contains(target);
          if (!open && !isButton) onClose();
        }}
      >
        <Popover.Portal>
          <Popover.Positioner
            anchor={anchor}
            align={align}
            sideOffset={6}
            collisionPadding={12}
            className="z-50"
          >
            <Popover.Popup
              finalFocus={anchor}
              className={classes(
                'max-h-(--available-height) overflow-y-auto overscroll-contain rounded-[min(var(--radius-card),16px)] bg-surface p-2 text-ink shadow-high outline-none forced-colors:border',
                className,
              )}
            >
              <Popover.Title className={titleClassName}>{title}</Popover.Title>
              {children}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </CSPProvider>
  );
}
