import type { Schema } from '@/api/types';
import { useUser } from '@/entities/session/session';
import { useSite } from '@/entities/site/context';

/** Who is about to order. */
export type Orderer =
  /** Signed in; orders with their own phone. */
  | { kind: 'customer'; user: Schema<'UserBrief'> }
  /** May order with a phone number; may sign in where the site offers it. */
  | { kind: 'guest'; canSignIn: boolean }
  /** Has to sign in before ordering. */
  | { kind: 'must-sign-in' };

/** Returns who is about to order; the same answer for every order button. */
export function useOrderer(): Orderer {
  const { is_auth_enabled: canSignIn, guest_orders: canGuestsOrder } = useSite();
  const { user } = useUser();
  if (user) return { kind: 'customer', user };
  return canGuestsOrder || !canSignIn ? { kind: 'guest', canSignIn } : { kind: 'must-sign-in' };
}
