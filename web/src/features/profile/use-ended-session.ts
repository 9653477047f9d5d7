import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiFault } from '@/api/result';
import { dropUser } from '@/features/login/session';

/** Lets the page know that the session was ended elsewhere, once the server refuses what is the customer's. */
export function useEndedSession(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action;
        const isRefused = error instanceof ApiFault && error.failure.kind === 'unauthenticated';
        if (isRefused && event.query.queryKey[0] === 'user') dropUser(client);
      }),
    [client],
  );
}
