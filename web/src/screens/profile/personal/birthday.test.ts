import { describe, expect, it } from 'vitest';
import { birthdayProblem, padBirthday, tidyBirthday } from './birthday';

const today = { year: 2030, month: 3, day: 15 };

describe('a birthday', () => {
  it.each([
    ['', undefined],
    ['21.05.1990', undefined],
    ['29.02.2000', undefined],
    ['15.03.2030', undefined],
    ['16.03.2030', 'birthday-ahead'],
    ['15.03.1910', undefined],
    ['14.03.1910', 'birthday-long-ago'],
    ['29.02.2001', 'birthday-unknown'],
    ['31.06.1990', 'birthday-unknown'],
    ['00.01.1990', 'birthday-unknown'],
    ['01.13.1990', 'birthday-unknown'],
    ['01.01.0090', 'birthday-unknown'],
    ['21.05.19', 'birthday-unknown'],
  ])('%s is compared with what is possible', (text, problem) => {
    expect(birthdayProblem(text, today)).toBe(problem);
  });

  it.each([
    ['1990-05-21', '21.05.1990'],
    ['1.5.1990', '01.05.1990'],
    ['21/05/1990', '21.05.1990'],
    [' 21. 5. 1990 ', '21.05.1990'],
    ['21.05', '21.05'],
    ['May', 'May'],
  ])('%s is taken as it was meant', (text, tidy) => {
    expect(tidyBirthday(text)).toBe(tidy);
  });

  it.each([
    ['1', '01'],
    ['01.5', '01.05'],
    ['01', undefined],
    ['01.05.1', undefined],
  ])('a separator after %s puts a 0 before a single digit', (begun, padded) => {
    expect(padBirthday(begun)).toBe(padded);
  });
});
