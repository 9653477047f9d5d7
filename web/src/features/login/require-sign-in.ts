import type { ModalParams } from '@/ui/modals/modal-names';
import { openModal } from '@/ui/modals/modal-store';

type Params = ModalParams['user-login'];

/**
 * Asks the visitor to sign in. Then his order goes on (`'order'`), he gets the page that he asked for
 * (`{ uri }`, an address of this site), or he stays where he is. A phone that he has typed already is
 * not asked for again.
 */
export function requireSignIn(intent?: Params['intent'], typed?: Params['typed']): void {
  openModal('user-login', { intent, typed });
}
