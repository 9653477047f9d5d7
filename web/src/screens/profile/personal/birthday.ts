/** A day of the calendar. */
interface Day {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
}

/** The greatest age of a customer, in years. */
const oldest = 120;

/** Returns the day of a birthday written as DD.MM.YYYY; undefined when the calendar has no such day. */
function parseBirthday(text: string): Day | undefined {
  const [, day = 0, month = 0, year = 0] = (/^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text) ?? []).map(
    Number,
  );
  const date = new Date(Date.UTC(year, month - 1, day));
  // Date.UTC reads the years 0 to 99 as 1900 to 1999, and 31 June as 1 July.
  const isReal =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? { year, month, day } : undefined;
}

/** The problems of a typed birthday. */
export type BirthdayProblem = 'birthday-unknown' | 'birthday-ahead' | 'birthday-long-ago';

/**
 * Returns the problem of a birthday, which must be from 120 years ago to today; undefined when it is right or
 * empty.
 */
export function birthdayProblem(text: string, today: Day): BirthdayProblem | undefined {
  if (text === '') return undefined;
  const born = parseBirthday(text);
  if (!born) return 'birthday-unknown';
  if (dayNumber(born) > dayNumber(today)) return 'birthday-ahead';
  if (dayNumber(born) < dayNumber({ ...today, year: today.year - oldest }))
    return 'birthday-long-ago';
  return undefined;
}

/** Returns a number by which days can be compared. */
const dayNumber = ({ year, month, day }: Day) => year * 10_000 + month * 100 + day;

/** Returns a number of one or two digits with a leading 0 if needed. */
const twoDigits = (digits: string) => digits.padStart(2, '0');

/**
 * Returns a complete date in one of the usual forms as DD.MM.YYYY:
 * 1990-05-21, 21/5/1990, 21. 5. 1990. Any other text is returned as it is.
 */
export function tidyBirthday(text: string): string {
  const iso = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text);
  if (iso) return `${twoDigits(iso[3] ?? '')}.${twoDigits(iso[2] ?? '')}.${iso[1]}`;
  const written = /^\s*(\d{1,2})\s*[./-]\s*(\d{1,2})\s*[./-]\s*(\d{4})\s*$/.exec(text);
  if (written) return `${twoDigits(written[1] ?? '')}.${twoDigits(written[2] ?? '')}.${written[3]}`;
  return text;
}

/**
 * Returns a text that ends in a day or month of one digit with a 0 before the digit: `1` is `01`, `01.5`
 * is `01.05`. It returns undefined for any other text.
 */
export function padBirthday(begun: string): string | undefined {
  const single = /^(\d\d\.)?(\d)$/.exec(begun);
  return single ? `${single[1] ?? ''}0${single[2]}` : undefined;
}
