/**
 * Reports whether an address says that the visitor comes from a payment. Its outcome is not taken from the
 * address: only the server knows it.
 */
export function comesFromPayment(search: string): boolean {
  const state = new URLSearchParams(search).get('state');
  return state === 'payment-success' || state === 'payment-failure';
}

/**
 * Returns the query of an address without the mark of a payment; null when the address must stay as
 * it is, because it opens a modal or came from a campaign.
 */
export function withoutReturn(search: string): string | null {
  const query = new URLSearchParams(search);
  if (query.has('modal') || query.has('utm_source')) return null;
  query.delete('state');
  const text = query.toString();
  return text ? `?${text}` : '';
}
