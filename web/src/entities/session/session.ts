import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys, removePersonal, rereadPersonal } from '@/api/keys';
import { fetchData } from '@/api/result';
import type { Schema } from '@/api/types';
import { useSite } from '@/entities/site/context';
import { readStored, removeStored, writeStored } from '@/lib/storage';
import { useHydrated } from '@/ui/hooks/use-hydrated';
import { forgetOffline } from './forget-offline';

type User = Schema<'UserBrief'>;

/** The key of the signed-in customer on the device, who is shown until the server has answered. */
export const storedKey = 'user';

/** Who is signed in in this browser; null for a guest. */
export const sessionQuery = () =>
  queryOptions<User | null, Error, User | null, ReturnType<typeof keys.session>>({
    queryKey: keys.session(),
    queryFn: async ({ signal }) => {
      const { user } = await fetchData(api.GET('/user/check-session', { signal }));
      writeUser(user);
      return user ?? null;
    },
    placeholderData: () => storedUser(),
  });

/** Who is signed in, as far as the page knows. */
export interface Visitor {
  /** Absent for guests, before hydration and where the site has no sign-in. */
  user?: User;
  /** Whether the server has not answered yet. */
  isLoading: boolean;
}

/** Loads once and returns who is signed in. Until the server has answered, it is the customer of the last visit. */
export function useUser(): Visitor {
  const isHydrated = useHydrated();
  const { is_auth_enabled: isEnabled } = useSite();
  const query = useQuery({ ...sessionQuery(), enabled: isHydrated && isEnabled });
  if (!isEnabled) return { isLoading: false };
  // A part that hydrates late has to begin as the document shows it, with nobody signed in.
  if (!isHydrated) return { isLoading: true };
  const { data, isPending, isPlaceholderData } = query;
  return { user: data ?? undefined, isLoading: isPending || isPlaceholderData };
}

/**
 * Stores the customer who has just signed in, and reads all personal data again: cart, addresses, orders. What is not
 * shown goes: it may be of somebody who was signed in before.
 */
export async function storeUser(client: QueryClient, user: User): Promise<void> {
  writeUser(user);
  void client.cancelQueries({ queryKey: keys.session() });
  client.setQueryData(keys.session(), user);
  removePersonal(client);
  await rereadPersonal(client);
}

/** Updates phone and name of the signed-in customer, after they have changed their profile. */
export function refreshUser(client: QueryClient, { id, phone, name }: User): void {
  writeUser({ id, phone, name });
  client.setQueryData(keys.session(), { id, phone, name });
}

/** Removes the customer and personal data from the cache and the device, because the session has ended. */
export function dropUser(client: QueryClient): void {
  writeUser(undefined);
  client.setQueryData(keys.session(), null);
  removePersonal(client);
}

/** Reports whether somebody is signed in, according to the server's last answer. */
export const isTakenAsSignedIn = (client: QueryClient): boolean =>
  Boolean(client.getQueryData(keys.session()));

/**
 * Stores the signed-in customer on the device for the next visit; undefined removes them. For another customer
 * it also removes the data for reading without a network. When a customer leaves, notifications about their orders
 * end; those of a guest who signs in stay.
 */
function writeUser(current: User | undefined): void {
  const user = current && { id: current.id, phone: current.phone, name: current.name };
  // Write only a difference, because other tabs are notified of each write.
  const before = storedUser();
  if (before?.id !== user?.id) forgetOffline({ keepsPush: !before });
  if (!user) removeStored(storedKey);
  else if (JSON.stringify(before) !== JSON.stringify(user)) writeStored(storedKey, user);
}

/** Returns the customer who was last signed in on this device. */
function storedUser(): User | undefined {
  return readStored(storedKey, isUser);
}

/** Reports whether a stored value is a customer. */
function isUser(value: unknown): value is User {
  const { id, phone, name } = (value ?? {}) as Record<keyof User, unknown>;
  return typeof id === 'number' && typeof phone === 'string' && typeof name === 'string';
}
