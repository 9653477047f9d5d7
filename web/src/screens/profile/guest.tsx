import { Trans } from '@lingui/react/macro';
import { PackageSearch, UserRound } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useCity } from '@/entities/city/context';
import { requireSignIn } from '@/entities/session/require-sign-in';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { openModal } from '@/ui/modals/modal-store';

/**
 * The profile of a guest, with a button to sign in. With `opens` the dialog of the sign-in opens by itself; it
 * must not after the customer has just signed out.
 */
export function ForGuests({ opens }: { opens: boolean }) {
  const { bonus_programme: programme } = useCity();
  const [location] = useLocation();
  const search = useSearch();
  // After the sign-in the page shows the tab that the URL names.
  const ask = () => requireSignIn({ uri: search ? `${location}?${search}` : location });
  useOnArrival(() => {
    if (opens) ask();
  });
  return (
    <EmptyState
      icon={UserRound}
      heading="h1"
      title={<Trans id="profile.guest.sign-in-to-see-profile">Sign in to see your profile</Trans>}
      action={
        <Button size="large" onClick={ask}>
          <Trans id="common.sign-in">Sign in</Trans>
        </Button>
      }
    >
      {programme ? (
        <Trans id="profile.guest.orders-addresses-and-bonuses-kept">
          Your orders, addresses and bonuses are kept there.
        </Trans>
      ) : (
        <Trans id="profile.guest.orders-and-addresses-kept">
          Your orders and addresses are kept there.
        </Trans>
      )}
    </EmptyState>
  );
}

/**
 * The profile on a site without accounts, with a button that finds an order by its number and phone. Its dialog
 * also opens by itself.
 */
export function WithoutAccounts() {
  const find = () => openModal('order-status');
  useOnArrival(find);
  return (
    <EmptyState
      icon={PackageSearch}
      heading="h1"
      title={
        <Trans id="profile.guest.order-here-without-account">
          You order here without an account
        </Trans>
      }
      action={
        <Button size="large" onClick={find}>
          <Trans id="profile.guest.find-my-order">Find my order</Trans>
        </Button>
      }
    >
      <Trans id="profile.guest.any-order-found-by-number">
        You can find any order by its number and the phone it was placed with.
      </Trans>
    </EmptyState>
  );
}

/** Calls `open` once, when the visitor comes to the page. */
function useOnArrival(open: () => void): void {
  const arrive = useEffectEvent(open);
  useEffect(() => {
    arrive();
  }, []);
}
