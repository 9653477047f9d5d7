import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ApiFault, attempt } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';
import { useCityPath } from '@/entities/city/context';
import { showFault } from '@/ui/feedback/show-failure';
import { forgetCustomer } from './other-tabs';
import { dropUser } from './session';

/**
 * Returns `signOut`, which ends the session once for any number of presses and leaves to the city's menu, and
 * whether it is at work. After the deletion of an account use `useLeave`, because the session is over then.
 */
export function useSignOut(): { signOut: () => void; isBusy: boolean } {
  const leave = useLeave();
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      const result = await repeatUntilKnown(() => attempt(api.DELETE('/user/logout')), {
        policy: repeatLost,
      });
      // A session that has ended elsewhere has nothing left to end.
      if (result.kind !== 'ok' && result.kind !== 'unauthenticated') throw new ApiFault(result);
    },
    onSuccess: leave,
    onError: showFault,
  });
  // After a success the next page is loading.
  const isBusy = isPending || isSuccess;
  const signOut = () => {
    if (!isBusy) mutate();
  };
  return { signOut, isBusy };
}

/**
 * Returns a function that removes the customer's data from the device, also from its other tabs, and loads the
 * document of the city's menu, so that nothing stays in memory either.
 */
export function useLeave(): () => void {
  const client = useQueryClient();
  const path = useCityPath();
  return () => {
    dropUser(client);
    forgetCustomer();
    location.replace(path());
  };
}
