import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ApiFault, attempt } from '@/api/result';
import { useCityPath } from '@/entities/city/context';
import { removeAllStored } from '@/lib/storage';
import { showFault } from '@/ui/feedback/show-failure';
import { dropUser } from './session';

/** What the device and the tab store of a customer: who they are, where they order to, what they were filling in. */
const personal = [
  'contact',
  'last-order',
  'place.',
  'address-draft.',
  'form-draft.',
  'checkout.',
  'agreed.',
  'line-places.',
  'order.',
  'login.',
];

/**
 * Signs the customer out, once for any number of presses, and goes to the city's menu. After the
 * account was deleted nobody is signed in: then `useLeave` does the rest.
 */
export function useSignOut(): { signOut: () => void; isBusy: boolean } {
  const leave = useLeave();
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      const result = await attempt(api.DELETE('/user/logout'));
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

/** Removes what is stored of the customer and loads the city's menu: nothing of them stays in the page's memory. */
export function useLeave(): () => void {
  const client = useQueryClient();
  const path = useCityPath();
  return () => {
    dropUser(client);
    removeAllStored(...personal);
    location.replace(path());
  };
}
