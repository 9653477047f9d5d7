import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys, removePersonal, rereadPersonal } from '@/api/keys';
import { ask } from '@/api/result';
import type { Schema } from '@/api/types';
import { useSite } from '@/entities/site/context';
import { forget, recall, remember } from '@/lib/storage';
import { useAwake } from '@/ui/use-awake';

type User = Schema<'UserBrief'>;

/** Where the device keeps who is signed in, so that he is greeted before the server has said so. */
const storedKey = 'user';

/** Who is signed in in this browser; null for a guest. */
export const sessionQuery = () =>
  queryOptions<User | null, Error, User | null, ReturnType<typeof keys.session>>({
    queryKey: keys.session(),
    queryFn: async ({ signal }) => {
      const { user } = await ask(api.GET('/user/check-session', { signal }));
      keepUser(user);
      return user ?? null;
    },
    placeholderData: () => storedUser(),
  });

/** Who is signed in, as far as it is known. */
export interface Visitor {
  /** Absent for guests, while the page wakes up and where the site has no sign-in. */
  user?: User;
  /** Whether the server has not yet said who it is. */
  isLoading: boolean;
}

/** Who is signed in. The one answer for every part of the page; asked for once. */
export function useUser(): Visitor {
  const isAwake = useAwake();
  const { is_auth_enabled: isEnabled } = useSite();
  const query = useQuery({ ...sessionQuery(), enabled: isAwake && isEnabled });
  if (!isEnabled) return { isLoading: false };
  // A part that wakes up late has to begin as the document shows it, with nobody signed in.
  if (!isAwake) return { isLoading: true };
  const { data, isPending, isPlaceholderData } = query;
  return { user: data ?? undefined, isLoading: isPending || isPlaceholderData };
}

/** Takes over who has just signed in; cart, addresses and orders are his from now on. */
export async function takeUser(client: QueryClient, user: User): Promise<void> {
  keepUser(user);
  void client.cancelQueries({ queryKey: keys.session() });
  client.setQueryData(keys.session(), user);
  await rereadPersonal(client);
}

/** Changes what is shown of the customer, after he has changed it in his profile. */
export function refreshUser(client: QueryClient, { id, phone, name }: User): void {
  keepUser({ id, phone, name });
  client.setQueryData(keys.session(), { id, phone, name });
}

/** Notes that nobody is signed in any more: the session has ended, here or elsewhere. */
export function dropUser(client: QueryClient): void {
  keepUser(undefined);
  client.setQueryData(keys.session(), null);
  removePersonal(client);
}

/** Whether the page takes somebody to be signed in, as the server last said. */
export const isBelievedSignedIn = (client: QueryClient): boolean =>
  Boolean(client.getQueryData(keys.session()));

/** Asks anew whose everything is when another tab signs in or out. Returns how to stop. */
export function followOtherTabs(client: QueryClient): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== storedKey) return;
    void client.invalidateQueries({ queryKey: keys.session() });
    void rereadPersonal(client);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

function keepUser(told: User | undefined): void {
  const user = told && { id: told.id, phone: told.phone, name: told.name };
  // Written only when it differs, so that tabs do not wake each other up.
  const before = storedUser();
  if (!user) forget(storedKey);
  else if (JSON.stringify(before) !== JSON.stringify(user)) remember(storedKey, user);
}

/** The customer of the last visit to this device. */
function storedUser(): User | undefined {
  return recall(storedKey, isUser);
}

function isUser(value: unknown): value is User {
  const { id, phone, name } = (value ?? {}) as Record<keyof User, unknown>;
  return typeof id === 'number' && typeof phone === 'string' && typeof name === 'string';
}
