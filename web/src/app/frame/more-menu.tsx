import { Trans } from '@lingui/react/macro';
import type { ReactNode, RefObject } from 'react';
import { Link } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';
import { HeaderMenu } from './header-menu';
import { type CityPage, useWordLinks } from './use-city-pages';
import { useContactForms } from './use-contact-forms';

interface MoreMenuProps {
  anchor: RefObject<HTMLElement | null>;
  pages: readonly CityPage[];
  onClose: () => void;
}

/** The menu below "More": pages that the header has no room for, the forms to the brand, the brand's own pages. */
export default function MoreMenu({ anchor, pages, onClose }: MoreMenuProps) {
  const links = useWordLinks();
  const forms = useContactForms();
  return (
    <HeaderMenu
      anchor={anchor}
      align="center"
      title={<Trans id="app.frame.more-pages">More pages</Trans>}
      titleClassName="sr-only"
      onClose={onClose}
    >
      <ul>
        {pages.map(({ href, name }, index) => (
          <li key={href} className={index === 0 ? 'min-[1280px]:hidden' : undefined}>
            <MenuLink href={href} onClick={onClose}>
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
                onClose();
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
            <MenuLink href={href} onClick={onClose}>
              {name}
            </MenuLink>
          </li>
        ))}
      </ul>
    </HeaderMenu>
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
