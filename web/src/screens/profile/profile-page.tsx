import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useUser } from '@/entities/session/session';
import { useSite } from '@/entities/site/context';
import { usePageTitle } from '@/entities/site/page-title';
import { Skeleton } from '@/ui/feedback/skeleton';
import { ForGuests, WithoutAccounts } from './guest';
import { ProfileTabs } from './profile-tabs';

/**
 * The page of a customer's data, orders and addresses. A guest sees the sign-in, and a site without accounts the
 * search for an order.
 */
export function ProfilePage() {
  const { t } = useLingui();
  usePageTitle(t({ id: 'common.profile', message: 'Profile' }));
  const { is_auth_enabled: hasAccounts } = useSite();
  const { user, isLoading } = useUser();
  // A customer who has just signed out here is not asked to sign in again.
  const [wasSignedIn, setSignedIn] = useState(false);
  useEffect(() => {
    if (user) setSignedIn(true);
  }, [user]);
  return (
    <main className="mx-auto max-w-5xl px-4 pb-12 desktop:px-6 desktop:pt-6">
      {!hasAccounts ? (
        <WithoutAccounts />
      ) : isLoading ? (
        <Waiting />
      ) : user ? (
        <ProfileTabs user={user} />
      ) : (
        <ForGuests opens={!wasSignedIn} />
      )}
    </main>
  );
}

/** The skeleton of the page while the user loads. */
const Waiting = () => (
  <div aria-busy="true" className="flex max-w-2xl flex-col gap-4 py-6">
    <Skeleton shape="title" />
    <Skeleton shape="button" count={4} />
  </div>
);
