import { api } from '@/api/client';
import { attempt, type Failure } from '@/api/result';
import type { SignInIntent } from '@/entities/session/require-sign-in';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';

/** Where the visitor was when they went to VK, and what goes on when they are back. */
export interface Return {
  /** The page that they left, within this site. */
  from: string;
  intent?: SignInIntent;
}

const key = 'login.vk';

/** Leads to VK's own page. Returns the failure when there is no way there; otherwise the page is left. */
export async function goToVk(back: Return): Promise<Failure | undefined> {
  const result = await attempt(api.POST('/user/vk/start'));
  if (result.kind !== 'ok') return result;
  writeInTab(key, back);
  location.assign(result.data.url);
  return undefined;
}

/** Returns what was stored when the visitor went to VK. */
export const readReturn = (): Return | undefined => readInTab(key, isReturn);

/** Removes what was stored: the visitor is back. */
export const removeReturn = () => removeInTab(key);

/**
 * Reports whether an address leads to a page of this site; one that begins with `//` or `/\` leads to
 * another host.
 */
export const isOwnPath = (path: unknown): path is string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path);

function isReturn(value: unknown): value is Return {
  const { from, intent } = (value ?? {}) as Record<keyof Return, unknown>;
  const isIntent = intent === undefined || intent === 'order' || isOwnUri(intent);
  return isOwnPath(from) && isIntent;
}

const isOwnUri = (intent: unknown) =>
  typeof intent === 'object' && intent !== null && 'uri' in intent && isOwnPath(intent.uri);
