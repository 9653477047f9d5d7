/** The bounds of the cash that a customer pays with, in major units of the city's currency. */
export interface CashBounds {
  total: number;
  /** The most that change is given from; 0 means any sum. */
  limit: number;
  /** Whether a sum below the total counts as the total rounded up to a hundred, as in Turkey. */
  roundsUp: boolean;
}

export type CashProblem = 'cash-below' | 'cash-limit';

const roundUpToHundred = (sum: number) => Math.ceil(sum / 100) * 100;

/**
 * Returns the largest sum that change is given from: the limit, or the total (rounded up where cash is) when it is
 * above the limit. Without a limit every sum is allowed.
 */
const maxCash = ({ total, limit, roundsUp }: CashBounds) =>
  limit > 0
    ? Math.max(limit, roundsUp ? roundUpToHundred(total) : total)
    : Number.POSITIVE_INFINITY;

/** Returns the banknotes worth offering: above the total and within the limit. */
export function notesAbove(banknotes: readonly number[], bounds: CashBounds): number[] {
  const max = maxCash(bounds);
  return banknotes.filter((note) => note > bounds.total && note <= max).sort((a, b) => a - b);
}

/** Returns the digits of a typed sum, at most nine and without leading zeros. */
export const cashDigits = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '').slice(0, 9);

/**
 * Returns the sum that the customer pays with, rounded up where the country does so; undefined when no
 * change is needed.
 */
export function settledCash(text: string, { total, roundsUp }: CashBounds): number | undefined {
  const digits = cashDigits(text);
  if (digits === '') return undefined;
  const cash = Number(digits);
  return roundsUp && cash < total ? roundUpToHundred(total) : cash;
}

/**
 * Returns the problem of a typed sum; undefined when there is none, also for an empty field, which asks for no
 * change.
 */
export function cashProblem(text: string, bounds: CashBounds): CashProblem | undefined {
  const cash = settledCash(text, bounds);
  if (cash === undefined) return undefined;
  if (cash < bounds.total) return 'cash-below';
  return cash > maxCash(bounds) ? 'cash-limit' : undefined;
}
