/** How long the page remembers on a device, in days. */
export const rememberDays = 256;

interface Kept {
  value: unknown;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * Returns the value stored under a key if it is younger than 256 days and passes `accept`; otherwise undefined, also
 * when storage is switched off or the value is broken. It removes an expired value.
 */
export function readStored<T>(
  key: string,
  accept: (value: unknown) => value is T,
  now = Date.now(),
): T | undefined {
  try {
    const text = localStorage.getItem(key);
    if (text === null) return undefined;
    const kept = JSON.parse(text) as Partial<Kept>;
    if (typeof kept.until !== 'number' || kept.until < now) {
      localStorage.removeItem(key);
      return undefined;
    }
    return accept(kept.value) ? kept.value : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value for 256 days. It returns false when the browser refuses. */
export function writeStored(key: string, value: unknown, now = Date.now()): boolean {
  try {
    const kept: Kept = { value, until: now + rememberDays * 86_400_000 };
    localStorage.setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** Removes a key; does nothing when there is no storage. */
export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing can be stored here, so there is nothing to drop.
  }
}

/** Returns the value that this tab stores under a key if it passes `accept`; otherwise undefined. */
export function readInTab<T>(key: string, accept: (value: unknown) => value is T): T | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return accept(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value until the tab closes; does nothing when the browser refuses. It is for personal data. */
export function writeInTab(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The page still works; only a reload loses the value.
  }
}

/** Removes a key of the tab. */
export function removeInTab(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing could be kept here, so nothing is left to drop.
  }
}

/** Removes all keys of the device and the tab that begin with one of the prefixes. */
export function removeAllStored(...prefixes: string[]): void {
  for (const storage of ['localStorage', 'sessionStorage'] as const) {
    try {
      const kept = globalThis[storage];
      for (const key of Object.keys(kept)) {
        if (prefixes.some((prefix) => key.startsWith(prefix))) kept.removeItem(key);
      }
    } catch {
      // Nothing could be kept here, so nothing is left to drop.
    }
  }
}

/** Reads a first-party cookie; undefined when there is none, or it cannot be decoded. */
export function readCookie(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${name}=`));
  try {
    return pair && decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    return undefined;
  }
}

/** Sets a first-party cookie on the whole site, for 256 days unless another term is named. */
export function setCookie(name: string, value: string, days = rememberDays): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // The Cookie Store API is missing in Firefox and on plain http.
  // biome-ignore lint/suspicious/noDocumentCookie: see above
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${Math.round(days * 86_400)}; SameSite=Lax${secure}`;
}
