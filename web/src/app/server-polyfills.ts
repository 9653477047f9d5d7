import { type Language, toLanguage } from '@/lib/language';
import { formatNumber } from '@/lib/money';
import { pluralForm } from '@/lib/plural';

/*
 * The server's engine knows the language and nothing of a browser. These are the few names that the
 * libraries look for while they render to a string; each does just what rendering needs.
 */
type Globals = Record<string, unknown>;
const globals = globalThis as unknown as Globals;

function offer(name: string, value: unknown) {
  globals[name] ??= value;
}

/** Returns the page's language for the first of the given locales. */
const tagOf = (locales?: string | readonly string[]): Language =>
  toLanguage(typeof locales === 'string' ? locales : locales?.[0]);

class PluralRules {
  readonly #language: Language;
  constructor(locales?: string | readonly string[]) {
    this.#language = tagOf(locales);
  }
  select(n: number) {
    return pluralForm(n, this.#language);
  }
}

class NumberFormat {
  readonly #language: Language;
  constructor(locales?: string | readonly string[]) {
    this.#language = tagOf(locales);
  }
  format(value: number) {
    const decimals = Number.isInteger(value) ? 0 : String(value).split('.')[1]?.length;
    return formatNumber(value, this.#language, Math.min(3, decimals ?? 0));
  }
}

const never = () => 0;

offer('Intl', { PluralRules, NumberFormat });
offer('process', { env: { NODE_ENV: 'production' } });
offer('console', { log: never, info: never, warn: never, error: never });
// Nothing that is rendered to a string may wait: timers are accepted and never fire.
offer('setTimeout', never);
offer('clearTimeout', never);
offer('setInterval', never);
offer('clearInterval', never);
offer('queueMicrotask', (task: () => void) => void Promise.resolve().then(task));
offer(
  'AbortController',
  class {
    readonly signal = { aborted: false, addEventListener: never, removeEventListener: never };
    abort() {
      this.signal.aborted = true;
    }
  },
);
