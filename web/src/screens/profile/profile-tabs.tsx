import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { LogOut, type LucideIcon, MapPin, ReceiptText, UserRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { userQuery } from '@/entities/session/queries';
import { useSignOut } from '@/entities/session/sign-out';
import { writtenPhone } from '@/lib/phone';
import { classes } from '@/ui/classes';
import { Spinner } from '@/ui/feedback/spinner';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import { TabsStrip } from '@/ui/tabs-strip';
import { AddressesTab } from './addresses/addresses-tab';
import { OrdersTab } from './orders/orders-tab';
import { PersonalTab } from './personal-tab';
import { type Tab, useTabs } from './tabs';

const panels = { profile: PersonalTab, orders: OrdersTab, addresses: AddressesTab };

const icons: Record<Tab, LucideIcon> = {
  profile: UserRound,
  orders: ReceiptText,
  addresses: MapPin,
};

/** The tabs of the profile: a strip at the top on phones, a list beside the content on desktop. */
export function ProfileTabs({ user }: { user: Schema<'UserBrief'> }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const { tabs, current, hrefOf, goTo } = useTabs();
  const top = useScrollToTop(current);
  const names: Record<Tab, string> = {
    profile: t({ id: 'common.profile', message: 'Profile' }),
    orders: t({ id: 'common.orders', message: 'Orders' }),
    addresses: t({ id: 'common.addresses', message: 'Addresses' }),
  };
  const reread = (tab: Tab) => {
    // The other tabs read their data when they are shown.
    if (tab === 'profile') void client.invalidateQueries({ queryKey: userQuery().queryKey });
  };
  const Panel = panels[current];
  return (
    <div className="desktop:grid desktop:grid-cols-[15rem_minmax(0,42rem)] desktop:gap-8">
      <div className="sticky inset-bs-0 z-20 -mx-4 bg-ground px-4 py-1.5 desktop:hidden">
        <TabsStrip
          label={t({ id: 'common.profile', message: 'Profile' })}
          tabs={tabs.map((id) => ({ id, label: names[id], href: hrefOf(id) }))}
          current={current}
          onSelect={(id) => {
            reread(id as Tab);
            goTo(id as Tab);
          }}
        />
      </div>
      <div className="hidden desktop:block">
        <div className="sticky inset-bs-20">
          <CustomerSummary user={user} />
          <nav aria-label={t({ id: 'common.profile', message: 'Profile' })} className="mt-3">
            <ul className="flex flex-col gap-1">
              {tabs.map((tab) => (
                <li key={tab}>
                  <Link
                    look="plain"
                    href={hrefOf(tab)}
                    aria-current={tab === current ? 'page' : undefined}
                    onClick={() => reread(tab)}
                  >
                    <Entry icon={icons[tab]} isCurrent={tab === current}>
                      {names[tab]}
                    </Entry>
                  </Link>
                </li>
              ))}
              <li>
                <SignOut />
              </li>
            </ul>
          </nav>
        </div>
      </div>
      <div ref={top} tabIndex={-1} className="min-w-0 pt-3 outline-none desktop:pt-0">
        {/* On phones the strip above says it. */}
        <h1 className="sr-only title text-display desktop:not-sr-only desktop:mb-4">
          {names[current]}
        </h1>
        <Panel />
      </div>
    </div>
  );
}

/** The customer's name and phone above the side list. */
function CustomerSummary({ user }: { user: Schema<'UserBrief'> }) {
  const { phone_masks: masks } = useCity();
  return (
    <div className="px-3">
      {user.name && <p className="truncate text-lead strong">{user.name}</p>}
      <p className="numeral text-note text-ink-soft">{writtenPhone(user.phone, masks)}</p>
    </div>
  );
}

interface EntryProps {
  icon: LucideIcon;
  isCurrent?: boolean;
  isBusy?: boolean;
  children: string;
}

/** The content of one line of the side list. */
const Entry = ({ icon, isCurrent = false, isBusy = false, children }: EntryProps) => (
  <span
    className={classes(
      'flex min-h-11 items-center gap-3 rounded-control px-3',
      isCurrent ? 'bg-tint text-on-tint strong' : 'hover:bg-raised',
    )}
  >
    {isBusy ? <Spinner silent /> : <Icon of={icon} />}
    {children}
  </span>
);

/** The line of the side list that signs out. */
function SignOut() {
  const { t } = useLingui();
  const { isBusy, signOut } = useSignOut();
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      onClick={signOut}
      className="w-full rounded-chip text-start"
    >
      <Entry icon={LogOut} isBusy={isBusy}>
        {t({ id: 'common.sign-out', message: 'Sign out' })}
      </Entry>
    </button>
  );
}

/**
 * Scrolls to the top when the tab, or the page of its list, has changed. A new page of the list also
 * moves the focus to the element of the returned ref.
 */
function useScrollToTop(current: Tab) {
  const element = useRef<HTMLDivElement>(null);
  const [query] = useSearchParams();
  const page = query.get('page');
  const before = useRef({ current, page });
  useEffect(() => {
    const last = before.current;
    before.current = { current, page };
    const isOtherTab = last.current !== current;
    if (!isOtherTab && last.page === page) return;
    scrollTo({ top: 0, behavior: 'instant' });
    // The pressed link may be gone with the page that it was on.
    if (!isOtherTab) element.current?.focus({ preventScroll: true });
  }, [current, page]);
  return element;
}
