/** A day of the calendar. */
interface Day {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
}

/** How old a customer can be, in years. */
const oldest = 120;

/** Returns the day of a birthday written as DD.MM.YYYY; undefined when the calendar has no such day. */
function parseBirthday(text: string): Day | undefined {
  const [, day = 0, month = 0, year = 0] = (/^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text) ?? []).map(
    Number,
  );
  const date = new Date(Date.UTC(year, month - 1, day));
  // The years 0 to 99 are taken for others, and a 31 June runs over into July.
  const isReal =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? { year, month, day } : undefined;
}

/** What is wrong with a birthday as it was typed; an empty one is right. */
export type BirthdayProblem = 'birthday-unknown' | 'birthday-ahead' | 'birthday-long-ago';

/** Compares a birthday with what is possible: from 120 years back to today. */
export function birthdayProblem(text: string, today: Day): BirthdayProblem | undefined {
  if (text === '') return undefined;
  const born = parseBirthday(text);
  if (!born) return 'birthday-unknown';
  if (order(born) > order(today)) return 'birthday-ahead';
  if (order(born) < order({ ...today, year: today.year - oldest })) return 'birthday-long-ago';
  return undefined;
}

/** Returns a number by which days can be compared. */
const order = ({ year, month, day }: Day) => year * 10_000 + month * 100 + day;

const two = (digits: string) => digits.padStart(2, '0');

/**
 * Returns a whole date as DD.MM.YYYY, in whatever form it was pasted or filled in by the browser:
 * 1990-05-21, 21/5/1990, 21. 5. 1990. Any other text is returned as it is.
 */
export function tidyBirthday(text: string): string {
  const iso = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text);
  if (iso) return `${two(iso[3] ?? '')}.${two(iso[2] ?? '')}.${iso[1]}`;
  const said = /^\s*(\d{1,2})\s*[./-]\s*(\d{1,2})\s*[./-]\s*(\d{4})\s*$/.exec(text);
  if (said) return `${two(said[1] ?? '')}.${two(said[2] ?? '')}.${said[3]}`;
  return text;
}

/** Returns a day or month of one digit with its 0, once a separator was typed after it: `1` is `01`, `01.5` is `01.05`. */
export function padBirthday(begun: string): string | undefined {
  const single = /^(\d\d\.)?(\d)$/.exec(begun);
  return single ? `${single[1] ?? ''}0${single[2]}` : undefined;
}
