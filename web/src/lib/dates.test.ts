import { describe, expect, it } from 'vitest';
import { formatDate, formatDayMonth, isoDate, weekdayName } from './dates';
import { languageWords } from './language-words';
import { languages } from './languages';
import { formatClock, formatMinutes, wallTime } from './wall-time';

describe('dates', () => {
  it('reads the clock on the wall of the city, across midnight', () => {
    const time = wallTime('2026-11-21T22:15:00Z', { timezone: 3 });
    expect(isoDate(time)).toBe('2026-11-22');
    expect(formatClock(time)).toBe('01:15');
    expect(weekdayName(time.weekday, 'ru')).toBe('воскресенье');
  });

  it('keeps half-hour offsets', () => {
    expect(formatClock(wallTime('2026-11-21T10:00:00Z', { timezone: 5.5 }))).toBe('15:30');
  });

  it('reads the clock as it was or will be at the moment, not as it is today', () => {
    const berlin = {
      timezone: 1,
      clock_changes: [
        { at: Date.parse('2026-03-29T01:00:00Z') / 1000, timezone: 2 },
        { at: Date.parse('2026-10-25T01:00:00Z') / 1000, timezone: 1 },
      ],
    };
    const clockAt = (moment: string) => formatClock(wallTime(moment, berlin));
    expect(clockAt('2026-03-29T00:59:00Z')).toBe('01:59');
    expect(clockAt('2026-03-29T01:00:00Z')).toBe('03:00');
    expect(clockAt('2026-10-24T17:40:00Z')).toBe('19:40');
    expect(clockAt('2026-10-25T18:40:00Z')).toBe('19:40');
  });

  it('folds a night shift into the next day', () => {
    expect(formatMinutes(1560)).toBe('02:00');
    expect(formatMinutes(570)).toBe('09:30');
  });

  it.each([
    ['ru', '21\u00a0ноября'],
    ['de', '21.\u00a0November'],
    ['uz', '21-noyabr'],
    ['en', '21\u00a0November'],
  ] as const)('writes a day in %s', (language, expected) => {
    expect(formatDayMonth({ day: 21, month: 11 }, language)).toBe(expected);
  });

  it.each([
    ['ru', '31\u00a0декабря 2036 года'],
    ['uk', '31\u00a0грудня 2036 року'],
    ['uz', '2036-yil 31-dekabr'],
    ['tr', '31\u00a0Aralık 2036'],
    ['de', '31.\u00a0Dezember 2036'],
    ['en', '31\u00a0December 2036'],
  ] as const)('writes a date with its year in %s', (language, expected) => {
    expect(formatDate({ day: 31, month: 12, year: 2036 }, language)).toBe(expected);
  });

  it.each(languages)('has all days and months of %s', (language) => {
    expect(languageWords[language].dates.weekdays).toHaveLength(7);
    expect(languageWords[language].dates.months).toHaveLength(12);
  });
});
