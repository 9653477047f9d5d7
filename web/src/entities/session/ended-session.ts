import { t } from '@lingui/core/macro';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '@/api/client';
import { rereadAsGuest } from '@/api/keys';
import { onSuspectedSignOut } from '@/api/result';
import { useSite } from '@/entities/site/context';
import { flash } from '@/ui/flash/flash-store';
import { requireSignIn } from './require-sign-in';
import { dropUser, isTakenAsSignedIn } from './session';

/**
 * Renders nothing. It finds out when the session was ended elsewhere, removes the customer from the page and
 * shows that they were signed out. Without it the page would show only refusals, because the server treats the
 * customer as a guest.
 */
export function EndedSession() {
  const client = useQueryClient();
  const { is_auth_enabled: isEnabled } = useSite();
  useEffect(() => (isEnabled ? followSuspicions(client) : undefined), [client, isEnabled]);
  return null;
}

/** Checks whether the session has ended whenever an answer suggests it; returns a function that ends this. */
function followSuspicions(client: QueryClient): () => void {
  let checking: Promise<string | undefined> | undefined;
  // Returns the message when the session has ended, and then also removes the customer from the page.
  const handleSignOut = async () => {
    if (!(await isSignedOut())) return undefined;
    const message = t({
      id: 'session.ended-session.signed-out-on-device',
      message: 'You were signed out on this device. Sign in again.',
    });
    // The visitor may have signed out in this tab since.
    if (isTakenAsSignedIn(client)) {
      dropUser(client);
      void rereadAsGuest(client);
      const action = {
        label: t({ id: 'common.sign-in', message: 'Sign in' }),
        run: () => requireSignIn(),
      };
      flash(message, { tone: 'warning', action });
    }
    return message;
  };
  return onSuspectedSignOut(async () => {
    if (!checking && !isTakenAsSignedIn(client)) return undefined;
    // Calls that fail together share one check.
    checking ??= handleSignOut().finally(() => {
      checking = undefined;
    });
    return checking;
  });
}

/** Asks the server and returns whether the session is without a customer; false when the server cannot be reached. */
export async function isSignedOut(): Promise<boolean> {
  try {
    const { data } = await api.GET('/user/check-session');
    return data !== undefined && !data.user;
  } catch {
    return false;
  }
}
