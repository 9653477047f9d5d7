import { CSPProvider } from '@base-ui/react/csp-provider';
import { Popover } from '@base-ui/react/popover';
import { Trans } from '@lingui/react/macro';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import { useWordLinks } from './use-city-pages';

/** The pages of the brand's own words, behind a button of the header; nothing where it has none. */
export function MorePages() {
  const links = useWordLinks();
  const [isOpen, setOpen] = useState(false);
  if (links.length === 0) return null;
  return (
    <CSPProvider disableStyleElements>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className="flex min-h-11 items-center gap-1 px-2 hover:text-accent-ink">
          <Trans id="app.frame.more">More</Trans>
          <Icon of={ChevronDown} size="small" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={6} collisionPadding={12} className="z-50">
            <Popover.Popup className="rounded-[min(var(--radius-card),16px)] bg-surface p-2 text-ink shadow-high outline-none forced-colors:border">
              <Popover.Title className="sr-only">
                <Trans id="app.frame.more-pages">More pages</Trans>
              </Popover.Title>
              <ul>
                {links.map(({ href, name }) => (
                  <li key={href}>
                    <Link look="plain" href={href} onClick={() => setOpen(false)}>
                      <span className="flex min-h-11 items-center px-3">{name}</span>
                    </Link>
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
