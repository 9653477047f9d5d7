import { languageWords } from './language-words';
import type { Language } from './languages';
import { twoDigits, type WallTime } from './wall-time';

/** Writes day and month: `21 ноября`, `21. November`. */
export function formatDayMonth(
  { day, month }: Pick<WallTime, 'day' | 'month'>,
  language: Language,
): string {
  const words = languageWords[language].dates;
  const name = words.months[month - 1] ?? '';
  return words.dayMonth.replace('{d}', String(day)).replace('{m}', name).replace(' ', '\u00a0');
}

/** Writes a date with its year: `31 декабря 2036 года`, `31. Dezember 2036`. */
export function formatDate(
  { year, ...at }: Pick<WallTime, 'year' | 'month' | 'day'>,
  language: Language,
): string {
  const { withYear } = languageWords[language].dates;
  return withYear.replace('{dm}', formatDayMonth(at, language)).replace('{y}', String(year));
}

/** Returns the day's name in running text. */
export function weekdayName(weekday: number, language: Language): string {
  return languageWords[language].dates.weekdays[weekday] ?? '';
}

/** Returns the calendar date as `YYYY-MM-DD`. */
export function isoDate({ year, month, day }: WallTime): string {
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}
