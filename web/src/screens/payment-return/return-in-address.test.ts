import { describe, expect, it } from 'vitest';
import { comesFromPayment, withoutReturn } from './return-in-address';

describe('an address that comes from a payment', () => {
  it('says so however it ended, and nothing else of that name does', () => {
    expect(comesFromPayment('?state=payment-success')).toBe(true);
    expect(comesFromPayment('?state=payment-failure&group=rolls')).toBe(true);
    expect(comesFromPayment('?state=open')).toBe(false);
  });

  it('keeps the rest when that is taken out', () => {
    expect(withoutReturn('?state=payment-success')).toBe('');
    expect(withoutReturn('?group=rolls&state=payment-success')).toBe('?group=rolls');
  });

  it('is left alone when it opens a modal or came from a campaign', () => {
    expect(withoutReturn('?state=payment-success&modal=info')).toBeNull();
    expect(withoutReturn('?state=payment-success&utm_source=letter')).toBeNull();
  });
});
