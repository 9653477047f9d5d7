import { useLingui } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import {
  Menu,
  PackageSearch,
  ShoppingBag,
  TicketPercent,
  User,
  UtensilsCrossed,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useCityPath } from '@/entities/city/context';
import { requireSignIn } from '@/entities/session/require-sign-in';
import { useUser } from '@/entities/session/session';
import { useSite } from '@/entities/site/context';
import { classes } from '@/ui/classes';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';
import { CountBadge, useCartLink } from './cart-link';
import { useHasPromotions } from './use-city-pages';

/** The bar at the bottom of phones: information, promotions where there are some, the menu, the profile, the cart. */
export function BottomNavigation() {
  const { t } = useLingui();
  const path = useCityPath();
  const { count, label } = useCartLink();
  const hasPromotions = useHasPromotions();
  return (
    <nav
      aria-label={t({ id: 'app.frame.main', message: 'Main' })}
      className="fixed-bar inset-x-0 inset-be-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] desktop:hidden"
    >
      <ul className="mx-auto grid max-w-xl auto-cols-[1fr] grid-flow-col">
        <li>
          <ModalItem icon={Menu} onClick={() => openModal('info')}>
            {t({ id: 'app.frame.info', message: 'Info' })}
          </ModalItem>
        </li>
        {hasPromotions && (
          <li>
            <PageItem icon={TicketPercent} href={path('/promotions')}>
              {t({ id: 'common.promotions', message: 'Promotions' })}
            </PageItem>
          </li>
        )}
        <li>
          <PageItem icon={UtensilsCrossed} href={path()}>
            {t({ id: 'app.frame.menu', message: 'Menu' })}
          </PageItem>
        </li>
        <li>
          <AccountItem />
        </li>
        <li>
          <PageItem icon={ShoppingBag} href={path('/cart')} label={label} count={count}>
            {t({ id: 'common.cart', message: 'Cart' })}
          </PageItem>
        </li>
      </ul>
    </nav>
  );
}

/** The entry to the profile; for a guest, to the sign-in; on a site without sign-in, to the status of an order. */
function AccountItem() {
  const { t } = useLingui();
  const path = useCityPath();
  const { is_auth_enabled: canSignIn } = useSite();
  const { user } = useUser();
  if (!canSignIn) {
    return (
      <ModalItem icon={PackageSearch} onClick={() => openModal('order-status')}>
        {t({ id: 'app.frame.my-order', message: 'My order' })}
      </ModalItem>
    );
  }
  return user ? (
    <PageItem icon={User} href={path('/profile')}>
      {t({ id: 'common.profile', message: 'Profile' })}
    </PageItem>
  ) : (
    <ModalItem icon={User} onClick={() => requireSignIn()}>
      {t({ id: 'common.sign-in', message: 'Sign in' })}
    </ModalItem>
  );
}

interface PageItemProps {
  icon: LucideIcon;
  href: string;
  label?: string;
  count?: number;
  children: string;
}

/** A link to a page, marked as current on that page. */
function PageItem({ icon, href, label, count = 0, children }: PageItemProps) {
  const [location] = useLocation();
  const isCurrent = location === href;
  return (
    <Link look="plain" href={href} aria-label={label} aria-current={isCurrent ? 'page' : undefined}>
      <span className={classes('bar-item', isCurrent ? 'text-accent-ink' : 'text-ink-soft')}>
        <span className="relative">
          <Icon of={icon} />
          <CountBadge count={count} />
        </span>
        <ItemLabel>{children}</ItemLabel>
      </span>
    </Link>
  );
}

interface ModalItemProps {
  icon: LucideIcon;
  onClick: () => void;
  children: string;
}

/** An entry that opens a modal. */
function ModalItem({ icon, onClick, children }: ModalItemProps) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onClick}
      className="bar-item text-ink-soft"
    >
      <Icon of={icon} />
      <ItemLabel>{children}</ItemLabel>
    </button>
  );
}

/** The text under an icon of the bar. */
function ItemLabel({ children }: { children: ReactNode }) {
  return <span className="max-w-full text-center leading-3 hyphens-auto">{children}</span>;
}
