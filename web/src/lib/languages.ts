/** The facts of a language that every page needs besides its texts; `language-words.ts` has the others. */
interface LanguageFacts {
  /** The name of the language in the language itself. */
  name: string;
  numbers: NumberHabit;
}

/** How a language writes numbers and where it puts the sign of a currency. */
interface NumberHabit {
  decimal: string;
  group: string;
  signFirst: boolean;
}

const noBreak = '\u00a0';

/** The languages that every text of the page exists in, in the order of the server's list. */
export const languageFacts = {
  ru: {
    name: 'Русский',
    numbers: { decimal: ',', group: noBreak, signFirst: false },
  },
  en: {
    name: 'English',
    numbers: { decimal: '.', group: ',', signFirst: true },
  },
  tr: {
    name: 'Türkçe',
    numbers: { decimal: ',', group: '.', signFirst: true },
  },
  uz: {
    name: 'Oʻzbekcha',
    numbers: { decimal: ',', group: noBreak, signFirst: false },
  },
  de: {
    name: 'Deutsch',
    numbers: { decimal: ',', group: '.', signFirst: false },
  },
  uk: {
    name: 'Українська',
    numbers: { decimal: ',', group: noBreak, signFirst: false },
  },
} satisfies Record<string, LanguageFacts>;

export type Language = keyof typeof languageFacts;

export const languages = Object.keys(languageFacts) as Language[];
