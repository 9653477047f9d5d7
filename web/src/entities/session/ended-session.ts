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
 * Finds out that the session was ended elsewhere. The server then treats the customer as a guest: it
 * refuses what belongs to the account, or finds nothing. The page shows instead that they were signed
 * out. Rendered once by the app, on every page.
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
  const check = async () => {
    if (!(await isSessionGone())) return undefined;
    const shown = t({
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
      flash(shown, { tone: 'warning', action });
    }
    return shown;
  };
  return onSuspectedSignOut(async () => {
    if (!checking && !isTakenAsSignedIn(client)) return undefined;
    // Calls that fail together share one check.
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  });
}

/** Reports whether the server says that nobody is signed in; false when it cannot be reached. */
async function isSessionGone(): Promise<boolean> {
  try {
    const { data } = await api.GET('/user/check-session');
    return data !== undefined && !data.user;
  } catch {
    return false;
  }
}
