import { describe, expect, it } from 'vitest';
import { paymentReturn, withoutReturn } from './return-in-address';

describe('an address that tells of a payment', () => {
  it('tells how it ended, and nothing else of that name', () => {
    expect(paymentReturn('?state=payment-success')).toBe('payment-success');
    expect(paymentReturn('?state=payment-failure&group=rolls')).toBe('payment-failure');
    expect(paymentReturn('?state=open')).toBeUndefined();
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
