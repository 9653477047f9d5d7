import { type Language, toLanguage } from '@/lib/language';
import { formatNumber } from '@/lib/money';
import { pluralForm } from '@/lib/plural';

/*
 * The server's engine has JavaScript and no globals of a browser. These are the globals that the libraries use
 * while they render to a string; each does only what rendering needs.
 */
type Globals = Record<string, unknown>;
const globals = globalThis as unknown as Globals;

/** Defines a global that the engine does not have. */
function define(name: string, value: unknown) {
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

const doNothing = () => 0;

define('Intl', { PluralRules, NumberFormat });
define('process', { env: { NODE_ENV: 'production' } });
define('console', { log: doNothing, info: doNothing, warn: doNothing, error: doNothing });
// Nothing that is rendered to a string may wait: timers are accepted and never fire.
define('setTimeout', doNothing);
define('clearTimeout', doNothing);
define('setInterval', doNothing);
define('clearInterval', doNothing);
define('queueMicrotask', (task: () => void) => void Promise.resolve().then(task));
define(
  'AbortController',
  class {
    readonly signal = {
      aborted: false,
      addEventListener: doNothing,
      removeEventListener: doNothing,
    };
    abort() {
      this.signal.aborted = true;
    }
  },
);
