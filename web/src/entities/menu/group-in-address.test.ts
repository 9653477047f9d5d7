import { describe, expect, it } from 'vitest';
import { groupOf, withGroup } from './group-in-address';

describe('the group in the address', () => {
  it('is read from the query', () => {
    expect(groupOf('?group=rolls')).toBe('rolls');
    expect(groupOf('?group=')).toBeNull();
    expect(groupOf('')).toBeNull();
  });

  it('is added to the other parameters', () => {
    expect(withGroup('', 'rolls')).toBe('?group=rolls');
    expect(withGroup('?state=payment-success', 'rolls')).toBe('?state=payment-success&group=rolls');
  });

  it('is removed when no group is in view', () => {
    expect(withGroup('?group=rolls', null)).toBe('');
  });

  it('is not written again when it is the same', () => {
    expect(withGroup('?group=rolls', 'rolls')).toBeNull();
    expect(withGroup('', null)).toBeNull();
  });

  it.each(['?modal=product', '?utm_source=mail&group=wok'])('leaves %s alone', (search) => {
    expect(withGroup(search, 'rolls')).toBeNull();
  });
});
