import { api } from '@/api/client';
import { attempt, type Failure } from '@/api/result';
import type { SignInIntent } from '@/entities/session/require-sign-in';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';

/** The state stored while the visitor is at VK: the page that they left and the intent to continue with. */
export interface Return {
  /** The page that they left, within this site. */
  from: string;
  intent?: SignInIntent;
}

const key = 'login.vk';

/** Stores `back` and leaves for VK's own page. Returns the failure when VK's address could not be loaded. */
export async function goToVk(back: Return): Promise<Failure | undefined> {
  const result = await attempt(api.POST('/user/vk/start'));
  if (result.kind !== 'ok') return result;
  writeInTab(key, back);
  location.assign(result.data.url);
  return undefined;
}

/** Returns the stored state of the visit to VK; undefined when there is none. */
export const readReturn = (): Return | undefined => readInTab(key, isReturn);

/** Removes the stored state of the visit to VK. */
export const removeReturn = () => removeInTab(key);

/**
 * Reports whether an address leads to a page of this site; one that begins with `//` or `/\` leads to
 * another host.
 */
export const isOwnPath = (path: unknown): path is string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path);

/** Reports whether a stored value has the shape of Return and leads only to pages of this site. */
function isReturn(value: unknown): value is Return {
  const { from, intent } = (value ?? {}) as Record<keyof Return, unknown>;
  const isIntent = intent === undefined || intent === 'order' || isOwnUri(intent);
  return isOwnPath(from) && isIntent;
}

/** Reports whether the address of an intent, if it has one, leads to a page of this site. */
const isOwnUri = (intent: unknown) =>
  typeof intent === 'object' && intent !== null && 'uri' in intent && isOwnPath(intent.uri);
