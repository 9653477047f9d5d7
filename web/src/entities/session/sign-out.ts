import { useQueryClient } from '@tanstack/react-query';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import { useCityPath } from '@/entities/city/context';
import { forgetAll } from '@/lib/storage';
import { showFailure } from '@/ui/show-failure';
import { dropUser } from './session';

/** What the device and the tab keep of a customer: who he is, where he orders to, what he was filling in. */
const personal = [
  'contact',
  'last-order',
  'place.',
  'address-draft.',
  'checkout.',
  'agreed.',
  'order.',
  'login.',
];

/**
 * Signs the customer out and goes to the city's menu; answers whether it worked. Who has deleted his
 * account is signed out already: `useLeave` is what he needs.
 */
export function useSignOut(): () => Promise<boolean> {
  const leave = useLeave();
  return async () => {
    const result = await attempt(api.DELETE('/user/logout'));
    // A session that has ended meanwhile has nothing left to end.
    if (result.kind !== 'ok' && result.kind !== 'unauthenticated') {
      showFailure(result);
      return false;
    }
    leave();
    return true;
  };
}

/** Forgets the customer and goes to the city's menu with a fresh page: nothing of his stays in its memory. */
export function useLeave(): () => void {
  const client = useQueryClient();
  const path = useCityPath();
  return () => {
    dropUser(client);
    forgetAll(...personal);
    location.replace(path());
  };
}
