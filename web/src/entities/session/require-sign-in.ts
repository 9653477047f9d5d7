import { openModal } from '@/ui/modals/modal-store';

/** What is continued after the sign-in: the order, or a page of the site. */
export type SignInIntent = 'order' | { uri: string };

/** The parameters of the sign-in dialog. */
export interface SignInParams {
  /** What is continued once the visitor is signed in; without it they stay where they are. */
  intent?: SignInIntent;
  /** Whether VK has named the person but no phone, so that a code has to confirm one. */
  needsPhone?: boolean;
  /** A phone that was typed already, in the city's mask of that id. */
  typed?: { phone: string; maskId: number };
}

/**
 * Asks the visitor to sign in. Then their order is continued (`'order'`), the page that they asked for
 * opens (`{ uri }`, an address of this site), or they stay where they are. A phone that was typed
 * already is not asked for again.
 */
export function requireSignIn(intent?: SignInIntent, typed?: SignInParams['typed']): void {
  openModal('user-login', { intent, typed });
}
