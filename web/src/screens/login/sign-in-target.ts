import type { SignInIntent } from '@/entities/session/require-sign-in';

interface Where {
  /** Returns the address of a page inside the city. */
  path: (path?: string) => string;
  isDesktop: boolean;
}

/** Returns the address that a visitor is led to after signing in; undefined when they stay on the page. */
export function signInTarget(
  intent: SignInIntent | undefined,
  { path, isDesktop }: Where,
): string | undefined {
  if (intent === 'order') return path(isDesktop ? '/cart' : '/cart?step=2');
  return intent?.uri;
}
