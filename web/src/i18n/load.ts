import { texts } from 'virtual:texts';
import { i18n, type Messages } from '@lingui/core';
import { type Language, toLanguage } from '@/lib/language';

/** The screens whose texts are loaded in each language that the page is shown in. */
const screens = new Set<string>();

/** The language that the page is shown in, or is about to be. */
let language: Language | undefined;

/**
 * Loads the language's texts, of the screens seen so far too, and makes it the page's language, unless
 * another was asked for meanwhile. `prepare` is called before anything follows the change. Rejects when
 * a chunk cannot be loaded.
 */
export async function activateLanguage(next: Language, prepare?: () => void): Promise<void> {
  language = next;
  const [first, ...others] = await Promise.all([
    texts[next]().then(({ default: messages }) => messages),
    ...[...screens].map((screen) => messagesOf(screen, next)),
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

/** Loads the texts of a screen in the page's language; from then on every other language is loaded with them. */
async function loadTexts(screen: string): Promise<void> {
  const shown = language ?? toLanguage(i18n.locale);
  screens.add(screen);
  const messages = await messagesOf(screen, shown);
  // `load` renders the whole page again, which texts that are there already do not need.
  if (!Object.keys(messages).every((id) => id in i18n.messages)) i18n.load(shown, messages);
}

/** Loads the texts of a screen; none where they come with the first page. */
async function messagesOf(screen: string, of: Language): Promise<Messages> {
  const { screens: catalogues } = await texts[of]();
  const catalogue = await catalogues[`/src/screens/${screen}/locales/${of}.po`]?.();
  return catalogue?.messages ?? {};
}
