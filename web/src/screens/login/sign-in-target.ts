import type { SignInIntent } from '@/entities/session/require-sign-in';

interface Where {
  /** Makes an address inside the city. */
  path: (path?: string) => string;
  isDesktop: boolean;
}

/** Returns where a visitor is led once they are signed in; undefined when they stay. */
export function signInTarget(
  intent: SignInIntent | undefined,
  { path, isDesktop }: Where,
): string | undefined {
  if (intent === 'order') return path(isDesktop ? '/cart' : '/cart?step=2');
  return intent?.uri;
}
