import type { SignInIntent } from '@/ui/modals/modal-names';
import { openModal } from '@/ui/modals/modal-store';

/**
 * Asks the visitor to sign in. Then his order goes on (`'order'`), he gets the page that he asked for
 * (`{ uri }`, an address of this site), or he stays where he is.
 */
export function requireSignIn(intent?: SignInIntent): void {
  openModal('user-login', { intent });
}
