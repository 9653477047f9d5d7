import { texts } from 'virtual:texts';
import { i18n, type Messages } from '@lingui/core';
import { type Language, toLanguage } from '@/lib/language';
import { type Group, groupOf } from './groups';

/** The catalogues of the screens seen so far. Each new language of the page loads them too. */
const seen = new Set<Group>();

/** The language that the page is shown in, or is about to be. */
let language: Language | undefined;

/**
 * Loads the language's texts, also for the screens seen so far, and makes it the page's language. It
 * changes nothing when another language was chosen in the meantime. `prepare` is called just before the
 * change. Rejects when a chunk cannot be loaded.
 */
export async function activateLanguage(next: Language, prepare?: () => void): Promise<void> {
  language = next;
  const [first, ...others] = await Promise.all([
    texts[next]().then(({ default: messages }) => messages),
    ...[...seen].map((group) => messagesOf(group, next)),
  ]).catch((error) => {
    // The page stays in its language, and so do the screens that are loaded after this.
    if (language === next) language = i18n.locale ? toLanguage(i18n.locale) : undefined;
    throw error;
  });
  if (language !== next) return;
  prepare?.();
  i18n.load(next, Object.assign({}, first, ...others));
  i18n.activate(next);
}

/**
 * Loads a screen together with its texts in the page's language, so that it renders with them:
 * `withTexts('payment', () => import('./routes/payment'))`.
 */
export async function withTexts<Module>(
  screen: string,
  load: () => Promise<Module>,
): Promise<Module> {
  const [module] = await Promise.all([load(), loadTexts(screen)]);
  return module;
}

/** Loads the texts of a screen in the page's language; a later change of the language loads them too. */
async function loadTexts(screen: string): Promise<void> {
  const shown = language ?? toLanguage(i18n.locale);
  const group = groupOf(screen);
  seen.add(group);
  const messages = await messagesOf(group, shown);
  // `i18n.load` would render the whole page again, of which no part shows these texts yet.
  if (i18n.locale === shown) Object.assign(i18n.messages, messages);
  else i18n.load(shown, messages);
}

/** Loads a catalogue; returns nothing for the first page's, which is loaded already. */
async function messagesOf(group: Group, tag: Language): Promise<Messages> {
  if (group === 'first') return {};
  const { catalogues } = await texts[tag]();
  return (await catalogues[group]()).messages;
}
