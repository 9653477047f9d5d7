import { useState } from 'react';
import { useSignOut } from '@/entities/session/sign-out';

/** Signs out, once for any number of presses. */
export function useSigningOut(): { isBusy: boolean; signOut: () => void } {
  const leave = useSignOut();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    // Where it worked another page is on its way.
    if (!(await leave())) setBusy(false);
  };
  return { isBusy, signOut: () => void (isBusy || run()) };
}
