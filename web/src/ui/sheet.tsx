import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog } from '@base-ui/react/dialog';
import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { classes } from './classes';
import { useReturnFocus } from './hooks/use-return-focus';
import { IconButton } from './icon-button';
import { useModalFrame } from './modals/modal-frame';

/**
 * Heights are relative to the fixed viewport element, which is as high as the visible screen also in browsers
 * without `dvh`.
 */
const sizes = {
  /** A question, a message. */
  small: { width: 'desktop:max-w-md', phone: 'max-h-[90%] rounded-t-card' },
  /** A list, a short form. */
  medium: { width: 'desktop:max-w-2xl', phone: 'max-h-[94%] rounded-t-card' },
  /** A searched list: its height does not depend on the number of results. */
  tall: { width: 'desktop:max-w-2xl', phone: 'h-full desktop:h-[calc(var(--full-height)*0.8)]' },
  /** Two panes: a product, a map beside a list. The whole screen on phones. */
  large: { width: 'desktop:max-w-5xl', phone: 'h-full desktop:h-auto' },
};

interface SheetProps {
  /** Read by screen readers when the sheet opens, and shown at its top. */
  title: ReactNode;
  /** Shows the title to screen readers only. The content then has to leave room for the cross. */
  hideTitle?: boolean;
  size?: keyof typeof sizes;
  /** The second pane: beside the content on desktop, above it on phones. */
  pane?: ReactNode;
  /** Returns the element that gets the focus when the sheet opens; the sheet itself without it. */
  initialFocus?: () => HTMLElement | null;
  /** The primary action, which stays in view below the content. */
  footer?: ReactNode;
  children: ReactNode;
}

/**
 * The body of every modal: a sheet from the bottom on phones, a centred dialog on desktop. It keeps the focus
 * inside, returns it afterwards and stops the page from scrolling. The cross, Escape, a press outside and Back
 * close it.
 */
export function Sheet({
  title,
  hideTitle = false,
  size = 'medium',
  pane,
  initialFocus,
  footer,
  children,
}: SheetProps) {
  const { name, close, isTop } = useModalFrame();
  const popup = useRef<HTMLDivElement>(null);
  const returnFocus = useReturnFocus(popup);
  return (
    <CSPProvider disableStyleElements>
      <Dialog.Root
        open
        onOpenChange={(open, details) => {
          if (open) return;
          // A modal under another gets the same Escape, but only the top modal may close.
          if (isTop) close();
          else details.cancel();
        }}
      >
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-50 animate-[appear_var(--motion)_ease-out] bg-scrim" />
          <Dialog.Viewport className="fixed inset-0 z-50 flex items-end justify-center px-(--side-inset) desktop:items-center desktop:p-6">
            <Dialog.Popup
              ref={popup}
              data-modal={name}
              initialFocus={initialFocus ?? popup}
              finalFocus={returnFocus}
              className={classes(
                'relative flex w-full flex-col overflow-hidden bg-surface text-ink shadow-high outline-none',
                'animate-[rise_var(--motion)_var(--ease)] desktop:max-h-[calc(var(--full-height)*0.92)] desktop:rounded-card',
                sizes[size].width,
                sizes[size].phone,
              )}
            >
              <Header title={title} hideTitle={hideTitle} />
              <Body pane={pane} hideTitle={hideTitle}>
                {children}
              </Body>
              {footer !== undefined && (
                <footer className="border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] desktop:px-6">
                  {footer}
                </footer>
              )}
            </Dialog.Popup>
          </Dialog.Viewport>
        </Dialog.Portal>
      </Dialog.Root>
    </CSPProvider>
  );
}

/** The title and the cross; only the cross is visible when the title is for screen readers. */
function Header({ title, hideTitle }: Required<Pick<SheetProps, 'title' | 'hideTitle'>>) {
  const { t } = useLingui();
  return (
    <header
      className={classes(
        'flex flex-wrap-reverse items-end justify-between gap-x-3 ps-4 pe-2 pt-2 desktop:ps-6 desktop:pe-3 desktop:pt-3',
        hideTitle && 'pointer-events-none absolute inset-x-0 top-0 z-10',
      )}
    >
      <Dialog.Title
        className={
          hideTitle ? 'sr-only' : 'title min-w-min flex-1 pt-2 text-[min(1.375rem,12vw)]/7'
        }
      >
        {title}
      </Dialog.Title>
      <span className="pointer-events-auto ms-auto">
        <Dialog.Close
          render={
            <IconButton
              icon={X}
              label={t({ id: 'common.close', message: 'Close' })}
              look={hideTitle ? 'floating' : 'plain'}
            />
          }
        />
      </span>
    </header>
  );
}

/** The scrolling part: the content, and the second pane if there is one. */
function Body({ pane, hideTitle, children }: Pick<SheetProps, 'pane' | 'hideTitle' | 'children'>) {
  const hasPane = pane !== undefined;
  return (
    <div
      className={classes(
        'flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain',
        // A focused field is scrolled into view together with its label.
        !hasPane && 'scroll-pt-10',
        hasPane && hideTitle && 'scroll-pt-16',
        hasPane && 'desktop:flex-row desktop:overflow-hidden',
      )}
    >
      {hasPane && <div className="desktop:w-1/2 desktop:overflow-y-auto">{pane}</div>}
      <div
        className={classes(
          'px-4 pb-4 desktop:px-6 desktop:pb-6',
          // Beside a pane the content has a sticky first row, which must not cover a focused field.
          hasPane && hideTitle ? 'desktop:scroll-pt-18' : 'pt-2',
          hasPane && 'desktop:w-1/2 desktop:overflow-y-auto',
        )}
      >
        {children}
      </div>
    </div>
  );
}
