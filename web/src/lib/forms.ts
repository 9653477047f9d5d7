import * as v from 'valibot';
import { phoneLength } from './phone';

/**
 * The type of a field's error from the server, whose message is the server's text. The message of any other
 * error is the name of a problem, for which the page has a text.
 */
export const serverError = 'server';

/** Returns the first problem of each field; an empty object means that the form can be sent. */
export function firstProblems<Values, Problem extends string>(
  rules: v.GenericSchema<Values, unknown>,
  values: Values,
): Partial<Record<keyof Values, Problem>> {
  const { issues } = v.safeParse(rules, values);
  if (!issues) return {};
  const problems = Object.entries(v.flatten(issues).nested ?? {});
  return Object.fromEntries(problems.map(([field, found]) => [field, found?.[0]])) as Partial<
    Record<keyof Values, Problem>
  >;
}

/** Reports whether a text has the form of an e-mail address. */
export const looksLikeEmail = (typed: string) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(typed);

/** A problem of a phone in its mask. */
export type PhoneProblem = 'phone-required' | 'phone-short' | 'phone-long';

/** Returns its argument: the compiler checks that it is one of the problems. */
const phoneProblem = (name: PhoneProblem) => name;

/** Returns the rule that a field holds a whole number in the mask. */
export const phoneRule = (mask: string) =>
  v.pipe(
    v.string(),
    v.check((typed) => phoneLength(typed, mask) !== 'none', phoneProblem('phone-required')),
    v.check((typed) => phoneLength(typed, mask) !== 'short', phoneProblem('phone-short')),
    v.check((typed) => phoneLength(typed, mask) !== 'long', phoneProblem('phone-long')),
  );
