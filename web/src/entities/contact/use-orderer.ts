import type { Schema } from '@/api/types';
import { useUser } from '@/entities/session/session';
import { useSite } from '@/entities/site/context';

/** Who is about to order. */
export type Orderer =
  /** He is signed in and orders with his own phone. */
  | { kind: 'customer'; user: Schema<'UserBrief'> }
  /** He may order by telling a phone; sign in he can where the site offers it. */
  | { kind: 'guest'; canSignIn: boolean }
  /** He has to sign in before he can order. */
  | { kind: 'stranger' };

/** Who is about to order; the same answer for every order button. */
export function useOrderer(): Orderer {
  const { is_auth_enabled: canSignIn, guest_orders: canGuestsOrder } = useSite();
  const { user } = useUser();
  if (user) return { kind: 'customer', user };
  return canGuestsOrder || !canSignIn ? { kind: 'guest', canSignIn } : { kind: 'stranger' };
}
