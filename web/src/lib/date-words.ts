import type { Language } from './language';

interface DateWords {
  /** Sunday first, as Date counts. */
  weekdays: readonly string[];
  /** In the form that follows a day number. */
  months: readonly string[];
  /** `{d}` and `{m}` stand for the day number and the month. */
  dayMonth: string;
  /** `{dm}` and `{y}` stand for day and month as above and the year. */
  withYear: string;
}

const split = (words: string) => words.split(' ');

/** Names of days and months as CLDR has them (formatting context). */
export const dateWords: Record<Language, DateWords> = {
  ru: {
    weekdays: split('воскресенье понедельник вторник среда четверг пятница суббота'),
    months: split(
      'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
    ),
    dayMonth: '{d} {m}',
    withYear: '{dm} {y} года',
  },
  uk: {
    weekdays: split('неділя понеділок вівторок середа четвер пʼятниця субота'),
    months: split(
      'січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня',
    ),
    dayMonth: '{d} {m}',
    withYear: '{dm} {y} року',
  },
  uz: {
    weekdays: split('yakshanba dushanba seshanba chorshanba payshanba juma shanba'),
    months: split('yanvar fevral mart aprel may iyun iyul avgust sentabr oktabr noyabr dekabr'),
    dayMonth: '{d}-{m}',
    withYear: '{y}-yil {dm}',
  },
  tr: {
    weekdays: split('Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi'),
    months: split('Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık'),
    dayMonth: '{d} {m}',
    withYear: '{dm} {y}',
  },
  de: {
    weekdays: split('Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag'),
    months: split(
      'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    ),
    dayMonth: '{d}. {m}',
    withYear: '{dm} {y}',
  },
  en: {
    weekdays: split('Sunday Monday Tuesday Wednesday Thursday Friday Saturday'),
    months: split(
      'January February March April May June July August September October November December',
    ),
    dayMonth: '{d} {m}',
    withYear: '{dm} {y}',
  },
};
