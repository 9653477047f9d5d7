import { CSPProvider } from '@base-ui/react/csp-provider';
import { Popover } from '@base-ui/react/popover';
import { Trans } from '@lingui/react/macro';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';
import { type CityPage, useWordLinks } from './use-city-pages';
import { useContactForms } from './use-contact-forms';

/**
 * The button "More" and its menu: pages that the header has no room for, the forms to the brand, the brand's own
 * pages.
 */
export function MorePages({ pages }: { pages: readonly CityPage[] }) {
  const links = useWordLinks();
  const forms = useContactForms();
  const [isOpen, setOpen] = useState(false);
  return (
    <CSPProvider disableStyleElements>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className="flex min-h-11 items-center gap-1 px-2 hover:text-accent-ink">
          <Trans id="app.frame.more">More</Trans>
          <Icon of={ChevronDown} size="small" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={6} collisionPadding={12} className="z-50">
            <Popover.Popup className="max-h-(--available-height) overflow-y-auto overscroll-contain rounded-[min(var(--radius-card),16px)] bg-surface p-2 text-ink shadow-high outline-none forced-colors:border">
              <Popover.Title className="sr-only">
                <Trans id="app.frame.more-pages">More pages</Trans>
              </Popover.Title>
              <ul>
                {pages.map(({ href, name }, index) => (
                  <li key={href} className={index === 0 ? 'min-[1280px]:hidden' : undefined}>
                    <MenuLink href={href} onClick={() => setOpen(false)}>
                      {name}
                    </MenuLink>
                  </li>
                ))}
                {forms.map(({ modal, name }) => (
                  <li key={modal}>
                    <button
                      type="button"
                      aria-haspopup="dialog"
                      onClick={() => {
                        setOpen(false);
                        openModal(modal);
                      }}
                      className="flex min-h-11 w-full items-center rounded-chip px-3 text-start hover:text-accent-ink"
                    >
                      {name}
                    </button>
                  </li>
                ))}
                {links.map(({ href, name }) => (
                  <li key={href}>
                    <MenuLink href={href} onClick={() => setOpen(false)}>
                      {name}
                    </MenuLink>
                  </li>
                ))}
              </ul>
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </CSPProvider>
  );
}

interface MenuLinkProps {
  href: string;
  onClick: () => void;
  children: ReactNode;
}

/** A link of the menu. */
function MenuLink({ href, onClick, children }: MenuLinkProps) {
  return (
    <Link look="plain" href={href} onClick={onClick}>
      <span className="flex min-h-11 items-center px-3">{children}</span>
    </Link>
  );
}
