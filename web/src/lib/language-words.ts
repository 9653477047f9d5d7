import type { Language } from './languages';

/** The facts of a language that only some screens need: apart, because the first script has all languages. */
interface LanguageWords {
  plural: (n: number) => PluralForm;
  dates: DateWords;
}

export type PluralForm = 'one' | 'few' | 'many' | 'other';

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

/** The words of each language. */
export const languageWords: Record<Language, LanguageWords> = {
  ru: {
    plural: slavic,
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
    plural: oneOther,
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
    plural: oneOther,
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
    plural: oneOther,
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
    plural: oneOther,
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
    plural: slavic,
    dates: {
      weekdays: splitWords('неділя понеділок вівторок середа четвер пʼятниця субота'),
      months: splitWords(
        'січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня',
      ),
      dayMonth: '{d} {m}',
      withYear: '{dm} {y} року',
    },
  },
};
