/** The facts of a language that the page needs besides its texts. */
interface LanguageFacts {
  /** The name of the language in the language itself. */
  name: string;
  plural: (n: number) => PluralForm;
  numbers: NumberHabit;
  dates: DateWords;
}

export type PluralForm = 'one' | 'few' | 'many' | 'other';

/** How a language writes numbers and where it puts the sign of a currency. */
interface NumberHabit {
  decimal: string;
  group: string;
  signFirst: boolean;
}

/** Names of days and months as CLDR has them (formatting context). */
interface DateWords {
  /** Sunday first, as Date counts. */
  weekdays: readonly string[];
  /** In the form that follows a day number. */
  months: readonly string[];
  /** `{d}` and `{m}` are replaced by the day number and the month. */
  dayMonth: string;
  /** `{dm}` and `{y}` are replaced by day and month as above and the year. */
  withYear: string;
}

const splitWords = (words: string) => words.split(' ');

const noBreak = '\u00a0';

/** Returns the plural form of a number in English, German, Turkish and Uzbek, by CLDR. */
const oneOther = (n: number): PluralForm => (n === 1 ? 'one' : 'other');

/** Returns the plural form of a number in Russian and Ukrainian, by CLDR. */
function slavic(n: number): PluralForm {
  if (!Number.isInteger(n)) return 'other';
  const last = n % 10;
  const lastTwo = n % 100;
  if (last === 1 && lastTwo !== 11) return 'one';
  if (last >= 2 && last <= 4 && (lastTwo < 12 || lastTwo > 14)) return 'few';
  return 'many';
}

/** The languages that every text of the page exists in, in the order of the server's list. */
export const languageFacts = {
  ru: {
    name: 'Русский',
    plural: slavic,
    numbers: { decimal: ',', group: noBreak, signFirst: false },
    dates: {
      weekdays: splitWords('воскресенье понедельник вторник среда четверг пятница суббота'),
      months: splitWords(
        'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
      ),
      dayMonth: '{d} {m}',
      withYear: '{dm} {y} года',
    },
  },
  en: {
    name: 'English',
    plural: oneOther,
    numbers: { decimal: '.', group: ',', signFirst: true },
    dates: {
      weekdays: splitWords('Sunday Monday Tuesday Wednesday Thursday Friday Saturday'),
      months: splitWords(
        'January February March April May June July August September October November December',
      ),
      dayMonth: '{d} {m}',
      withYear: '{dm} {y}',
    },
  },
  tr: {
    name: 'Türkçe',
    plural: oneOther,
    numbers: { decimal: ',', group: '.', signFirst: true },
    dates: {
      weekdays: splitWords('Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi'),
      months: splitWords(
        'Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık',
      ),
      dayMonth: '{d} {m}',
      withYear: '{dm} {y}',
    },
  },
  uz: {
    name: 'Oʻzbekcha',
    plural: oneOther,
    numbers: { decimal: ',', group: noBreak, signFirst: false },
    dates: {
      weekdays: splitWords('yakshanba dushanba seshanba chorshanba payshanba juma shanba'),
      months: splitWords(
        'yanvar fevral mart aprel may iyun iyul avgust sentabr oktabr noyabr dekabr',
      ),
      dayMonth: '{d}-{m}',
      withYear: '{y}-yil {dm}',
    },
  },
  de: {
    name: 'Deutsch',
    plural: oneOther,
    numbers: { decimal: ',', group: '.', signFirst: false },
    dates: {
      weekdays: splitWords('Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag'),
      months: splitWords(
        'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
      ),
      dayMonth: '{d}. {m}',
      withYear: '{dm} {y}',
    },
  },
  uk: {
    name: 'Українська',
    plural: slavic,
    numbers: { decimal: ',', group: noBreak, signFirst: false },
    dates: {
      weekdays: splitWords('неділя понеділок вівторок середа четвер пʼятниця субота'),
      months: splitWords(
        'січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня',
      ),
      dayMonth: '{d} {m}',
      withYear: '{dm} {y} року',
    },
  },
} satisfies Record<string, LanguageFacts>;

export type Language = keyof typeof languageFacts;

export const languages = Object.keys(languageFacts) as Language[];
