/** How the page was come back to from a payment. */
export type PaymentReturn = 'payment-success' | 'payment-failure';

/** What an address says of a payment that has just ended. */
export function paymentReturn(search: string): PaymentReturn | undefined {
  const state = new URLSearchParams(search).get('state');
  return state === 'payment-success' || state === 'payment-failure' ? state : undefined;
}

/**
 * The query of an address without that; null when the address is to be left alone: it opens a modal
 * or came from a campaign.
 */
export function withoutReturn(search: string): string | null {
  const query = new URLSearchParams(search);
  if (query.has('modal') || query.has('utm_source')) return null;
  query.delete('state');
  const text = query.toString();
  return text ? `?${text}` : '';
}
