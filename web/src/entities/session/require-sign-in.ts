import { openModal } from '@/ui/modals/modal-store';

/** The intent that is continued after the sign-in: the order, or a page of the site. */
export type SignInIntent = 'order' | { uri: string };

/** The parameters of the sign-in dialog. */
export interface SignInParams {
  /** Without it the visitor stays on the page. */
  intent?: SignInIntent;
  /** Whether VK has sent no phone of the person, so that a code must confirm one. */
  needsPhone?: boolean;
  /** A phone that was typed already, in the city's mask of that id. */
  typed?: { phone: string; maskId: number };
}

/**
 * Opens the sign-in. After it the order is continued (`'order'`), a page of this site opens (`{ uri }`), or the
 * visitor stays on the page. `typed` fills in a phone that was typed before.
 */
export function requireSignIn(intent?: SignInIntent, typed?: SignInParams['typed']): void {
  openModal('user-login', { intent, typed });
}
