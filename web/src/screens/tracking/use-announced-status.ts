import { useEffect, useRef } from 'react';
import type { Schema } from '@/api/types';
import { announce } from '@/ui/feedback/announcer';

/** Announces each change of an order's state to screen readers; the first state is read with the page. */
export function useAnnouncedStatus({ alias, description }: Schema<'OrderStatus'>): void {
  const spoken = useRef(alias);
  useEffect(() => {
    if (spoken.current === alias) return;
    spoken.current = alias;
    announce(description);
  }, [alias, description]);
}
